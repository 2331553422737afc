"""What is given is taken as it was meant, or refused: never by its place alone, and never without a word."""

import networkx
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import gsfa
from gsfa.graphs import Chain, Clustered, Edges, Ell, NearestNeighbors, Serial, from_networkx

RNG = np.random.default_rng(11)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + 0.2 * RNG.normal(size=60)
C = np.repeat(["a", "b", "c"], 20)


def refused(call, code, match="."):
    with pytest.raises(gsfa.GsfaError, match=match) as told:
        call()
    assert told.value.code == code and told.value.hint
    return told.value


def test_columns_of_labels_are_found_by_their_names():
    table = pd.DataFrame({"age": RNG.normal(40, 9, 12), "height": RNG.normal(170, 9, 12)})
    targets = Ell().build(table).targets
    expected = targets.decorrelate(table.to_numpy())
    np.testing.assert_array_equal(targets.decorrelate(table), expected)
    np.testing.assert_array_equal(targets.decorrelate(table[["height", "age"]]), expected)
    values = pd.DataFrame(targets.values, columns=targets.names)
    np.testing.assert_array_equal(targets.recover(values[["height", "age"]]), targets.recover(targets.values))
    np.testing.assert_array_equal(targets.recover(values[["age"]]), targets.recover(targets.values[:, :1]))
    for other in (table.rename(columns={"age": "years"}), table[["age"]], table.assign(more=1.0)):
        refused(lambda: targets.decorrelate(other), "input_names", "expected are age, height")
    refused(lambda: targets.recover(values[["height"]]), "input_names", "expected are age")


def test_a_vector_is_no_column_where_it_may_be_a_row():
    table = pd.DataFrame({"age": RNG.normal(40, 9, 12), "height": RNG.normal(170, 9, 12)})
    targets = Ell().build(table).targets
    refused(lambda: targets.recover(targets.values[0]), "shape", "one row or one column of 2")
    refused(lambda: targets.decorrelate([40.0, 170.0]), "shape", "one row or one column of 2")
    np.testing.assert_array_equal(targets.recover(targets.values[:1]), targets.recover(targets.values)[:1])
    single = Ell().build(table["age"]).targets
    np.testing.assert_array_equal(single.recover(single.values[:, 0]), single.recover(single.values))


@pytest.mark.parametrize("graph", [Serial(), Ell(targets=3), Ell()])
def test_targets_and_a_graph_exclude_each_other(graph):
    told = refused(lambda: gsfa.ELLRegressor(5, graph=graph).fit(X, Y), "parameter", "says nothing where a graph is given")
    assert told.details == {"parameter": "targets"}
    gsfa.ELLRegressor(graph=graph, network="linear").fit(X, Y)


@pytest.mark.parametrize("graph", [Serial(groups=4), Ell(targets=2), Chain()])
def test_delta_values_know_no_scale(graph):
    graph = graph.build(Y)
    expected = graph.delta_values(X)
    for power in (-900, -660, 660, 900):
        np.testing.assert_array_equal(graph.delta_values(X * 2.0**power), expected)
    np.testing.assert_allclose(graph.delta_values(X * 1e200), expected, rtol=1e-12)
    np.testing.assert_allclose(graph.delta_values(X * 1e-200), expected, rtol=1e-12)
    refused(lambda: graph.delta_values(np.full(60, 3e200)), "constant_feature", "feature 0 is constant")


def test_the_smallest_edge_is_the_smallest_of_all():
    graph = Ell(targets=2).build(RNG.normal(size=12))
    weight, (a, b) = graph.smallest_edge()
    assert weight == graph.edge_weights().min() == graph.edge_weights()[a, b] < 0
    rows = [vertex for vertex in range(12) if graph.edge_weights()[vertex].min() < 0]
    messages = {str(refused(graph.transition_probabilities, "negative_edge"))}
    messages |= {str(refused(lambda: graph.transition_probabilities(row), "negative_edge")) for row in rows}
    messages.add(str(refused(lambda: graph.random_walk(3), "negative_edge")))
    assert len(messages) == 1 and f"{a}" in messages.pop()


@pytest.mark.parametrize("none", [None, np.nan, pd.NA, pd.NaT])
def test_samples_without_a_group_are_told(none):
    groups = np.repeat(np.arange(12), 5).astype(object)
    groups[[3, 4]] = none
    for given in (groups, pd.Series(groups), groups.tolist()):
        told = refused(lambda: gsfa.ELLRegressor().fit(X, Y, groups=given), "groups", "2 of 60 samples have no group")
        assert told.details == {"rows": [3, 4], "count": 2}


