"""Parameters of every public class: refused before work starts, in scikit-learn's words, where type or range is wrong (F52, F70)."""

import sys
import time

import numpy as np
import pytest
import scipy.sparse

import gsfa
from gsfa.expansions import Expo, Pca, Polynomial
from gsfa.graphs import Chain, Clustered, Compact, Edges, Ell, NearestNeighbors, Mixed, Reordering, Serial, SlidingWindow
from gsfa.networks import Keep, Layer, Network

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
Y = X[:, 0] + 0.2 * RNG.normal(size=60)
C = np.repeat(["a", "b", "c"], 20)

HUGE = 10**349
NO_COUNT = [0, -1, 1.5, 2.0, np.float64(2), "2", True, np.True_, float("nan"), [2], HUGE, np.array([1, 2])]
NO_NUMBER = ["1", True, float("nan"), float("inf"), -float("inf"), 1j, [0.5], HUGE]
NO_FLAG = [1, 0, "yes", None, 1.0]
NO_GRAPH = ["ell", 3, Ell]
NO_THREADS = [0, 1.5, "2", True]

ESTIMATORS = {
    gsfa.GSFA: {
        "n_components": NO_COUNT,
        "graph": NO_GRAPH,
        "expansion": [2, "quadratic", Polynomial],
        "pca": NO_COUNT + [Pca],
        "clip": NO_NUMBER + [0, -1.0],
        "standardize": NO_FLAG,
        "ridge": NO_NUMBER + [-1e-9, None],
        "surplus": ["random", 1, None],
        "n_jobs": NO_THREADS,
    },
    gsfa.SFA: {"n_components": NO_COUNT, "lag": NO_COUNT, "pca": NO_COUNT, "ridge": NO_NUMBER, "n_jobs": NO_THREADS},
    gsfa.HGSFA: {
        "n_components": NO_COUNT,
        "network": ["auto", 3, [Layer(2)]],
        "graph": NO_GRAPH,
        "ridge": NO_NUMBER + [-1.0],
        "image_shape": [4, "22", (2, 2.0), (0, 4), (1, 2, 2, 1), (True, 4), (HUGE, 1)],
        "n_jobs": NO_THREADS,
    },
    gsfa.ELLRegressor: {
        "targets": NO_COUNT,
        "graph": NO_GRAPH,
        "network": ["deep", 3, [Layer(2)]],
        "ridge": NO_NUMBER + [-1.0],
        "readout": ["soft", gsfa.SoftGC, 3],
        "clip": ["all", 3, (1.0,), ("a", "b"), (1, 1), None],
        "calibrate": NO_FLAG,
        "image_shape": [4, (2.5, 2), (0, 4)],
        "semi_supervised": NO_FLAG,
        "n_jobs": NO_THREADS,
    },
    gsfa.CompactClassifier: {
        "n_components": NO_COUNT + [61],
        "network": ["deep"],
        "readout": ["soft"],
        "calibrate": NO_FLAG,
        "n_jobs": NO_THREADS,
    },
    gsfa.SoftGC: {"n_features": NO_COUNT, "bins": NO_COUNT + [1], "shrinkage": NO_NUMBER + [-0.5]},
    gsfa.LinearRegression: {"n_features": NO_COUNT, "clip": ["all", (2.0, 1.0)]},
    gsfa.LinearScaling: {"clip": ["all", (2.0, 1.0)]},
    gsfa.NearestCentroid: {"n_features": NO_COUNT},
    gsfa.NearestNeighborsClassifier: {"n_features": NO_COUNT, "neighbors": NO_COUNT},
    gsfa.NearestNeighborsRegressor: {"n_features": NO_COUNT, "neighbors": NO_COUNT},
    gsfa.GaussianClassifier: {"n_features": NO_COUNT, "shrinkage": NO_NUMBER + [-0.5], "covariance": ["pooled", 1, None]},
}

