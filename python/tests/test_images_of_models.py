"""Models that prepare images: whatever form images have, they are prepared as in training, and nothing else is taken."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gsfa

GOLDEN = Path(__file__).parents[2] / "crates" / "gsfa" / "tests" / "golden"
SIDE = 12


def pictures(count=60, seed=0):
    """Ramps that turn with a number, of two classes."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(size=count)
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE - 0.5
    ramps = 128 + 150 * (angle[:, None, None] * x + (1 - angle[:, None, None]) * y)
    images = np.clip(ramps + rng.normal(scale=4, size=ramps.shape), 0, 255).astype(np.uint8)
    return images, angle, np.where(angle > 0.5, "steep", "flat")


@pytest.fixture(scope="module")
def trained(command, tmp_path_factory):
    """Models of numbers and of classes, of images that are made smaller."""
    folder = tmp_path_factory.mktemp("pictures")
    images, angle, kind = pictures()
    np.save(folder / "x.npy", images)
    pd.DataFrame({"angle": angle, "kind": kind}).to_csv(folder / "y.csv", index=False)
    given = "--data x.npy --labels y.csv --resize 6x6 --mean-intensity 100 --network linear"
    command(*f"train {given} --learn angle -o angle.gsfa".split(), cwd=folder)
    command(*f"train {given} --learn kind -o kind.gsfa".split(), cwd=folder)
    command(*f"prepare {given} --learn angle -o angle.job".split(), cwd=folder)
    command(*"accumulate angle.job x.npy --first-row 0 -o angle.sums".split(), cwd=folder)
    command(*"solve angle.job angle.sums -o features.gsfa".split(), cwd=folder)
    command(*"predict angle.gsfa --data x.npy -o angle.csv".split(), cwd=folder)
    return folder


CALLS = {
    "angle": ("predict", "predict_std", "features"),
    "kind": ("predict", "predict_proba", "predict_log_proba", "decision_function", "features"),
    "features": ("transform",),
}


@pytest.mark.parametrize("name", CALLS)
def test_rows_of_pixels_are_the_images_that_they_are(trained, name):
    images, angle, kind = pictures()
    model = gsfa.load(trained / f"{name}.gsfa")
    assert [step["step"] for step in model.preparation_] == ["resize", "mean_intensity"]
    assert "resize(height=6, width=6)" in repr(model)
    for call in CALLS[name]:
        ask = getattr(model, call)
        expected = ask(images)
        for given in (images.reshape(60, -1), images[..., None], images.reshape(60, -1).astype(float), images.tolist()):
            if isinstance(given, list):
                given = np.array(given).reshape(60, -1).tolist()
            np.testing.assert_array_equal(ask(given), expected)
    if name == "features":
        return
    assert model.image_shape == (SIDE, SIDE, 1)
    truth = angle if name == "angle" else kind
    assert model.score(images.reshape(60, -1), truth) == model.score(images, truth) > 0.8


def test_estimates_are_those_of_the_command_line(trained):
    images, _, _ = pictures()
    expected = pd.read_csv(trained / "angle.csv")["angle"]
    found = gsfa.load(trained / "angle.gsfa").predict(images.reshape(60, -1))
    # Pixels are prepared in single precision by both.
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("name", ["angle", "kind"])
def test_prepared_rows_are_refused_unless_that_is_what_they_are_said_to_be(trained, name):
    images, _, _ = pictures()
    model = gsfa.load(trained / f"{name}.gsfa")
    for columns in (36, 143, 3 * SIDE * SIDE):
        for call in CALLS[name]:
            with pytest.raises(gsfa.GsfaError, match=f"rows of {columns} values are none") as refused:
                getattr(model, call)(np.zeros((2, columns)))
            assert refused.value.code == "not_images" and "without_preparation" in refused.value.hint
    plain = model.without_preparation()
    assert plain.preparation_ is None and model.preparation_ is not None and plain.image_shape == (6, 6, 1)
    inputs = model._model.prepared(np.ascontiguousarray(images[..., None], dtype=np.float32), 1)
    np.testing.assert_allclose(plain.features(inputs), model.features(images), rtol=1e-6)
    with pytest.raises(ValueError, match="features"):
        plain.predict(images.reshape(60, -1))
    with pytest.raises(gsfa.GsfaError, match="6x6 grey"):
        plain.predict(images)


def test_the_shape_of_rows_can_be_said_where_a_file_does_not_know_it():
    recorded = json.loads((GOLDEN / "prepared-3.json").read_text())
    model = gsfa.load(GOLDEN / "prepared-3.gsfa")
    pixels = np.array(recorded["images"], dtype=np.uint8).reshape(3, -1)
    side = round(pixels.shape[1] ** 0.5)
    with pytest.raises(gsfa.GsfaError, match="image_shape"):
        model.predict(pixels)
    told = gsfa.load(GOLDEN / "prepared-3.gsfa").set_params(image_shape=(side, side))
    np.testing.assert_array_equal(told.predict(pixels), model.predict(pixels.reshape(3, side, side)))


def test_features_of_shards_are_prepared_too(trained):
    images, _, _ = pictures()
    model = gsfa.load(trained / "features.gsfa")
    inputs = model._model.prepared(np.ascontiguousarray(images[..., None], dtype=np.float32), 1)
    np.testing.assert_allclose(model.transform(images), model.without_preparation().transform(inputs), rtol=1e-6)
