"""What GSFA and SFA share: one node, linear or expanded, and its features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from . import _core
from ._base import AffineFeatures, ModelEstimator, threads
from ._documentation import shared
from ._json import text
from .expansions import Expansion, Pca, layer_spec


@shared
class SlowFeatureTransformer(
    AffineFeatures, ClassNamePrefixFeaturesOutMixin, TransformerMixin, ModelEstimator  # type: ignore[misc]
):
    """Slow features of one node, whatever says what is slow."""

    n_components: int | None
    expansion: Expansion | None
    pca: int | Pca | None
    clip: float | None
    standardize: bool
    ridge: float
    surplus: str
    solver: str

    def _is_flat(self) -> bool:
        parts = (self.expansion, self.pca, self.clip)
        return all(part is None for part in parts) and not self.standardize

    def _options(self) -> dict[str, Any]:
        return {
            "output_dim": None if self.n_components is None else int(self.n_components),
            "ridge": float(self.ridge),
            "surplus": str(self.surplus),
            "solver": str(self.solver),
        }

    def _network(self, columns: int) -> dict[str, Any]:
        layer = layer_spec(
            output_dim=1 if self.n_components is None else int(self.n_components),
            standardize=self.standardize,
            pca=self.pca,
            clip=self.clip,
            expansion=self.expansion,
            ridge=self.ridge,
            surplus=str(self.surplus),
            solver=str(self.solver),
        )
        return {"input": {"height": 1, "width": 1, "channels": columns}, "layers": [layer]}

    def _fitted(self, X: NDArray[Any], graph: _core.Graph) -> _core.Model:
        options = self._options()
        if self._is_flat():
            return _core.fit_flat(X, graph, options, self._names(), threads(self.n_jobs))
        open_dim = self.n_components is None
        network = text("network", self._network(X.shape[1]))
        return _core.fit_network(X, graph, network, open_dim, False, self._names(), threads(self.n_jobs))

    def _set_model(self, model: _core.Model, *, warn: bool = True) -> None:
        node = model.node(0, 0)
        weights, mean = node.get("weights", np.zeros((0, 0))), node.get("mean", np.zeros(0))
        self._take_summary(model, warn=warn, weights_=weights, mean_=mean)

    @property
    def _n_features_out(self) -> int:
        return int(self._header()["network"]["layers"][-1]["output_dim"])

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The slow features of samples.

        Parameters
        ----------
        {samples}

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self._features(X)
