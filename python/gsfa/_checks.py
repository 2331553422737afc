"""Samples, labels, weights and groups as estimators take them: checked in scikit-learn's words."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, validate_data

from ._columns import meant_by, refuse_repeated
from ._labels import is_categorical, missing_classes, refuse_mixed
from ._remarks import warn_about
from .errors import GsfaError, Remark, SampleTypeError

SAMPLE_TYPES = [np.float64, np.float32, np.uint8]
"""Types that the library reads as they are; all others become float64."""


def checked_samples(
    estimator: Any, X: Any, *, reset: bool, min_samples: int = 1, finite: bool = False
) -> NDArray[Any]:
    """A C-contiguous matrix of float64, float32 or uint8, without a copy where X is one.

    Whether values are finite is found out by the library as it reads them, unless asked for here.
    """
    refuse_repeated(X)
    hint = None if reset else _misspelt(estimator, X)
    try:
        samples: NDArray[Any] = validate_data(
            estimator,
            native(X),
            reset=reset,
            dtype=SAMPLE_TYPES,
            order="C",
            ensure_all_finite=finite,
            ensure_min_samples=min_samples,
        )
    except ValueError as error:
        if hint is None:
            raise
        # In scikit-learn's words, with what was meant.
        raise GsfaError(str(error).rstrip(), hint=hint, code="input_names") from None
    return samples


def _misspelt(estimator: Any, X: Any) -> str | None:
    """What was meant by a column that training did not have, if the names of columns are known and one is like it."""
    known = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
    given = [name for name in getattr(X, "columns", ()) if isinstance(name, str)]
    seen, there = set(known), set(given)
    return meant_by([name for name in given if name not in seen], [name for name in known if name not in there])


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


def refuse_words(X: Any) -> None:
    """Refuses columns of a frame that hold words, by name."""
    for name, dtype in zip(getattr(X, "columns", []), getattr(X, "dtypes", [])):
        if getattr(dtype, "kind", "f") != "O" and not str(dtype).lower().startswith(("str", "cat", "enum")):
            continue
        word = next((value for value in np.asarray(X[name], dtype=object) if _is_word(value)), None)
        if word is not None:
            raise SampleTypeError(
                f"column '{name}' holds words and not numbers: '{word}'",
                hint="make numbers of them first, e.g. by OneHotEncoder in a pipeline, or train on the command line with"
                " --categories one-hot: gsfa.load takes such models",
                code="sample_type",
                details={"column": str(name)},
            )


def _is_word(value: Any) -> bool:
    try:
        float(value) if isinstance(value, str) else None
    except ValueError:
        return True
    return False


def native(X: Any) -> Any:
    """Numbers in the byte order of this machine."""
    refuse_dates(X)
    refuse_words(X)
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


def checked_labels(
    y: Any, X: NDArray[Any], *, multi_output: bool, allow_nan: bool = False, unlabelled: str | None = None
) -> Any:
    """y, if it is as long as X and has no more axes and columns than wanted.

    `unlabelled` says how samples without label could be taken, if they can.
    """
    if isinstance(y, (list, tuple)):
        # NumPy would make text of all of it.
        refuse_mixed("y", y)
    if not hasattr(y, "columns"):
        values = np.asarray(y)
        if not multi_output or values.ndim <= 1:
            values = column_or_1d(values, warn=not multi_output)
        # A series keeps its name, and that it holds categories.
        y = y if isinstance(getattr(y, "name", None), str) or is_categorical(y) else values
    try:
        column_checked(y, allow_nan=allow_nan)
    except ValueError as error:
        missing = _without_label(y)
        if unlabelled is None or not missing.any():
            raise
        # In scikit-learn's words, with what to do about it.
        raise GsfaError(
            str(error),
            hint=f"leave samples without label out, or {unlabelled} so that they count as unlabelled",
            code="non_finite",
            details={"rows": np.flatnonzero(missing)[:5].tolist(), "count": int(missing.sum())},
        ) from None
    check_consistent_length(X, y)
    return y


def _without_label(y: Any) -> NDArray[np.bool_]:
    """Which samples lack a label."""
    values = np.asarray(y)
    missing = np.zeros(len(values), dtype=np.bool_)
    for column in values.reshape(len(values), -1).T:
        missing |= missing_classes(column)
    return missing


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
) -> tuple[NDArray[Any], Any, NDArray[np.float64] | None, list[Remark]]:
    """Samples of positive weight; those of weight zero are left out, which is told."""
    if sample_weight is None:
        return X, y, None, []
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    if not np.any(weights > 0):
        raise GsfaError(
            f"all {len(weights)} sample weights are zero",
            hint="leave the weights out to weigh all samples alike",
            code="all_weights_zero",
        )
    positive = weights > 0
    said = []
    if not positive.all():
        left_out = int((~positive).sum())
        are = "sample of weight zero is" if left_out == 1 else "samples of weight zero are"
        said = [Remark(f"{left_out} {are} left out", "zero_weights")]
        warn_about(said)
        X, weights = X[positive], weights[positive]
        y = None if y is None else rows_of(y, positive)
    return X, y, weights, said


def checked_groups(groups: Any, X: Any) -> NDArray[np.intp] | None:
    """The number of the group of each sample; names of any kind are taken."""
    if groups is None:
        return None
    values = column_or_1d(groups)
    check_consistent_length(X, values)
    none = ~np.isfinite(values) if values.dtype.kind == "f" else missing_classes(values)
    if none.any():
        raise GsfaError(
            f"{int(none.sum())} of {len(values)} samples have no group",
            hint="give each its own group if it belongs to no other sample",
            code="groups",
            details={"rows": np.flatnonzero(none)[:5].tolist(), "count": int(none.sum())},
        )
    try:
        codes: NDArray[np.intp] = np.unique(values, return_inverse=True)[1]
    except TypeError:
        codes = np.unique(values.astype(str), return_inverse=True)[1]
    return codes


@contextmanager
def explained(
    estimator: Any, X: NDArray[Any], *, hint: str | None = None, cells: list[str] | None = None
) -> Iterator[None]:
    """Says what is not finite in scikit-learn's words; inputs of one name in `cells` are made of one value, and count once."""
    try:
        yield
    except GsfaError as error:
        if error.code != "non_finite_sample":
            raise
        error.hint = hint or error.hint
        if cells is not None:
            wrong = np.argwhere(~np.isfinite(X)).tolist()
            count, (row, column) = len({(row, cells[column]) for row, column in wrong}), wrong[0]
            error = non_finite(row, column, count, error.hint)
        raise _not_finite(estimator, bool(np.isnan(X).any()), error) from None


def not_finite(estimator: Any, *, has_nan: bool, row: int, column: int, count: int) -> GsfaError:
    """The error about values that are not finite, for those who found them by themselves."""
    return _not_finite(estimator, has_nan, non_finite(row, column, count, "drop or impute missing values first"))


def non_finite(row: int, column: int, count: int, hint: str | None) -> GsfaError:
    """The error of the library about values that are not finite."""
    values = "non-finite value" if count == 1 else "non-finite values"
    return GsfaError(
        f"X has {count} {values}, first at row {row}, column {column}",
        hint=hint,
        code="non_finite_sample",
        details={"rows": [row], "columns": [column], "count": count},
    )


def _not_finite(estimator: Any, has_nan: bool, error: GsfaError) -> GsfaError:
    what = "NaN" if has_nan else "infinity or a value too large"
    message = f"Input X contains {what}: {error.message}. {type(estimator).__name__} does not accept it."
    return GsfaError(message, hint=error.hint, code=error.code, details=error.details)