@pytest.mark.parametrize("estimator", [gsfa.GSFA, gsfa.HGSFA, gsfa.ELLRegressor, gsfa.CompactClassifier])
def test_two_columns_of_one_name_are_told(estimator):
    table = pd.DataFrame(X, columns=["u", "v", "u"])
    y = C if estimator is gsfa.CompactClassifier else Y
    told = refused(lambda: estimator().fit(table, y), "duplicate_header", "2 columns of X are called 'u'")
    assert told.details == {"columns": [0, 2]}
    fitted = estimator().fit(pd.DataFrame(X, columns=list("uvw")), y)
    ask = fitted.transform if hasattr(fitted, "transform") else fitted.predict
    refused(lambda: ask(table), "duplicate_header", "called 'u'")


@pytest.mark.parametrize("graph", [Chain(), Ell(), Clustered(), NearestNeighbors(2), Edges(np.ones((3, 3)))])
def test_a_number_is_no_labels_and_no_samples(graph):
    for given in (12, 1.5, np.array(3.0), "abc"):
        refused(lambda: graph.build(X=given) if isinstance(graph, NearestNeighbors) else graph.build(given), "shape", "one axis")


def test_edges_of_networkx_weigh_numbers():
    for wrong in ("x", None, np.nan, np.inf, True, 1j):
        graph = networkx.path_graph(4)
        graph.edges[1, 2]["weight"] = wrong
        refused(lambda: from_networkx(graph), "weights", "edge between 1 and 2")
    several = networkx.MultiDiGraph([(0, 1), (0, 1), (1, 2)])
    assert from_networkx(several).build().r == 3.0


def test_classes_are_text_or_not():
    mixed = [1 if c == "a" else str(c) for c in C]
    for given in (mixed, np.array(mixed, dtype=object), pd.Series(mixed), tuple(mixed)):
        for call in (
            lambda: gsfa.CompactClassifier().fit(X, given),
            lambda: gsfa.CompactClassifier(semi_supervised=True).fit(X, given),
            lambda: gsfa.CompactClassifier(class_weight="balanced").fit(X, given),
            lambda: gsfa.GSFA(graph=Clustered()).fit(X, given),
            lambda: Clustered().build(given),
        ):
            refused(call, "label_kind", "both text and other values, 'b' and 1")


def test_balanced_classes_of_the_command_line_stay_balanced(command, tmp_path):
    kind = np.repeat(["a", "b", "c"], [42, 12, 6])
    table = pd.DataFrame(X, columns=list("uvw")).assign(kind=kind)
    table["u"] += 1.5 * (kind == "a")
    table["v"] += 2.0 * (kind == "b")
    table.to_csv(tmp_path / "t.csv", index=False)
    given = "--data t.csv --learn kind --weights balanced --network linear --ridge 0.1"
    command(*f"train {given} -o m.gsfa".split(), cwd=tmp_path)
    model = gsfa.load(tmp_path / "m.gsfa")
    assert model.class_weight == "balanced" and "class_weight='balanced'" in repr(model)
    inputs = table[list("uvw")]
    again = clone(model).fit(inputs, kind)
    np.testing.assert_allclose(again.predict_proba(inputs), model.predict_proba(inputs), atol=1e-6)


def test_a_graph_of_samples_says_that_labels_are_no_samples():
    with pytest.raises(gsfa.GsfaError, match="only labels are given") as failure:
        NearestNeighbors(3).build(np.arange(20.0))
    assert "build(X=X)" in failure.value.hint


def test_words_among_inputs_are_named():
    X = pd.DataFrame({"x": np.arange(20.0), "color": ["green", "red"] * 10})
    with pytest.raises(gsfa.GsfaError, match="column 'color' holds words") as failure:
        gsfa.ELLRegressor().fit(X, np.arange(20.0))
    assert failure.value.code == "sample_type" and "OneHotEncoder" in failure.value.hint


