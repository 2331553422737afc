"""Samples that are spectra: what is done to each before a network sees it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from . import _core
from ._json import text
from ._parameters import Flag, Sorts, Whole, check_all


@dataclass(frozen=True)
class Spectrum:
    """What is done to spectra: rows whose columns are in order and have equal distances.

    First each row is freed of its own mean and deviation, then it is smoothed or derived by polynomials that are fitted to
    windows of it (Savitzky and Golay). Both depend on the row alone. The mean spectrum is taken away by every network.

    What is left out is chosen by left-out samples in :class:`gsfa.ELLRegressor` and :class:`gsfa.CompactClassifier`; elsewhere
    it is what leaves spectra as they are, and a window of 11 columns.

    Parameters
    ----------
    snv : bool, optional
        Whether to subtract its mean from each row and to divide by its standard deviation (standard normal variate); rows
        without variation become 0.
    derivative : int, optional
        Which derivative, in units of a column; 0 for none, or for smoothing if there is a window.
    window : int, optional
        Columns that a polynomial is fitted to, an odd number; the first and last columns have the polynomials of the first and
        last window.
    degree : int, optional
        The degree of the polynomials, at most 6; 2, or that of a higher derivative, if left out.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> squares = np.arange(6.0)[None] ** 2
    >>> gsfa.Spectrum(derivative=1, window=3).prepare(squares).round(9).tolist()
    [[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]]
    """

    snv: bool | None = None
    derivative: int | None = None
    window: int | None = None
    degree: int | None = None

    def __post_init__(self) -> None:
        whole = {name: (Whole(low), None) for name, low in (("derivative", 0), ("window", 1), ("degree", 0))}
        sorts: Sorts = {"snv": (Flag(), None), **whole}
        check_all(self, sorts)

    def prepare(self, X: ArrayLike) -> NDArray[np.float64]:
        """Spectra after the preparation.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Spectra, one row each.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        spectra = np.ascontiguousarray(check_array(X, dtype=np.float64))
        return _core.prepare_spectra(spectra, self._fixed(spectra.shape[1]))

    def _spec(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}

    def _fixed(self, columns: int) -> str:
        """Nothing left open, as text."""
        return _core.spectrum(text("spectrum", self._spec()), columns)


def spectrum_of(spec: dict[str, Any] | None) -> Spectrum | None:
    """The preparation of a specification in a model file."""
    return None if spec is None else Spectrum(**spec)


def asked_spectrum(spec: dict[str, Any] | None) -> Spectrum | bool | None:
    """The parameter of an estimator, from what a model remembers of it."""
    return True if spec == {} else spectrum_of(spec)
