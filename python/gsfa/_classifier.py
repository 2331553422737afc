"""Classes from few features."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from . import _core
from ._checks import checked_labels, require_labels
from ._columns import meant_by
from ._documentation import shared
from ._images import Shape
from ._json import text
from ._labels import LabelTable, class_kind, class_names, label_table, missing_classes, refuse_mixed
from ._parameters import SOME_FEATURES, Instance, OneOf, Sorts
from ._probabilities import Probabilities
from ._readouts import Readout
from ._recipes import RecipeEstimator
from ._spectra import Spectrum
from .errors import GsfaError, ParameterError
from .graphs import Graph
from .networks import Network, check_top


@shared
class CompactClassifier(Probabilities, ClassifierMixin, RecipeEstimator):  # type: ignore[misc]
    """Classes from few features: a compact code of the classes, or all of LDA's features, and a Gaussian classifier.

    What is left open is chosen from the samples, as in :class:`ELLRegressor`.

    Parameters
    ----------
    n_components : int, optional
        The number of features. Their code, binary as in the paper or learned, is chosen by left-out samples, and binary
        without `calibrate`; C − 1 features of a clustered graph (linear discriminant analysis) if left out, unless fewer
        features of a learned code err less.
    graph : gsfa.graphs.Graph, optional
        Another graph.
    {network}
    {spectrum}
    {chosen_ridge}
    readout : GaussianClassifier, NearestCentroid or NearestNeighborsClassifier, optional
        The read-out; the one with the least log loss on left-out samples if left out: Gaussians with a shared covariance,
        with their own, or the nearest centroid.
    calibrate : bool, default=True
        Whether samples are left out to judge read-out and probabilities. A network of several nodes is trained once more
        for it, on four fifths of the samples.
    {effort}
    class_weight : dict or "balanced", optional
        Factors of the weights of all samples of a class, in network and read-out; ``"balanced"`` gives all classes the same
        weight in total, sample weights included.
    image_shape : tuple of int, optional
        (height, width) or (height, width, channels), if rows of X are images.
    semi_supervised : bool, default=False
        Whether None or NaN means that a sample has no class. Such samples are seen by scales and principal components;
        whether they weigh in the covariance, too, is chosen by left-out samples.
    {n_jobs}

    Attributes
    ----------
    {classes_}
    {delta_values_}
    {correlations_}
    {rank_of_last}
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
    >>> from sklearn.datasets import load_digits
    >>> import gsfa
    >>> X, y = load_digits(return_X_y=True)
    >>> model = gsfa.CompactClassifier(n_components=4).fit(X[:900], y[:900])
    >>> model.features(X[900:]).shape, model.predict_proba(X[900:]).shape
    ((897, 4), (897, 10))
    >>> round(model.score(X[900:], y[900:]), 1)          # ten classes from four features
    0.9
    """

    _allowed: ClassVar[Sorts] = {
        "n_components": SOME_FEATURES,
        "class_weight": (Instance(dict), OneOf(("balanced",)), None),
        **RecipeEstimator._allowed,
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        graph: Graph | None = None,
        network: str | Network | None = None,
        spectrum: Spectrum | bool | None = None,
        ridge: float | None = None,
        readout: Readout | None = None,
        calibrate: bool = True,
        effort: str = "normal",
        class_weight: dict[Any, float] | str | None = None,
        image_shape: Sequence[int] | None = None,
        semi_supervised: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.graph = graph
        self.network = network
        self.spectrum = spectrum
        self.ridge = ridge
        self.readout = readout
        self.calibrate = calibrate
        self.effort = effort
        self.class_weight = class_weight
        self.image_shape = image_shape
        self.semi_supervised = semi_supervised
        self.n_jobs = n_jobs

    def _recipe(self) -> dict[str, Any]:
        recipe = super()._recipe()
        recipe["semi_supervised"] = bool(self.semi_supervised)
        if self.n_components is not None:
            recipe["network"]["features"] = int(self.n_components)
            if self.graph is None:
                recipe["targets"] = int(self.n_components)
        return recipe

    def fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> CompactClassifier:
        """Trains network and read-out.

        Parameters
        ----------
        {images_to_learn}
        y : array-like of shape (n_samples,)
            Classes; with `semi_supervised` None or NaN where one is missing.
        {weights}
        {groups}

        Returns
        -------
        self : CompactClassifier
        """
        self._fit(X, y, sample_weight, groups)
        return self

    def _checked_y(self, y: Any, X: Any) -> Any:
        require_labels(self, y)
        if hasattr(y, "columns"):
            # A table of one column is that column; more are told by scikit-learn.
            y = y[y.columns[0]] if len(y.columns) == 1 else column_or_1d(np.asarray(y))
        refuse_mixed(str(getattr(y, "name", None) or "y"), y)
        if self.semi_supervised:
            check_consistent_length(X, column_or_1d(np.asarray(y)))
            # A series keeps its name.
            return y if isinstance(getattr(y, "name", None), str) else column_or_1d(np.asarray(y))
        y = checked_labels(y, X, multi_output=False, unlabelled="set semi_supervised=True")
        missing = int(missing_classes(np.asarray(y)).sum())
        if missing:
            raise GsfaError(
                f"{missing} of {len(y)} samples have no class",
                hint="leave them out, or set semi_supervised=True so that they count as unlabelled",
                code="missing_classes",
            )
        check_classification_targets(y)
        return y

    def _weights(self, y: Any, sample_weight: Any) -> Any:
        if self.class_weight is None:
            return sample_weight
        classes = np.asarray(y)
        weights = np.array(_check_sample_weight(sample_weight, classes, dtype=np.float64, ensure_non_negative=True))
        known = ~missing_classes(classes)
        distinct, codes = np.unique(np.array(classes[known].tolist()), return_inverse=True)
        if self.class_weight == "balanced":
            totals = np.bincount(codes, weights=weights[known])
            # A class without weight is left out, whatever its factor.
            factors = totals.sum() / np.where(totals > 0, totals, 1) / np.count_nonzero(totals)
        else:
            factors = self._factors(distinct)
        weights[known] *= factors[codes]
        return weights

    def _factors(self, classes: NDArray[Any]) -> Any:
        """Factors of classes, as they are given."""
        try:
            return compute_class_weight(self.class_weight, classes=classes, y=classes)
        except ValueError as error:
            names = [str(name) for name in classes]
            others = [str(name) for name in self.class_weight or () if str(name) not in names]
            raise ParameterError(
                f"The 'class_weight' parameter of {type(self).__name__} does not fit the labels: {error}",
                hint=meant_by(others, names) or "give a factor for each class, or \"balanced\"",
                details={"parameter": "class_weight"},
            ) from None

    def _table(self, y: Any, samples: int) -> LabelTable:
        return label_table(y, samples, numbers=False, classes=True)

    def _check_width(self, recipe: str, shape: Shape, table: LabelTable) -> None:
        inputs = shape[0] * shape[1] * shape[2]
        if self.n_components is None or self.n_components <= inputs:
            return
        # Of what is left open, nothing is wider than all products.
        widest = inputs * (inputs + 3) // 2 if self.network in (None, "auto", "quadratic") else 0
        _, network = _core.design(recipe, shape, table.samples, table.columns)
        check_top("n_components", int(self.n_components), json.loads(network), type(self).__name__, most=widest)

    def _class_weights(self, table: LabelTable) -> str | None:
        if self.class_weight is None or isinstance(self.class_weight, str):
            return None if self.class_weight is None else text("class_weight", self.class_weight)
        (distinct,) = table.classes.values()
        named = zip(class_names(distinct), distinct)
        given = {name: float(self.class_weight[value]) for name, value in named if value in self.class_weight}
        return text("class_weight", {"given": given})

    def _class_values(self, table: LabelTable) -> str | None:
        (distinct,) = table.classes.values()
        return text("y", class_kind(distinct))

    def _of_labels(self, table: LabelTable) -> dict[str, Any]:
        (distinct,) = table.classes.values()
        return {"classes_": distinct}

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each sample.

        Parameters
        ----------
        {images}

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        given = self._class_estimates(X)
        position = {name: k for k, name in enumerate(class_names(self.classes_))}
        order = np.array([position[name] for name in given["names"]])
        classes: NDArray[Any] = self.classes_[order[given["classes"]]]
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes, with the temperature that suits samples that took no part in training.

        Parameters
        ----------
        {images}

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Rows sum to 1; columns are in the order of ``classes_``.
        """
        return super().predict_proba(X)

    def _class_estimates(self, X: Any) -> dict[str, Any]:
        ((_, given),) = self._estimates(X)
        return given
