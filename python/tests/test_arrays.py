"""Samples of any type, layout and container give equal results, and are never changed."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gsfa


def layouts(X):
    reversed_rows = np.ascontiguousarray(X[::-1])[::-1]
    strided = np.zeros((2 * len(X), 3 * X.shape[1]), dtype=X.dtype)
    strided[::2, ::3] = X
    read_only = X.copy()
    read_only.flags.writeable = False
    return {
        "Fortran": np.asfortranarray(X),
        "negative strides": reversed_rows,
        "strided": strided[::2, ::3],
        "read-only": read_only,
        "big-endian": X.astype(X.dtype.newbyteorder(">")),
        "list": X.tolist(),
    }


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8, np.int32, bool])
def test_every_layout_gives_the_same_bits(digits, dtype):
    X, y = digits[0][:300].astype(dtype), digits[1][:300]
    for make in (lambda: gsfa.GSFA(4), lambda: gsfa.GSFA(4, pca=20, expansion=gsfa.expansions.Expo())):
        expected = make().fit(X, y).transform(X)
        for name, layout in layouts(X).items():
            if name == "list" and dtype is not np.float64:
                # A list has no type of its own.
                continue
            before = np.array(layout, copy=True)
            got = make().fit(layout, y)
            assert np.array_equal(got.transform(layout), expected), name
            assert np.array_equal(np.asarray(layout), before), name


def test_bytes_are_converted_and_never_wrapped():
    X = np.random.default_rng(0).integers(0, 256, size=(200, 5), dtype=np.uint8)
    y = X[:, 0].astype(float) * X[:, 0]
    for expansion in (None, gsfa.expansions.Polynomial(2)):
        bytes_, floats = (gsfa.GSFA(1, expansion=expansion).fit(Z, y) for Z in (X, X.astype(np.float32)))
        assert np.array_equal(bytes_.transform(X), floats.transform(X.astype(np.float32)))
        doubles = gsfa.GSFA(1, expansion=expansion).fit(X.astype(float), y)
        np.testing.assert_allclose(bytes_.transform(X), doubles.transform(X.astype(float)), atol=2e-3)


def test_memory_maps_are_read_in_place(tmp_path, digits):
    X, y = digits
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    ours = gsfa.GSFA(3).fit(mapped, y)
    assert np.array_equal(ours.transform(mapped), gsfa.GSFA(3).fit(X, y).transform(X))


def test_contiguous_samples_are_not_copied():
    import tracemalloc

    X = np.random.default_rng(0).normal(size=(100_000, 40))
    y = X[:, 0].copy()
    gsfa.GSFA().fit(X[:1000], y[:1000])
    tracemalloc.start()
    gsfa.GSFA().fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < X.nbytes / 4, peak


@pytest.mark.parametrize("frame", [pd.DataFrame, lambda values: pl.DataFrame(values)])
def test_names_come_from_frames_and_go_into_frames(blobs, frame):
    X, y = blobs
    names = [f"x{j}" for j in range(7)]
    data = frame({name: X[:, j] for j, name in enumerate(names)})
    model = gsfa.GSFA(2).fit(data, y)
    assert model.feature_names_in_.tolist() == names
    assert model.get_feature_names_out().tolist() == ["gsfa0", "gsfa1"]
    assert np.array_equal(model.transform(data), gsfa.GSFA(2).fit(X, y).transform(X))
    assert isinstance(model.set_output(transform="pandas").transform(data), pd.DataFrame)
    polars_out = model.set_output(transform="polars").transform(data)
    assert isinstance(polars_out, pl.DataFrame)
    assert polars_out.columns == ["gsfa0", "gsfa1"]
    wrong = frame({f"z{j}": X[:, j] for j in range(7)})
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(wrong)


@pytest.mark.parametrize("series", [lambda y: pd.Series(y, name="age"), lambda y: pl.Series("age", y)])
def test_labels_may_be_series_and_frames(numbers, series):
    X, y = numbers
    model = gsfa.ELLRegressor(ridge=1e-3).fit(X, series(y[:, 0]))
    assert model.label_names_ == ["age"]
    two = gsfa.ELLRegressor(ridge=1e-3).fit(X, pd.DataFrame(y, columns=["a", "b"]))
    assert two.label_names_ == ["a", "b"]
    assert two.predict(X).shape == (400, 2)
    assert two.predict_std(X).shape == (400, 2)
    for j in range(2):
        assert np.corrcoef(two.predict(X)[:, j], y[:, j])[0, 1] > 0.97


def test_images_may_have_three_or_four_axes(digits):
    images, y = digits[0].reshape(-1, 8, 8), digits[1]
    net = gsfa.networks.Network([gsfa.networks.Layer(6, field=(4, 4)), gsfa.networks.Layer(5)])
    model = gsfa.HGSFA(network=net).fit(images, y)
    flat = gsfa.HGSFA(network=net, image_shape=(8, 8)).fit(digits[0], y)
    assert np.array_equal(model.transform(images), flat.transform(digits[0]))
    assert np.array_equal(model.transform(images[..., None]), model.transform(digits[0]))
    with pytest.raises(ValueError, match="expects images of 8x8 grey, got 4x16 grey"):
        model.transform(digits[0].reshape(-1, 4, 16))


def test_the_number_of_threads_changes_no_bit(digits):
    X, y = digits
    for make in (
        lambda n: gsfa.GSFA(4, n_jobs=n),
        lambda n: gsfa.HGSFA(4, n_jobs=n, image_shape=(8, 8), ridge=1e-3),
        lambda n: gsfa.CompactClassifier(4, n_jobs=n),
    ):
        alone, two, all_cores = (make(jobs).fit(X, y)._model.to_bytes() for jobs in (1, 2, None))
        assert alone == two == all_cores
