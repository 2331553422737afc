"""Estimators of labels: network and read-out in one, with what is left open chosen from the samples."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Sequence, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import Tags, check_consistent_length, column_or_1d
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._base import (
    ModelEstimator,
    checked_groups,
    checked_labels,
    checked_samples,
    explained,
    positive_rows,
    require_labels,
    threads,
    warn_about,
    weighted,
)
from ._documentation import shared
from ._images import Shape, as_trained, flattened, shape_for
from ._json import text
from ._labels import LabelTable, class_names, label_table, missing_classes
from ._parameters import SOME_FEATURES, RIDGE, Flag, Instance, Jobs, OneOf, Sorts, Whole, check_all
from ._readouts import Clip, Probabilities, Readout, clip_spec, ordered_probabilities
from ._saved_readouts import readout_of
from .errors import GsfaError
from .graphs import Graph
from .networks import SHAPE, Network, check_top, chosen_network

Self = TypeVar("Self", bound="RecipeEstimator")

EFFORTS = ("quick", "normal", "thorough")

NETWORKS = ("auto", "linear", "quadratic", "cascade", "paper-64", "higsfa")


def network_choice(network: str | Network | None, ridge: float | None) -> dict[str, Any]:
    """The network as a recipe takes it."""
    choice: dict[str, Any] = {}
    if isinstance(network, Network):
        choice = {"kind": "layers", "layers": [layer._spec() for layer in network.layers]}
    elif network is not None:
        choice = {"kind": network}
    if ridge is not None:
        choice["ridge"] = float(ridge)
    return choice


@shared
class RecipeEstimator(ModelEstimator):
    """What regressors and classifiers share."""

    _allowed: ClassVar[Sorts] = {
        "graph": (Instance(Graph), None),
        "network": (OneOf(NETWORKS), Instance(Network), None),
        "ridge": (RIDGE, None),
        "readout": (Instance(Readout), None),
        "calibrate": (Flag(),),
        "effort": (OneOf(EFFORTS),),
        "image_shape": (SHAPE, None),
        "semi_supervised": (Flag(),),
        "n_jobs": (Jobs(), None),
    }
    network: str | Network | None
    graph: Graph | None
    readout: Readout | None
    ridge: float | None
    clip: Clip
    calibrate: bool
    effort: str
    image_shape: Sequence[int] | None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.readout is not None:
            check_all(self.readout, self.readout._allowed)

    def _checked_y(self, y: Any, X: Any) -> Any:
        """The labels, if they are as many as samples and of the right kind."""
        raise NotImplementedError

    def _table(self, y: Any, samples: int) -> LabelTable:
        """The labels as the library takes them."""
        raise NotImplementedError

    def _of_labels(self, table: LabelTable) -> dict[str, Any]:
        """What the labels alone determine of a fitted estimator."""
        raise NotImplementedError

    def _recipe(self) -> dict[str, Any]:
        recipe: dict[str, Any] = {
            "network": network_choice(self.network, self.ridge),
            "calibrate": bool(self.calibrate),
            "effort": self.effort,
        }
        if self.graph is not None:
            recipe["graph"] = self.graph._spec()
        if self.readout is not None:
            recipe["readout"] = self.readout._spec()
        return recipe

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        """Checks everything, and trains network and read-outs."""
        self._check_parameters()
        X, shape = flattened(X, self.image_shape)
        X = checked_samples(self, X, reset=True, min_samples=2)
        y = self._checked_y(y, X)
        sample_weight = self._weights(y, sample_weight)
        codes = checked_groups(groups, X)
        X, y, weights = weighted(X, y, sample_weight)
        table = self._table(y, len(X))
        self._train(X, table, weights, shape, positive_rows(codes, sample_weight), **self._of_labels(table))

    def _weights(self, y: Any, sample_weight: Any) -> Any:
        """The weights of samples, before those of weight zero are left out."""
        return sample_weight

    def _take_summary(self, model: _core.Model, selection: str | None = None, **rest: Any) -> dict[str, Any]:
        header = json.loads(model.header())
        readouts = [
            readout_of(readout.get("settings"), classes=readout["fitted"].get("classes") is not None)
            for readout in header["readouts"]
        ]
        readout = readouts[0] if len(readouts) == 1 else readouts
        chosen = chosen_network(header["network"])
        chosen["selection_"] = None if selection is None else json.loads(selection)
        return super()._take_summary(model, readout_=readout, **chosen, **rest)

    def _train(
        self, X: NDArray[Any], table: LabelTable, weights: Any, shape: Any, groups: Any, **learned: Any
    ) -> NDArray[np.float64]:
        recipe = text("parameters", self._recipe())
        shape = shape_for(shape, X.shape[1])
        self._check_width(recipe, shape, table)
        with explained(self, X):
            model, features, notes, selection = _core.fit_recipe(
                X,
                recipe,
                shape,
                table.columns,
                weights,
                None if groups is None else groups.tolist(),
                self._names(),
                threads(self.n_jobs),
            )
        self._take_summary(model, selection, notes=[note for _, note in notes], **learned)
        warn_about([note for code, note in notes if code in ("in_sample", "parts_not_left_out")])
        return features

    def _check_width(self, recipe: str, shape: Shape, table: LabelTable) -> None:
        """Refuses more features than the network can have."""

    def _checked(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self, "_model")
        X = as_trained(self._model, X, threads(self.n_jobs), self._header())
        return checked_samples(self, X, reset=False)

    def _estimates(self, X: Any) -> list[tuple[str, dict[str, Any]]]:
        X = self._checked(X)
        with explained(self, X):
            return self._model.estimate(X, threads(self.n_jobs))

    def features(self, X: Any) -> NDArray[np.float64]:
        """The slow features that estimates are made from.

        Parameters
        ----------
        {images}

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        X = self._checked(X)
        with explained(self, X):
            return self._model.features(X, threads(self.n_jobs))

    def outlier_score(self, X: Any) -> NDArray[np.float64]:
        """How far samples lie from all training samples: squared Mahalanobis distances to classes or bins, weighted with
        their probabilities.

        Parameters
        ----------
        {samples}

        Returns
        -------
        ndarray of shape (n_samples,)
            About as large as the number of features for samples like those of training.
        """
        scores = [given.get("outlier_score") for _, given in self._estimates(X)]
        if scores[0] is None:
            raise GsfaError(
                "this read-out has no outlier score",
                hint="use readout=gsfa.SoftGC() for numbers or gsfa.GaussianClassifier() for classes",
            )
        score: NDArray[np.float64] = scores[0]
        return score


