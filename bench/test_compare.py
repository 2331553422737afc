"""Laws of the comparison of two revisions. Nothing is built or timed here."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from compare import Contest, Progress, in_pairs
from others import Others
from pairs import Pairs, interval, spelled, table, verdict
from processes import Failed
from works import KEYS, PROGRAMS, Work


@dataclass
class Fake:
    """A program that takes what it is told to; tells whoever listens that it ran."""

    name: str
    lines: dict[str, float]
    heard: list[str] = field(default_factory=list)
    fails: bool = False
    interrupts_at: int = -1
    times: Iterator[float] | None = None

    def run(self, threads: int, quiet: bool) -> dict[str, float]:
        self.heard.append(self.name)
        if self.fails:
            raise Failed("ended with 101")
        if self.heard.count(self.name) - 1 == self.interrupts_at:
            raise KeyboardInterrupt
        return self.lines | ({"f64": next(self.times)} if self.times else {})


def contest(ours: dict[str, float], theirs: dict[str, float], **of_theirs: object) -> tuple[Contest, list[str]]:
    heard: list[str] = []
    works = (Work("node", "node, f64", "f64"), Work("node", "node, f32", "f32", 0.5))
    return Contest(Fake("ours", ours, heard), Fake("theirs", theirs, heard, **of_theirs), works), heard  # type: ignore[arg-type]


BOTH = {"f64": 2.0, "f32": 3.0}


@pytest.fixture(autouse=True)
def one_run_for_a_pair(monkeypatch):
    monkeypatch.setattr("compare.LEAST", 0.0)


@pytest.mark.parametrize("count", [6, 7, 15, 16, 40])
def test_the_interval_covers_the_median_of_a_skewed_distribution_at_least_as_often_as_it_says(count):
    draw = random.Random(count)
    trials, true = 4000, math.exp(0.0)
    covered = 0
    for _ in range(trials):
        low, high = interval([draw.lognormvariate(0.0, 1.0) for _ in range(count)])
        covered += low <= true <= high
    # 0.95 minus four standard deviations of so many trials.
    assert covered / trials >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / trials)


@pytest.mark.parametrize(("count", "k"), [(6, 1), (8, 1), (9, 2), (15, 4), (25, 8)])
def test_the_interval_ends_where_the_table_of_the_sign_test_says(count, k):
    values = list(range(count))
    random.Random(0).shuffle(values)
    assert interval([float(v) for v in values]) == (k - 1, count - k)
    assert interval([1.0] * count) == (1.0, 1.0)


@pytest.mark.parametrize("count", range(6))
def test_fewer_than_six_pairs_have_no_interval_and_no_verdict(count):
    assert interval([2.0] * count) is None
    assert verdict(interval([2.0] * count)) == "unclear"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ((1.04, 1.05), "slower"),
        ((1.031, 3.0), "slower"),
        ((1.03, 1.05), "same"),
        ((0.99, 1.02), "same"),
        ((1.0, 1.0), "same"),
        ((0.97, 0.98), "same"),
        ((0.5, 0.969), "faster"),
        ((0.95, 1.06), "unclear"),
        ((1.02, 1.20), "unclear"),
        (None, "unclear"),
    ],
)
def test_a_verdict_needs_the_whole_interval_on_one_side(found, said):
    assert verdict(found) == said


def test_who_is_first_changes_from_pair_to_pair():
    both, heard = contest(BOTH, BOTH)
    in_pairs([both], 4, 1, Progress(), [])
    assert heard[2:] == ["ours", "theirs", "theirs", "ours", "ours", "theirs", "theirs", "ours"]


@pytest.mark.parametrize(("number", "order"), [(0, ["ours", "theirs"]), (1, ["theirs", "ours"])])
def test_short_programs_run_in_turn_several_times_for_a_pair_and_the_fastest_of_each_side_counts(number, order):
    both, heard = contest(BOTH, BOTH)
    both.trial(1)
    heard.clear()
    times = {"ours": iter([3.0, 1.0, 2.0]), "theirs": iter([9.0, 8.0, 7.0])}
    for side in (both.ours, both.theirs):
        side.times = times[side.name]
    both.runs = 3
    both.pair(number, 1)
    assert heard == order * 3
    assert (both.found[0].ours, both.found[0].theirs) == ([1.0], [7.0])


def test_ratios_are_ours_by_theirs_whoever_was_first_and_the_trial_does_not_count():
    both, _ = contest({"f64": 2.0, "f32": 30.0}, {"f64": 4.0, "f32": 10.0})
    in_pairs([both], 6, 1, Progress(), [])
    double, single = both.found
    assert double.ratios() == [0.5] * 6 and double.verdict() == "faster"
    assert single.ratios() == [3.0] * 6 and single.verdict() == "slower"
    assert single.theirs == [5.0] * 6


def test_contests_take_turns_so_that_all_have_pairs_when_one_stops():
    (first, heard), (second, _) = contest(BOTH, BOTH), contest(BOTH, BOTH, interrupts_at=3)
    with pytest.raises(KeyboardInterrupt):
        in_pairs([first, second], 9, 1, Progress(), [])
    assert len(first.found[0].ours) == 3
    # The interrupted pair is not half counted.
    assert all(len(pairs.ours) == len(pairs.theirs) == 2 for pairs in second.found)


def test_work_that_the_other_revision_does_not_print_is_left_out_with_a_note():
    (both, _), notes = contest(BOTH, {"f64": 1.0}), []
    in_pairs([both], 2, 1, Progress(), notes)
    assert [pairs.work for pairs in both.found] == ["node, f64"] and len(both.found[0].ours) == 2
    assert notes == ["node, f32: the other revision does not print 'f32'"]


def test_a_program_that_fails_in_the_other_revision_is_left_out_and_the_others_go_on():
    (broken, heard), (whole, _), notes = contest(BOTH, BOTH, fails=True), contest(BOTH, BOTH), []
    in_pairs([broken, whole], 2, 1, Progress(), notes)
    assert heard == ["theirs"] and broken.found == [] and len(whole.found[0].ours) == 2
    assert len(notes) == 2 and all("ended with 101" in note for note in notes)


def test_work_that_only_this_revision_lacks_is_a_failure():
    both, _ = contest({"f64": 1.0}, BOTH)
    with pytest.raises(Failed, match="f32"):
        in_pairs([both], 2, 1, Progress(), [])


def test_the_table_is_aligned_and_says_what_was_found():
    long, short = Pairs("a work with a long name"), Pairs("gsfa --help")
    for _ in range(15):
        long.add(1.5, 1.0)
        short.add(0.002, 0.002)
    lines = table([long, short], "0123456789").splitlines()
    assert [line.split()[-1] for line in lines[2:]] == ["slower", "same"]
    assert "1.50 s" in lines[2] and "1.500 – 1.500" in lines[2] and "2.00 ms" in lines[3]
    columns = [line.index(word) for line, word in zip([lines[0], *lines[2:]], ("verdict", "slower", "same"))]
    assert len(set(columns)) == 1 and len({line.index(end) for line, end in zip(lines[2:], (" – 1.5", " – 1.0"))}) == 1
    assert "too few pairs" in table([Pairs("x", [1.0], [1.0])], "0123456789")


@pytest.mark.parametrize(("seconds", "said"), [(12.34, "12.3 s"), (1.0, "1.00 s"), (0.6694, "669 ms"), (2.3e-3, "2.30 ms"), (1.7e-5, "17.0 µs"), (4e-8, "0.04 µs")])
def test_times_have_a_unit_and_digits_that_count(seconds, said):
    assert spelled(seconds) == said


def test_figures_as_json_hold_every_pair():
    pairs = Pairs("node", [1.1] * 6, [1.0] * 6)
    figures = pairs.json()
    assert figures["median"] == statistics.median(pairs.ratios()) and figures["interval"] == (1.1, 1.1)
    assert figures["verdict"] == "slower" and len(figures["ours"]) == 6


def test_every_work_can_be_asked_for_alone():
    for key in KEYS:
        works = [work for program in PROGRAMS if (only := program.only({key})) for work in only.works]
        assert works and all(work.key == key for work in works)
    names = [work.name for program in PROGRAMS for work in program.works]
    assert len(set(names)) == len(names)


def test_what_other_programs_took_is_a_share_and_does_not_count_what_we_did(monkeypatch):
    counts = iter([(100.0, 40.0, 10.0), (300.0, 120.0, 80.0), (100.0, 40.0, 10.0), (100.0, 40.0, 10.0), None, None])
    monkeypatch.setattr("others.counted", lambda: next(counts))
    assert Others().share() == 0.25
    assert Others().share() == 0.0
    assert Others().share() is None
