"""SFA: slow features of time series."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from . import _core
from ._base import checked_samples, explained
from ._documentation import shared
from ._parameters import SOME_FEATURES, Jobs, Sorts, Whole
from ._transformer import SlowFeatureTransformer
from .errors import GsfaError
from .expansions import NODE, Expansion, Pca
from .graphs import Chain


@shared
class SFA(SlowFeatureTransformer):
    """Slow feature analysis of time series: GSFA on the chain of samples.

    Parameters
    ----------
    n_components : int, optional
        The number of features; those slower than noise (Δ < 2) if left out.
    lag : int, default=1
        Steps between samples that are compared.
    expansion : gsfa.expansions.Expansion, optional
        Nonlinear functions of the inputs.
    {pca}
    {clip}
    {standardize}
    {ridge}
    {n_jobs}

    Attributes
    ----------
    delta_values_ : ndarray of shape (n_components,)
        Δ of each feature: the mean square of its change over `lag` steps; 2 is noise.
    weights_ : ndarray of shape (n_expanded_features, n_components)
        W.
    mean_ : ndarray of shape (n_expanded_features,)
        The mean of the (expanded) training samples.
    {coef_}
    {intercept_}
    {rank}
    {inputs}

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> t = np.linspace(0, 4 * np.pi, 400)
    >>> X = np.column_stack([np.sin(t) + np.cos(11 * t) ** 2, np.cos(11 * t)])
    >>> model = gsfa.SFA(1, expansion=gsfa.expansions.Polynomial(2)).fit(X)
    >>> slow = model.transform(X)
    >>> slow.shape, model.delta_values_.round(6).tolist()
    ((400, 1), [0.000994])
    >>> round(abs(float(np.corrcoef(slow[:, 0], np.sin(t))[0, 1])), 6)
    1.0
    """

    _allowed: ClassVar[Sorts] = {"n_components": SOME_FEATURES, "lag": (Whole(1),), **NODE, "n_jobs": (Jobs(), None)}

    def __init__(
        self,
        n_components: int | None = None,
        *,
        lag: int = 1,
        expansion: Expansion | None = None,
        pca: int | Pca | None = None,
        clip: float | None = None,
        standardize: bool = False,
        ridge: float = 0.0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.lag = lag
        self.expansion = expansion
        self.pca = pca
        self.clip = clip
        self.standardize = standardize
        self.ridge = ridge
        self.n_jobs = n_jobs

    # A time series always has a slowest feature, be it faster than noise.
    surplus = "fast"
    solver = "covariance"

    def fit(self, X: Any, y: Any = None, *, sequences: Any = None) -> SFA:
        """Learns slow features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or list of such arrays
            Samples in the order of time; a list holds several sequences.
        y : None
            Not looked at.
        sequences : array-like of shape (n_samples,), optional
            The number or name of the sequence of each sample; runs of equal values are sequences.

        Returns
        -------
        self : SFA
        """
        self._check_parameters()
        if _is_list_of_sequences(X):
            if sequences is not None:
                raise GsfaError("a list of sequences needs no `sequences`")
            sequences = np.repeat(np.arange(len(X)), [len(part) for part in X])
            X = np.concatenate([np.asarray(part) for part in X])
        X = checked_samples(self, X, reset=True, min_samples=2)
        if sequences is not None:
            check_consistent_length(X, sequences)
        chain = Chain(lag=self.lag, sequences=None if sequences is None else "y")
        graph: _core.Graph = chain._native(None if sequences is None else np.asarray(sequences), X=X)
        with explained(self, X):
            model = self._fitted(X, graph)
        self._set_model(model)
        return self

    def fit_transform(self, X: Any, y: Any = None, *, sequences: Any = None) -> Any:
        """Learns slow features and returns those of X; sequences of a list are joined.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or list of such arrays
            Samples in the order of time.
        y : None
            Not looked at.
        sequences : array-like of shape (n_samples,), optional
            The sequence of each sample.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        self.fit(X, sequences=sequences)
        return self.transform(np.concatenate(X) if _is_list_of_sequences(X) else X)

    def test_delta_values(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[np.float64]:
        """Δ of the features of another time series, of shape (n_components,)."""
        features = np.ascontiguousarray(self._features(X))
        return Chain(lag=self.lag).build(X=features).delta_values(features)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the sum of the delta values of another time series: larger is better."""
        return -float(np.sum(self.test_delta_values(X)))


def _is_list_of_sequences(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and len(X) > 0 and getattr(X[0], "ndim", 0) == 2