@shared
class ELLRegressor(RegressorMixin, RecipeEstimator):  # type: ignore[misc]
    """Exact label learning: a network whose slowest feature is the label, and a read-out.

    What is left open is chosen by samples that are left out: for tables one node, linear or quadratic, on standardised
    columns, and its ridge; for images a hierarchy, or one linear node where samples are few; linear regression or soft GC as
    read-out. The same samples set the deviations.

    Parameters
    ----------
    targets : int, optional
        L, the number of target labels, originals and auxiliary ones together; the originals alone if left out.
    graph : gsfa.graphs.Graph, optional
        Another graph than ``Ell(targets)``.
    {network}
    {chosen_ridge}
    readout : LinearRegression, SoftGC, LinearScaling, GaussianClassifier or NearestNeighborsRegressor, optional
        The read-out; the one that errs least on left-out samples if left out.
    clip : {"none", "training"} or pair of float, default="none"
        Where estimates are held if the read-out is left open: nowhere, within the labels of training, or within a range.
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
        Where network and read-out are linear: ``predict(X) = X @ coef_.T + intercept_``.
    intercept_ : float or ndarray of shape (n_labels,)
        The same.
    {network_}
    {ridge_}
    {readout_}
    {graph_}
    {selection_}
    {notes_}
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

    def _recipe(self) -> dict[str, Any]:
        recipe = super()._recipe()
        recipe["clip"] = clip_spec(self.clip)
        recipe["semi_supervised"] = bool(self.semi_supervised)
        if self.graph is None and self.targets is not None:
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
        return checked_labels(y, X, multi_output=True, allow_nan=self.semi_supervised)

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
        if self.semi_supervised:
            check_consistent_length(X, column_or_1d(np.asarray(y)))
            # A series keeps its name.
            return y if isinstance(getattr(y, "name", None), str) else column_or_1d(np.asarray(y))
        y = checked_labels(y, X, multi_output=False)
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
            factors = compute_class_weight(self.class_weight, classes=distinct, y=distinct)
        weights[known] *= factors[codes]
        return weights

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
        ((_, given),) = self._estimates(X)
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
        ((_, given),) = self._estimates(X)
        if "probabilities" not in given:
            raise GsfaError("this read-out has no probabilities", hint="use readout=gsfa.GaussianClassifier()")
        return ordered_probabilities(given, self.classes_)
