"""A cluster as fits use it: work is handed over, waited for as long as something happens, and taken back in the end."""

from __future__ import annotations

import time
import weakref
from contextlib import suppress
from types import TracebackType
from typing import Any, Callable, Iterable, TypeVar

from .errors import ClusterError, GsfaError

POLL = 0.5
"""Seconds between two looks at the cluster."""

LONGEST = 86_400.0
"""Seconds that the transfer of one result may take at the most."""

SILENT = 2.5
"""How much longer workers that are there may do nothing: they read what they need, or the machine is busy."""

ACTIVE = ("executing", "long-running", "resumed", "flight")
"""States of a task in which a worker computes it, or fetches what it needs."""

C = TypeVar("C", bound="Cluster")


class Cluster:
    """The client of a cluster and the futures of one fit, all of which are gone when the fit ends, however it does.

    A cluster that lost all its workers keeps tasks for ever, in the hope that some come back: `distributed` closes a worker
    for good that was not back within ``distributed.deploy.lost-worker-timeout`` (15 s), and its
    ``distributed.scheduler.no-workers-timeout`` is never by default. So every wait ends here, after `patience` seconds
    without any worker, or `SILENT` times as long without a sign of work from those there are.
    """

    def __init__(self, client: Any, patience: float) -> None:
        self.client = client
        self.patience = float(patience)
        self._futures: weakref.WeakSet[Any] = weakref.WeakSet()
        # Nobody else can have asked for these.
        self._own: weakref.WeakSet[Any] = weakref.WeakSet()
        self._signs: Any = None
        self._last = time.monotonic()
        self._watched: list[Any] = []
        self._tell: Callable[[int], None] | None = None
        self._told = -1

    def __enter__(self: C) -> C:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Tracebacks would keep futures, and with them memory of the workers; what still waits need not be begun.
        if kind is not None:
            with suppress(Exception):
                self.client.cancel(list(self._own))
        for future in list(self._futures):
            future.release()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """A task of its own: it can be done again if the worker that holds its result dies, as scattered data cannot."""
        return self._kept(self.client.submit(function, *arguments, pure=False), own=True)

    def map(self, function: Callable[..., Any], blocks: Iterable[Any], *arguments: Any) -> list[Any]:
        """The same for each of some delayed values, which are not kept."""
        from dask.delayed import delayed

        make = delayed(function, pure=False)
        futures = self.client.compute([make(block, *arguments) for block in blocks])
        return [self._kept(future, own=True) for future in futures]

    def _kept(self, future: Any, *, own: bool) -> Any:
        self._futures.add(future)
        if own:
            self._own.add(future)
        return future

    def local(self, values: Any) -> Any:
        """Values as they are, or those of a collection of the cluster."""
        if not hasattr(values, "dask"):
            return values
        return self.result(self._kept(self.client.compute(values), own=False))

    def watch(self, futures: list[Any], tell: Callable[[int], None]) -> None:
        """Says how many of some tasks are done, whenever there are more, until all are or others are watched."""
        self._watched, self._tell, self._told = list(futures), tell, -1

    def _tell_progress(self) -> None:
        done = sum(future.done() for future in self._watched)
        if self._tell is not None and done > self._told:
            self._told = done
            self._tell(done)

    def results(self, futures: Iterable[Any]) -> list[Any]:
        """The results of tasks, in their order."""
        return [self.result(future) for future in futures]

    def result(self, future: Any) -> Any:
        """The result of a task, or what went wrong in it."""
        from distributed import TimeoutError, wait

        self._last, transfer = time.monotonic(), max(self.patience, POLL)
        while True:
            finished = False
            try:
                wait([future], timeout=POLL)
                finished = True
                if future.status == "error":
                    break
                self._tell_progress()
                # A result that was lost meanwhile is computed again; a large one may need longer than the first time.
                return future.result(timeout=transfer)
            except TimeoutError:
                # Waiting for the task itself says nothing about its result.
                transfer = min(2 * transfer, LONGEST) if finished else transfer
                self._tell_progress()
                self._check_progress()
            except GsfaError:
                raise
            except Exception as error:
                raise _explained(error) from error
        try:
            return future.result()
        except Exception as error:
            raise _explained(error) from error

    def _check_progress(self) -> None:
        """An error if nothing has happened for too long."""
        workers = _workers(self.client)
        signs = {
            address: (worker.get("last_seen"), worker.get("metrics", {}).get("task_counts"))
            for address, worker in workers.items()
        }
        signs["finished"] = sum(future.done() for future in list(self._futures))
        if _something_happened(self._signs, signs):
            self._last = time.monotonic()
        self._signs = signs
        silence = time.monotonic() - self._last
        if silence <= self.patience * (SILENT if workers else 1):
            return
        if not workers:
            raise ClusterError(
                f"the cluster has had no worker for {silence:.0f} s",
                hint="start workers again, e.g. client.cluster.scale(n); give a longer `patience` if they need long to come",
                code="no_workers",
            )
        raise ClusterError(
            f"none of the {len(workers)} workers of the cluster has done anything for {silence:.0f} s",
            hint="look at the logs of the workers; give a longer `patience` if that is usual",
            code="no_progress",
        )


def _workers(client: Any) -> dict[str, Any]:
    """What the scheduler knows about its workers; the same again if it does not answer."""
    try:
        info = client.scheduler_info(n_workers=-1)
    except TypeError:
        # Older versions always tell of all.
        info = client.scheduler_info()
    except (OSError, RuntimeError):
        return {}
    return dict(info.get("workers", {}))


def _something_happened(before: dict[str, Any] | None, now: dict[str, Any]) -> bool:
    """Whether a task was finished, or a worker was heard of again that has something to do or has done something."""
    if before is None or before["finished"] != now["finished"]:
        return True
    for address, sign in now.items():
        if address == "finished" or before.get(address) == sign:
            continue
        (_, counts), earlier = sign, before.get(address)
        if any((counts or {}).get(state, 0) for state in ACTIVE) or (earlier is not None and earlier[1] != counts):
            return True
    return False


def _explained(error: BaseException) -> BaseException:
    """What went wrong on the cluster in our words; errors of tasks are what they are locally."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return ClusterError(
            "a task was given to one worker after the other, and all of them died while doing it",
            hint="workers that lack memory are killed: give smaller chunks, or more memory; "
            "distributed.scheduler.allowed-failures is how often a task is tried",
            code="workers_died",
        )
    if isinstance(error, (CancelledError, OSError)):
        return ClusterError(
            f"the cluster gave up a task: {' '.join(str(error).split()) or type(error).__name__}",
            hint="look whether the scheduler is still there",
            code="cluster_lost",
        )
    return error
