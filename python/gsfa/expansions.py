"""Nonlinear expansions of a node's inputs, and what may stand before them, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ._parameters import RIDGE, SOLVER, SURPLUS, Flag, Instance, Number, Sorts, Whole, check_all

__all__ = ["Expansion", "Expo", "Pca", "Polynomial", "Rbf"]


class Expansion:
    """Which functions of its inputs a node works on; the inputs themselves always are the first terms."""

    _allowed: ClassVar[Sorts] = {}

    def __post_init__(self) -> None:
        check_all(self, self._allowed)

    def _spec(self) -> dict[str, Any]:
        raise NotImplementedError


@dataclass(frozen=True)
class Expo(Expansion):
    """The inputs and their powers of magnitude, :math:`x_1 … x_I, |x_1|^p … |x_I|^p`.

    Parameters
    ----------
    exponent : float, default=0.8
        p, above 0 and at most 8. With 0.8 outliers hurt less than with products.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> model = gsfa.GSFA(expansion=gsfa.expansions.Expo()).fit(X, abs(X).ravel() ** 0.8)
    >>> model.weights_.shape, model.correlations_.round(6).tolist()
    ((2, 1), [1.0])
    """

    exponent: float = 0.8
    _allowed: ClassVar[Sorts] = {"exponent": (Number(0.0, 8.0, above=True),)}

    def _spec(self) -> dict[str, Any]:
        return {"kind": "expo", "exponent": float(self.exponent)}


@dataclass(frozen=True)
class Polynomial(Expansion):
    """All monomials of degree 1 to `degree`.

    Parameters
    ----------
    degree : int, default=2
        The highest degree; I inputs have I(I + 3)/2 terms up to degree 2.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> y = (X**2).ravel()
    >>> gsfa.GSFA(expansion=gsfa.expansions.Polynomial(2)).fit(X, y).correlations_.round(6).tolist()
    [1.0]
    """

    degree: int = 2
    _allowed: ClassVar[Sorts] = {"degree": (Whole(1),)}

    def _spec(self) -> dict[str, Any]:
        return {"kind": "polynomial", "degree": int(self.degree)}


@dataclass(frozen=True)
class Rbf(Expansion):
    """The inputs, and radial basis functions: Gaussian kernels about some of the samples, for what is smooth but no
    polynomial.

    Centres are drawn from at most 10,000 samples by k-means++; neither the order of samples nor the chunks they come in
    matter. Terms are Nyström's features of the kernels, so that the ridge of a node means what it means in kernel ridge
    regression.

    Parameters
    ----------
    centers : int, default=200
        The number of centres, at most 20,000; fewer if fewer samples differ.
    width : float, default=1.0
        The width of the kernels, as a share of the root of the total variance of the inputs.
    seed : int, default=0
        Of the draw.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> X = np.linspace(-3, 3, 200)[:, None]
    >>> model = gsfa.GSFA(expansion=gsfa.expansions.Rbf(30)).fit(X, np.sin(3 * X).ravel())
    >>> bool(model.correlations_[0] > 0.999)
    True
    """

    centers: int = 200
    width: float = 1.0
    seed: int = 0
    _allowed: ClassVar[Sorts] = {
        "centers": (Whole(1, 20_000),),
        "width": (Number(0.0, above=True),),
        "seed": (Whole(0),),
    }

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"kind": "rbf", "centers": int(self.centers), "width": float(self.width)}
        return spec | ({"seed": int(self.seed)} if self.seed else {})


@dataclass(frozen=True)
class Pca:
    """Principal components before the expansion; give either `components` or `variance`.

    Parameters
    ----------
    components : int, optional
        This many.
    variance : float, optional
        As many as hold this share of the variance.
    whiten : bool, default=False
        Scale components to unit variance.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import gsfa
    >>> X, y = load_iris(return_X_y=True)
    >>> model = gsfa.GSFA(1, pca=gsfa.expansions.Pca(variance=0.95)).fit(X, y)
    >>> model.weights_.shape, model.delta_values_.round(2).tolist()
    ((2, 1), [0.07])
    """

    components: int | None = None
    variance: float | None = None
    whiten: bool = False

    def __post_init__(self) -> None:
        check_all(
            self,
            {
                "components": (Whole(1), None),
                "variance": (Number(0.0, 1.0, above=True), None),
                "whiten": (Flag(),),
            },
        )

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"whiten": bool(self.whiten)}
        if self.components is not None:
            spec["components"] = int(self.components)
        if self.variance is not None:
            spec["variance"] = float(self.variance)
        return spec


NODE: Sorts = {
    "standardize": (Flag(),),
    "pca": (Whole(1), Instance(Pca), None),
    "clip": (Number(0.0, above=True), None),
    "expansion": (Instance(Expansion), None),
    "ridge": (RIDGE,),
    "surplus": (SURPLUS,),
    "solver": (SOLVER,),
}
"""What parameters of a node may be."""


def layer_spec(
    *,
    output_dim: int,
    standardize: bool,
    pca: int | Pca | None,
    clip: float | None,
    expansion: Expansion | None,
    ridge: float,
    surplus: str,
    solver: str,
) -> dict[str, Any]:
    """A layer of one node over everything, as the library reads it."""
    spec: dict[str, Any] = {"output_dim": int(output_dim), "ridge": float(ridge), "surplus": surplus}
    if solver != "covariance":
        spec["solver"] = solver
    if standardize:
        spec["standardize"] = True
    if pca is not None:
        spec["pca"] = pca._spec() if isinstance(pca, Pca) else {"components": int(pca)}
    if clip is not None:
        spec["clip"] = {"sigmas": float(clip)}
    if expansion is not None:
        spec["expansion"] = expansion._spec()
    return spec
