"""Audits several repositories, each as if novote had been started in it; start-up is paid once."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from novote.audit.pool import shared, worth_sharing
from novote.cli.discovery.root import Scope
from novote.cli.discovery.select import Search
from novote.cli.discovery.walk import WORKFLOWS
from novote.cli.repository import Audited, audit_repository
from novote.cli.request import Asked
from novote.cli.streams import Streams
from novote.config.model import Config
from novote.model import BUG_KIND, DecisionCounts, Problem, Report
from novote.record import changed

_AHEAD = 4
"""For how many repositories git lists the files while an earlier one is audited."""

_START_BYTES = 20_000
"""What starting on a repository costs, as bytes of workflow that take as long to audit."""


class _Load(NamedTuple):
    """How much work a repository is, guessed from its workflows."""

    files: int
    size: int


def with_nested(found: Sequence[Audited], scopes: Iterable[Scope]) -> list[Scope]:
    """The repositories still to audit, by root: those of `scopes`, and those below folders that are none."""
    wanted = {scope.root: scope for scope in scopes}
    for audited in found:
        for folder in () if audited.scope.marked else audited.nested:
            root = os.path.join(audited.scope.root, folder)
            known = wanted.get(root, Scope(root, True))
            wanted[root] = known._replace(folders=("", *known.folders))
    return [wanted[root] for root in sorted(wanted)]


def audit_several(asked: Asked, scopes: Sequence[Scope], streams: Streams) -> list[Audited]:
    """Audits each repository; they are shared between processes, the large ones file by file."""
    jobs = asked.settings.jobs
    loads = {scope.root: _load(scope.root) for scope in scopes}
    workers = worth_sharing(len(scopes) + sum(load.files for load in loads.values()), jobs)
    alone = _shared_by_file(loads, workers, jobs)
    by_root = {scope.root: scope for scope in scopes}
    others = [root for root in by_root if root not in alone]
    one_process = asked._replace(settings=changed(asked.settings, jobs=1))

    def work(roots: Sequence[str]) -> list[Audited]:
        return list(audit_each(one_process, [by_root[root] for root in roots], streams))

    done = list(audit_each(asked, [by_root[root] for root in sorted(alone)], streams))
    workers = min(workers, len(others))
    parts = shared(work, others, workers, lambda root: loads[root].size) if workers > 1 else [work(others)]
    for part in parts:
        done += part
    return sorted(done, key=lambda audited: audited.scope.root)


def _load(root: str) -> _Load:
    try:
        with os.scandir(os.path.join(root, WORKFLOWS)) as entries:
            sizes = [entry.stat(follow_symlinks=False).st_size for entry in entries]
    except OSError:
        sizes = []
    return _Load(len(sizes), sum(sizes) + _START_BYTES)


def _shared_by_file(loads: Mapping[str, _Load], workers: int, jobs: int) -> frozenset[str]:
    """The repositories that would keep one process busy for longer than the others have work.

    Each is given to all processes, file by file, one repository after the other.
    """
    left = sum(load.size for load in loads.values())
    alone = set()
    for root, load in sorted(loads.items(), key=lambda item: -item[1].size):
        if load.size * workers <= left:
            break
        if worth_sharing(load.files, jobs) > 1:
            alone.add(root)
            left -= load.size
    return frozenset(alone)


def audit_each(asked: Asked, scopes: Iterable[Scope], streams: Streams) -> Iterator[Audited]:
    """Audits one repository after the other; a fault of ours in one is a problem of that one alone."""
    for search in _ahead(scopes):
        try:
            yield audit_repository(asked, search, streams)
        except Exception as error:
            message = f"novote failed on this repository ({type(error).__name__}: {error}). Please report it."
            failed = Report(0, (), (Problem(".", BUG_KIND, message),), DecisionCounts())
            yield Audited(search.scope, failed, Config())


def _ahead(scopes: Iterable[Scope]) -> Iterator[Search]:
    """Searches, of which some are always under way."""
    begun: deque[Search] = deque()
    for scope in scopes:
        begun.append(Search(scope))
        if len(begun) > _AHEAD:
            yield begun.popleft()
    yield from begun
