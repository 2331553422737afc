"""Models of tables with words and dates, trained by the command line: Python makes the same inputs."""

import datetime
import subprocess

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
    with pytest.raises(gsfa.GsfaError, match="'yesterday' in row 2, which is no date like") as raised:
        model.predict(new)
    assert (raised.value.code, raised.value.details) == ("not_a_date", {"rows": [2]})


CELLS = """18383|20200501|2020|2020-05|2020-05-01T12|now|today|2020-05-01T12:00:00+02:00|2020-5-1| 2020-05-01 |nan|NA|?|2020-05-01
2020-05-01T06:00|2020-05-01 06:00:00|2020-05-01T06:00:00.250|2020-05-01Z|2020-05-01T06:00:00Z|1960-01-01T00:00:00.0005|2020-13-01
2020-02-30|0|1.5|True|-1|20200501T12|2020/05/01|01.05.2020|2020-05-01T24:00|x""".replace("\n", "|").split("|")


@pytest.fixture(scope="module")
def of_dates(command, tmp_path_factory):
    """A model whose only encoded column holds dates."""
    folder = tmp_path_factory.mktemp("dates")
    table(120, 1).drop(columns="colour").to_csv(folder / "t.csv", index=False)
    flags = "--data t.csv --learn y --categories one-hot --network linear -o m.gsfa"
    command("train", *flags.split(), cwd=folder)
    return folder


@pytest.mark.parametrize("cell", CELLS)
def test_text_is_a_date_where_it_is_one_for_the_command_line(of_dates, command, cell):
    model, day = gsfa.load(of_dates / "m.gsfa"), ["2020-05-01", cell]
    pandas.DataFrame({"size": [0.5, 0.5], "day": day}).to_csv(of_dates / "new.csv", index=False)
    flags = "predict m.gsfa --data new.csv --missing impute -o found.csv --force"
    given = pandas.DataFrame({"size": [0.5, 0.5], "day": day})
    try:
        command(*flags.split(), cwd=of_dates)
    except subprocess.CalledProcessError as refused:
        assert "date" in refused.stderr
        with pytest.raises(gsfa.GsfaError) as told:
            model.predict(given)
        assert told.value.code == "not_a_date" and told.value.details == {"rows": [1]}
        return
    expected = pandas.read_csv(of_dates / "found.csv")["y"]
    np.testing.assert_allclose(model.predict(model.impute(given)), expected, rtol=1e-9)


def test_values_that_are_dates_are_their_text_and_no_others_are_dates(of_dates):
    model = gsfa.load(of_dates / "m.gsfa")
    noon = datetime.datetime(2020, 5, 1, 12)

    def estimate(day):
        return model.predict(pandas.DataFrame({"size": 0.5, "day": day}))

    expected = estimate(["2020-05-01T12:00", "1960-01-01"])
    there = [noon, datetime.date(1960, 1, 1)]
    ahead = [noon.replace(tzinfo=datetime.timezone.utc), pandas.Timestamp("1960-01-01", tz="UTC")]
    stamps = pandas.Series([pandas.Timestamp(day) for day in there], dtype=object)
    for day in (there, ahead, stamps, pandas.to_datetime(stamps), np.array(there, dtype="datetime64[s]")):
        np.testing.assert_array_equal(estimate(day), expected)
    hour = datetime.timedelta(hours=1)
    for wrong in (18383, 1.5, True, hour, np.timedelta64(1, "D"), pandas.Timedelta(1, "D"), 2020, np.int64(5), b"2020-05-01"):
        for day in ([wrong, wrong], pandas.Series(["2020-05-01", wrong], dtype=object)):
            with pytest.raises(gsfa.GsfaError) as told:
                estimate(day)
            assert told.value.code == "not_a_date"
    for missing in (None, np.nan, pandas.NaT, pandas.NA, np.datetime64("NaT")):
        with pytest.raises(gsfa.GsfaError) as told:
            estimate(pandas.Series(["2020-05-01", missing], dtype=object))
        assert told.value.code == "non_finite_sample" and told.value.details["count"] == 1


def test_a_word_that_is_missing_is_one_value(model):
    new = table(6, 3).drop(columns="y")
    for word in (None, "", "nan", " NA "):
        new["colour"] = new["colour"].astype(object)
        new.loc[2, "colour"] = word
        with pytest.raises(gsfa.GsfaError, match="X has 1 non-finite value, first at row 2") as told:
            model.predict(new)
        assert told.value.details["count"] == 1
    new.loc[2, "size"] = np.nan
    new.loc[4, "day"] = None
    with pytest.raises(gsfa.GsfaError, match="X has 3 non-finite values"):
        model.predict(new)
    filled = model.impute(new)
    assert filled["day"].dtype.kind == "M" and np.isfinite(model.predict(filled)).all()
    kept = [0, 1, 3, 5]
    np.testing.assert_array_equal(model.predict(filled)[kept], model.predict(new.iloc[kept]))


def test_columns_that_are_missing_or_repeated_are_told(model):
    new = table(6, 3).drop(columns="y")
    with pytest.raises(gsfa.GsfaError, match="missing colour") as told:
        model.predict(new.rename(columns={"colour": "color"}))
    assert (told.value.code, told.value.hint) == ("input_names", "did you mean 'colour' by 'color'?")
    for name in ("size", "colour", "day"):
        with pytest.raises(gsfa.GsfaError, match=f"2 columns of X are called '{name}'") as told:
            model.predict(pandas.concat([new, new[[name]]], axis=1))
        assert told.value.code == "duplicate_header"


def test_a_misspelt_column_of_any_fitted_estimator_comes_with_what_was_meant(tmp_path):
    """In scikit-learn's words, and with a hint; of files, too."""
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(60, 3)), columns=["age", "height", "weight"])
    fitted = gsfa.ELLRegressor(network="linear", ridge=0.1).fit(frame, frame["age"] + frame["height"])
    fitted.save(tmp_path / "m.gsfa")
    for model in (fitted, gsfa.load(tmp_path / "m.gsfa")):
        with pytest.raises(ValueError, match="feature names should match") as told:
            model.predict(frame.rename(columns={"weight": "wieght"}))
        assert (told.value.code, told.value.hint) == ("input_names", "did you mean 'weight' by 'wieght'?")
        # Nothing like it: what scikit-learn says.
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(frame.rename(columns={"weight": "zzz"}))
