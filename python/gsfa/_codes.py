"""What sort of error or remark it is, where only this package can tell.

All others come from the library and have its codes. ``docs/codes.md`` is made of this table, too.
"""

from __future__ import annotations

ERRORS = {
    "cluster_lost": "The cluster gave up a task.",
    "features": "Features, responses or labels that are no numbers.",
    "graph": "A graph of given samples, which says nothing of others.",
    "groups": "Samples without a group, where others have one.",
    "misaligned_index": "Labels or weights with another index than the samples.",
    "no_progress": "The workers of a cluster have done nothing for too long.",
    "no_workers": "A cluster has had no worker for too long.",
    "sample_type": "Samples that are no numbers: dates, durations, records.",
    "several_labels": "A model of several labels of classes, or of classes and numbers, which no estimator is for.",
    "vertices": "Numbers of vertices that a graph does not have.",
    "weights": "Weights for samples or vertices that have theirs already, or for some of them only.",
    "workers_died": "The workers of a cluster died again and again.",
}
"""Codes of :class:`gsfa.GsfaError`."""

REMARKS = {
    "chosen": "What was left open was chosen by left-out samples.",
    "no_preparation": "Images are learned without the preparation of the model that was loaded.",
    "not_chosen": "What was left open has its default, since no samples are left out.",
}
"""Codes of :class:`gsfa.errors.Remark`."""
