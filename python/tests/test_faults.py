"""Faults and bad input: what each must get (numbers as in the list of faults)."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError

import gsfa
from gsfa.graphs import Clustered, Compact, Edges, Ell, Serial

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
Y = X[:, 0] + 0.2 * RNG.normal(size=60)
C = np.repeat(["a", "b", "c"], 20)


def refused(call, match, kind=ValueError):
    with pytest.raises(kind, match=match) as caught:
        call()
    return caught.value


def with_value(array, place, value):
    out = array.copy()
    out[place] = value
    return out


@pytest.mark.parametrize("value, text", [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "inf")])
def test_f1_samples_must_be_finite(value, text):
    bad = with_value(X, (17, 2), value)
    error = refused(lambda: gsfa.GSFA().fit(bad, Y), text)
    assert isinstance(error, gsfa.GsfaError)
    assert error.details["rows"] == [17] and error.details["columns"] == [2]
    assert "hint" in str(error)
    for model in (gsfa.GSFA().fit(X, Y), gsfa.HGSFA(1, ridge=0.1).fit(X, Y)):
        refused(lambda: model.transform(bad), text)
    refused(lambda: gsfa.ELLRegressor().fit(X, Y).predict(bad), text)


def test_f2_nan_labels_mean_unlabelled_only_when_asked():
    y = with_value(Y, slice(0, 10), np.nan)
    refused(lambda: gsfa.GSFA().fit(X, y), "Input y contains NaN")
    refused(lambda: gsfa.ELLRegressor().fit(X, y), "Input y contains NaN")
    with pytest.warns(gsfa.GsfaWarning, match="10 samples without labels"):
        half = gsfa.GSFA(graph=Ell(semi_supervised=True)).fit(X, y)
    assert half.transform(X).shape == (60, 1)
    with pytest.warns(gsfa.GsfaWarning, match="10 samples without labels"):
        model = gsfa.ELLRegressor(semi_supervised=True, network="linear", ridge=1e-3).fit(X, y)
    assert np.corrcoef(model.predict(X), Y)[0, 1] > 0.9


def test_f3_infinite_labels_and_weights_are_refused():
    refused(lambda: gsfa.GSFA().fit(X, with_value(Y, 3, np.inf)), "Input y contains infinity")
    refused(lambda: gsfa.GSFA().fit(X, Y, sample_weight=with_value(np.ones(60), 3, np.inf)), "infinity")


def test_f4_values_that_overflow_when_squared_are_refused():
    # Columns are scaled, so that a large one does no harm; only what no scale can hold is refused.
    large = with_value(X, (5, 1), 1e200)
    assert np.isfinite(gsfa.GSFA().fit(large, Y).transform(large)).all()
    refused(lambda: gsfa.GSFA(expansion=gsfa.expansions.Polynomial(2)).fit(large, Y), "overflow")


@pytest.mark.parametrize("spread", [0.0, 1e-14])
def test_f5_f6_constant_labels_are_refused(spread):
    error = refused(lambda: gsfa.GSFA().fit(X, 1 + spread * Y), "constant")
    assert error.code in ("constant_label", "no_target_labels")


def test_f7_constant_columns_have_weight_zero():
    model = gsfa.GSFA().fit(with_value(X, (slice(None), 1), 3.0), Y)
    assert model.weights_[1, 0] == 0.0
    assert model.rank_ == 3
    assert any("constant column" in note for note in model.notes_)


def test_f8_dependent_columns_change_no_prediction():
    doubled = np.hstack([X, X[:, :2] + X[:, 1:3]])
    model, plain = gsfa.GSFA().fit(doubled, Y), gsfa.GSFA().fit(X, Y)
    assert model.rank_ == 4
    np.testing.assert_allclose(model.transform(doubled), plain.transform(X), atol=1e-9)


def test_f9_fewer_samples_than_inputs_is_a_warning():
    wide = RNG.normal(size=(20, 50))
    with pytest.warns(gsfa.GsfaWarning, match="20 samples for 19 directions"):
        model = gsfa.GSFA().fit(wide, Y[:20])
    assert model.rank_ == 19


@pytest.mark.parametrize("count", [0, 1])
def test_f10_one_sample_is_too_few(count):
    refused(lambda: gsfa.GSFA().fit(X[:count], Y[:count]), f"{count} sample")


def test_f11_f12_f13_weights():
    weights = with_value(np.ones(60), slice(0, 5), 0.0)
    with pytest.warns(gsfa.GsfaWarning, match="5 samples of weight zero are left out"):
        model = gsfa.GSFA().fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(model.transform(X), gsfa.GSFA().fit(X[5:], Y[5:]).transform(X), atol=1e-12)
    refused(lambda: Ell().build(Y, weights), "must be positive; 5 values")
    refused(lambda: gsfa.GSFA().fit(X, Y, sample_weight=with_value(np.ones(60), 2, -1.0)), "[Nn]egative")
    refused(lambda: gsfa.GSFA().fit(X, Y, sample_weight=with_value(np.ones(60), 2, np.nan)), "NaN")
    refused(lambda: gsfa.GSFA().fit(X, Y, sample_weight=np.zeros(60)), "zero")


def test_f14_f15_f16_classes():
    refused(lambda: gsfa.GSFA().fit(X, np.repeat("a", 60)), "1 class found")
    singleton = with_value(C, 0, "d")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gsfa.GSFA(graph=Clustered()).fit(X, singleton).transform(X).shape == (60, 3)
    with pytest.warns(gsfa.GsfaWarning, match="class d has a single sample"):
        gsfa.GSFA(graph=Clustered(paper_weights=True)).fit(X, singleton)
    refused(lambda: gsfa.GSFA().fit(X, [f"{k}" for k in range(60)]), "must exceed the number of classes")


def test_f18_to_f24_edges():
    ring = scipy.sparse.diags_array([np.ones(59), np.ones(1)], offsets=[1, 59]).tocsr()
    with pytest.warns(gsfa.GsfaWarning, match="asymmetric"):
        once = gsfa.GSFA(2, graph=Edges(ring)).fit(X)
    both = gsfa.GSFA(2, graph=Edges(ring + ring.T)).fit(X)
    np.testing.assert_allclose(once.transform(X), both.transform(X), atol=1e-9)
    negative = Edges(ring + ring.T - 0.1 * scipy.sparse.diags_array([np.ones(50), np.ones(50)], offsets=[10, -10]))
    assert negative.analyze(X=X).smallest_edge == pytest.approx(-0.1)
    refused(lambda: gsfa.GSFA(graph=Edges(scipy.sparse.eye_array(61))).fit(X), "there are 60 vertices")
    refused(lambda: gsfa.GSFA(graph=Edges(scipy.sparse.csr_array((60, 60)))).fit(X), "sum of edge weights is 0")
    refused(lambda: gsfa.GSFA(graph=Edges(scipy.sparse.eye_array(60))).fit(X), "self-loops only")
    assert Clustered().analyze(C).components == 3
    assert not gsfa.graphs.Chain().analyze(X=X).consistent


def test_f25_f26_f28_shapes_and_types():
    refused(lambda: gsfa.GSFA().fit(X, Y[:-1]), r"\[60, 59\]")
    refused(lambda: gsfa.GSFA().fit(X, Y, sample_weight=np.ones(59)), "59")
    refused(lambda: gsfa.GSFA().fit(np.full((60, 2), "text"), Y), "could not convert string")
    refused(lambda: gsfa.GSFA().fit(X * 1j, Y), "Complex data not supported")
    refused(lambda: gsfa.GSFA().fit(X[:, 0], Y), "Reshape your data")
    refused(lambda: gsfa.GSFA().fit(X[None], Y), "dim 3")
    refused(lambda: gsfa.GSFA(graph=Ell()).fit(X, C), "not numbers")


def test_f30_to_f37_target_labels():
    with pytest.warns(gsfa.GsfaWarning, match="dependent on earlier labels"):
        gsfa.GSFA().fit(X, np.column_stack([Y, 3 * Y + 1]))
    with pytest.warns(gsfa.GsfaWarning, match="target label instead of"):
        gsfa.GSFA(graph=Ell(targets=10)).fit(X, np.round(Y > 0).astype(float))
    with pytest.warns(gsfa.GsfaWarning, match="larger eigenvalue"):
        gsfa.GSFA(graph=Ell(targets=2, eigenvalues=[0.2, 0.8])).fit(X, Y)
    refused(lambda: gsfa.GSFA(graph=Ell(targets=2, eigenvalues=[0.2, 0.8], strict=True)).fit(X, Y), "larger eigenvalue")
    refused(lambda: gsfa.GSFA(graph=Ell(eigenvalues=[-1.0])).fit(X, Y), "negative")
    refused(lambda: gsfa.GSFA(graph=Ell(eigenvalues=[np.nan])).fit(X, Y), "(?i)nan|eigenvalues")
    refused(lambda: gsfa.GSFA(graph=Ell(targets=3, eigenvalues=[1.0])).fit(X, Y), "1 eigenvalues were given for 3")
    with pytest.warns(gsfa.GsfaWarning, match="eigenvalue 0"):
        gsfa.GSFA(graph=Ell(targets=2, eigenvalues=[1.0, 0.0])).fit(X, Y)


def test_f33_surplus_outputs_follow_a_stated_rule():
    filled = gsfa.GSFA(3).fit(X, Y)
    assert filled.delta_values_[1:].tolist() == [2.0, 2.0]
    assert gsfa.GSFA(3, surplus="truncate").fit(X, Y).transform(X).shape == (60, 1)
    refused(lambda: gsfa.GSFA(3, surplus="error").fit(X, Y), "requested")
    refused(lambda: gsfa.GSFA(9).fit(X, Y), "9")


def test_f38_codes_for_any_number_of_classes():
    with pytest.warns(gsfa.GsfaWarning):
        model = gsfa.GSFA(graph=Compact(targets=5, balance=True)).fit(X, C)
    assert model.transform(X).shape == (60, 2)


def test_f40_f41_prediction():
    model = gsfa.GSFA().fit(X, Y)
    refused(lambda: model.transform(X[:, :3]), "X has 3 features, but GSFA is expecting 4 features")
    refused(lambda: gsfa.GSFA().transform(X), "not fitted", NotFittedError)
    refused(lambda: gsfa.ELLRegressor().save("x"), "not fitted", NotFittedError)


def test_f42_to_f48_files(tmp_path):
    model = gsfa.GSFA().fit(X, Y)
    path = tmp_path / "m.gsfa"
    model.save(path)
    error = refused(lambda: model.save(path), "exists", gsfa.ModelFileError)
    assert isinstance(error, OSError) and isinstance(error, ValueError)
    assert pickle.loads(pickle.dumps(error)).hint == error.hint
    model.save(path, overwrite=True)
    content = path.read_bytes()
    path.write_bytes(content[:-10])
    refused(lambda: gsfa.load(path), "ends at byte", gsfa.ModelFileError)
    path.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    refused(lambda: gsfa.load(path), "checksum", gsfa.ModelFileError)
    path.write_bytes(pickle.dumps(model))
    refused(lambda: gsfa.load(path), "cannot be read as a model|ends at byte", gsfa.ModelFileError)
    refused(lambda: gsfa.load(tmp_path / "none"), "none", gsfa.ModelFileError)
    refused(lambda: model.save(tmp_path / "no" / "folder"), "folder", gsfa.ModelFileError)


def test_f52_absurd_parameters():
    for make in (lambda: gsfa.GSFA(0), lambda: gsfa.GSFA(-1), lambda: gsfa.CompactClassifier(0)):
        refused(lambda: make().fit(X, C), "at least one feature")
    refused(lambda: gsfa.GSFA(ridge=-1).fit(X, Y), "ridge")
    refused(lambda: gsfa.GSFA(graph=Serial(groups=1)).fit(X, Y), "groups")
    refused(lambda: gsfa.ELLRegressor(network="deep").fit(X, Y), "network")
    refused(lambda: gsfa.GSFA(surplus="random").fit(X, Y), "surplus")


def test_offsets_cost_no_digits():
    plain = gsfa.GSFA().fit(X, Y).transform(X)
    np.testing.assert_allclose(gsfa.GSFA().fit(X + 1e8, Y).transform(X + 1e8), plain, atol=1e-6)
    single = (X + 1e3).astype(np.float32)
    np.testing.assert_allclose(gsfa.GSFA().fit(single, Y).transform(single), plain, atol=2e-2)
