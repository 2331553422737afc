"""Exact label learning of numbers."""

from __future__ import annotations

from typing import Any, ClassVar, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from ._checks import checked_labels, require_labels
from ._documentation import shared
from ._labels import LabelTable, label_table
from ._parameters import Sorts, Whole, shown
from ._readouts import Clip, Readout, clip_spec
from ._recipes import RecipeEstimator
from ._spectra import Spectrum
from .errors import GsfaError, ParameterError
from .graphs import Graph
from .networks import Network


@shared
class ELLRegressor(RegressorMixin, RecipeEstimator):  # type: ignore[misc]
    """Exact label learning: a network whose slowest feature is the label, and a read-out.

    What is left open is chosen by samples that are left out: for tables one node, linear, quadratic or of
    radial basis functions, on standardised columns, and its ridge; for images one linear node, products of principal
    components, a gated cascade or a hierarchy; linear regression or soft GC as
    read-out. The same samples set the deviations.

    Parameters
    ----------
    targets : int, optional
        L, the number of target labels, originals and auxiliary ones together; the originals alone if left out. Not with a
        `graph`, which has its own.
    graph : gsfa.graphs.Graph, optional
        Another graph than ``Ell(targets)``.
    {network}
    {spectrum}
    {chosen_ridge}
    readout : LinearRegression, SoftGC, LinearScaling, GaussianClassifier or NearestNeighborsRegressor, optional
        The read-out; the one that errs least on left-out samples if left out.
    clip : {"none", "training"} or pair of float, default="none"
        Where estimates are held: nowhere, within the labels of training, or within a range. A linear `readout` that is given
        takes it over, unless this is "none", where it goes by its own; a range holds every read-out.
    calibrate : bool, default=True
        Whether samples are left out to judge read-out and deviations. A network of several nodes is trained once more for
        it, on four fifths of the samples.
    {effort}
    {image_shape}
    semi_supervised : bool, default=False
        Whether NaN means that a sample has no label. Such samples are seen by scales and principal components; whether they
        weigh in the covariance, too, is chosen by left-out samples.
    {n_jobs}

    Attributes
    ----------
    {delta_values_}
    correlations_ : ndarray of shape (n_components,)
        ρ², the squared correlation of each feature with its target label.
    label_names_ : list of str
        Names of the labels.
    {rank_of_last}
    coef_ : ndarray of shape (n_features,) or (n_labels, n_features)
        Where network and read-out are linear: ``predict(X) = X @ coef_.T + intercept_``. Derivatives of spectra are part of
        it; where these are divided by their deviation, it is ``Spectrum(snv=True).prepare(X) @ coef_.T + intercept_``.
    intercept_ : float or ndarray of shape (n_labels,)
        The same.
    {network_}
    {ridge_}
    {readout_}
    {graph_}
    {selection_}
    {notes_}
    {preparation_}
    {inputs}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> import gsfa
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = gsfa.ELLRegressor(network="linear", ridge=0.01).fit(X[:300], y[:300])
    >>> model.predict(X[300:]).shape, model.predict_std(X[300:]).shape
    ((142,), (142,))
    >>> round(model.score(X[300:], y[300:]), 2), model.coef_.shape
    (0.51, (10,))
    """

    _allowed: ClassVar[Sorts] = {"targets": (Whole(1), None), **RecipeEstimator._allowed}

    def __init__(
        self,
        targets: int | None = None,
        *,
        graph: Graph | None = None,
        network: str | Network | None = None,
        spectrum: Spectrum | bool | None = None,
        ridge: float | None = None,
        readout: Readout | None = None,
        clip: Clip = "none",
        calibrate: bool = True,
        effort: str = "normal",
        image_shape: Sequence[int] | None = None,
        semi_supervised: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.targets = targets
        self.graph = graph
        self.network = network
        self.spectrum = spectrum
        self.ridge = ridge
        self.readout = readout
        self.clip = clip
        self.calibrate = calibrate
        self.effort = effort
        self.image_shape = image_shape
        self.semi_supervised = semi_supervised
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.graph is not None and self.targets is not None:
            raise ParameterError(
                f"The 'targets' parameter of ELLRegressor says nothing where a graph is given. Got targets={self.targets} and "
                f"graph={shown(self.graph)}.",
                hint="leave targets out, or give them to the graph: graph=Ell(targets)",
                details={"parameter": "targets"},
            )
        if self.readout is not None and clip_spec(self.clip) != "none":
            self._check_clip(self.readout)

    def _check_clip(self, readout: Readout) -> None:
        """Refuses a `clip` beside a read-out that has its own, or that never leaves the labels of training."""
        own, hint = getattr(readout, "clip", None), "leave one of them out"
        if own is None and clip_spec(self.clip) != "training":
            return  # a range holds every read-out
        if own is None:
            hint = "leave clip out; a range like (0, 120) holds every read-out"
        elif clip_spec(own) in ("training", clip_spec(self.clip)):
            return  # what is usual of a read-out is not said by anybody
        raise ParameterError(
            f"The 'clip' parameter of ELLRegressor says nothing beside this read-out. Got clip={shown(self.clip)} and "
            f"readout={shown(readout)}.",
            hint=hint,
            details={"parameter": "clip"},
        )

    def _recipe(self) -> dict[str, Any]:
        recipe = super()._recipe()
        recipe["clip"] = clip_spec(self.clip)
        if recipe["clip"] != "none" and "clip" in (recipe.get("readout") or {}):
            # One meaning, whoever says it: what is judged is clipped as estimates will be.
            recipe["readout"]["clip"] = recipe["clip"]
        recipe["semi_supervised"] = bool(self.semi_supervised)
        if self.targets is not None:
            recipe["targets"] = int(self.targets)
        return recipe

    def fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> ELLRegressor:
        """Trains network and read-outs.

        Parameters
        ----------
        {images_to_learn}
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Numbers.
        {weights}
        {groups}

        Returns
        -------
        self : ELLRegressor
        """
        self._fit(X, y, sample_weight, groups)
        return self

    def _checked_y(self, y: Any, X: Any) -> Any:
        require_labels(self, y)
        return checked_labels(
            y, X, multi_output=True, allow_nan=self.semi_supervised, unlabelled="set semi_supervised=True"
        )

    def _table(self, y: Any, samples: int) -> LabelTable:
        return label_table(y, samples, numbers=True, classes=False)

    def _of_labels(self, table: LabelTable) -> dict[str, Any]:
        return {"label_names_": [column[0] for column in table.columns], "_flat_output": len(table.columns) == 1}

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Estimates of the labels.

        Parameters
        ----------
        {images}

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
        """
        columns = [given["numbers"] for _, given in self._estimates(X)]
        return columns[0] if self._flat_output else np.column_stack(columns)

    def _affine(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        check_is_fitted(self, "_model")
        found = self._model.affine_estimates()
        if found is None:
            raise AttributeError(
                "estimates are no linear functions of the inputs: the network expands or clips them, or the read-out does"
            )
        return found

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Weights of the inputs."""
        weights = self._affine()[0]
        return weights[:, 0] if self._flat_output else weights.T

    @property
    def intercept_(self) -> Any:
        """Estimates for inputs of 0."""
        offset = self._affine()[1]
        return float(offset[0]) if self._flat_output else offset

    def predict_std(self, X: Any) -> NDArray[np.float64]:
        """Standard deviations of the estimates: those of samples that took no part in training.

        With soft GC they differ from sample to sample, else they are one for all. With ``calibrate=False`` they are those
        of the training samples.

        Parameters
        ----------
        {images}

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
        """
        columns = []
        for _, given in self._estimates(X):
            deviation = given.get("standard_deviation")
            if deviation is None:
                raise GsfaError(
                    "the read-out of this model knows no deviations",
                    hint="it was written by an earlier version: train it again",
                )
            columns.append(deviation)
        return columns[0] if self._flat_output else np.column_stack(columns)
