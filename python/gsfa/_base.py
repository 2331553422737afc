"""What all estimators share: checking input, holding a model, files and pickles."""

from __future__ import annotations

import json
import os
import sys
import warnings
from contextlib import contextmanager
from typing import Any, ClassVar, Iterator, Sequence, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, check_is_fitted, validate_data

from . import _core
from ._labels import is_categorical
from ._parameters import LARGEST, Sorts, check_all
from .errors import GsfaError, GsfaWarning, SampleTypeError
from ._graph_specification import graph_of

SAMPLE_TYPES = [np.float64, np.float32, np.uint8]
"""Types that the library reads as they are; all others become float64."""

Self = TypeVar("Self", bound="ModelEstimator")


def threads(n_jobs: int | None) -> int:
    """The number of threads to ask for, of which no more are started than help; 0 for one per core."""
    return 0 if n_jobs is None or int(n_jobs) < 0 else min(int(n_jobs), LARGEST)


def thread_remarks(n_jobs: int | None) -> list[str]:
    """What to tell whoever asks for more threads than are started."""
    remark = _core.thread_remark(threads(n_jobs))
    return [] if remark is None else [remark]


def checked_samples(
    estimator: Any, X: Any, *, reset: bool, min_samples: int = 1, finite: bool = False
) -> NDArray[Any]:
    """A C-contiguous matrix of float64, float32 or uint8, without a copy where X is one.

    Whether values are finite is found out by the library as it reads them, unless asked for here.
    """
    samples: NDArray[Any] = validate_data(
        estimator,
        native(X),
        reset=reset,
        dtype=SAMPLE_TYPES,
        order="C",
        ensure_all_finite=finite,
        ensure_min_samples=min_samples,
    )
    return samples


def refuse_dates(X: Any) -> None:
    """Refuses dates, durations and records, which scikit-learn would turn into numbers without a word."""
    kinds = [X.dtype] if isinstance(X, np.ndarray) else list(getattr(X, "dtypes", []))
    for column, dtype in enumerate(kinds):
        if getattr(dtype, "kind", "f") in "mMV":
            where = "samples are" if isinstance(X, np.ndarray) else f"column '{X.columns[column]}' is"
            raise SampleTypeError(
                f"{where} of type {dtype}, which is no number",
                hint="choose numbers that say what matters, e.g. seconds since a date of your own",
                code="sample_type",
                details={"column": column},
            )


def native(X: Any) -> Any:
    """Numbers in the byte order of this machine."""
    refuse_dates(X)
    if isinstance(X, np.ndarray) and not X.dtype.isnative and X.dtype.kind in "fiu":
        return X.astype(X.dtype.newbyteorder("="))
    return X


def column_checked(y: Any, *, allow_nan: bool = False) -> None:
    """Refuses labels with NaN or infinity, in scikit-learn's words."""
    values = np.asarray(y)
    if values.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if values.dtype.kind == "f":
        assert_all_finite(values, input_name="y", allow_nan=allow_nan)
    elif values.dtype.kind == "O":
        columns = [y[name] for name in y.columns] if hasattr(y, "columns") else [values]
        for column in columns:
            assert_all_finite(np.asarray(column), input_name="y", allow_nan=allow_nan)


def require_labels(estimator: Any, y: Any) -> None:
    """Refuses missing labels in scikit-learn's words, which its checks look for."""
    if y is None:
        name = type(estimator).__name__
        raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")


def checked_labels(y: Any, X: NDArray[Any], *, multi_output: bool, allow_nan: bool = False) -> Any:
    """y, if it is as long as X and has no more axes and columns than wanted."""
    if not hasattr(y, "columns"):
        values = np.asarray(y)
        if not multi_output or values.ndim <= 1:
            values = column_or_1d(values, warn=not multi_output)
        # A series keeps its name, and that it holds categories.
        y = y if isinstance(getattr(y, "name", None), str) or is_categorical(y) else values
    column_checked(y, allow_nan=allow_nan)
    check_consistent_length(X, y)
    return y


def rows_of(y: Any, mask: NDArray[np.bool_]) -> Any:
    """Some rows of labels of any kind."""
    if hasattr(y, "loc") and hasattr(y, "iloc"):
        return y.iloc[np.flatnonzero(mask)]
    if hasattr(y, "filter") and hasattr(y, "columns"):
        return y.filter(mask)
    return np.asarray(y)[mask]


def positive_rows(values: NDArray[Any] | None, sample_weight: Any) -> NDArray[Any] | None:
    """The values of samples that :func:`weighted` keeps."""
    if values is None or sample_weight is None:
        return values
    weights = np.asarray(sample_weight)
    return values if weights.ndim == 0 else values[weights > 0]


def weighted(
    X: NDArray[Any], y: Any, sample_weight: Any
) -> tuple[NDArray[Any], Any, NDArray[np.float64] | None]:
    """Samples of positive weight; those of weight zero are left out."""
    if sample_weight is None:
        return X, y, None
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    if not np.any(weights > 0):
        raise GsfaError(
            f"all {len(weights)} sample weights are zero",
            hint="leave the weights out to weigh all samples alike",
            code="all_weights_zero",
        )
    positive = weights > 0
    if not positive.all():
        left_out = int((~positive).sum())
        remark(f"{left_out} samples of weight zero are left out")
        X, weights = X[positive], weights[positive]
        y = None if y is None else rows_of(y, positive)
    return X, y, weights


