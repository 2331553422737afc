#!/usr/bin/env python3
"""Writes python/gsfa/graphs.py from what the library says of its graphs: fields, defaults, limits, needs, documentation.

`write_graphs.py` writes it, `write_graphs.py --check` fails if it is another. Both ask the installed package, so that a
graph that is added in Rust is there in Python after a build and a run of this; what only Python has is said here: an example for
each.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent / "gsfa" / "graphs.py"
WIDTH = 120

ELSEWHERE = ("edges", "sum")
"""Graphs whose fields are no plain values, written by hand."""

LISTS = ("values", "weights", "given")
"""Where a table of one list may be given as the list alone."""

EXAMPLES = {
    "chain": """
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Chain().build(X=np.zeros((4, 1)))
        >>> G.edge_weights().shape, G.free_responses(1).delta_values.round(4).tolist()
        ((4, 4), [0.781])
    """,
    "reordering": """
        >>> import numpy as np, gsfa
        >>> responses, deltas, _ = gsfa.graphs.Reordering().build(np.arange(30.0)).free_responses()
        >>> responses.shape, int((deltas < 2 - 1e-9).sum())
        ((30, 29), 14)
    """,
    "serial": """
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Serial(groups=5).build(np.arange(30.0))
        >>> len(G), G.free_responses(2).delta_values.round(4).tolist()
        (30, [0.5858, 2.0])
    """,
    "mixed": """
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Mixed(groups=4).build(np.arange(12.0))
        >>> len(G), G.free_responses(1).delta_values.round(4).tolist()
        (12, [0.3905])
    """,
    "sliding_window": """
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.SlidingWindow(2).build(np.arange(6.0))
        >>> G.edge_weights().shape, G.r
        ((6, 6), 24.0)
    """,
    "clustered": """
        >>> import gsfa
        >>> G = gsfa.graphs.Clustered().build(list("aabbcc"))
        >>> len(G), abs(G.free_responses(3).delta_values).round(9).tolist()
        (6, [0.0, 0.0, 2.0])
    """,
    "ell": """
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Ell(targets=2).build(np.arange(9.0))
        >>> G.targets.values.shape, abs(G.free_responses(3).delta_values).round(9).tolist()
        ((9, 2), [0.0, 1.0, 2.0])
    """,
    "compact": """
        >>> import gsfa
        >>> G = gsfa.graphs.Compact(targets=2).build(list("aabbccdd"))
        >>> G.targets.values.shape, abs(G.free_responses(3).delta_values).round(9).tolist()
        ((8, 2), [0.0, 0.0, 2.0])
    """,
    "nearest_neighbors": """
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.NearestNeighbors(1).build(X=np.array([[0.0], [1.0], [10.0], [11.0]]))
        >>> G.edge_weights().shape, G.components().count
        ((4, 4), 2)
    """,
}

HEAD = '''"""Training graphs as values: which samples should get similar outputs.

A graph is a small immutable value; it knows nothing about samples until it meets their labels::

    gsfa.GSFA(graph=gsfa.graphs.Serial(groups=60)).fit(X, y)
    0.7 * gsfa.graphs.Ell() + 0.3 * gsfa.graphs.Serial()

With labels it becomes a :class:`TrainingGraph`, which can tell everything about itself before anything is trained, and
with which estimators can be trained::

    G = gsfa.graphs.Ell(targets=4).build(y)
    G.edge_weights(), G.free_responses(), G.consistency()
    gsfa.GSFA(graph=G).fit(X)

Written by python/write_graphs.py from what the library says of its graphs; changes belong there.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Sequence

