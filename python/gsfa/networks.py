"""Networks as values: layers of nodes over receptive fields, each node PCA → expansion → GSFA."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Sequence

from . import _core
from ._json import text
from ._parameters import Flag, Instance, Number, OneOf, Several, Whole, check, check_all, shown
from ._spectra import Spectrum, spectrum_of
from .errors import ParameterError
from .expansions import NODE, Expansion, Expo, Pca, Polynomial, Rbf, layer_spec

__all__ = ["Gate", "Keep", "Layer", "LayerPlan", "Network"]


MOST_OUTPUTS = 2**20
"""Outputs of a layer that a model file can hold."""


@dataclass(frozen=True)
class Gate:
    """Products of the features below with principal components of the original inputs, for a layer with `skip`.

    Parameters
    ----------
    components : int
        Principal components, those of all patches ranked by their variance.
    patch : pair of int, optional
        Height and width in pixels of the patches whose components are taken, about; the whole field if left out.
    features : int, optional
        How many of the features below take part, the first ones; all if left out.
    products : float, default=0.3
        How much of the variance of their component products of a feature and a component have.
    squares : float, default=0.0
        The same for products with the square of a feature, less 1; 0 leaves them out.

    Examples
    --------
    >>> from gsfa.networks import Gate, Layer, Network
    >>> net = Network([Layer(1), Layer(1, skip=1.0, gate=Gate(5))])
    >>> [layer.expanded_dim for layer in net.plan((4, 4))]
    [16, 22]
    """

    components: int
    patch: tuple[int, int] | None = None
    features: int | None = None
    products: float = 0.3
    squares: float = 0.0

    def __post_init__(self) -> None:
        check_all(
            self,
            {
                "components": (Whole(1),),
                "patch": (Several(Whole(1), lengths=(2,)), None),
                "features": (Whole(1), None),
                "products": (Number(0.0, above=True),),
                "squares": (Number(0.0),),
            },
        )

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {
            "components": int(self.components),
            "products": float(self.products),
            "squares": float(self.squares),
        }
        if self.patch is not None:
            spec["patch"] = [int(side) for side in self.patch]
        if self.features is not None:
            spec["features"] = int(self.features)
        return spec


@dataclass(frozen=True)
class Keep:
    """Nodes that keep information: a slow part, and principal components of what it leaves of the inputs.

    Components are at their natural variance and of the inputs before the expansion, or of the original inputs in a layer
    with `skip`. Networks whose layers all keep information have an inverse: see :meth:`gsfa.HGSFA.inverse_transform`.

    Parameters
    ----------
    slow : int, optional
        The most slow features of a node; 0 for principal components alone.
    delta : float, optional
        The largest delta value of a slow feature, at most 2. Without `slow` and `delta`, features are slow if their
        correlation with the target labels is more than that of noise.
    scaling : {"sensitivity", "qr", "median", "spread", "none"}, default="sensitivity"
        The size of slow features beside the components: the root of the variance of the inputs that each explains; the
        same, mixed into orthogonal directions; that of a middling component; from the upper to the lower quartile of
        components; or 1.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> import gsfa
    >>> from gsfa.networks import Keep, Layer, Network
    >>> digits = load_digits()
    >>> net = Network([Layer(8, field=(4, 4), keep=Keep(slow=3)), Layer(24, keep=Keep(slow=9))])
    >>> model = gsfa.HGSFA(network=net).fit(digits.images, digits.target)
    >>> back = model.inverse_transform(model.transform(digits.images))
    >>> back.shape, bool(((back - digits.images) ** 2).mean() < 0.25 * digits.images.var(axis=0).mean())
    ((1797, 8, 8), True)
    """

    slow: int | None = None
    delta: float | None = None
    scaling: str = "sensitivity"

    def __post_init__(self) -> None:
        check_all(
            self,
            {
                "slow": (Whole(0), None),
                "delta": (Number(0.0, 2.0, above=True), None),
                "scaling": (OneOf(("sensitivity", "qr", "median", "spread", "none")),),
            },
        )

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"scaling": self.scaling}
        if self.slow is not None:
            spec["slow"] = int(self.slow)
        if self.delta is not None:
            spec["delta"] = float(self.delta)
        return spec


@dataclass(frozen=True)
class Layer:
    """The same kind of node over every receptive field.

    Parameters
    ----------
    output_dim : int
        Slow features per node.
    field : pair of int, optional
        Height and width of a node's field, in nodes of the layer below (pixels for the first); all of it if left out.
    stride : pair of int, optional
        Distance between fields; the field itself if left out.
    standardize : bool, default=False
        Scale every input to unit variance first.
    pca : int or gsfa.expansions.Pca, optional
        Principal components before the expansion.
    clip : float, optional
        Clip inputs of the expansion at this many standard deviations.
    expansion : gsfa.expansions.Expansion, optional
        Nonlinear functions of the inputs.
    skip : float, optional
        Pass the original inputs of the field on beside the features, which get this factor.
    ridge : float, default=0.0
        Ridge of the node's GSFA.
    surplus : {"residual", "fast", "arbitrary", "truncate", "error"}, default="residual"
        What outputs beyond the slow features are.
    solver : {"covariance", "svd"}, default="covariance"
        From what features are solved, as in :class:`~gsfa.GSFA`.
    gate : Gate, optional
        With `skip`: products of the features below with principal components of these inputs.
    keep : Keep, optional
        Keep information: outputs beyond a slow part are what it leaves of the node's inputs.
    shared : bool, default=False
        One node for all fields: it learns from all of them, each a sample with the labels of its image.

    Examples
    --------
    >>> from gsfa.networks import Layer
    >>> from gsfa.networks import Network
    >>> (first,) = Network([Layer(10, field=(4, 4))]).plan((8, 8))
    >>> first.nodes, first.input_dim, first.output_dim
    (4, 16, 10)
    """

    output_dim: int
    field: tuple[int, int] | None = None
    stride: tuple[int, int] | None = None
    standardize: bool = False
    pca: int | Pca | None = None
    clip: float | None = None
    expansion: Expansion | None = None
    skip: float | None = None
    ridge: float = 0.0
    surplus: str = "residual"
    solver: str = "covariance"
    gate: Gate | None = None
    keep: Keep | None = None
    shared: bool = False

    def __post_init__(self) -> None:
        side = Several(Whole(1), lengths=(2,))
        check_all(
            self,
            {
                "output_dim": (Whole(1, MOST_OUTPUTS),),
                "field": (side, None),
                "stride": (side, None),
                "skip": (Number(0.0, above=True), None),
                "gate": (Instance(Gate), None),
                "keep": (Instance(Keep), None),
                "shared": (Flag(),),
                **NODE,
            },
        )
        if self.gate is not None and self.skip is None:
            raise ParameterError("a gate multiplies features with inputs that are passed on: give `skip`, too")

    def _spec(self) -> dict[str, Any]:
        spec = layer_spec(
            output_dim=self.output_dim,
            standardize=self.standardize,
            pca=self.pca,
            clip=self.clip,
            expansion=self.expansion,
            ridge=self.ridge,
            surplus=self.surplus,
            solver=self.solver,
        )
        if self.field is not None:
            spec["field"] = [int(side) for side in self.field]
        if self.stride is not None:
            spec["stride"] = [int(side) for side in self.stride]
        if self.skip is not None:
            spec["skip"] = {"feature_scale": float(self.skip)}
            if self.gate is not None:
                spec["skip"]["gate"] = self.gate._spec()
        if self.keep is not None:
            spec["keep"] = self.keep._spec()
        if self.shared:
            spec["shared"] = True
        return spec


@dataclass(frozen=True)
class LayerPlan:
    """A row of the architecture table."""

    nodes: int
    input_dim: int
    expanded_dim: int
    output_dim: int


@dataclass(frozen=True)
class Network:
    """Layers from the input to the top.

    Parameters
    ----------
    layers : sequence of Layer
        From the input to the top.
    spectrum : gsfa.Spectrum, optional
        What is done to samples that are spectra first.

    Examples
    --------
    >>> from gsfa.networks import Layer, Network
    >>> net = Network([Layer(10, field=(4, 4)), Layer(3)])
    >>> [(layer.nodes, layer.input_dim) for layer in net.plan((8, 8))]
    [(4, 16), (1, 40)]
    """

    layers: Sequence[Layer]
    spectrum: Spectrum | None = None

    def __post_init__(self) -> None:
        check("layers", self.layers, (Several(Instance(Layer)),), "Network")
        check("spectrum", self.spectrum, (Instance(Spectrum), None), "Network")
        object.__setattr__(self, "layers", tuple(self.layers))

    @staticmethod
    def paper_64() -> Network:
        """The paper's eight layers for 64×64 grey images."""
        return network_of(json.loads(_core.network("paper_64", (64, 64, 1), 0, 1, 1)))

    @staticmethod
    def cascade(output_dim: int) -> Network:
        """Three linear nodes, each seeing the input again beside polynomials of the features below."""
        check("output_dim", output_dim, (Whole(1),), "cascade")
        return network_of(json.loads(_core.network("cascade", (1, 1, 1), 0, 1, int(output_dim))))

    @staticmethod
    def higsfa(shape: Sequence[int], samples: int, output_dim: int) -> Network:
        """A hierarchy whose nodes keep information, for so many images of a shape, by the authors' general rule."""
        check("samples", samples, (Whole(1),), "higsfa")
        check("output_dim", output_dim, (Whole(1),), "higsfa")
        return network_of(json.loads(_core.network("higsfa", full_shape(shape), int(samples), 1, int(output_dim))))

    @staticmethod
    def shared(shape: Sequence[int], samples: int, output_dim: int) -> Network:
        """Two layers of nodes that all fields share, and one over everything, for so many images of a shape."""
        check("samples", samples, (Whole(1),), "shared")
        check("output_dim", output_dim, (Whole(1),), "shared")
        return network_of(json.loads(_core.network("shared", full_shape(shape), int(samples), 1, int(output_dim))))

    def plan(self, shape: Sequence[int]) -> list[LayerPlan]:
        """The architecture table for samples of a shape: (columns,), (height, width) or (height, width, channels)."""
        return [LayerPlan(*row) for row in _core.plan(text("network", self._spec(full_shape(shape))))]

    def _spec(self, shape: tuple[int, int, int]) -> dict[str, Any]:
        height, width, channels = shape
        spec: dict[str, Any] = {"input": {"height": height, "width": width, "channels": channels}}
        if self.spectrum is not None:
            spec["spectrum"] = json.loads(self.spectrum._fixed(channels))
        return {**spec, "layers": [layer._spec() for layer in self.layers]}