def checked_groups(groups: Any, X: Any) -> NDArray[np.intp] | None:
    """The number of the group of each sample; names of any kind are taken."""
    if groups is None:
        return None
    values = column_or_1d(groups)
    check_consistent_length(X, values)
    if values.dtype.kind == "f" and not np.all(np.isfinite(values)):
        raise GsfaError(
            f"{int((~np.isfinite(values)).sum())} of {len(values)} samples have no group",
            hint="give each its own group if it belongs to no other sample",
            code="groups",
        )
    try:
        codes: NDArray[np.intp] = np.unique(values, return_inverse=True)[1]
    except TypeError:
        codes = np.unique(values.astype(str), return_inverse=True)[1]
    return codes


@contextmanager
def explained(estimator: Any, X: NDArray[Any]) -> Iterator[None]:
    """Says what is not finite in scikit-learn's words."""
    try:
        yield
    except GsfaError as error:
        if error.code != "non_finite_sample":
            raise
        raise _not_finite(estimator, bool(np.isnan(X).any()), error) from None


def not_finite(estimator: Any, *, has_nan: bool, row: int, column: int, count: int) -> GsfaError:
    """The error about values that are not finite, for those who found them by themselves."""
    values = "non-finite value" if count == 1 else "non-finite values"
    error = GsfaError(
        f"X has {count} {values}, first at row {row}, column {column}",
        hint="drop or impute missing values first",
        code="non_finite_sample",
        details={"rows": [row], "columns": [column], "count": count},
    )
    return _not_finite(estimator, has_nan, error)


def _not_finite(estimator: Any, has_nan: bool, error: GsfaError) -> GsfaError:
    what = "NaN" if has_nan else "infinity or a value too large"
    message = f"Input X contains {what}: {error.message}. {type(estimator).__name__} does not accept it."
    return GsfaError(message, hint=error.hint, code=error.code, details=error.details)


PACKAGE = os.path.dirname(__file__) + os.sep


def remark(text: str) -> None:
    """A warning at the line outside of this package that led to it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, GsfaWarning, stacklevel=level)


def warn_about(notes: list[str]) -> None:
    """Remarks that should not be missed."""
    for note in notes:
        remark(note)


class AffineFeatures:
    """Features as a function of the inputs, where they are linear ones."""

    _model: _core.Model

    def _affine(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        check_is_fitted(self, "_model")
        found = self._model.affine_features()
        if found is None:
            raise AttributeError(
                "features are no linear functions of the inputs: they are expanded, clipped, or of several nodes"
            )
        return found

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Weights of the inputs, one row for each feature."""
        weights: NDArray[np.float64] = self._affine()[0].T
        return weights

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Features of inputs of 0."""
        return self._affine()[1]


class ModelEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator whose fitted state is a model file."""

    _allowed: ClassVar[Sorts] = {}
    _model: _core.Model
    _taken: list[str]
    n_jobs: int | None
    n_features_in_: int

    def _check_parameters(self) -> None:
        """Refuses parameters of a wrong type or range before anything is done."""
        check_all(self, self._allowed)

    def _header(self) -> dict[str, Any]:
        header: dict[str, Any] = json.loads(self._model.header())
        return header

    def _names(self) -> list[str] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else [str(name) for name in names]

    def _top_summary(self, header: dict[str, Any]) -> dict[str, Any]:
        """Summary of the first node on top; an empty one if nothing varied."""
        node = header["summary"]["layers"][-1][0]
        empty = {"delta_values": [], "correlations": [], "rank": 0, "notes": []}
        return node if node is not None else empty

    def _take_summary(
        self, model: _core.Model, *, warn: bool = True, notes: Sequence[str] = (), **learned: Any
    ) -> dict[str, Any]:
        """Sets what all fitted models have, and what else was `learned`.

        All at once: another thread sees the attributes of one fit.
        """
        header: dict[str, Any] = json.loads(model.header())
        top = self._top_summary(header)
        graph_notes = [note["text"] for note in header["summary"]["notes"]]
        top_notes = [note["text"] for note in top["notes"]]
        taken: list[str] = getattr(self, "_taken", [])
        many = thread_remarks(self.n_jobs) if warn else []
        known = many + taken + graph_notes + [note for note in top_notes if note not in graph_notes]
        self.__dict__.update(
            _model=model,
            delta_values_=np.array(top["delta_values"], dtype=np.float64),
            correlations_=np.array([np.nan if c is None else c for c in top["correlations"]], dtype=np.float64),
            rank_=int(top["rank"]),
            notes_=known + [note for note in notes if note not in known],
            graph_=graph_of(header["graph"], header["summary"]["samples"]),
            **learned,
        )
        if warn:
            warn_about(many + graph_notes + [note["text"] for note in top["notes"] if note["code"] == "overfit"])
        return header

    def _features(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self, "_model")
        X = checked_samples(self, X, reset=False)
        with explained(self, X):
            return self._model.features(X, threads(self.n_jobs))

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the fitted model to a file, which :func:`gsfa.load` and the command line read.

        Parameters
        ----------
        path : str or path
            The file, by custom ``name.gsfa``. It is there completely or not at all.
        overwrite : bool, default=False
            Whether an older file of that name is replaced.
        """
        check_is_fitted(self, "_model")
        self._model.save(os.fspath(path), overwrite)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        model = state.pop("_model", None)
        if model is not None:
            state["_model_bytes"] = model.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        data = state.pop("_model_bytes", None)
        super().__setstate__(state)
        if data is not None:
            self._model = _core.Model.from_bytes(data)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")
