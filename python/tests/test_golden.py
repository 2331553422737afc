"""Golden model files (crates/gsfa/tests/golden): Python finds the features and estimates that stand beside them."""

import json
from pathlib import Path

import numpy as np
import pytest

import gsfa

GOLDEN = Path(__file__).parents[2] / "crates" / "gsfa" / "tests" / "golden"
# Files named classifier estimate classes and numbers at once, which Python leaves to the command line.
NAMES = sorted(path.stem for path in GOLDEN.glob("*.gsfa") if not path.stem.startswith("classifier-"))


def test_golden_files_of_every_sort_are_there():
    assert {"cascade-2", "classes-2", "hierarchy-1", "hierarchy-2", "prepared-2", "regressor-2"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_golden_models_give_what_they_gave(name):
    recorded = json.loads((GOLDEN / f"{name}.json").read_text())
    model = gsfa.load(GOLDEN / f"{name}.gsfa")
    X = np.reshape(recorded["samples"], (-1, model.n_features_in_))
    then = recorded["outputs"]

    def same(found, key):
        columns = [estimate.get(key) for estimate in then["estimates"]]
        if all(column is not None for column in columns):
            expected = np.column_stack(columns)
            np.testing.assert_allclose(np.reshape(found(X), expected.shape), expected, rtol=1e-9, atol=1e-9)

    features = np.reshape(then["features"], (len(X), -1))
    np.testing.assert_allclose(model.features(X), features, rtol=1e-9, atol=1e-9)
    outliers = then["estimates"][0].get("outliers")
    if outliers is not None:
        np.testing.assert_allclose(model.outlier_score(X), outliers, rtol=1e-9, atol=1e-9)
    if isinstance(model, gsfa.CompactClassifier):
        (estimate,) = then["estimates"]
        assert (model.predict(X) == model.classes_[np.array(estimate["values"], dtype=int)]).all()
        probabilities = np.reshape(estimate["probabilities"], (len(X), -1))
        np.testing.assert_allclose(model.predict_proba(X), probabilities, rtol=1e-9, atol=1e-9)
    else:
        assert model.label_names_ == [estimate["label"] for estimate in then["estimates"]]
        same(model.predict, "values")
        same(model.predict_std, "deviations")
