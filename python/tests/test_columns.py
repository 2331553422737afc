"""Models of tables with words and dates, trained by the command line: Python makes the same inputs."""

import numpy as np
import pytest

import gsfa

pandas = pytest.importorskip("pandas")


def table(count, seed):
    random = np.random.default_rng(seed)
    size, day = random.uniform(size=count), random.integers(1, 28, count)
    colour = np.array(["blue", "green", "red"])[np.arange(count) % 3]
    y = size + 2.0 * (np.arange(count) % 3) + 0.1 * day
    return pandas.DataFrame({"size": size, "colour": colour, "day": [f"2026-02-{d:02}" for d in day], "y": y})


@pytest.fixture
def model(command, tmp_path):
    folder = tmp_path
    table(120, 1).to_csv(folder / "t.csv", index=False)
    flags = ["--data", "t.csv", "--learn", "y", "--categories", "one-hot", "--network", "linear", "-o", "m.gsfa"]
    command("train", *flags, cwd=folder)
    return gsfa.load(folder / "m.gsfa")


def test_words_and_dates_are_the_inputs_of_training(model):
    new = table(30, 2)
    found = model.predict(new.drop(columns="y")[["day", "colour", "size"]])
    np.testing.assert_allclose(found, new["y"], atol=0.1)


def test_words_that_training_did_not_have_are_told(model):
    new = table(6, 3).drop(columns="y")
    new.loc[2, "colour"] = "gren"
    with pytest.raises(gsfa.GsfaError, match="gren") as raised:
        model.predict(new)
    assert (raised.value.code, raised.value.hint) == ("unknown_category", "did you mean 'green'?")
    new.loc[2, "colour"] = "green"
    new.loc[2, "day"] = "yesterday"
    with pytest.raises(gsfa.GsfaError, match="dates like"):
        model.predict(new)
