"""What estimators of labels share: network and read-out in one, with what is left open chosen from the samples."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._base import ModelEstimator, threads
from ._checks import checked_groups, checked_samples, explained, positive_rows, weighted
from ._documentation import shared
from ._images import Shape, flattened, shape_for
from ._json import text
from ._labels import LabelTable
from ._parameters import RIDGE, Flag, Instance, Jobs, OneOf, Sorts, check_all, shown
from ._readouts import Clip, Readout
from ._remarks import remembering
from ._saved_readouts import readout_of
from ._spectra import Spectrum
from .errors import GsfaError, ParameterError, Remark
from .graphs import Graph
from .networks import SHAPE, Network, chosen_network

EFFORTS = ("quick", "normal", "thorough")

NETWORKS = ("auto", "linear", "quadratic", "cascade", "paper-64", "higsfa", "shared")


def network_choice(
    network: str | Network | None, ridge: float | None, spectrum: Spectrum | bool | None = None
) -> dict[str, Any]:
    """The network as a recipe takes it."""
    choice: dict[str, Any] = {}
    if isinstance(network, Network):
        choice = {"kind": "layers", "layers": [layer._spec() for layer in network.layers]}
    elif network is not None:
        choice = {"kind": network}
    if ridge is not None:
        choice["ridge"] = float(ridge)
    if isinstance(network, Network) and network.spectrum is not None:
        if spectrum is not None:
            raise ParameterError(
                f"The 'spectrum' parameter says nothing where the network has its own. Got spectrum={shown(spectrum)} and "
                f"{shown(network.spectrum)}.",
                hint="leave one of them out",
                details={"parameter": "spectrum"},
            )
        spectrum = network.spectrum
    if spectrum:
        choice["spectrum"] = spectrum._spec() if isinstance(spectrum, Spectrum) else {}
    return choice


@shared
class RecipeEstimator(ModelEstimator):
    """What regressors and classifiers share."""

    _allowed: ClassVar[Sorts] = {
        "graph": (Instance(Graph), None),
        "network": (OneOf(NETWORKS), Instance(Network), None),
        "spectrum": (Flag(), Instance(Spectrum), None),
        "ridge": (RIDGE, None),
        "readout": (Instance(Readout), None),
        "calibrate": (Flag(),),
        "effort": (OneOf(EFFORTS),),
        "image_shape": (SHAPE, None),
        "semi_supervised": (Flag(),),
        "n_jobs": (Jobs(), None),
    }
    network: str | Network | None
    spectrum: Spectrum | bool | None
    graph: Graph | None
    readout: Readout | None
    ridge: float | None
    clip: Clip
    calibrate: bool
    effort: str
    image_shape: Sequence[int] | None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not self.calibrate and self.effort != "normal":
            raise ParameterError(
                f"The 'effort' parameter says nothing beside calibrate=False. Got {shown(self.effort)}.",
                hint="what is left open is chosen by left-out samples: leave out one of the two",
                details={"parameter": "effort"},
            )
        if self.readout is not None:
            check_all(self.readout, self.readout._allowed)

    def _checked_y(self, y: Any, X: Any) -> Any:
        """The labels, if they are as many as samples and of the right kind."""
        raise NotImplementedError

    def _table(self, y: Any, samples: int) -> LabelTable:
        """The labels as the library takes them."""
        raise NotImplementedError

    def _of_labels(self, table: LabelTable) -> dict[str, Any]:
        """What the labels alone determine of a fitted estimator."""
        raise NotImplementedError

    def _recipe(self) -> dict[str, Any]:
        recipe: dict[str, Any] = {
            "network": network_choice(self.network, self.ridge, self.spectrum),
            "calibrate": bool(self.calibrate),
            "effort": self.effort,
        }
        if self.graph is not None:
            recipe["graph"] = self.graph._spec()
        if self.readout is not None:
            recipe["readout"] = self.readout._spec()
        return recipe

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        """Checks everything, and trains network and read-outs."""
        self._check_parameters()
        X, shape = flattened(X, self.image_shape)
        X = checked_samples(self, X, reset=True, min_samples=2)
        y = self._checked_y(y, X)
        sample_weight = self._weights(y, sample_weight)
        codes = checked_groups(groups, X)
        X, y, weights, said = weighted(X, y, sample_weight)
        table = self._table(y, len(X))
        model = self._trained(X, table, weights, shape_for(shape, X.shape[1]), positive_rows(codes, sample_weight))
        self._keep(model, table, self._without_steps() + said)

    def _weights(self, y: Any, sample_weight: Any) -> Any:
        """The weights of samples, before those of weight zero are left out."""
        return sample_weight

    def _class_weights(self, table: LabelTable) -> str | None:
        """Factors of the weights of classes as a model keeps them."""
        return None

    def _class_values(self, table: LabelTable) -> str | None:
        """What the names of classes stand for."""
        return None

    def _keep(self, model: _core.Model, table: LabelTable, said: list[Remark]) -> None:
        """Takes a model that was trained, with what was said and asked for beside the recipe."""
        kept = {"class_weights": self._class_weights(table), "class_values": self._class_values(table)}
        model = remembering(model, said, **kept)
        self._take_summary(model, **self._of_labels(table))

    def _take_summary(self, model: _core.Model, **rest: Any) -> dict[str, Any]:
        header = json.loads(model.header())
        readouts = [
            readout_of(readout.get("settings"), classes=readout["fitted"].get("classes") is not None)
            for readout in header["readouts"]
        ]
        readout = readouts[0] if len(readouts) == 1 else readouts
        return super()._take_summary(model, readout_=readout, **chosen_network(header["network"]), **rest)

    def _trained(self, X: NDArray[Any], table: LabelTable, weights: Any, shape: Shape, groups: Any) -> _core.Model:
        recipe = text("parameters", self._recipe())
        self._check_width(recipe, shape, table)
        with explained(self, X):
            return _core.fit_recipe(
                X,
                recipe,
                shape,
                table.columns,
                weights,
                None if groups is None else groups.tolist(),
                self._names(),
                threads(self.n_jobs),
            )

    def _check_width(self, recipe: str, shape: Shape, table: LabelTable) -> None:
        """Refuses more features than the network can have."""

    def _estimates(self, X: Any) -> list[tuple[str, dict[str, Any]]]:
        X = self._rows(X)
        with self._explained(X):
            return self._model.estimate(X, threads(self.n_jobs))

    def features(self, X: Any) -> NDArray[np.float64]:
        """The slow features that estimates are made from.

        Parameters
        ----------
        {images}

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self._features(X)

    def outlier_score(self, X: Any) -> NDArray[np.float64]:
        """How far samples lie from all training samples: squared Mahalanobis distances to classes or bins, weighted with
        their probabilities.

        Parameters
        ----------
        {samples}

        Returns
        -------
        ndarray of shape (n_samples,)
            About as large as the number of features for samples like those of training.
        """
        scores = [given.get("outlier_score") for _, given in self._estimates(X)]
        if scores[0] is None:
            raise GsfaError(
                "this read-out has no outlier score",
                hint="use readout=gsfa.SoftGC() for numbers or gsfa.GaussianClassifier() for classes",
            )
        score: NDArray[np.float64] = scores[0]
        return score
