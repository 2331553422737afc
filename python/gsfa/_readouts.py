"""What all read-outs share: parameters, fits and estimates of a label from slow features."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, TypeVar, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._checks import checked_labels, require_labels, weighted
from ._json import text
from ._labels import LabelTable, split_columns
from ._parameters import SOME_FEATURES, Number, OneOf, Sorts, Whole, check_all, nearest, shown
from ._probabilities import Probabilities
from .errors import GsfaError

Self = TypeVar("Self", bound="Readout")

Clip = Union[str, bool, "tuple[float, float]"]
"""Where estimates of a number are held."""


CLIPS = ("none", "training")


def clip_spec(clip: Clip) -> Any:
    """The range of estimates as the library takes it."""
    if isinstance(clip, (bool, np.bool_)):
        return "training" if clip else "none"
    if isinstance(clip, str):
        if clip not in CLIPS:
            meant = nearest(clip, CLIPS)
            raise GsfaError(
                f"clip = {shown(clip)}: it must be 'none', 'training' or a pair of numbers",
                hint=f"did you mean '{meant}'?" if meant else None,
            )
        return clip
    try:
        low, high = (float(end) for end in clip)
    except (TypeError, ValueError):
        raise GsfaError(f"clip = {shown(clip)}: it must be 'none', 'training' or a pair of numbers") from None
    return [low, high]


IN_LIBRARY = {"n_features": "features"}
"""Parameters that have another name there, where features are those of a network and here those of scikit-learn."""

COVARIANCES = ("own", "shared")

GAUSSIAN: Sorts = {"bins": (Whole(2),), "shrinkage": (Number(0.0),), "covariance": (OneOf(COVARIANCES),)}
"""Parameters of Gaussians."""

class Readout(BaseEstimator):  # type: ignore[misc]
    """A read-out of one label, fitted to features as GSFA gives them."""

    _readout: _core.Readout
    _kind: ClassVar[str]
    _allowed: ClassVar[Sorts] = {}

    def _spec(self) -> dict[str, Any]:
        """Its parameters under the names of the library; those that are left out are the library's."""
        spec: dict[str, Any] = {"kind": self._kind}
        for name, value in self.get_params(deep=False).items():
            if name == "clip":
                value = clip_spec(value)
            elif isinstance(value, Real):
                value = int(value) if isinstance(value, Integral) else float(value)
            if value is not None:
                spec[IN_LIBRARY.get(name, name)] = value
        return spec

    def _fit(self: Self, X: Any, y: Any, sample_weight: Any, *, classes: bool) -> Self:
        check_all(self, self._allowed)
        X = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        require_labels(self, y)
        y = checked_labels(y, X, multi_output=False)
        if classes:
            check_classification_targets(y)
        X, y, weights, _ = weighted(X, y, sample_weight)
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


class Neighbors(Readout):
    """What the read-outs of nearest neighbours share.

    Weights of samples count in the mean or the vote, but not as further neighbours, so that their `fit` takes none; as
    read-outs of an estimator they get those of its samples.
    """

    _kind: ClassVar[str] = "nearest_neighbors"
    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES, "neighbors": (Whole(1),)}

    def __init__(self, n_features: int | None = None, *, neighbors: int = 5) -> None:
        self.n_features = n_features
        self.neighbors = neighbors


class Gaussians(Readout):
    """What the read-outs of Gaussians share."""

    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES, **GAUSSIAN}

    def __init__(
        self, n_features: int | None = None, *, bins: int = 60, shrinkage: float = 1.0, covariance: str = "own"
    ) -> None:
        self.n_features = n_features
        self.bins = bins
        self.shrinkage = shrinkage
        self.covariance = covariance


class NumberReadout(RegressorMixin, Readout):  # type: ignore[misc]
    """A read-out of numbers."""

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The estimated label of each row of features, of shape (n_samples,)."""
        numbers: NDArray[np.float64] = self._estimate(X)["numbers"]
        return numbers


class ClassReadout(Probabilities, ClassifierMixin, Readout):  # type: ignore[misc]
    """A read-out of classes."""

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row of features, of shape (n_samples,)."""
        # First, because whoever was not fitted says so there.
        probabilities = self.predict_proba(X)
        classes: NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return classes

    def _class_estimates(self, X: Any) -> dict[str, Any]:
        return self._estimate(X)
