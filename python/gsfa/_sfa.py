"""SFA: slow features of time series."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from . import _core
from ._base import threads
from ._checks import checked_samples, explained
from ._documentation import shared
from ._json import text
from ._parameters import SOME_FEATURES, Jobs, OneOf, Sorts, Whole
from ._transformer import SlowFeatureTransformer
from ._remarks import remembering
from .errors import GsfaError, Remark
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
    expansion : gsfa.expansions.Expansion or "auto", optional
        Nonlinear functions of the inputs. With "auto", left-out parts of the series choose: blocks of neighbouring samples,
        with a gap beside them, judge linear and quadratic nodes, with and without principal components, on standardised
        columns, their ridge and longer lags by the delta values that features have there.
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
    selection_ : dict or None
        What was tried, how slow it was on left-out samples, and why one was taken; None if nothing was left open.
    {notes_}
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

    _allowed: ClassVar[Sorts] = {
        "n_components": SOME_FEATURES,
        "lag": (Whole(1),),
        **NODE,
        "expansion": (*NODE["expansion"], OneOf(("auto",))),
        "n_jobs": (Jobs(), None),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        lag: int = 1,
        expansion: Expansion | str | None = None,
        pca: int | Pca | None = None,
        clip: float | None = None,
        standardize: bool = False,
        ridge: float = 0.0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.lag = lag
        self.expansion: Any = expansion
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
        labels = None if sequences is None else np.asarray(sequences)
        with explained(self, X):
            if self.expansion == "auto":
                model = self._chosen(X, chain, labels)
            else:
                model = self._fitted(X, chain._native(labels, X=X))
        self._set_model(model)
        return self

    def _chosen(self, X: NDArray[Any], chain: Chain, labels: Any) -> _core.Model:
        """Trains what left-out parts of the series choose."""
        if self.pca is not None or self.clip is not None or self.standardize:
            raise GsfaError(
                'expansion="auto" chooses principal components and scales, too',
                hint="leave out pca, clip and standardize, or name an expansion",
            )
        network: dict[str, Any] = {"features": 1 if self.n_components is None else int(self.n_components)}
        if self.ridge > 0:
            network["ridge"] = float(self.ridge)
        recipe = text("parameters", {"graph": chain._spec(), "network": network})
        columns = chain._input(labels, None, X)[1]
        taken, spec, tried, notes = _core.choose(X, recipe, (1, 1, X.shape[1]), columns, threads(self.n_jobs))
        network = json.loads(spec)
        for layer in network["layers"]:
            layer["surplus"] = self.surplus
        graph = Chain(lag=json.loads(taken)["lag"], sequences=chain.sequences)._native(labels, X=X)
        chosen = text("network", network)
        model = _core.fit_network(
            X, graph, chosen, self.n_components is None, False, self._names(), threads(self.n_jobs)
        )
        said = [Remark(note, code) for code, note in notes]
        return remembering(model, said, selection=tried if json.loads(tried)["tried"] else None)

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
