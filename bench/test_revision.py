"""Laws of the other revision's source, in a small repository."""

from __future__ import annotations

import shutil

import pytest
import revision
from processes import Failed
from revision import Revision, check_out, git


@pytest.fixture
def repository(tmp_path, monkeypatch):
    root = tmp_path.resolve() / "repository"
    (root / "crates").mkdir(parents=True)
    monkeypatch.setattr(revision, "ROOT", root)
    git("init", "--quiet")
    for k, value in {"user.name": "nobody", "user.email": "nobody@example.org"}.items():
        git("config", k, value)
    for number in ("one", "two"):
        (root / "crates" / "lib.rs").write_text(number)
        git("add", ".")
        git("commit", "--quiet", "-m", number)
    return root


def test_another_revision_is_checked_out_in_the_same_place_and_this_one_stays(repository):
    for name, content in (("HEAD", "two"), ("HEAD~1", "one"), ("HEAD", "two")):
        build = check_out(Revision.of(name), repository / "kept" / "other")
        assert (build.source / "crates" / "lib.rs").read_text() == content
        assert git("branch", "--show-current", folder=build.source) == "", "it holds no branch"
    assert (repository / "crates" / "lib.rs").read_text() == "two"


@pytest.mark.parametrize("damage", ["deleted", "pruned", "no worktree", "edited"])
def test_a_folder_that_was_lost_or_changed_is_made_again(repository, damage):
    folder = repository / "kept" / "other"
    source = check_out(Revision.of("HEAD"), folder).source
    if damage == "deleted":
        shutil.rmtree(source)
    elif damage == "pruned":
        shutil.rmtree(repository / ".git" / "worktrees")
    elif damage == "no worktree":
        (source / ".git").unlink()
    else:
        (source / "crates" / "lib.rs").write_text("three")
    check_out(Revision.of("HEAD~1"), folder)
    assert (source / "crates" / "lib.rs").read_text() == "one"


def test_a_revision_says_its_subject_and_whether_files_were_changed(repository):
    assert str(Revision.here()).endswith(" (two)") and not Revision.here().changed
    (repository / "crates" / "lib.rs").write_text("three")
    assert Revision.here().changed and "with changes" in str(Revision.here())


def test_a_revision_that_does_not_exist_is_named_with_a_hint(repository):
    with pytest.raises(Failed, match="there is no revision nowhere\nhint: "):
        Revision.of("nowhere")