VALUES = {
    Chain: {"lag": NO_COUNT, "sequences": [True, 3], "vertex_weights": ["heavy", 3, ["a"], [float("nan")]]},
    Reordering: {"end_loops": NO_FLAG, "label": [3]},
    Serial: {"groups": NO_COUNT + [1], "label": [3]},
    Mixed: {"groups": NO_COUNT + [1], "label": [3]},
    SlidingWindow: {"half_width": NO_COUNT, "shape": ["round", [float("nan")], ["a"], 3]},
    Clustered: {"paper_weights": NO_FLAG, "balance": NO_FLAG, "unlabelled": NO_NUMBER + [-1.0], "semi_supervised": NO_FLAG},
    Ell: {
        "targets": NO_COUNT,
        "eigenvalues": ["steep", [float("nan")], ["a"], [True], 3, [HUGE]],
        "lambda0": NO_NUMBER + [0.0],
        "labels": ["age", 3, [3]],
        "powers": [2, [0], [1.5], "2"],
        "products": NO_FLAG,
        "cosines": ["both"],
        "strict": NO_FLAG,
        "allow_negative": NO_FLAG,
        "unlabelled": NO_NUMBER,
    },
    Compact: {"targets": NO_COUNT, "code": ["dense", True], "class_order": ["abc", [3]], "lambda0": NO_NUMBER, "balance": NO_FLAG},
    NearestNeighbors: {"neighbors": NO_COUNT, "heat": NO_NUMBER + [0.0], "vertex_weights": ["heavy", 3]},
    Expo: {"exponent": NO_NUMBER + [0.0, -1.0, 9.0]},
    Polynomial: {"degree": NO_COUNT},
    Pca: {"components": NO_COUNT, "variance": NO_NUMBER + [0.0, 1.1], "whiten": NO_FLAG},
    Layer: {
        "output_dim": NO_COUNT + [2**20 + 1],
        "field": [4, (4,), (0, 4), (2.0, 2), "44"],
        "stride": [4, (1, -1)],
        "standardize": NO_FLAG,
        "clip": NO_NUMBER,
        "expansion": [2],
        "skip": NO_NUMBER + [0.0],
        "ridge": NO_NUMBER + [-1.0],
        "surplus": ["random"],
        "keep": [True, 3, {"slow": 2}],
    },
    Keep: {"slow": [-1, 1.5, "2", True], "delta": NO_NUMBER + [0.0, 2.5], "scaling": ["big", 1, None]},
    Network: {"layers": [3, [2], Layer(2)]},
}
NEEDED = {SlidingWindow: {"half_width": 2}, Layer: {"output_dim": 2}, Pca: {}, Keep: {}, Network: {"layers": [Layer(2)]}}


def cases(table):
    return [
        pytest.param(kind, name, value, id=f"{kind.__name__}-{name}-{str(value)[:20]}")
        for kind, parameters in table.items()
        for name, values in parameters.items()
        for value in values
    ]


def check(error, name):
    assert isinstance(error, gsfa.GsfaError) and isinstance(error, ValueError)
    assert name in error.message and error.code
    assert len(error.message) < 400, error.message


@pytest.mark.parametrize("kind, name, value", cases(ESTIMATORS))
def test_estimators_refuse_them_when_they_are_fitted(kind, name, value):
    # Never before: scikit-learn sets parameters as it likes.
    estimator = kind(**{name: value})
    y = C if hasattr(estimator, "predict_proba") else Y
    with pytest.raises(gsfa.GsfaError) as caught:
        estimator.fit(X, y)
    check(caught.value, name)
    if name != "clip" or kind is gsfa.GSFA:
        assert isinstance(caught.value, gsfa.ParameterError) and isinstance(caught.value, TypeError)
        assert caught.value.message.startswith(f"The '{name}' parameter of {kind.__name__} must be ")
        assert caught.value.details == {"parameter": name}


@pytest.mark.parametrize("kind, name, value", cases(VALUES))
def test_graphs_expansions_and_networks_refuse_them_when_they_are_made(kind, name, value):
    with pytest.raises(gsfa.ParameterError) as caught:
        kind(**{**NEEDED.get(kind, {}), name: value})
    check(caught.value, name)


def test_numbers_of_any_type_that_are_whole_or_real_are_accepted():
    assert gsfa.GSFA(np.int8(2), ridge=np.float32(0.5), clip=3, standardize=np.True_).fit(X, Y).transform(X).shape == (60, 2)
    assert gsfa.GSFA(graph=Ell(targets=np.uint16(2), eigenvalues=np.array([1, 0.5]))).fit(X, Y).transform(X).shape == (60, 2)
    assert Serial(groups=np.int64(5)).analyze(Y, responses=np.int32(2)).delta_values.shape == (2,)
    assert gsfa.HGSFA(image_shape=np.array([2, 2])).fit(X, Y).n_features_in_ == 4
    assert (np.float32(0.5) * Ell() + 1 * Serial(5)).analyze(Y).consistent


def test_shares_of_a_sum_are_positive_numbers():
    for share in (0, -1.0, float("nan"), True):
        with pytest.raises(gsfa.ParameterError, match="'share' parameter of Sum"):
            share * Ell()
    with pytest.raises(TypeError):
        "2" * Ell()