SHAPE = Several(Whole(1), lengths=(1, 2, 3))
"""Columns; height and width; height, width and channels."""


def full_shape(shape: Sequence[int]) -> tuple[int, int, int]:
    """Height, width and channels; a table row is one pixel with many channels."""
    check("shape", shape, (SHAPE,), "a sample")
    sizes = [int(size) for size in shape]
    if len(sizes) == 1:
        return 1, 1, sizes[0]
    if len(sizes) == 2:
        return sizes[0], sizes[1], 1
    height, width, channels = sizes
    return height, width, channels


def check_top(name: str, features: int, network: dict[str, Any], owner: str, most: int = 0) -> None:
    """Refuses more features on top than its node has expanded inputs, or than `most` if that is more."""
    nodes, _, expanded, _ = _core.plan(text("network", network))[-1]
    if nodes == 1 and features > max(expanded, most):
        raise ParameterError(
            f"The '{name}' parameter of {owner} must be at most {max(expanded, most)}, the number of expanded inputs of "
            f"the top node. Got {shown(features)} instead.",
            hint="ask for fewer features, or give the network more inputs or an expansion",
            code="too_many",
            details={"parameter": name},
        )


def expansion_of(spec: dict[str, Any] | None) -> Expansion | None:
    """The expansion of a specification in a model file."""
    if spec is None or spec["kind"] == "identity":
        return None
    if spec["kind"] == "expo":
        return Expo(spec.get("exponent", 0.8))
    if spec["kind"] == "rbf":
        return Rbf(spec["centers"], spec["width"], spec.get("seed", 0))
    return _Polynomial(spec) if spec.get("first") else Polynomial(spec["degree"])