from ._edges import Edges, from_networkx
from ._graph_facts import Components, Consistency, FreeResponses, SmallestEdge, Targets
from ._graph_specification import Analysis, Graph, Sum
from ._parameters import TEXT, Flag, Instance, Number, OneOf, Several, Sorts, Whole
from ._training_graph import TrainingGraph, from_responses
'''

BY_HAND = [
    "Analysis",
    "Components",
    "Consistency",
    "Edges",
    "FreeResponses",
    "Graph",
    "SmallestEdge",
    "Sum",
    "Targets",
    "TrainingGraph",
    "from_networkx",
    "from_responses",
]


def camel(name: str) -> str:
    """The class of a kind."""
    return "".join(part.capitalize() for part in name.split("_"))


class Sort:
    """What a field takes, as documentation, annotation and check."""

    def __init__(self, said: str, type_: str, checks: list[str]) -> None:
        self.said, self.type, self.checks = said, type_, checks


def sort_of(field: dict[str, Any], sort: dict[str, Any]) -> Sort:
    """The sort of a field, or of what a list holds."""
    kind = sort["sort"]
    least, above = field.get("minimum"), field.get("exclusive_minimum")
    if kind == "flag":
        return Sort("bool", "bool", ["Flag()"])
    if kind == "count":
        return Sort("int", "int", [f"Whole({int(least or 0)})"])
    if kind == "number":
        limits = f"{float(above)}, above=True" if above is not None else "" if least is None else f"{float(least)}"
        return Sort("float", "float", [f"Number({limits})"])
    if kind == "text":
        return Sort("str", "str", ["TEXT"])
    if kind == "word":
        words = [f'"{word["name"]}"' for word in sort["words"]]
        options = ", ".join(words) + ("," if len(words) == 1 else "")
        return Sort("{" + ", ".join(words) + "}", "str", [f"OneOf(({options}))"])
    if kind == "list":
        of = sort_of(field, sort["of"])
        return Sort(f"sequence of {of.said}", f"Sequence[{of.type}]", [f"Several({of.checks[0]})"])
    if kind == "either":
        return either(field, sort["sorts"])
    raise SystemExit(f"write_graphs.py: field '{field['name']}' is of sort {kind}, for which Python has no form")


def either(field: dict[str, Any], sorts: list[dict[str, Any]]) -> Sort:
    """Words, a list that stands for a table, or one of several tables."""
    words = [word for sort in sorts if sort["sort"] == "word" for word in sort["words"]]
    tables = [sort["fields"][0] for sort in sorts if sort["sort"] == "table"]
    parts = [sort_of(field, {"sort": "word", "words": words})] if words else []
    parts += [sort_of({"name": field["name"]}, {"sort": "list", "of": {"sort": "number"}}) for _ in plain_list(tables)]
    if len(tables) > 1:
        parts.append(Sort("dict", "dict[str, Any]", ["Instance(dict)"]))
    checks = [check for part in parts for check in part.checks]
    return Sort(" or ".join(part.said for part in parts), "Any", checks)


def plain_list(tables: list[dict[str, Any]]) -> list[str]:
    """The key under which a list alone is meant."""
    keys = [table["name"] for table in tables if table["sort"]["sort"] == "list"]
    return [key for key in keys if key in LISTS][:1]


def lists(fields: list[dict[str, Any]]) -> dict[str, str]:
    """Fields that take a list in place of a table, and its key."""
    found = {}
    for field in fields:
        if field["sort"]["sort"] == "either":
            tables = [sort["fields"][0] for sort in field["sort"]["sorts"] if sort["sort"] == "table"]
            found |= {field["name"]: key for key in plain_list(tables)}
    return found


def default_of(field: dict[str, Any]) -> Any:
    default = field["default"]
    return () if default == [] else default


def ordered(fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The field that comes without its name first: what must be given, or the first number of something."""
    counts = [field for field in fields if field["sort"]["sort"] == "count"]
    first = [field for field in fields if field["required"]] or counts[:1]
    return first + [field for field in fields if field not in first]


def words_of(doc: str) -> str:
    """Documentation of Rust as that of Python: symbols for LaTeX, code for code."""
    symbols = {r"\lambda": "λ", r"\ell": "ℓ", r"\exp": "exp", r"\|": "‖", "_0": "₀", "_c": "_c"}
    doc = re.sub(r"\[`(\w+)`\]", r"\1", doc)
    doc = re.sub(r"`\[([^`]*)\]`", r"the equation \1 of the paper", doc)
    for latex, symbol in symbols.items():
        doc = doc.replace(latex, symbol)
    doc = re.sub(r"\$([^$]*)\$", lambda found: found[1].replace("^2", "²").replace("^3", "³"), doc)
    return " ".join(doc.replace("`", "``").split())


def wrapped(text: str, indent: str) -> str:
    return "\n".join(textwrap.wrap(text, WIDTH - 2, initial_indent=indent, subsequent_indent=indent))


def documentation(field: dict[str, Any]) -> str:
    said = sort_of(field, field["sort"]).said
    if not field["required"]:
        default = default_of(field)
        shown = f'"{default}"' if isinstance(default, str) else str(default)
        said += ", optional" if default is None else f", default={shown}"
    return f"    {field['name']} : {said}\n" + wrapped(words_of(field["doc"]), " " * 8)


def declaration(field: dict[str, Any]) -> str:
    type_, default = sort_of(field, field["sort"]).type, default_of(field)
    if field["required"]:
        return f"    {field['name']}: {type_}"
    optional = f"{type_} | None" if default is None and type_ != "Any" else type_
    shown = f'"{default}"' if isinstance(default, str) else repr(default)
    return f"    {field['name']}: {optional} = {shown}"


def check_line(field: dict[str, Any]) -> str:
    checks = sort_of(field, field["sort"]).checks + (
        ["None"] if not field["required"] and default_of(field) is None else []
    )
    return f'        "{field["name"]}": ({", ".join(checks)}{"," if len(checks) == 1 else ""}),'


def class_of(kind: dict[str, Any]) -> str:
    """The class of one graph."""
    fields = ordered(kind["fields"])
    positional = [field for field in fields if field["required"] or field["sort"]["sort"] == "count"][:1]
    lines = ["@dataclass(frozen=True)", f"class {camel(kind['name'])}(Graph):"]
    lines += [f'    """{kind["doc"]}', "", "    Parameters", "    ----------"]
    lines += [documentation(field) for field in fields]
    example = textwrap.indent(textwrap.dedent(EXAMPLES[kind["name"]]).strip(), "    ")
    lines += ["", "    Examples", "    --------", example, '    """', ""]
    lines += [declaration(field) for field in positional]
    rest = [field for field in fields if field not in positional]
    lines += ["    _: KW_ONLY", *(declaration(field) for field in rest)] if rest else []
    needs = ", ".join(f'"{need}"' for need in kind["needs"])
    lines += [f'    _kind: ClassVar[str] = "{kind["name"]}"']
    lines += [f"    _needs: ClassVar[frozenset[str]] = frozenset(({needs}{',' if len(kind['needs']) == 1 else ''}))"]
    if lists(fields):
        lines += [f"    _lists: ClassVar[dict[str, str]] = {json.dumps(lists(fields))}"]
    lines += ["    _allowed: ClassVar[Sorts] = {", *(check_line(field) for field in fields), "    }"]
    return "\n".join(lines)


def written(kinds: list[dict[str, Any]]) -> str:
    """The file for some kinds of graphs."""
    ours = [kind for kind in kinds if kind["name"] not in ELSEWHERE]
    missing = [kind["name"] for kind in ours if kind["name"] not in EXAMPLES]
    if missing:
        raise SystemExit(f"write_graphs.py: give EXAMPLES for {', '.join(missing)}")
    names = sorted(BY_HAND + [camel(kind["name"]) for kind in ours], key=lambda name: (name[0].islower(), name))
    exported = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    classes = "\n\n\n".join(class_of(kind) for kind in ours)
    return f"{HEAD}\n{exported}\n\n{classes}\n"


def main() -> None:
    # The installed package, and not the sources beside this file, which have no native module.
    sys.path = [folder for folder in sys.path if Path(folder or ".").resolve() != FILE.parents[1]]
    from gsfa import _core

    text = written(json.loads(_core.specification())["graphs"])
    if "--check" not in sys.argv:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        sys.exit(f"{FILE} is not what the library says of its graphs\nhint: python/build, then run python/write_graphs.py")


if __name__ == "__main__":
    main()
