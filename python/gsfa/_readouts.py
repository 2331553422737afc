"""Read-outs: from slow features to estimates of a label."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._base import checked_labels, require_labels, weighted
from ._documentation import shared
from ._json import text
from ._labels import LabelTable, class_names, split_columns
from ._parameters import SOME_FEATURES, Number, Sorts, Whole, check_all, shown
from .errors import GsfaError

Self = TypeVar("Self", bound="Readout")

Clip = Union[str, bool, "tuple[float, float]"]
"""Where estimates of a number are held."""


def clip_spec(clip: Clip) -> Any:
    """The range of estimates as the library takes it."""
    if isinstance(clip, (bool, np.bool_)):
        return "training" if clip else "none"
    if isinstance(clip, str):
        if clip not in ("none", "training"):
            raise GsfaError(f"clip = {shown(clip)}: it must be 'none', 'training' or a pair of numbers")
        return clip
    try:
        low, high = (float(end) for end in clip)
    except (TypeError, ValueError):
        raise GsfaError(f"clip = {shown(clip)}: it must be 'none', 'training' or a pair of numbers") from None
    return [low, high]


SMALLEST = float(np.finfo(np.float64).tiny)
"""Probabilities below it are taken for it where a logarithm must be finite."""


class Probabilities:
    """What follows from the probabilities of classes."""

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes."""
        raise NotImplementedError

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like
            What :meth:`predict_proba` takes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """How much speaks for each class: the logarithm of its probability; of two classes, how much more for the second.

        Parameters
        ----------
        X : array-like
            What :meth:`predict_proba` takes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
        """
        logarithms: NDArray[np.float64] = np.log(np.maximum(self.predict_proba(X), SMALLEST))
        return logarithms[:, 1] - logarithms[:, 0] if logarithms.shape[1] == 2 else logarithms


class Readout(BaseEstimator):  # type: ignore[misc]
    """A read-out of one label, fitted to features as GSFA gives them."""

    _readout: _core.Readout
    _allowed: ClassVar[Sorts] = {}

    def _spec(self) -> dict[str, Any]:
        raise NotImplementedError

    def _fit(self: Self, X: Any, y: Any, sample_weight: Any, *, classes: bool) -> Self:
        check_all(self, self._allowed)
        X = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        require_labels(self, y)
        y = checked_labels(y, X, multi_output=False)
        if classes:
            check_classification_targets(y)
        X, y, weights = weighted(X, y, sample_weight)
        table = LabelTable(len(X))
        ((name, values),) = split_columns(y)
        if classes:
            table.add_classes(name, values)
            self.classes_ = table.classes[name]
        else:
            table.add_numbers(name, values)
        X = np.ascontiguousarray(X)
        self._readout = _core.Readout.fit(text("parameters", self._spec()), X, table.columns[0], weights)
        return self

    def _estimate(self, X: Any) -> dict[str, Any]:
        check_is_fitted(self, "_readout")
        X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        return self._readout.estimate(X)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        readout = state.pop("_readout", None)
        if readout is not None:
            state["_readout_parts"] = readout.parts()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        parts = state.pop("_readout_parts", None)
        super().__setstate__(state)
        if parts is not None:
            self._readout = _core.Readout.from_parts(*parts)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_readout")


