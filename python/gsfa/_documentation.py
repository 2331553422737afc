"""What several classes and methods say alike, said once."""

from __future__ import annotations

import re
from typing import Any, TypeVar

Documented = TypeVar("Documented")

TEXT = """
[pca]
pca : int or gsfa.expansions.Pca, optional
    Principal components before the expansion.

[clip]
clip : float, optional
    Clip inputs of the expansion at this many standard deviations.

[standardize]
standardize : bool, default=False
    Scale every input to unit variance first.

[ridge]
ridge : float, default=0.0
    Variance of independent noise that is thought to be added to every input, as a share of their mean variance.

[n_jobs]
n_jobs : int, optional
    Threads; one per core if left out. Results do not depend on it.

[coef_]
coef_ : ndarray of shape (n_components, n_features)
    Without expansion and clipping: ``transform(X) = X @ coef_.T + intercept_``.

[intercept_]
intercept_ : ndarray of shape (n_components,)
    The same.

[rank]
rank_ : int
    Directions of the (expanded) inputs that carry variance.

[inputs]
n_features_in_ : int
    I.

[weights]
sample_weight : array-like of shape (n_samples,), optional
    Weights; samples of weight zero are left out.

[samples]
X : array-like of shape (n_samples, n_features)
    Samples.

[positive_weights]
sample_weight : array-like of shape (n_samples,), optional
    Positive weights.

[image_shape]
image_shape : tuple of int, optional
    (height, width) or (height, width, channels), if rows of X are images. Arrays of three or four axes say it
    themselves.

[delta_values_]
delta_values_ : ndarray of shape (n_components,)
    Δ of the features on the training samples.

[correlations_]
correlations_ : ndarray of shape (n_components,)
    ρ² of the features and their target labels; NaN where there are none.

[images_to_learn]
X : array-like of shape (n_samples, n_features), or images of shape (n_samples, height, width[, channels])
    Samples; float64, float32 and uint8 are read as they are.

[images]
X : array-like of shape (n_samples, n_features), or images of shape (n_samples, height, width[, channels])
    Samples. A model with a ``preparation_`` takes images, also as rows of their values, and prepares them as in training.

[network]
network : Network or {"auto", "linear", "quadratic", "cascade", "paper-64", "higsfa", "shared"}, optional
    The network.

[spectrum]
spectrum : bool or gsfa.Spectrum, optional
    Whether columns are spectra, in order and of equal distances, and what is done to these first; what that leaves open is
    chosen: no preparation, SNV, first or second derivatives, or both, and windows.

[chosen_ridge]
ridge : float, optional
    Ridge of every node; chosen if left out.

[rank_of_last]
rank_ : int
    Directions of the expanded inputs of the last node that carry variance.

[network_]
network_ : gsfa.networks.Network
    The network that was taken.

[ridge_]
ridge_ : float, or list of float
    Its ridge; a list of those of its layers if there are several.

[readout_]
readout_ : read-out, or list of read-outs
    The read-out that was taken, with its settings; one for each label if there are several.

[graph_]
graph_ : gsfa.graphs.Graph or None
    The graph that was taken; None for long lists of edges.

[effort]
effort : {"quick", "normal", "thorough"}, default="normal"
    How much work goes into choosing what is left open: the two cheapest candidates, those of up to ten times the work of the
    cheapest good one, or all. Predicted operations count, never seconds: the choice is the same on every machine.

[selection_]
selection_ : dict or None
    What was tried, None if nothing was left open, and on clusters: ``tried`` has name, ridge, left-out loss and its standard
    error, and predicted work of each candidate, ``taken`` is the place of the one that was taken, and ``why`` says why.

[notes_]
notes_ : list of gsfa.errors.Remark
    Remarks on the fit, strings with a `code` each: what labels were taken as, what was left out, and why what was left open
    was chosen. Model files keep them.

[preparation_]
preparation_ : list of dict or None
    The steps by which images become inputs, of a model that the command line trained on images; None if there are none.

[groups]
groups : array-like of shape (n_samples,), optional
    Names or numbers of what samples belong to, like the person of a photograph: wherever samples are left out to
    choose and to judge, all of a group are.

[classes_]
classes_ : ndarray of shape (n_classes,)
    The classes.

[n_features]
n_features : int, optional
    Use the first so many features; all if left out.

[neighbors]
neighbors : int, default=5
    How many neighbours are asked.

[shrinkage]
shrinkage : float, default=1.0
    Strength of the pull of covariances towards the pooled one.

[covariance]
covariance : {"own", "shared"}, default="own"
    Whether classes have covariances of their own, or all share the pooled one.

[features_in]
n_features_in_ : int
    The number of features.

[range]
clip : {"training", "none"} or pair of float, default="training"
    Where estimates are held: within the labels of training, nowhere, or within a range that is known.
"""
"""Parameters and attributes as they stand in documentation, each below its name: `{name}` on a line of its own is it."""

ENTRIES = dict(re.findall(r"^\[(\w+)\]\n(.+?)(?=\n\n|\n\Z)", TEXT, flags=re.MULTILINE | re.DOTALL))


def shared(documented: Documented) -> Documented:
    """Fills the entries into the documentation of a class and of its own methods."""
    for member in vars(documented).values():
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        if callable(function) and not isinstance(function, type):
            _fill(function)
    _fill(documented)
    return documented


def _fill(documented: Any) -> None:
    text = documented.__doc__
    if text and "{" in text:
        documented.__doc__ = re.sub(r"^( *)\{(\w+)\}$", _entry, text, flags=re.MULTILINE)


def _entry(found: re.Match[str]) -> str:
    lines = ENTRIES[found[2]].split("\n")
    return "\n".join(found[1] + line if line else line for line in lines)
