"""What all estimators share: holding a model, files and pickles."""

from __future__ import annotations

import copy
import json
import os
from contextlib import AbstractContextManager
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._checks import checked_samples, explained
from ._columns import as_dates
from ._graph_specification import graph_of
from ._images import Inputs, as_trained, encoded, filled_pixels
from ._parameters import LARGEST, Sorts, check_all
from ._remarks import NOT_TO_BE_MISSED, remarks_of, warn_about
from .errors import GsfaError, Remark

Self = TypeVar("Self", bound="ModelEstimator")


def threads(n_jobs: int | None) -> int:
    """The number of threads to ask for, of which no more are started than help; 0 for one per core."""
    return 0 if n_jobs is None or int(n_jobs) < 0 else min(int(n_jobs), LARGEST)


def thread_remarks(n_jobs: int | None) -> list[Remark]:
    """What to tell whoever asks for more threads than are started."""
    text = _core.thread_remark(threads(n_jobs))
    return [] if text is None else [Remark(text, "threads")]


def _in_words(step: dict[str, Any]) -> str:
    """A step of preparation, in short."""
    if step["step"] == "join":
        parts = (", ".join(map(_in_words, part.get("steps", ()))) or "pixels" for part in step["parts"])
        return " beside ".join(f"[{part}]" for part in parts)
    settings = ", ".join(f"{name}={value}" for name, value in step.items() if name != "step")
    return f"{step['step']}({settings})" if settings else str(step["step"])


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
    _inputs: Inputs
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

    def _take_summary(self, model: _core.Model, *, warn: bool = True, **learned: Any) -> dict[str, Any]:
        """Sets what all fitted models have, and what else was `learned`.

        All at once: another thread sees the attributes of one fit.
        """
        header: dict[str, Any] = json.loads(model.header())
        top = self._top_summary(header)
        remembered = header["remembered"]
        many = thread_remarks(self.n_jobs) if warn else []
        known = remarks_of(header, top)
        self.__dict__.update(
            _model=model,
            _inputs=Inputs.of(header),
            delta_values_=np.array(top["delta_values"], dtype=np.float64),
            correlations_=np.array([np.nan if c is None else c for c in top["correlations"]], dtype=np.float64),
            rank_=int(top["rank"]),
            notes_=many + known,
            graph_=graph_of(header["graph"], header["summary"]["samples"]),
            selection_=remembered.get("selection"),
            preparation_=Inputs.of(header).steps,
            **learned,
        )
        if warn:
            of_graph = [note["text"] for note in header["summary"]["notes"]]
            warn_about(many + [note for note in known if note in of_graph or note.code in NOT_TO_BE_MISSED])
        return header

    def _rows(self, X: Any) -> NDArray[Any]:
        """Samples as rows of inputs, as in training."""
        check_is_fitted(self, "_model")
        X = as_trained(self._model, X, threads(self.n_jobs), self._inputs, getattr(self, "image_shape", None))
        return checked_samples(self, X, reset=False)

    def _explained(self, X: NDArray[Any]) -> AbstractContextManager[None]:
        """What is not finite in new samples, and what helps."""
        hint = "impute(X) replaces what is missing by the means of training" if self._inputs.has_means else None
        return explained(self, X, hint=hint, cells=self._inputs.cells)

    def _features(self, X: Any) -> NDArray[np.float64]:
        X = self._rows(X)
        with self._explained(X):
            return self._model.features(X, threads(self.n_jobs))

    def impute(self, X: Any) -> Any:
        """Samples whose missing values are the means of training, as ``gsfa predict --missing impute`` does it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; what is NaN or infinite is replaced.

        Returns
        -------
        ndarray of shape (n_samples, n_features), or a data frame if X is one

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> X = np.random.default_rng(0).normal(size=(60, 2))
        >>> model = gsfa.ELLRegressor(network="linear").fit(X, X[:, 0])
        >>> model.impute([[np.nan, 3.0]]).round(3).tolist(), model.predict(model.impute([[np.nan, 3.0]])).shape
        ([[-0.002, 3.0]], (1,))
        """
        check_is_fitted(self, "_model")
        means = self._header()["remembered"].get("means")
        if means is None:
            raise GsfaError(
                "the model keeps no means of its inputs",
                hint="replace missing values before training and before predictions, e.g. by sklearn.impute.SimpleImputer",
                code="no_means",
            )
        if self._inputs.steps is not None:
            return filled_pixels(X, means, self._inputs)
        rows = checked_samples(self, encoded(X, self._inputs), reset=False)
        filled = np.where(np.isfinite(rows), rows, np.array(means, dtype=rows.dtype))
        if not hasattr(X, "iloc"):
            return filled
        table = type(X)(filled, columns=self._names(), index=X.index)
        for name, encoding in self._inputs.encodings.items():
            # Dates are dates there, too, and never numbers.
            if encoding["encoding"] == "days":
                table[name] = as_dates(filled[:, table.columns.get_loc(name)])
        return table

    def without_preparation(self: Self) -> Self:
        """The same estimator for inputs that are prepared already.

        A model that was trained on prepared images (``preparation_``) takes images, and prepares them as in training. This
        one takes what comes out of that: rows of `n_features_in_` numbers.

        Returns
        -------
        estimator
            Another one; this one is left as it is.
        """
        check_is_fitted(self, "_model")
        other = copy.copy(self)
        if "image_shape" in self._get_param_names():
            setattr(other, "image_shape", self._inputs.image_shape)
        model = self._model.without_preparation()
        other.__dict__.update(_model=model, _inputs=Inputs.of(json.loads(model.header())), preparation_=None)
        return other

    def _without_steps(self) -> list[Remark]:
        """What to tell whoever learns anew with a loaded estimator: the preparation of its images is no parameter."""
        steps = self.__dict__.get("preparation_")
        if steps is None:
            return []
        left = ", ".join(map(_in_words, steps))
        remarks = [Remark(f"images are learned as they are given, without the loaded preparation: {left}", "no_preparation")]
        warn_about(remarks)
        return remarks

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        made: str = super().__repr__(N_CHAR_MAX)
        steps = self.__dict__.get("preparation_")
        return made if steps is None else f"{made} of images after {', '.join(map(_in_words, steps))}"

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
        if data is not None and "_inputs" not in state:
            # Written by an earlier version.
            self._inputs = Inputs.of(self._header())

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")
