"""Probabilities of classes and what follows from them, for estimators and read-outs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._labels import class_names
from .errors import GsfaError

LEAST = float(np.log(np.finfo(np.float64).tiny))
"""Stands for the logarithm of a probability of 0, where it must be finite: that of a class without votes."""


class Probabilities:
    """What follows from the probabilities of classes."""

    classes_: NDArray[Any]

    def _class_estimates(self, X: Any) -> dict[str, Any]:
        """Estimates of the library."""
        raise NotImplementedError

    def _ordered(self, X: Any, which: str) -> NDArray[np.float64]:
        """Probabilities or their logarithms in the order of the classes; the library may order names otherwise."""
        given = self._class_estimates(X)
        if which not in given:
            raise GsfaError("this read-out has no probabilities", hint="use readout=gsfa.GaussianClassifier()")
        position = {name: k for k, name in enumerate(given["names"])}
        order = [position[name] for name in class_names(self.classes_)]
        found: NDArray[np.float64] = given[which][:, order]
        return found

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes.

        Parameters
        ----------
        X : array-like
            What ``predict`` takes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Rows sum to 1; columns are in the order of ``classes_``.
        """
        return self._ordered(X, "probabilities")

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the probabilities of the classes: also of those that are too small to be numbers other than 0.

        Parameters
        ----------
        X : array-like
            What :meth:`predict_proba` takes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return self._ordered(X, "log_probabilities")

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """How much speaks for each class: the logarithm of its probability; of two classes, how much more for the second.

        Parameters
        ----------
        X : array-like
            What :meth:`predict_proba` takes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
        """
        logarithms = self.predict_log_proba(X)
        logarithms = np.where(np.isneginf(logarithms), LEAST, logarithms)
        return logarithms[:, 1] - logarithms[:, 0] if logarithms.shape[1] == 2 else logarithms
