"""Codes of classes that nodes learn, and maps of two features."""

import numpy as np
import pytest

import gsfa
from gsfa import graphs

CODES = ("weighted_fisher", "pairwise", "nested")


def samples(classes, per_class=30, inputs=8, seed=0):
    random = np.random.default_rng(seed)
    y = np.repeat(np.arange(classes), per_class + np.arange(classes) % 3)
    means = 3 * random.normal(size=(classes, inputs)) / (1 + np.arange(inputs))
    return means[y] + random.normal(size=(len(y), inputs)), y


def features(X, y, code, d, **settings):
    graph = graphs.Compact(code=code, **settings)
    return gsfa.GSFA(d, graph=graph).fit(X, [f"{c:02}" for c in y]).transform(X)


def difference(a, b):
    return max(min(abs(p - q).max(), abs(p + q).max()) for p, q in zip(a.T, b.T))


@pytest.mark.parametrize("code", CODES)
def test_neither_order_of_classes_nor_rotation_nor_scale_of_inputs_matter(code):
    X, y = samples(7)
    ours = features(X, y, code, 3)
    order = np.array([4, 2, 6, 0, 5, 1, 3])
    assert difference(ours, features(X, order[y], code, 3)) < 1e-5
    rotation = 40 * np.linalg.qr(np.random.default_rng(1).normal(size=(8, 8)))[0]
    assert difference(ours, features(X @ rotation + 3, y, code, 3)) < 1e-5


@pytest.mark.parametrize("code", CODES)
def test_two_classes_and_all_features_are_the_clustered_graph(code):
    for classes in (2, 3, 6):
        X, y = samples(classes, seed=classes)
        names = [f"{c:02}" for c in y]
        clustered = gsfa.GSFA(classes - 1, graph=graphs.Clustered()).fit(X, names).transform(X)
        ours = features(X, y, code, classes - 1)
        left = ours - clustered @ np.linalg.lstsq(clustered, ours, rcond=None)[0]
        assert abs(left).max() < 1e-7


@pytest.mark.parametrize("code", CODES)
def test_ties_and_a_class_far_away_are_no_obstacle(code):
    X, y = samples(5)
    tied = np.where(y == 1, 0, y)
    X[y == 1] = X[y == 0][: (y == 1).sum()][np.arange((y == 1).sum()) % (y == 0).sum()]
    assert np.isfinite(features(X, y, code, 2)).all() and np.isfinite(features(X, tied, code, 2)).all()
    X[y == 4] += 1e5
    assert np.isfinite(features(X, y, code, 2)).all()


@pytest.mark.parametrize("code", CODES)
def test_threads_do_not_matter(code):
    X, y = samples(6, per_class=200)
    graph = graphs.Compact(code=code)
    one, four = (gsfa.GSFA(2, graph=graph, n_jobs=jobs).fit(X, y.astype(str)).transform(X) for jobs in (1, 4))
    assert (one == four).all()


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ([[0, -1, 1], [-1, 0, 1], [1, 1, 0]], "costs"),
        ([[0, np.nan, 1], [np.nan, 0, 1], [1, 1, 0]], "costs"),
        ([[0, np.inf, 1], [np.inf, 0, 1], [1, 1, 0]], "costs"),
        ([[0, 1], [1, 0]], "costs"),
    ],
)
def test_bad_costs_are_refused(costs, words):
    X, y = samples(3)
    with pytest.raises(gsfa.GsfaError, match=words):
        features(X, y, "pairwise", 1, costs=costs)


def test_a_shared_covariance_is_the_limit_of_shrinkage():
    X, y = samples(5)
    names = y.astype(str)
    shared = gsfa.GaussianClassifier(covariance="shared").fit(X, names)
    assert (shared.predict(X) == gsfa.GaussianClassifier(shrinkage=1e12).fit(X, names).predict(X)).all()


def test_codes_and_features_left_open_are_chosen():
    X, y = samples(8, per_class=60, inputs=10, seed=3)
    model = gsfa.CompactClassifier(2).fit(X, y.astype(str))
    names = [tried["name"] for tried in model.selection_["tried"]]
    assert any("pairwise code of 2 features" in name for name in names), names
    assert model.score(X, y.astype(str)) > 0.3


def test_maps_are_the_same_every_time_and_new_samples_move_nothing():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    X, y = samples(6)
    names = y.astype(str)

    def drawn(**settings):
        axes = gsfa.plot_map(X, names, **settings)
        titles = [ax.get_title() for ax in axes]
        points = [collection.get_offsets().data for ax in axes for collection in ax.collections]
        plt.close("all")
        return titles, points

    titles, points = drawn()
    again, same = drawn(new=X[:5])
    assert titles == again and "errors on left-out samples" in titles[0] and "discriminant analysis" in titles[1]
    assert len(same) == len(points) + 2
    for k in range(6):
        assert (points[k] == same[k]).all()
    with pytest.raises(gsfa.ParameterError, match="at least 3 classes"):
        gsfa.plot_map(X[y < 2], names[y < 2])
