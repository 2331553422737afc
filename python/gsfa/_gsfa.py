"""GSFA: one node, linear or expanded."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._base import threads
from ._checks import checked_labels, checked_samples, explained, require_labels, weighted
from ._default_graph import graph_for, graph_of_classes
from ._documentation import shared
from ._parameters import SOME_FEATURES, Instance, Jobs, Sorts, Whole, check
from ._partial import Sums, check_same
from ._remarks import remembering
from ._transformer import SlowFeatureTransformer
from .errors import GsfaError
from .expansions import NODE, Expansion, Pca
from .graphs import Ell, Graph, TrainingGraph

Self = TypeVar("Self", bound="GSFA")


@shared
class GSFA(SlowFeatureTransformer):
    """Graph-based slow feature analysis: the features that vary least over the edges of a training graph.

    Features have weighted mean 0 and variance 1 over the training samples, are uncorrelated, and come slowest first; outputs
    beyond the slow ones follow in an order of their own.

    Parameters
    ----------
    n_components : int, optional
        J, the number of features; those slower than noise (Δ < 2) if left out.
    graph : gsfa.graphs.Graph or gsfa.graphs.TrainingGraph, optional
        Which samples should get similar outputs: a specification, or the graph that was built of these very samples and
        their weights. If left out: :class:`~gsfa.graphs.Ell` for numbers,
        ``Compact(eigenvalues="equal")`` for classes, which connects samples of a class like
        :class:`~gsfa.graphs.Clustered`: linear discriminant analysis. Strings, booleans and categoricals are classes,
        floats are numbers. Whole numbers are classes if there are at most ten, each five times and in one of a hundred
        samples at least, and else numbers: grades are classes, ages are numbers. ``notes_`` says what labels were taken
        as.
    expansion : gsfa.expansions.Expansion, optional
        Nonlinear functions of the inputs; the inputs alone if left out.
    {pca}
    {clip}
    {standardize}
    {ridge}
    surplus : {"residual", "fast", "arbitrary", "truncate", "error"}, default="residual"
        What outputs beyond the slow features are: principal components of what is left, the same and after them features
        faster than noise, arbitrary directions (always the same ones, to see what a solver without a rule would do), none,
        or an error.
    solver : {"covariance", "svd"}, default="covariance"
        From what features are solved: covariances, which hold half of the digits of the samples, or a singular value
        decomposition of all samples, which are kept in memory, for inputs that all but depend on each other. Where there
        are fewer samples than inputs, both keep the samples, and differ in what they take for round-off.
    {n_jobs}

    Attributes
    ----------
    delta_values_ : ndarray of shape (n_components,)
        Δ of each feature on the training samples: 0 is as slow as can be, 2 is noise.
    correlations_ : ndarray of shape (n_components,)
        ρ², the squared correlation of each feature with its target label; NaN where there is none.
    weights_ : ndarray of shape (n_expanded_features, n_components)
        W; without PCA and expansion ``transform(X) = (X − mean_) @ weights_``.
    mean_ : ndarray of shape (n_expanded_features,)
        The weighted mean of the (expanded) training samples.
    {coef_}
    {intercept_}
    {rank}
    graph_ : gsfa.graphs.Graph or None
        The graph that was taken; None for a built one and for long lists of edges.
    {notes_}
    {inputs}
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if X had names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import gsfa
    >>> X, y = load_iris(return_X_y=True)
    >>> slow = gsfa.GSFA().fit(X, y)          # classes: the subspace of LDA
    >>> slow.transform(X).shape
    (150, 2)
    >>> slow.delta_values_.round(3).tolist()
    [0.06, 1.556]
    """

    _allowed: ClassVar[Sorts] = {
        "n_components": SOME_FEATURES,
        "graph": (Instance(Graph), Instance(TrainingGraph), None),
        **NODE,
        "n_jobs": (Jobs(), None),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        graph: Graph | TrainingGraph | None = None,
        expansion: Expansion | None = None,
        pca: int | Pca | None = None,
        clip: float | None = None,
        standardize: bool = False,
        ridge: float = 0.0,
        surplus: str = "residual",
        solver: str = "covariance",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.graph = graph
        self.expansion = expansion
        self.pca = pca
        self.clip = clip
        self.standardize = standardize
        self.ridge = ridge
        self.surplus = surplus
        self.solver = solver
        self.n_jobs = n_jobs

    def _needs_labels(self) -> bool:
        return True if self.graph is None else self.graph.needs_labels

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._needs_labels()
        return tags

    def _checked_y(self, y: Any, X: Any) -> Any:
        if not self._needs_labels():
            return None
        require_labels(self, y)
        allow_nan = self.graph is not None and self.graph._semi_supervised
        return checked_labels(
            y, X, multi_output=True, allow_nan=allow_nan, unlabelled="give a graph with semi_supervised=True"
        )

    def fit(self: Self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learns slow features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; float64, float32 and uint8 are read as they are.
        y : array-like of shape (n_samples,) or (n_samples, n_labels), optional
            Labels, if the graph needs them.
        {weights}

        Returns
        -------
        self : GSFA
        """
        self._check_parameters()
        X = checked_samples(self, X, reset=True, min_samples=2)
        y = self._checked_y(y, X)
        X, y, weights, said = weighted(X, y, sample_weight)
        graph, taken = graph_for(self, y)
        with explained(self, X):
            model = self._fitted(X, graph._native(y, weights, X=X))
        self._set_model(remembering(model, self._without_steps() + said + taken))
        self.__dict__.pop("_sums", None)
        return self

    def prepare(self: Self, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Announces the labels of *all* samples, whose rows :meth:`partial_fit` then takes in chunks.

        Parameters
        ----------
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Labels of all samples, in the order of their rows.
        sample_weight : array-like of shape (n_samples,), optional
            Positive weights of all samples.

        Returns
        -------
        self : GSFA

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(300, 4))
        >>> y = X[:, 0] + 0.1 * rng.normal(size=300)
        >>> parts = gsfa.GSFA().prepare(y)
        >>> for first in range(0, 300, 100):
        ...     parts = parts.partial_fit(X[first : first + 100])
        >>> bool(np.allclose(parts.transform(X), gsfa.GSFA().fit(X, y).transform(X)))
        True
        """
        self._check_parameters()
        self._check_one_pass()
        if not isinstance(self.graph, TrainingGraph):
            require_labels(self, y)
        checked = self._checked_y(y, y)
        y = y if checked is None else checked
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, y, dtype=np.float64)
        graph, taken = graph_for(self, y)
        sums = Sums(graph, y, weights, taken)
        for name in ("n_features_in_", "feature_names_in_", "_model"):
            self.__dict__.pop(name, None)
        self._sums = sums
        return self

    def _check_one_pass(self) -> None:
        if not self._is_flat():
            raise GsfaError(
                "PCA, clipping, standardisation and expansions need several passes over the samples",
                hint="use fit, or gsfa.dask.fit for samples in pieces",
            )

    def partial_fit(
        self: Self,
        X: Any,
        y: Any = None,
        *,
        first_row: int | None = None,
    ) -> Self:
        """Adds rows; features are there as soon as all announced rows have been added.

        Several threads may add rows to one estimator; they wait for each other.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            The next rows, or those from `first_row` on.
        y : array-like of shape (n_rows,), optional
            Only without :meth:`prepare`: then these rows are all there are.
        first_row : int, optional
            The position of the first row among all samples; rows follow each other if left out.

        Returns
        -------
        self : GSFA
        """
        self._check_parameters()
        self._check_one_pass()
        check("first_row", first_row, (Whole(0), None), "partial_fit")
        fresh = not hasattr(self, "_sums")
        if fresh and hasattr(self, "_model"):
            checked_samples(self, X, reset=False)
        if fresh:
            if y is None:
                raise GsfaError(
                    "the labels of all samples must be known before the first chunk",
                    hint="call prepare(y) with the labels of all samples, then partial_fit chunk by chunk",
                )
            self.prepare(y)
        reset = not hasattr(self, "n_features_in_")
        # Rows may wait until their block is complete: what is wrong with them must be said now.
        X = checked_samples(self, X, reset=reset, finite=True)
        sums = self._sums
        sums.add(X, first_row, str(self.solver), threads(self.n_jobs))
        if sums.complete:
            self._set_model(self._solved(sums))
        return self

    def _solved(self, sums: Sums) -> _core.Model:
        return remembering(sums.solve(self._options(), self._names(), threads(self.n_jobs)), sums.remarks)

    def merge(self: Self, other: GSFA) -> Self:
        """Adds what another estimator, prepared with the same labels, has seen of other rows.

        Parameters
        ----------
        other : GSFA
            Prepared with the same labels and weights, of the same parameters (but for `n_jobs`), and fitted with other
            rows of the same type. It is left as it is.

        Returns
        -------
        self : GSFA

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60.0)
        >>> first = gsfa.GSFA().prepare(y).partial_fit(X[:30])
        >>> second = gsfa.GSFA().prepare(y).partial_fit(X[30:], first_row=30)
        >>> first.merge(second).transform(X).shape
        (60, 1)
        """
        check("other", other, (Instance(GSFA),), "merge")
        if not (hasattr(self, "_sums") and hasattr(other, "_sums")):
            raise GsfaError("an estimator was not prepared", hint="call prepare(y) with the labels of all samples")
        self._check_parameters()
        check_same(self, other)
        sums = self._sums
        sums.merge(other._sums)
        for name in ("n_features_in_", "feature_names_in_"):
            if not hasattr(self, name) and hasattr(other, name):
                setattr(self, name, getattr(other, name))
        if sums.complete:
            self._set_model(self._solved(sums))
        return self

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """How slow the features of other samples are: minus the sum of their delta values, so that larger is better.

        Parameters
        ----------
        {samples}
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Their labels, from which a graph of their own is built.
        {positive_weights}

        Returns
        -------
        float
        """
        return -float(np.sum(self.test_delta_values(X, y, sample_weight)))

    def test_delta_values(
        self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Δ of the features of other samples, on the graph of their own labels.

        Parameters
        ----------
        {samples}
        y : array-like of shape (n_samples,) or (n_samples, n_labels), optional
            Their labels.
        {positive_weights}

        Returns
        -------
        ndarray of shape (n_components,)
        """
        check_is_fitted(self, "_model")
        features = np.ascontiguousarray(self._features(X))
        graph = self._learned_graph()
        if isinstance(graph, TrainingGraph):
            raise GsfaError(
                "the graph was built for the training samples and says nothing of others",
                hint="build the graph of these samples, and ask it: graph.delta_values(model.transform(X))",
                code="graph",
            )
        return graph.build(y, sample_weight, X=np.asarray(X)).delta_values(features)

    def _learned_graph(self) -> Graph | TrainingGraph:
        """The graph as in training: a few test samples do not say whether their labels are classes."""
        if self.graph is not None:
            return self.graph
        labels = self._header()["labels"]
        return graph_of_classes() if len(labels) == 1 and labels[0].get("classes") is not None else Ell()
