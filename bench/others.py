"""How much of the machine other programs took meanwhile."""

from __future__ import annotations

import os
import resource
from pathlib import Path


class Others:
    """Counts from when it is made. Only Linux tells; elsewhere nothing is known."""

    def __init__(self) -> None:
        self.begin = counted()

    def share(self) -> float | None:
        """Of all processors' time, what was neither idle nor used by this program and those it started and waited for."""
        now = counted()
        if self.begin is None or now is None:
            return None
        everything, idle, ours = (b - a for a, b in zip(self.begin, now))
        return max(0.0, everything - idle - ours) / everything if everything > 0 else 0.0


def counted() -> tuple[float, float, float] | None:
    """Seconds of all processors since the start: all, idle, ours."""
    source = Path("/proc/stat")
    if not source.exists():
        return None
    # user, nice, system, idle, waiting for disks, two kinds of interrupts, taken by other machines; the rest is in user.
    ticks = [int(word) for word in source.read_text().split("\n")[0].split()[1:9]]
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    scale = os.sysconf("SC_CLK_TCK")
    return sum(ticks) / scale, (ticks[3] + ticks[4]) / scale, sum(u.ru_utime + u.ru_stime for u in used)
