"""The read-outs that model files speak of."""

from __future__ import annotations

from typing import Any

from ._class_readouts import GaussianClassifier, NearestCentroid, NearestNeighborsClassifier
from ._number_readouts import LinearRegression, LinearScaling, NearestNeighborsRegressor, SoftGC
from ._readouts import IN_LIBRARY, Readout

OF_NUMBERS = (LinearRegression, LinearScaling, NearestNeighborsRegressor, SoftGC)
OF_CLASSES = (GaussianClassifier, NearestCentroid, NearestNeighborsClassifier)


def readout_of(settings: dict[str, Any] | None, *, classes: bool) -> Readout | None:
    """The read-out of a specification; nothing if there is none."""
    if settings is None:
        return None
    given = dict(settings)
    kind = given.pop("kind")
    # The Gaussian classifier may estimate bins of numbers.
    ordered = OF_CLASSES + OF_NUMBERS if classes else OF_NUMBERS + OF_CLASSES
    made = next(made for made in ordered if made._kind == kind)
    names = {IN_LIBRARY.get(name, name): name for name in made._get_param_names()}
    if isinstance(given.get("clip"), list):
        given["clip"] = tuple(given["clip"])
    return made(**{names[name]: value for name, value in given.items()})