class _Polynomial(Expansion):
    """A polynomial whose first inputs go to a higher degree, as cascades have."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._kept = spec

    def _spec(self) -> dict[str, Any]:
        return self._kept

    def __repr__(self) -> str:
        return f"Polynomial({self._kept})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Polynomial) and other._kept == self._kept

    def __hash__(self) -> int:
        return hash(json.dumps(self._kept, sort_keys=True))


def layer_of(spec: dict[str, Any]) -> Layer:
    """The layer of a specification in a model file."""
    pca, clip, skip = spec.get("pca"), spec.get("clip"), spec.get("skip")
    return Layer(
        output_dim=spec["output_dim"],
        field=tuple(spec["field"]) if spec.get("field") else None,
        stride=tuple(spec["stride"]) if spec.get("stride") else None,
        standardize=spec.get("standardize", False),
        pca=None if pca is None else Pca(pca.get("components"), pca.get("variance"), pca.get("whiten", False)),
        clip=None if clip is None else clip["sigmas"],
        expansion=expansion_of(spec.get("expansion")),
        skip=None if skip is None else skip["feature_scale"],
        gate=None if skip is None else gate_of(skip.get("gate")),
        ridge=spec.get("ridge", 0.0),
        surplus=spec.get("surplus", "residual"),
        solver=spec.get("solver", "covariance"),
        keep=Keep(**spec["keep"]) if spec.get("keep") is not None else None,
        shared=spec.get("shared", False),
    )


def chosen_network(spec: dict[str, Any]) -> dict[str, Any]:
    """What a fitted estimator says of its network: itself, and its ridge, or those of its layers."""
    network = network_of(spec)
    ridges = [float(layer.ridge) for layer in network.layers]
    return {"network_": network, "ridge_": ridges[0] if len(ridges) == 1 else ridges}


def gate_of(spec: dict[str, Any] | None) -> Gate | None:
    """The gate of a specification in a model file."""
    if spec is None:
        return None
    return Gate(**{**spec, "patch": tuple(spec["patch"]) if spec.get("patch") else None})


def network_of(spec: dict[str, Any]) -> Network:
    """The network of a specification in a model file."""
    return Network([layer_of(layer) for layer in spec["layers"]], spectrum_of(spec.get("spectrum")))
