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


@pytest.fixture(scope="module")
def of_table(command, tmp_path_factory):
    """A model of images that are rows of a table, and its estimates."""
    folder = tmp_path_factory.mktemp("table")
    images, angle, _ = pictures()
    table = pd.DataFrame(images.reshape(60, -1), columns=[f"p{k}" for k in range(SIDE * SIDE)])
    table.assign(angle=angle).to_csv(folder / "t.csv", index=False)
    given = f"--data t.csv --learn angle --image-shape {SIDE}x{SIDE} --resize 6x6 --network linear"
    command(*f"train {given} -o m.gsfa".split(), cwd=folder)
    command(*"predict m.gsfa --data t.csv -o found.csv".split(), cwd=folder)
    return folder, table


def test_pixels_of_a_table_are_found_by_their_names(of_table):
    folder, table = of_table
    model = gsfa.load(folder / "m.gsfa")
    expected = model.predict(table)
    np.testing.assert_allclose(expected, pd.read_csv(folder / "found.csv")["angle"], atol=1e-6)
    np.testing.assert_array_equal(model.predict(table.to_numpy()), expected)
    for given in (table[table.columns[::-1]], table.assign(more="text"), table[table.columns[::-1]].assign(angle=0.0)):
        np.testing.assert_array_equal(model.predict(given), expected)
    with pytest.raises(gsfa.GsfaError, match="missing p3") as refused:
        model.predict(table.rename(columns={"p3": "pp3"}))
    assert refused.value.code == "input_names" and refused.value.hint == "did you mean 'p3' by 'pp3'?"
    with pytest.raises(gsfa.GsfaError, match="missing p0, p1, p2, p3, p4 and 139 more") as refused:
        model.predict(pd.DataFrame(table.to_numpy()))
    assert refused.value.code == "input_names"
    with pytest.raises(gsfa.GsfaError, match="2 columns of X are called 'p0'"):
        model.predict(pd.concat([table, table[["p0"]]], axis=1))


def test_missing_pixels_are_replaced_before_images_are_prepared(of_table, command):
    folder, table = of_table
    model = gsfa.load(folder / "m.gsfa")
    gaps = table.astype(float)
    gaps.iloc[[2, 5], 7] = np.nan
    filled = gaps.fillna(table.mean())
    pd.testing.assert_frame_equal(model.impute(gaps), filled)
    pd.testing.assert_frame_equal(model.impute(gaps[gaps.columns[::-1]]), filled)
    pixels = gaps.to_numpy().reshape(60, SIDE, SIDE)
    np.testing.assert_allclose(model.impute(pixels), filled.to_numpy().reshape(pixels.shape))
    with pytest.raises(gsfa.GsfaError, match="impute") as refused:
        model.predict(gaps)
    assert "impute(X)" in refused.value.hint
    with pytest.raises(gsfa.GsfaError, match="12x12 grey"):
        model.impute(pixels[:, :6])
    gaps.to_csv(folder / "gaps.csv", index=False)
    command(*"predict m.gsfa --data gaps.csv --missing impute -o gaps-found.csv".split(), cwd=folder)
    np.testing.assert_allclose(
        model.predict(filled), pd.read_csv(folder / "gaps-found.csv")["angle"], atol=1e-6
    )


def test_learning_anew_says_that_images_are_not_prepared(trained):
    images, angle, _ = pictures()
    model = gsfa.load(trained / "angle.gsfa")
    with pytest.warns(gsfa.GsfaWarning, match="without the loaded preparation: resize"):
        model.fit(images, angle)
    assert "no_preparation" in [note.code for note in model.notes_] and model.preparation_ is None
    fresh = gsfa.ELLRegressor(network="linear").fit(images, angle)
    assert "no_preparation" not in [note.code for note in fresh.notes_]


def test_one_colour_image_is_not_taken_as_many_grey_ones(command, tmp_path):
    images, angle, _ = pictures()
    colour = np.stack([images, images[:, ::-1], images[:, :, ::-1]], axis=-1)
    np.save(tmp_path / "x.npy", colour)
    pd.DataFrame({"angle": angle}).to_csv(tmp_path / "y.csv", index=False)
    given = "--data x.npy --labels y.csv --learn angle --resize 6x6 --network linear -o m.gsfa"
    command("train", *given.split(), cwd=tmp_path)
    model = gsfa.load(tmp_path / "m.gsfa")
    with pytest.raises(gsfa.GsfaError, match="one image of 12x12 RGB is given") as refused:
        model.predict(colour[0])
    assert refused.value.code == "not_images" and "np.newaxis" in refused.value.hint
    np.testing.assert_array_equal(model.predict(colour[0][np.newaxis]), model.predict(colour)[:1])


def test_gradients_of_the_command_line_are_those_of_python(command, tmp_path):
    images, angle, _ = pictures()
    np.save(tmp_path / "x.npy", images)
    pd.DataFrame({"angle": angle}).to_csv(tmp_path / "y.csv", index=False)
    command(*"train --data x.npy --labels y.csv --gradients 4 --network linear -o m.gsfa".split(), cwd=tmp_path)
    command(*"predict m.gsfa --data x.npy -o e.csv".split(), cwd=tmp_path)
    model = gsfa.load(tmp_path / "m.gsfa")
    np.testing.assert_allclose(model.predict(images), pd.read_csv(tmp_path / "e.csv")["angle"], atol=1e-6)
    assert "[contrast(" in repr(model) and "beside [gradients(cell=4" in repr(model)
    assert model.n_features_in_ == SIDE * SIDE + 9 * 18
