"""Read-outs of numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags

from ._documentation import shared
from ._parameters import SOME_FEATURES, Sorts
from ._readouts import Clip, Gaussians, Neighbors, NumberReadout


@shared
class SoftGC(NumberReadout, Gaussians):
    """Soft GC: the expectation of a number over the class probabilities of a Gaussian classifier.

    Parameters
    ----------
    {n_features}
    bins : int, default=60
        The most bins of the label, each of which is a class.
    {shrinkage}
    {covariance}

    Attributes
    ----------
    {features_in}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.pipeline import make_pipeline
    >>> import gsfa
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = make_pipeline(gsfa.GSFA(), gsfa.SoftGC()).fit(X, y)
    >>> model.predict(X).shape, round(model.score(X, y), 3)
    ((442,), 0.525)
    """

    _kind: ClassVar[str] = "soft_gc"
    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> SoftGC:
        """Fits Gaussians to features of shape (n_samples, n_features) and numbers of shape (n_samples,)."""
        return self._fit(X, y, sample_weight, classes=False)

    def predict_std(self, X: Any) -> NDArray[np.float64]:
        """The predictive standard deviation of each estimate, of shape (n_samples,)."""
        deviation: NDArray[np.float64] = self._estimate(X)["standard_deviation"]
        return deviation


@shared
class LinearScaling(NumberReadout):
    """The slowest feature, scaled and shifted to mean and deviation of the label; for ELL graphs.

    As the read-out of an :class:`ELLRegressor` it knows the target labels, and takes for each label the features that
    correlate with its own, whatever their order.

    Parameters
    ----------
    {range}

    Attributes
    ----------
    n_features_in_ : int
        The number of features, of which the first is used.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> y = np.arange(10.0)
    >>> feature = ((y - y.mean()) / y.std())[:, None]
    >>> estimate = gsfa.LinearScaling().fit(feature, y).predict(feature)
    >>> estimate.shape, float(estimate[7].round(9))
    ((10,), 7.0)
    """

    _kind: ClassVar[str] = "linear_scaling"

    def __init__(self, *, clip: Clip = "training") -> None:
        self.clip = clip

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # It assumes slow features: one input, of zero mean and unit variance, that is the label up to scale.
        tags.regressor_tags.poor_score = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> LinearScaling:
        """Learns scale, sign and offset from features of shape (n_samples, n_features) and numbers."""
        return self._fit(X, y, sample_weight, classes=False)


@shared
class LinearRegression(NumberReadout):
    """Least squares on the first features.

    Parameters
    ----------
    {n_features}
    {range}

    Attributes
    ----------
    {features_in}

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> y = np.arange(10.0)
    >>> feature = ((y - y.mean()) / y.std())[:, None]
    >>> estimate = gsfa.LinearRegression(clip="none").fit(feature, y).predict(2 * feature)
    >>> estimate.shape, float(estimate[9].round(9))
    ((10,), 13.5)
    """

    _kind: ClassVar[str] = "linear_regression"
    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES}

    def __init__(self, n_features: int | None = None, *, clip: Clip = "training") -> None:
        self.n_features = n_features
        self.clip = clip

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> LinearRegression:
        """Solves for features of shape (n_samples, n_features) and numbers of shape (n_samples,)."""
        return self._fit(X, y, sample_weight, classes=False)


@shared
class NearestNeighborsRegressor(NumberReadout, Neighbors):
    """The mean label of the nearest training samples.

    Parameters
    ----------
    {n_features}
    {neighbors}

    Attributes
    ----------
    {features_in}

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> y = np.arange(10.0)
    >>> model = gsfa.NearestNeighborsRegressor(neighbors=3).fit(y[:, None], y)
    >>> model.predict(y[:, None]).shape, model.predict([[4.2]]).tolist()
    ((10,), [4.0])
    """

    def fit(self, X: Any, y: Any) -> NearestNeighborsRegressor:
        """Keeps features of shape (n_samples, n_features) and numbers of shape (n_samples,)."""
        return self._fit(X, y, None, classes=False)
