"""Laws of the sets of vectors, and of the figures that are kept for each of them."""

from __future__ import annotations

import os

import pytest
from page import Found
from processes import Failed
from vectors import OPENBLAS, OURS, SETS, THEIRS, Vectors, of_machine


@pytest.mark.parametrize(
    ("flags", "sets"),
    [
        ("fpu sse2 fma avx2 avx512f avx512dq avx512bw avx512vl", ["avx512", "avx2", "portable"]),
        ("fpu sse2 fma avx2 avx512f", ["avx2", "portable"]),
        ("fpu sse2 avx2", ["portable"]),
        ("fpu sse2", ["portable"]),
    ],
)
def test_a_machine_has_the_sets_whose_instructions_it_lists(flags, sets):
    assert of_machine(f"processor\t: 0\nflags\t\t: {flags}\nbogomips\t: 1\n") == sets


def test_a_machine_that_tells_nothing_has_portable_vectors():
    assert of_machine("") == of_machine("Features\t: fp asimd\n") == ["portable"]


def part(*kinds: str) -> dict[str, object]:
    return {kind: [kind] for kind in kinds} | {"how": "somehow"}


def test_figures_are_kept_for_each_set_and_drawn_from_the_widest_of_the_last_machine_that_has_all_of_them():
    found = Found()
    for name in ("network", "classes"):
        found.take(Vectors("avx512", True, False), name, part("bars"))
    found.take(Vectors("avx512", True, False), "growth", part("panels"))
    assert found.drawn("bars") == found.drawn("panels") == "avx512"
    found.take(Vectors("avx2", False, True), "growth", part("panels"))
    assert found.drawn("panels") == "avx512", "a set that was forced is not the machine's own"
    found.take(Vectors("avx2", True, False), "growth", part("panels"))
    found.take(Vectors("avx2", True, False), "network", part("bars"))
    assert found.drawn("panels") == "avx2" and found.drawn("bars") == "avx512", "a figure is not drawn from half of its parts"
    assert Found().drawn("bars") is None


def test_the_sets_are_the_ones_of_the_kept_figures():
    found = Found.read()
    assert set(found.sets) <= set(SETS) and set(found.widest) <= set(found.sets)


def test_a_set_that_the_machine_lacks_is_refused_by_name(monkeypatch):
    monkeypatch.setattr("vectors.of_machine", lambda text: ["avx2", "portable"])
    with pytest.raises(Failed, match="no avx512 vectors\nhint: it has avx2, portable"):
        Vectors.choose("avx512")
    assert Vectors.choose(None) == Vectors("avx2", widest=True, forced=False)
    assert Vectors.choose("avx2") == Vectors("avx2", widest=True, forced=True)
    assert Vectors.choose("portable") == Vectors("portable", widest=False, forced=True)


def test_a_set_that_was_asked_for_holds_for_both_sides_and_what_was_set_before_never_does(monkeypatch):
    monkeypatch.setattr("vectors.platform.machine", lambda: "x86_64")
    monkeypatch.setattr(os, "environ", {OURS: "portable", THEIRS: "Nehalem"})
    Vectors("avx2", widest=True, forced=False).apply()
    assert os.environ == {}
    for name in SETS:
        Vectors(name, widest=False, forced=True).apply()
        assert os.environ == {OURS: name, THEIRS: OPENBLAS[name]}


def test_programs_that_cannot_be_told_their_vectors_are_not_measured_with_fewer(tmp_path):
    source = tmp_path / "crates" / "gsfa"
    source.mkdir(parents=True)
    (source / "lib.rs").write_text("fn main() {}")
    Vectors("avx512", widest=True, forced=True).check(tmp_path)
    with pytest.raises(Failed, match=OURS):
        Vectors("avx2", widest=False, forced=True).check(tmp_path)
    (source / "lib.rs").write_text(f'std::env::var("{OURS}")')
    Vectors("avx2", widest=False, forced=True).check(tmp_path)