def test_clip_has_one_meaning_beside_a_readout():
    """A range that the estimator names and one that the read-out names are the same: estimates, deviations, what is judged."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3))
    y = X @ [1.0, 0.5, 0.0] + 0.3 * rng.normal(size=80)
    of_readout = gsfa.ELLRegressor(network="linear", readout=gsfa.LinearRegression(clip=(0, 1))).fit(X, y)
    of_both = gsfa.ELLRegressor(network="linear", readout=gsfa.LinearRegression(), clip=(0, 1)).fit(X, y)
    np.testing.assert_array_equal(of_readout.predict(X), of_both.predict(X))
    np.testing.assert_array_equal(of_readout.predict_std(X), of_both.predict_std(X))
    assert of_readout.selection_["tried"][0]["loss"] == of_both.selection_["tried"][0]["loss"]
    for clip, readout in (
        ("training", gsfa.LinearRegression(clip="none")),
        ((0, 2), gsfa.LinearScaling(clip=(0, 1))),
        ("training", gsfa.SoftGC()),
    ):
        with pytest.raises(gsfa.ParameterError, match="'clip' parameter"):
            gsfa.ELLRegressor(network="linear", readout=readout, clip=clip).fit(X, y)
    gsfa.ELLRegressor(network="linear", readout=gsfa.SoftGC(), clip=(0, 1)).fit(X, y)


def test_a_table_of_one_column_of_words_is_that_column():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 3))
    words = np.where(X[:, 0] > 0, "big", "small")
    expected = gsfa.CompactClassifier(network="linear", ridge=0.1).fit(X, words).predict(X)
    for dtype in (object, "category"):
        frame = pd.DataFrame({"cls": pd.Series(words, dtype=dtype)})
        np.testing.assert_array_equal(gsfa.CompactClassifier(network="linear", ridge=0.1).fit(X, frame).predict(X), expected)
    with pytest.raises(ValueError, match="1d array"):
        gsfa.CompactClassifier(network="linear").fit(X, pd.DataFrame({"a": words, "b": words}))


def test_missing_labels_come_with_what_to_do_about_them():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 3))
    y = X[:, 0].copy()
    y[[4, 7]] = np.nan
    for estimator in (gsfa.ELLRegressor(), gsfa.GSFA(1, graph=gsfa.graphs.Ell())):
        with pytest.raises(ValueError, match="Input y contains NaN") as told:
            estimator.fit(X, y)
        assert "semi_supervised=True" in told.value.hint
        assert told.value.details == {"rows": [4, 7], "count": 2}


def test_misspelt_words_come_with_what_was_meant():
    for estimator, meant in (
        (gsfa.ELLRegressor(network="lineer"), "linear"),
        (gsfa.ELLRegressor(effort="Thorough"), "thorough"),
        (gsfa.ELLRegressor(clip="trainig"), "training"),
        (gsfa.GSFA(1, graph=Serial(groups=4), surplus="residuals"), "residual"),
    ):
        with pytest.raises(gsfa.GsfaError) as told:
            estimator.fit(X, Y)
        assert told.value.hint == f"did you mean '{meant}'?"
    weights = {"a": 1.0, "b": 2.0, "C": 3.0}
    told = refused(lambda: gsfa.CompactClassifier(network="linear", class_weight=weights).fit(X, C), "parameter")
    assert told.hint == "did you mean 'c' by 'C'?" and told.details == {"parameter": "class_weight"}


def test_a_network_with_its_own_preparation_leaves_none_to_say():
    layers = [gsfa.networks.Layer(1)]
    network = gsfa.networks.Network(layers, spectrum=gsfa.Spectrum(snv=True))
    for spectrum in (True, False, gsfa.Spectrum()):
        with pytest.raises(gsfa.ParameterError, match="says nothing where the network has its own"):
            gsfa.ELLRegressor(network=network, spectrum=spectrum).fit(X, Y)


def test_a_number_of_features_that_was_asked_for_is_kept(command, tmp_path):
    table = pd.DataFrame(X, columns=list("uvw")).assign(y=Y)
    table.to_csv(tmp_path / "t.csv", index=False)
    asked = "train --data t.csv --learn y --network linear --features 2 --targets 2 -o m.gsfa -q"
    command(*asked.split(), cwd=tmp_path)
    model = gsfa.load(tmp_path / "m.gsfa")
    again = clone(model).fit(table[list("uvw")], Y)
    assert len(model.delta_values_) == len(again.delta_values_) == 2
    np.testing.assert_allclose(again.predict(table[list("uvw")]), model.predict(table[list("uvw")]), rtol=1e-5)
