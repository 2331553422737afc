"""Supervised slow feature analysis for scikit-learn: GSFA, hierarchical GSFA and exact label learning.

>>> from sklearn.datasets import load_diabetes
>>> from sklearn.model_selection import cross_val_score
>>> import gsfa
>>> X, y = load_diabetes(return_X_y=True)
>>> float(cross_val_score(gsfa.ELLRegressor(), X, y).mean()) > 0.45
True
"""

from __future__ import annotations

from importlib.metadata import version

from . import errors, expansions, graphs, networks
from ._class_readouts import GaussianClassifier, NearestCentroid, NearestNeighborsClassifier
from ._classifier import CompactClassifier
from ._copies import Distortion
from ._files import load
from ._gsfa import GSFA
from ._hgsfa import HGSFA
from ._maps import plot_map
from ._number_readouts import LinearRegression, LinearScaling, NearestNeighborsRegressor, SoftGC
from ._plots import free_responses, plot_coef, plot_delta_values, plot_free_responses
from ._regressor import ELLRegressor
from ._sfa import SFA
from ._spectra import Spectrum
from .errors import ClusterError, GsfaError, GsfaWarning, LabelTypeError, ModelFileError, ParameterError, SampleTypeError

__version__ = version("gsfa")

__all__ = [
    "ClusterError",
    "CompactClassifier",
    "Distortion",
    "ELLRegressor",
    "GSFA",
    "GaussianClassifier",
    "GsfaError",
    "GsfaWarning",
    "HGSFA",
    "LabelTypeError",
    "LinearRegression",
    "LinearScaling",
    "ModelFileError",
    "NearestCentroid",
    "NearestNeighborsClassifier",
    "NearestNeighborsRegressor",
    "ParameterError",
    "SampleTypeError",
    "SFA",
    "SoftGC",
    "Spectrum",
    "errors",
    "expansions",
    "free_responses",
    "graphs",
    "load",
    "networks",
    "plot_coef",
    "plot_delta_values",
    "plot_free_responses",
    "plot_map",
]
