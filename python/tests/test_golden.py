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
    # Samples stand there as inputs, after preparation.
    model = gsfa.load(GOLDEN / f"{name}.gsfa").without_preparation()
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


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("prepared-")])
def test_images_are_prepared_as_the_command_line_did(name):
    recorded = json.loads((GOLDEN / f"{name}.json").read_text())
    model = gsfa.load(GOLDEN / f"{name}.gsfa")
    pixels = np.array(recorded["images"], dtype=np.uint8)
    side = round((len(pixels) / 3) ** 0.5)
    images = pixels.reshape(3, side, side)
    then = recorded["outputs"]
    features = np.reshape(then["features"], (3, -1))
    np.testing.assert_allclose(model.features(images), features, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.predict(images), then["estimates"][0]["values"], rtol=1e-6, atol=1e-6)
    # Inputs that were prepared already have to be called that.
    inputs = np.reshape(recorded["samples"], (3, -1))
    np.testing.assert_allclose(model.without_preparation().predict(inputs), model.predict(images), rtol=1e-6, atol=1e-6)
    with pytest.raises(gsfa.GsfaError, match="channels"):
        model.predict(np.zeros((2, side, side, 2)))