@shared
class SoftGC(RegressorMixin, Readout):  # type: ignore[misc]
    """Soft GC: the expectation of a number over the class probabilities of a Gaussian classifier.

    Parameters
    ----------
    {n_features}
    bins : int, default=60
        The most bins of the label, each of which is a class.
    {shrinkage}

    Attributes
    ----------
    {features_in}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.pipeline import make_pipeline
    >>> import gsfa
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = make_pipeline(gsfa.GSFA(), gsfa.SoftGC()).fit(X, y)
    >>> model.predict(X).shape, round(model.score(X, y), 3)
    ((442,), 0.525)
    """

    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES, "bins": (Whole(2),), "shrinkage": (Number(0.0),)}

    def __init__(self, n_features: int | None = None, *, bins: int = 60, shrinkage: float = 1.0) -> None:
        self.n_features = n_features
        self.bins = bins
        self.shrinkage = shrinkage

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"kind": "soft_gc", "bins": int(self.bins), "shrinkage": float(self.shrinkage)}
        if self.n_features is not None:
            spec["features"] = int(self.n_features)
        return spec

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> SoftGC:
        """Fits Gaussians to features of shape (n_samples, n_features) and numbers of shape (n_samples,)."""
        return self._fit(X, y, sample_weight, classes=False)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The expected label of each row of features, of shape (n_samples,)."""
        numbers: NDArray[np.float64] = self._estimate(X)["numbers"]
        return numbers

    def predict_std(self, X: Any) -> NDArray[np.float64]:
        """The predictive standard deviation of each estimate, of shape (n_samples,)."""
        deviation: NDArray[np.float64] = self._estimate(X)["standard_deviation"]
        return deviation


@shared
class LinearScaling(RegressorMixin, Readout):  # type: ignore[misc]
    """The slowest feature, scaled and shifted to mean and deviation of the label; for ELL graphs.

    As the read-out of an :class:`ELLRegressor` it knows the target labels, and takes for each label the features that
    correlate with its own, whatever their order.

    Parameters
    ----------
    {range}

    Attributes
    ----------
    n_features_in_ : int
        The number of features, of which the first is used.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> y = np.arange(10.0)
    >>> feature = ((y - y.mean()) / y.std())[:, None]
    >>> estimate = gsfa.LinearScaling().fit(feature, y).predict(feature)
    >>> estimate.shape, float(estimate[7].round(9))
    ((10,), 7.0)
    """

    def __init__(self, *, clip: Clip = "training") -> None:
        self.clip = clip

    def _spec(self) -> dict[str, Any]:
        return {"kind": "linear_scaling", "clip": clip_spec(self.clip)}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # It assumes slow features: one input, of zero mean and unit variance, that is the label up to scale.
        tags.regressor_tags.poor_score = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> LinearScaling:
        """Learns scale, sign and offset from features of shape (n_samples, n_features) and numbers."""
        return self._fit(X, y, sample_weight, classes=False)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The estimated label of each row of features, of shape (n_samples,)."""
        numbers: NDArray[np.float64] = self._estimate(X)["numbers"]
        return numbers


@shared
class LinearRegression(RegressorMixin, Readout):  # type: ignore[misc]
    """Least squares on the first features.

    Parameters
    ----------
    {n_features}
    {range}

    Attributes
    ----------
    {features_in}

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> y = np.arange(10.0)
    >>> feature = ((y - y.mean()) / y.std())[:, None]
    >>> estimate = gsfa.LinearRegression(clip="none").fit(feature, y).predict(2 * feature)
    >>> estimate.shape, float(estimate[9].round(9))
    ((10,), 13.5)
    """

    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES}

    def __init__(self, n_features: int | None = None, *, clip: Clip = "training") -> None:
        self.n_features = n_features
        self.clip = clip

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"kind": "linear_regression", "clip": clip_spec(self.clip)}
        if self.n_features is not None:
            spec["features"] = int(self.n_features)
        return spec

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> LinearRegression:
        """Solves for features of shape (n_samples, n_features) and numbers of shape (n_samples,)."""
        return self._fit(X, y, sample_weight, classes=False)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The estimated label of each row of features, of shape (n_samples,)."""
        numbers: NDArray[np.float64] = self._estimate(X)["numbers"]
        return numbers


@shared
class NearestCentroid(Probabilities, ClassifierMixin, Readout):  # type: ignore[misc]
    """The class whose mean is nearest.

    Parameters
    ----------
    {n_features}

    Attributes
    ----------
    {classes_}
    {features_in}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> import gsfa
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(gsfa.GSFA(), gsfa.NearestCentroid()).fit(X, y)
    >>> model.predict_proba(X).shape, round(model.score(X, y), 2)
    ((150, 3), 0.87)
    """

    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES}

    def __init__(self, n_features: int | None = None) -> None:
        self.n_features = n_features

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"kind": "nearest_centroid"}
        if self.n_features is not None:
            spec["features"] = int(self.n_features)
        return spec

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> NearestCentroid:
        """Averages features of shape (n_samples, n_features) over classes of shape (n_samples,)."""
        return self._fit(X, y, sample_weight, classes=True)

    def predict(self, X: Any) -> NDArray[Any]:
        """The nearest class of each row of features, of shape (n_samples,)."""
        probabilities = self.predict_proba(X)
        classes: NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of Gaussians of unit variance about the means, in the order of ``classes_``."""
        return ordered_probabilities(self._estimate(X), self.classes_)


@shared
class GaussianClassifier(Probabilities, ClassifierMixin, Readout):  # type: ignore[misc]
    """A Gaussian per class with the class weights as priors.

    Parameters
    ----------
    {n_features}
    {shrinkage}

    Attributes
    ----------
    {classes_}
    {features_in}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> import gsfa
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(gsfa.GSFA(), gsfa.GaussianClassifier()).fit(X, y)
    >>> model.predict_proba(X).shape, round(model.score(X, y), 2)
    ((150, 3), 0.98)
    """

    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES, "shrinkage": (Number(0.0),)}

    def __init__(self, n_features: int | None = None, *, shrinkage: float = 1.0) -> None:
        self.n_features = n_features
        self.shrinkage = shrinkage

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"kind": "gaussian_classifier", "shrinkage": float(self.shrinkage)}
        if self.n_features is not None:
            spec["features"] = int(self.n_features)
        return spec

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> GaussianClassifier:
        """Fits Gaussians to features of shape (n_samples, n_features) and classes of shape (n_samples,)."""
        return self._fit(X, y, sample_weight, classes=True)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row of features, of shape (n_samples,)."""
        probabilities = self.predict_proba(X)
        classes: NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of shape (n_samples, n_classes), in the order of ``classes_``."""
        estimates = self._estimate(X)
        return ordered_probabilities(estimates, self.classes_)


