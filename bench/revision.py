"""Another revision beside this one: its source in a worktree of its own."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from processes import Failed
from programs import ROOT, Build


def git(*arguments: str, folder: Path | None = None) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder or ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


@dataclass(frozen=True)
class Revision:
    commit: str
    subject: str
    # Whether the files differ from the commit's.
    changed: bool = False

    @classmethod
    def of(cls, name: str) -> Revision:
        try:
            commit = git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        except Failed:
            raise Failed(f"there is no revision {name}\nhint: name a commit, a branch or a tag, such as HEAD~1 or main") from None
        return cls(commit, git("log", "-1", "--format=%s", commit))

    @classmethod
    def here(cls) -> Revision:
        head = cls.of("HEAD")
        # Documents and these scripts make nothing slower.
        changed = git("status", "--porcelain", "--", "crates", "python", "Cargo.toml", "Cargo.lock", "pyproject.toml")
        return cls(head.commit, head.subject, bool(changed))

    def __str__(self) -> str:
        return f"{self.commit[:10]}{' with changes' if self.changed else ''} ({self.subject})"


def check_out(revision: Revision, folder: Path) -> Build:
    """The other revision in `folder`/source, to be built in `folder`/target.

    The folder stays, with what was compiled: the next revision is checked out in the same place, so that dependencies, and
    what the two have in common, are compiled once. Git lists it as a worktree without a branch, which keeps no branch from being
    used or removed; once the folder is deleted git forgets it by itself (`git worktree prune`).
    """
    source = folder / "source"
    if source.exists() and not is_worktree(source):
        shutil.rmtree(source)
    if source.exists():
        git("checkout", "--quiet", "--detach", "--force", revision.commit, folder=source)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        # By force: git may still list a folder that was deleted.
        git("worktree", "add", "--quiet", "--force", "--detach", str(source), revision.commit)
    return Build(source, folder / "target", folder / "python")


def is_worktree(folder: Path) -> bool:
    """Not if the repository was moved, or if git was told to forget this one."""
    try:
        return Path(git("rev-parse", "--show-toplevel", folder=folder)) == folder
    except Failed:
        return False
