"""Read-outs of classes."""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.typing import ArrayLike

from ._documentation import shared
from ._parameters import SOME_FEATURES, Sorts
from ._readouts import ClassReadout, Gaussians, Neighbors


@shared
class NearestCentroid(ClassReadout):
    """The class whose mean is nearest, with the probabilities of Gaussians of unit variance about the means.

    Parameters
    ----------
    {n_features}

    Attributes
    ----------
    {classes_}
    {features_in}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> import gsfa
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(gsfa.GSFA(), gsfa.NearestCentroid()).fit(X, y)
    >>> model.predict_proba(X).shape, round(model.score(X, y), 2)
    ((150, 3), 0.87)
    """

    _kind: ClassVar[str] = "nearest_centroid"
    _allowed: ClassVar[Sorts] = {"n_features": SOME_FEATURES}

    def __init__(self, n_features: int | None = None) -> None:
        self.n_features = n_features

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> NearestCentroid:
        """Averages features of shape (n_samples, n_features) over classes of shape (n_samples,)."""
        return self._fit(X, y, sample_weight, classes=True)


@shared
class GaussianClassifier(ClassReadout, Gaussians):
    """A Gaussian per class with the class weights as priors.

    Parameters
    ----------
    {n_features}
    bins : int, default=60
        As a read-out of numbers: the most bins of the label, each of which is a class. Classes need none.
    {shrinkage}
    {covariance}

    Attributes
    ----------
    {classes_}
    {features_in}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> import gsfa
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(gsfa.GSFA(), gsfa.GaussianClassifier()).fit(X, y)
    >>> model.predict_proba(X).shape, round(model.score(X, y), 2)
    ((150, 3), 0.98)
    """

    _kind: ClassVar[str] = "gaussian_classifier"
    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> GaussianClassifier:
        """Fits Gaussians to features of shape (n_samples, n_features) and classes of shape (n_samples,)."""
        return self._fit(X, y, sample_weight, classes=True)


@shared
class NearestNeighborsClassifier(ClassReadout, Neighbors):
    """The vote of the nearest training samples, with its shares as probabilities.

    Parameters
    ----------
    {n_features}
    {neighbors}

    Attributes
    ----------
    {classes_}
    {features_in}

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> model = gsfa.NearestNeighborsClassifier(neighbors=3).fit(np.arange(6.0)[:, None], list("aaabbb"))
    >>> model.predict_proba([[2.2], [4.0]]).round(3).tolist()
    [[0.667, 0.333], [0.0, 1.0]]
    """

    def fit(self, X: Any, y: Any) -> NearestNeighborsClassifier:
        """Keeps features of shape (n_samples, n_features) and classes of shape (n_samples,)."""
        return self._fit(X, y, None, classes=True)
