"""The recipe of a problem as estimators, graphs, networks and read-outs of Python: what names they have in common with TOML,
and what they lack."""

import numpy as np

import gsfa
from gsfa import expansions, graphs, networks


class NoWay(Exception):
    """Python has no way to say it."""


GRAPHS = {
    "chain": graphs.Chain,
    "reordering": graphs.Reordering,
    "serial": graphs.Serial,
    "mixed": graphs.Mixed,
    "sliding_window": graphs.SlidingWindow,
    "clustered": graphs.Clustered,
    "ell": graphs.Ell,
    "compact": graphs.Compact,
    "nearest_neighbors": graphs.NearestNeighbors,
}

READOUTS = {
    "linear_regression": gsfa.LinearRegression,
    "linear_scaling": gsfa.LinearScaling,
    "soft_gc": gsfa.SoftGC,
    "gaussian_classifier": gsfa.GaussianClassifier,
    "nearest_centroid": gsfa.NearestCentroid,
    "neighbors_of_numbers": gsfa.NearestNeighborsRegressor,
    "neighbors_of_classes": gsfa.NearestNeighborsClassifier,
}

EXPANSIONS = {"expo": expansions.Expo, "polynomial": expansions.Polynomial, "rbf": expansions.Rbf}


def graph_of(spec, samples):
    fields = dict(spec)
    kind = fields.pop("kind")
    # Where Python has names of its own.
    if kind == "sum":
        return graphs.Sum(tuple((one["share"], graph_of(one["graph"], samples)) for one in fields["graphs"]))
    if kind == "edges":
        matrix = np.zeros((samples, samples))
        for a, b, weight in fields["edges"]:
            matrix[a, b] = weight
        return graphs.Edges(matrix)
    return GRAPHS[kind](**fields)


def readout(problem, alone=False):
    """The read-out of a recipe, for an estimator or to be fitted alone."""
    if "readout" not in problem.recipe:
        raise NoWay("a read-out alone is not chosen")
    fields = dict(problem.recipe["readout"])
    kind = fields.pop("kind")
    if kind == "nearest_neighbors":
        numbers = "numbers" in [problem.kind(label) for label in problem.learn]
        kind = "neighbors_of_numbers" if numbers else "neighbors_of_classes"
    if kind not in READOUTS:
        raise NoWay(f"there is no read-out {kind}")
    if alone and kind == "gaussian_classifier" and "numbers" in [problem.kind(label) for label in problem.learn]:
        raise NoWay("a Gaussian classifier by itself estimates classes")
    if "features" in fields:
        fields["n_features"] = fields.pop("features")
    return READOUTS[kind](**fields)


def node_fields(layer):
    """The fields of a layer that `Layer` and `GSFA` share."""
    fields = dict(layer)
    if "pca" in fields:
        fields["pca"] = expansions.Pca(**fields["pca"])
    if "clip" in fields:
        fields["clip"] = fields["clip"]["sigmas"]
    if "expansion" in fields:
        expansion = dict(fields["expansion"])
        fields["expansion"] = EXPANSIONS[expansion.pop("kind")](**expansion)
    return fields


def layer_of(layer):
    fields = node_fields(layer)
    if "skip" in fields:
        fields["skip"] = fields["skip"]["feature_scale"]
    if "keep" in fields:
        fields["keep"] = networks.Keep(**fields["keep"])
    return networks.Layer(**fields)


def estimator(problem, **more):
    """The estimator of labels that does what the recipe says."""
    kinds = {problem.kind(label) for label in problem.learn}
    recipe, network = dict(problem.recipe), dict(problem.recipe.get("network", {}))
    given = {name: recipe[name] for name in ("calibrate", "semi_supervised") if name in recipe}
    if kinds == {"numbers"}:
        make = gsfa.ELLRegressor
        given |= {name: recipe[name] for name in ("targets", "clip") if name in recipe}
        if "features" in network:
            raise NoWay("ELLRegressor has no number of features")
    elif len(problem.learn) == 1:
        make = gsfa.CompactClassifier
        components = {recipe[name] for name in ("targets",) if name in recipe} | {network.pop("features", None)} - {None}
        given |= {"n_components": one for one in components}
    else:
        raise NoWay("no estimator learns classes beside another label")
    if "pca" in network:
        raise NoWay("a named network has no number of components")
    if "solver" in network:
        raise NoWay("a named network has no solver")
    if "graph" in recipe:
        given["graph"] = graph_of(recipe["graph"], len(problem.samples("train")))
    if "readout" in recipe:
        given["readout"] = readout(problem)
    if "ridge" in network:
        given["ridge"] = network["ridge"]
    if "spectrum" in network:
        given["spectrum"] = gsfa.Spectrum(**network["spectrum"]) if network["spectrum"] else True
    if network.get("kind") == "layers":
        given["network"] = networks.Network([layer_of(layer) for layer in network["layers"]])
    elif "kind" in network:
        given["network"] = network["kind"]
    return make(**given, **more)


def node(problem):
    """One node that takes rows in chunks."""
    recipe, network = problem.recipe, problem.recipe.get("network", {})
    if recipe.get("calibrate", True):
        raise NoWay("no samples are left out of chunks, neither to choose nor to calibrate")
    if "spectrum" in network:
        raise NoWay("GSFA has no preparation of spectra")
    given = {}
    if network.get("kind") == "linear":
        given = {"n_components": network.get("features"), "ridge": network["ridge"]}
        given |= {"solver": network["solver"]} if "solver" in network else {}
    elif network.get("kind") == "layers" and len(network["layers"]) == 1:
        given = node_fields(network["layers"][0])
        given["n_components"] = given.pop("output_dim")
    else:
        raise NoWay("chunks train one node")
    if "graph" in recipe:
        # There is no estimator that says it for its graph.
        unlabelled = {"semi_supervised": True} if recipe.get("semi_supervised") else {}
        given["graph"] = graph_of(recipe["graph"] | unlabelled, len(problem.samples("train")))
    return gsfa.GSFA(**given)
