"""HGSFA: networks of nodes over images and tables."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import AffineFeatures, ModelEstimator, threads
from ._checks import checked_labels, checked_samples, explained, require_labels, weighted
from ._default_graph import graph_for
from ._documentation import shared
from ._json import text
from ._images import Shape, flattened, shape_for
from ._parameters import SOME_FEATURES, RIDGE, Instance, Jobs, Sorts
from ._remarks import remembering
from .errors import GsfaError, Remark
from .graphs import Graph, TrainingGraph
from .networks import SHAPE, Network, check_top, chosen_network

FEATURES = 10
"""Features of a graph that does not say how many are wanted."""


@shared
class HGSFA(AffineFeatures, ClassNamePrefixFeaturesOutMixin, TransformerMixin, ModelEstimator):  # type: ignore[misc]
    """Hierarchical GSFA: layers of nodes over receptive fields, all trained with the same graph.

    Parameters
    ----------
    n_components : int, optional
        Features on top; as many as the graph asks for (target labels, or one less than there are classes) if left out.
    network : gsfa.networks.Network, optional
        The layers; chosen from the shape and number of the samples if left out. `n_components`, if given, replaces the
        number of features of the top layer.
    graph : gsfa.graphs.Graph or gsfa.graphs.TrainingGraph, optional
        Which samples should get similar outputs; as in :class:`GSFA` if left out.
    ridge : float, optional
        Ridge of every node. If left out, that of the network; a network of one node that was left open gets the ridge
        of a cross-validation.
    {image_shape}
    {n_jobs}

    Attributes
    ----------
    {network_}
    {ridge_}
    coef_ : ndarray of shape (n_components, n_features)
        Of a network of one linear node: ``transform(X) = X @ coef_.T + intercept_``.
    {intercept_}
    {graph_}
    {delta_values_}
    {correlations_}
    rank_ : int
        Directions of the expanded inputs of the top node that carry variance.
    {notes_}
    {preparation_}
    n_features_in_ : int
        The number of values of a sample.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> import gsfa
    >>> from gsfa.networks import Layer, Network
    >>> digits = load_digits()
    >>> net = Network([Layer(9, field=(4, 4), expansion=gsfa.expansions.Expo()), Layer(9)])
    >>> model = gsfa.HGSFA(network=net).fit(digits.images, digits.target)
    >>> model.transform(digits.images).shape, model.delta_values_[:2].round(2).tolist()
    ((1797, 9), [0.21, 0.29])
    """

    _allowed: ClassVar[Sorts] = {
        "n_components": SOME_FEATURES,
        "network": (Instance(Network), None),
        "graph": (Instance(Graph), Instance(TrainingGraph), None),
        "ridge": (RIDGE, None),
        "image_shape": (SHAPE, None),
        "n_jobs": (Jobs(), None),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        network: Network | None = None,
        graph: Graph | TrainingGraph | None = None,
        ridge: float | None = None,
        image_shape: Sequence[int] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.network = network
        self.graph = graph
        self.ridge = ridge
        self.image_shape = image_shape
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.graph is None or self.graph.needs_labels
        return tags

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> HGSFA:
        """Trains the network, layer by layer.

        Parameters
        ----------
        {images_to_learn}
        y : array-like of shape (n_samples,) or (n_samples, n_labels), optional
            Labels, if the graph needs them.
        {weights}

        Returns
        -------
        self : HGSFA
        """
        self._check_parameters()
        X, shape = flattened(X, self.image_shape)
        X = checked_samples(self, X, reset=True, min_samples=2)
        y = self._checked_y(y, X)
        X, y, weights, said = weighted(X, y, sample_weight)
        specified, taken = graph_for(self, y)
        graph = specified._native(y, weights, X=X)
        spec = self._spec(shape_for(shape, X.shape[1]), graph, y)
        choose = self.network is None and self.ridge is None
        with explained(self, X):
            model = _core.fit_network(
                X, graph, text("network", spec), False, choose, self._names(), threads(self.n_jobs)
            )
        self._set_model(remembering(model, self._without_steps() + said + taken + _chosen_ridge(spec, model)))
        return self

    def _checked_y(self, y: Any, X: Any) -> Any:
        if self.graph is not None and not self.graph.needs_labels:
            return None
        require_labels(self, y)
        allow_nan = self.graph is not None and self.graph._semi_supervised
        return checked_labels(
            y, X, multi_output=True, allow_nan=allow_nan, unlabelled="give a graph with semi_supervised=True"
        )

    def _set_model(self, model: _core.Model, *, warn: bool = True) -> None:
        self._take_summary(model, warn=warn, **chosen_network(json.loads(model.header())["network"]))

    def _spec(self, shape: Shape, graph: _core.Graph, y: Any) -> dict[str, Any]:
        """The network for samples of a shape."""
        classes = self.graph is not None and self.graph._classes
        wanted = self.n_components if self.n_components is not None else _wanted(graph, y if classes else None, shape)
        if self.network is None:
            labels = 1 if y is None or np.ndim(y) < 2 else np.shape(y)[1]
            spec: dict[str, Any] = json.loads(_core.network("auto", shape, len(graph), labels, int(wanted)))
        else:
            spec = self.network._spec(shape)
        if self.n_components is not None:
            check_top("n_components", int(self.n_components), spec, type(self).__name__)
            spec["layers"][-1]["output_dim"] = int(self.n_components)
        if self.ridge is not None:
            for layer in spec["layers"]:
                layer["ridge"] = float(self.ridge)
        return spec

    @property
    def _n_features_out(self) -> int:
        top = self._header()
        return int(top["network"]["layers"][-1]["output_dim"]) * len(top["summary"]["layers"][-1])

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The slow features of samples.

        Parameters
        ----------
        {images}

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self._features(X)

    def inverse_transform(self, X: Any) -> NDArray[np.float64]:
        """The inputs that samples of given features had, as far as the network kept them.

        Every layer must :class:`keep <gsfa.networks.Keep>` information; those below one that sees the inputs again need
        not. Estimates are linear, node by node from the top; where fields overlap, the mean of what their nodes say.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_features), or of the shape of the images of training
        """
        check_is_fitted(self, "_model")
        features = checked_features(X, self._n_features_out)
        inputs = self._model.inverse(features, threads(self.n_jobs))
        shape = self._inputs.image_shape
        if shape is None:
            return inputs
        return inputs.reshape(len(inputs), *(shape[:2] if shape[2] == 1 else shape))


def _chosen_ridge(spec: dict[str, Any], model: _core.Model) -> list[Remark]:
    """What cross-validation made of the ridge of a network that was left open."""
    (*_, before), (*_, after) = spec["layers"], json.loads(model.header())["network"]["layers"]
    ridge = after.get("ridge", 0.0)
    if ridge == before.get("ridge", 0.0):
        return []
    return [Remark(f"left-out samples chose the ridge {ridge:g}", "chosen")]


def checked_features(X: Any, expected: int) -> NDArray[np.float64]:
    """Features as numbers, one row each."""
    features: NDArray[np.float64] = np.ascontiguousarray(check_array(X, dtype=np.float64))
    if features.shape[1] != expected:
        raise GsfaError(
            f"the model has {expected} features, got {features.shape[1]}",
            hint="give what transform() returned",
            code="input_shape",
        )
    return features


def _wanted(graph: _core.Graph, classes: Any, shape: Shape) -> int:
    """One feature per target label; without these one less than there are classes, if the graph is made of classes."""
    targets = graph.targets
    if targets is not None:
        return len(targets["names"])
    values = shape[0] * shape[1] * shape[2]
    if classes is not None and np.ndim(classes) == 1:
        return max(1, min(values, len(np.unique(np.asarray(classes))) - 1))
    return min(FEATURES, values)
