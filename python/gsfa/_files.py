"""Model files, the same as the command line's."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._base import ModelEstimator
from ._gsfa import GSFA
from ._hgsfa import HGSFA
from ._classifier import CompactClassifier
from ._graph_specification import graph_of
from ._images import Inputs
from ._labels import class_names, class_values
from ._regressor import ELLRegressor
from ._saved_readouts import readout_of
from ._spectra import asked_spectrum
from .errors import GsfaError
from .networks import Network, network_of


def load(path: str | os.PathLike[str]) -> ModelEstimator:
    """Reads a model that :meth:`save` or the command line wrote.

    Parameters
    ----------
    path : str or path
        The file. Reading it runs no code.

    Returns
    -------
    estimator
        A fitted :class:`ELLRegressor` if the model estimates numbers, a :class:`CompactClassifier` if it estimates a
        class, else a transformer: :class:`GSFA` for one linear node, :class:`HGSFA` for all others.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_iris
    >>> import gsfa
    >>> X, y = load_iris(return_X_y=True)
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.gsfa")
    >>> gsfa.CompactClassifier().fit(X, y).save(path)
    >>> gsfa.load(path).predict(X[:2]).tolist()
    [0, 0]
    """
    return estimator_of(_core.Model.load(os.fspath(path)))


def estimator_of(model: _core.Model) -> ModelEstimator:
    """The fitted estimator of a model."""
    header = json.loads(model.header())
    readouts = header["readouts"]
    classes = [_classes(info["fitted"]) for info in readouts]
    if not readouts:
        return _transformer(model, header)
    estimator: ModelEstimator
    if all(names is None for names in classes):
        estimator = ELLRegressor(**_parameters(header, ELLRegressor))
        estimator.label_names_ = [info["label"] for info in readouts]
        estimator._flat_output = len(readouts) == 1
    elif len(readouts) == 1:
        estimator = CompactClassifier(**_parameters(header, CompactClassifier))
        estimator.classes_ = np.sort(class_values(classes[0] or [], header["remembered"].get("class_values")))
        estimator.class_weight = _class_weight(header["remembered"].get("class_weights"), estimator.classes_)
    else:
        several = "several labels of classes" if None not in classes else "classes and numbers at once"
        raise GsfaError(
            f"the model estimates {several}, which no estimator of scikit-learn does",
            hint="use `gsfa predict`, or train one model for each label",
            code="several_labels",
        )
    estimator._take_summary(model, warn=False)
    _set_inputs(estimator, header)
    return estimator


def _parameters(header: dict[str, Any], kind: type[ModelEstimator]) -> dict[str, Any]:
    """What was asked for when the model was trained; of a model that does not remember it, what it has."""
    inputs = Inputs.of(header)
    # Rows are images before preparation, as those of training were.
    image = inputs.image_shape if inputs.steps is None else inputs.raw
    asked = header["remembered"].get("asked")
    found = _taken(header) if asked is None else _asked(asked, header, kind)
    known = {name: value for name, value in found.items() if name in kind._get_param_names()}
    return {**known, "image_shape": image}


def _taken(header: dict[str, Any]) -> dict[str, Any]:
    readout = header["readouts"][0]
    calibration = readout.get("calibration") or {}
    return {
        "graph": graph_of(header["graph"], header["summary"]["samples"]),
        "network": network_of(header["network"]),
        "readout": readout_of(readout.get("settings"), classes=_classes(readout["fitted"]) is not None),
        "clip": tuple(calibration["range"]) if calibration.get("range") else "none",
    }


def _asked(asked: dict[str, Any], header: dict[str, Any], kind: type[ModelEstimator]) -> dict[str, Any]:
    choice = asked.get("network", {})
    network_kind, features = choice.get("kind", "auto"), choice.get("features")
    network: str | Network | None = None if network_kind == "auto" else network_kind
    if network_kind == "layers":
        network = network_of({"layers": choice["layers"]})
    # The command line can ask for more of a named network than parameters can: then it is the one that was taken, with the
    # ridge that it has.
    parameters = ("pca", "solver", "standardize", *(() if "n_components" in kind._get_param_names() else ("features",)))
    more = any(choice.get(setting) is not None for setting in parameters)
    clip = asked.get("clip", "none")
    classes = any(_classes(readout["fitted"]) is not None for readout in header["readouts"])
    return {
        "graph": graph_of(asked.get("graph"), header["summary"]["samples"]),
        "targets": asked.get("targets"),
        "n_components": features if features is not None else asked.get("targets"),
        "network": network_of(header["network"]) if more else network,
        "spectrum": None if more else asked_spectrum(choice.get("spectrum")),
        "ridge": None if more else choice.get("ridge"),
        "readout": readout_of(asked.get("readout"), classes=classes),
        "clip": tuple(clip) if isinstance(clip, list) else clip,
        "calibrate": asked.get("calibrate", True),
        "effort": asked.get("effort", "normal"),
        "semi_supervised": asked.get("semi_supervised", False),
    }


def _class_weight(given: Any, classes: NDArray[Any]) -> dict[Any, float] | str | None:
    """The parameter of that name, from what a model keeps of it."""
    if given is None or isinstance(given, str):
        return given
    values = dict(zip(class_names(classes), classes.tolist()))
    return {values.get(name, name): factor for name, factor in given["given"].items()}


def _classes(fitted: dict[str, Any]) -> list[str] | None:
    return fitted.get("classes")


def _transformer(model: _core.Model, header: dict[str, Any]) -> ModelEstimator:
    graph, network = graph_of(header["graph"], header["summary"]["samples"]), network_of(header["network"])
    layers = header["network"]["layers"]
    plain = len(layers) == 1 and not {"pca", "clip", "skip", "field", "keep"} & set(layers[0])
    plain = plain and network.spectrum is None
    plain = plain and not layers[0].get("standardize") and network.layers[0].expansion is None
    estimator: GSFA | HGSFA
    if plain:
        top = network.layers[0]
        estimator = GSFA(top.output_dim, graph=graph, ridge=top.ridge, surplus=top.surplus, solver=top.solver)
    else:
        estimator = HGSFA(network=network, graph=graph)
    estimator._set_model(model, warn=False)
    _set_inputs(estimator, header)
    return estimator


def _set_inputs(estimator: ModelEstimator, header: dict[str, Any]) -> None:
    height, width, channels = Inputs.of(header).shape
    estimator.n_features_in_ = height * width * channels
    if header["input_names"] is not None:
        estimator.feature_names_in_ = np.array(header["input_names"], dtype=object)