def test_arguments_of_methods_are_checked_alike():
    with pytest.raises(gsfa.ParameterError, match="'responses'"):
        Ell().analyze(Y, responses=2.5)
    with pytest.raises(gsfa.ParameterError, match="'count'"):
        gsfa.free_responses(Ell(), Y, 0)
    with pytest.raises(gsfa.ParameterError, match="'first_row'"):
        gsfa.GSFA().prepare(Y).partial_fit(X, first_row=-1)
    with pytest.raises(gsfa.ParameterError, match="'other'"):
        gsfa.GSFA().prepare(Y).merge("other")
    with pytest.raises(gsfa.ParameterError, match="'output_dim'"):
        Network.cascade(1.5)
    with pytest.raises(gsfa.ParameterError, match="'shape'"):
        Network([Layer(2)]).plan((2, 2, 2, 2))


def test_numbers_of_many_digits_are_shown_short():
    for value in (HUGE, 10**5000, -HUGE):
        with pytest.raises(gsfa.ParameterError) as caught:
            gsfa.GSFA(value).fit(X, Y)
        assert "digits" in str(caught.value) and len(str(caught.value)) < 250


def test_parameters_set_after_prepare_are_checked_as_well():
    parts = gsfa.GSFA().prepare(Y).partial_fit(X[:30])
    with pytest.raises(gsfa.GsfaError, match="several passes"):
        parts.set_params(pca=2).partial_fit(X[30:])
    with pytest.raises(gsfa.ParameterError, match="'n_components'"):
        parts.set_params(pca=None, n_components=1.5).partial_fit(X[30:])


@pytest.mark.parametrize("readout", [gsfa.LinearRegression(0), gsfa.SoftGC(0), gsfa.SoftGC(bins=1.5)])
def test_readouts_inside_estimators_are_checked_before_training(readout):
    with pytest.raises(gsfa.ParameterError, match=type(readout).__name__):
        gsfa.ELLRegressor(readout=readout).fit(X, Y)


def test_f20_edges_have_one_row_and_column_for_each_sample(tmp_path):
    def ring(size):
        return scipy.sparse.diags_array([np.ones(size - 1), np.ones(size - 1)], offsets=[1, -1], shape=(size, size))

    for size in (59, 61, 1000):
        with pytest.raises(gsfa.GsfaError, match=f"those of {size} vertices, there are 60 vertices") as caught:
            gsfa.GSFA(2, graph=Edges(ring(size))).fit(X)
        assert caught.value.code == "length_mismatch" and caught.value.hint
    for matrix, text in [
        (np.ones((60, 59)), "square matrix. Got 60 x 59"),
        (np.ones(60), "square matrix"),
        (np.ones((60, 60)) * 1j, "real numbers. Got values of type complex128"),
        (np.full((60, 60), "a"), "real numbers"),
    ]:
        with pytest.raises(gsfa.ParameterError, match=text):
            gsfa.GSFA(2, graph=Edges(matrix)).fit(X)
    # Weights of zero leave samples out, and their edges do not know which.
    with pytest.warns(gsfa.GsfaWarning), pytest.raises(gsfa.GsfaError, match="there are 59 vertices"):
        gsfa.GSFA(2, graph=Edges(ring(60))).fit(X, sample_weight=np.r_[0.0, np.ones(59)])
    # Vertices without edges at the end are remembered by a file.
    matrix = scipy.sparse.coo_array((np.ones(2), ([0, 1], [1, 0])), shape=(60, 60))
    gsfa.GSFA(1, graph=Edges(matrix)).fit(X).save(tmp_path / "m.gsfa")
    assert gsfa.load(tmp_path / "m.gsfa").test_delta_values(X).shape == (1,)


@pytest.mark.parametrize("values", [Y * 1j, Y.astype(str), Y.astype(object) * 1j, np.arange(60).astype("M8[D]")], ids=repr)
def test_f26_labels_that_are_no_real_numbers_are_no_numbers(values):
    for call in (
        lambda: gsfa.ELLRegressor().fit(X, values),
        lambda: gsfa.GSFA(graph=Ell()).fit(X, values),
        lambda: gsfa.GSFA(graph=Ell()).prepare(values),
        lambda: Ell().build(values),
    ):
        with pytest.raises((ValueError, TypeError), match="not numbers|Complex data not supported|[Nn]ot supported|complex"):
            call()
    with pytest.raises(gsfa.GsfaError, match="weights are not numbers"):
        Ell().build(Y, values)