class _Neighbors(Readout):
    """What the read-outs of nearest neighbours share.

    Weights of samples count in the mean or the vote, but not as further neighbours, so that their `fit` takes none; as
    read-outs of an estimator they get those of its samples.
    """

    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES, "neighbors": (Whole(1),)}

    def __init__(self, n_features: int | None = None, *, neighbors: int = 5) -> None:
        self.n_features = n_features
        self.neighbors = neighbors

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"kind": "nearest_neighbors", "neighbors": int(self.neighbors)}
        if self.n_features is not None:
            spec["features"] = int(self.n_features)
        return spec


@shared
class NearestNeighborsRegressor(RegressorMixin, _Neighbors):  # type: ignore[misc]
    """The mean label of the nearest training samples.

    Parameters
    ----------
    {n_features}
    {neighbors}

    Attributes
    ----------
    {features_in}

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> y = np.arange(10.0)
    >>> model = gsfa.NearestNeighborsRegressor(neighbors=3).fit(y[:, None], y)
    >>> model.predict(y[:, None]).shape, model.predict([[4.2]]).tolist()
    ((10,), [4.0])
    """

    def fit(self, X: Any, y: Any) -> NearestNeighborsRegressor:
        """Keeps features of shape (n_samples, n_features) and numbers of shape (n_samples,)."""
        return self._fit(X, y, None, classes=False)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The mean label of the neighbours of each row of features, of shape (n_samples,)."""
        numbers: NDArray[np.float64] = self._estimate(X)["numbers"]
        return numbers


@shared
class NearestNeighborsClassifier(Probabilities, ClassifierMixin, _Neighbors):  # type: ignore[misc]
    """The vote of the nearest training samples.

    Parameters
    ----------
    {n_features}
    {neighbors}

    Attributes
    ----------
    {classes_}
    {features_in}

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> model = gsfa.NearestNeighborsClassifier(neighbors=3).fit(np.arange(6.0)[:, None], list("aaabbb"))
    >>> model.predict_proba([[2.2], [4.0]]).round(3).tolist()
    [[0.667, 0.333], [0.0, 1.0]]
    """

    def fit(self, X: Any, y: Any) -> NearestNeighborsClassifier:
        """Keeps features of shape (n_samples, n_features) and classes of shape (n_samples,)."""
        return self._fit(X, y, None, classes=True)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with most votes for each row of features, of shape (n_samples,)."""
        probabilities = self.predict_proba(X)
        classes: NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Shares of the votes of shape (n_samples, n_classes), in the order of ``classes_``."""
        return ordered_probabilities(self._estimate(X), self.classes_)


def ordered_probabilities(estimates: dict[str, Any], classes: NDArray[Any]) -> NDArray[np.float64]:
    """Probabilities in the order of the classes; the library may order names otherwise."""
    position = {name: k for k, name in enumerate(estimates["names"])}
    order = [position[name] for name in class_names(classes)]
    probabilities: NDArray[np.float64] = estimates["probabilities"][:, order]
    return probabilities


def readout_of(readout: dict[str, Any]) -> Readout | None:
    """The read-out that a model file says it was trained with; nothing if it does not say."""
    settings = readout.get("settings")
    if settings is None:
        return None
    kind, features = settings["kind"], settings.get("features")
    clip = settings.get("clip", "training")
    clip = tuple(clip) if isinstance(clip, list) else clip
    if kind == "soft_gc":
        return SoftGC(features, bins=settings["bins"], shrinkage=settings["shrinkage"])
    if kind == "gaussian_classifier":
        return GaussianClassifier(features, shrinkage=settings["shrinkage"])
    if kind == "linear_regression":
        return LinearRegression(features, clip=clip)
    if kind == "linear_scaling":
        return LinearScaling(clip=clip)
    if kind == "nearest_neighbors":
        made = NearestNeighborsRegressor if readout["fitted"].get("classes") is None else NearestNeighborsClassifier
        return made(features, neighbors=settings["neighbors"])
    return NearestCentroid(features) if kind == "nearest_centroid" else None