@pytest.mark.parametrize("factor", [1e-310, 1e-316, 1e-320, 5e-324])
def test_columns_of_denormal_numbers_are_named(factor):
    tiny = X.copy()
    tiny[:, 1] *= factor
    models = [
        gsfa.GSFA(),
        gsfa.GSFA(standardize=True),
        gsfa.GSFA(1, pca=3),
        gsfa.GSFA(1, expansion=Polynomial(2)),
        gsfa.HGSFA(),
        gsfa.ELLRegressor(),
    ]
    for model in models:
        with pytest.raises(gsfa.GsfaError, match="column 1 varies by") as caught:
            model.fit(tiny, Y)
        assert caught.value.details["columns"] == [1] and "rescale" in caught.value.hint
    parts = gsfa.GSFA().prepare(Y).partial_fit(tiny[:30])
    with pytest.raises(gsfa.GsfaError, match="column 1 varies by"):
        parts.partial_fit(tiny[30:])


@pytest.mark.parametrize("value", [1e200, -1e200, 1e307])
def test_a_sample_too_large_for_a_network_is_named_and_others_give_numbers(value):
    huge = X[:6].copy()
    huge[3, 1] = value
    deep = Network([Layer(3, expansion=Expo()), Layer(2, expansion=Polynomial(2))])
    for model in (gsfa.GSFA(1, expansion=Polynomial(2)), gsfa.HGSFA(network=deep)):
        model.fit(X, Y)
        with pytest.raises(gsfa.GsfaError, match="column 1 overflows .*at row 3") as caught:
            model.transform(huge)
        assert caught.value.code == "overflow" and caught.value.details["rows"] == [3] and caught.value.hint
        # Also where it lies among many.
        with pytest.raises(gsfa.GsfaError, match="at row 700"):
            model.transform(np.vstack([np.repeat(X[:1], 697, axis=0), huge]))
    for model, y in [
        (gsfa.GSFA(), Y),
        (gsfa.GSFA(1, standardize=True, clip=4.0, expansion=Polynomial(2)), Y),
        (gsfa.ELLRegressor(network="linear"), Y),
        (gsfa.ELLRegressor(network="linear", readout=gsfa.SoftGC()), Y),
        (gsfa.CompactClassifier(network="linear"), C),
    ]:
        model.fit(X, y)
        for call in ("transform", "predict", "predict_std", "predict_proba", "outlier_score", "features"):
            if call == "outlier_score" and isinstance(getattr(model, "readout", None), type(None)):
                continue
            if hasattr(model, call):
                values = getattr(model, call)(huge)
                assert call == "predict" and values.dtype.kind == "U" or np.isfinite(values).all(), call


def test_f64_thousands_of_threads_are_a_note_and_no_wait():
    model = gsfa.GSFA().fit(X, Y)
    for asked in (5000, HUGE):
        start = time.perf_counter()
        with pytest.warns(gsfa.GsfaWarning, match="threads were asked for, .* are used"):
            many = gsfa.GSFA(n_jobs=asked).fit(X, Y)
        assert time.perf_counter() - start < 5
        assert any("threads were asked for" in note for note in many.notes_)
        assert np.array_equal(many.transform(X), model.transform(X))
        with pytest.warns(gsfa.GsfaWarning, match="threads were asked for"):
            gsfa.ELLRegressor(n_jobs=asked).fit(X, Y)


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
@pytest.mark.parametrize("variable", ["100000", "9" * 350, "many", "0"])
def test_f64_thousands_of_threads_of_the_environment_are_bounded(variable):
    import os
    import subprocess

    program = """
import os, time, warnings
import numpy as np, gsfa
warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(300, 4))
before = len(os.listdir("/proc/self/task"))
for model in (gsfa.GSFA().fit(X, X[:, 0]), gsfa.ELLRegressor().fit(X, X[:, 0])):
    getattr(model, "transform" if hasattr(model, "transform") else "predict")(X[:5])
gsfa.graphs.NearestNeighbors(2).analyze(X=X)
for _ in range(100):
    # Threads of a pool that is gone end in their own time.
    threads = len(os.listdir("/proc/self/task")) - before
    if threads <= BOUND:
        break
    time.sleep(0.05)
print(threads, len(model.notes_), *model.notes_, sep="|")
"""
    bound = 4 * (os.cpu_count() or 1) + 8
    program = program.replace("BOUND", str(bound))
    start = time.perf_counter()
    environment = {**os.environ, "RAYON_NUM_THREADS": variable}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split("|")[0]) <= bound, done.stdout
    assert ("threads were asked for" in done.stdout) == (variable.isdigit() and variable != "0")
    assert time.perf_counter() - start < 40
