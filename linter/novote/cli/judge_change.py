"""What there is to say of a repository beside its workflows: of its map, and of the commits of a change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from novote.audit.beside import NOTHING_BESIDE, Beside, joined, written_in
from novote.audit.settings import Settings
from novote.audit.suppress import Words
from novote.cli.about import About, Change, unknown_change
from novote.cli.base_config import keys_of
from novote.cli.discovery.pinned import load_at_base
from novote.cli.discovery.tree import Unreadable
from novote.cli.judge_gate import judge_gate
from novote.commits.facts import read_range
from novote.commits.judge import Measure, range_findings
from novote.config.model import Config
from novote.fixturemap.match import compile_map
from novote.fixturemap.model import FixtureMap
from novote.git.error import GitError
from novote.knowledge import Knowledge
from novote.knowledge.rules import Rules
from novote.model import Problem, SourceText
from novote.recompute.candidate import examine, meeting_points
from novote.recompute.receipt import as_text
from novote.recompute.run import MapError, read_committed
from novote.recompute.select import Selection, select
from novote.source.yaml import parse


class _Base(NamedTuple):
    """The map as the base has it, or why there is none to use."""

    fixture_map: FixtureMap | None
    remark: str = ""


def judge_repository(
    about: About, change: Change | None, root: str, settings: Settings, knowledge: Knowledge, verbose: bool
) -> Beside:
    """The map as it lies there, and the commits of the change where there is one.

    Where the user did not name the change, what git cannot tell of it is a remark, and no problem.
    """
    on_disk = _map_on_disk(about, root, knowledge.rules, settings.today)
    if change is None:
        return on_disk
    try:
        source = on_disk.sources.get(about.map_file)
        return joined((on_disk, _judge_range(about, change, settings.config, knowledge, source, verbose)))
    except GitError as error:
        return joined((on_disk, _unknown(change, str(error))))


def _map_on_disk(about: About, root: str, rules: Rules, today: date) -> Beside:
    from novote.cli.map.judge import judge_map
    from novote.cli.map.place import MapPlace

    place = MapPlace(root, about.map_file)
    if os.path.lexists(place.path):
        return judge_map(place, rules, today)
    if about.map is None:
        return NOTHING_BESIDE
    message = f"There is no fixture map at {about.map}. `novote map init` drafts one."
    return Beside(problems=(Problem(about.map, "map-missing", message),))


def _judge_range(
    about: About,
    change: Change,
    config: Config,
    knowledge: Knowledge,
    source: SourceText | None,
    verbose: bool,
) -> Beside:
    """The commits since the base, held against the map at its tip; `source` is the map as it lies on disk."""
    rules = knowledge.rules
    meeting_points(change.git, change.base, change.head)
    base = _map_at_base(about, change)
    map_file = about.map_file if base.fixture_map is not None or source is not None else None
    facts = read_range(change.git, change.base, change.head, map_file)
    selection, unknown = _selection(change, base.fixture_map)
    gate = judge_gate(change, about.map_file, config, knowledge)
    source = source or SourceText(about.map_file, "")
    measure = None
    if base.fixture_map is not None:
        measure = Measure(base.fixture_map, source, compile_map(base.fixture_map), selection)
    findings = range_findings(facts, keys_of(config), rules, measure)
    remarks = [base.remark] if base.remark and facts.commits else []
    if selection is not None and (verbose or facts.by_agent):
        remarks += _reasons(selection)
    rules_held = rules.of_commits if measure else frozenset[str]()
    agreed = _agreed(change, about.map_file)
    told = Beside(findings, (), {source.file: source}, rules_held, tuple(remarks), agreed)
    return joined((told, unknown, gate))


def _agreed(change: Change, map_file: str) -> frozenset[Words]:
    """What the comments to novote in the base's map say, whether the map can be used or not."""
    try:
        source = load_at_base(change.git, change.base, map_file)
    except Unreadable:
        return frozenset()
    return frozenset(directive.words for directive in written_in(parse(source)))


def _map_at_base(about: About, change: Change) -> _Base:
    try:
        return _Base(read_committed(change.git, change.base, about.map_file))
    except MapError as error:
        what = f"the fixture map at the base {change.base[:12]} cannot be used"
        return _Base(
            None, f"{what}, so only the messages of the commits are judged: {error.problems[0].message}"
        )


def _selection(change: Change, fixture_map: FixtureMap | None) -> tuple[Selection | None, Beside]:
    """What the change needs by the base's map; None without a map, or where git cannot tell what changed."""
    if fixture_map is None:
        return None, NOTHING_BESIDE
    try:
        candidate = examine(change.git, change.base, change.head)
    except GitError as error:
        return None, _unknown(change, str(error))
    return select(fixture_map, compile_map(fixture_map), candidate.changed), NOTHING_BESIDE


def _unknown(change: Change, message: str) -> Beside:
    if change.is_named:
        return Beside(problems=(unknown_change(message),))
    return Beside(remarks=(f"the commits are not judged: {message}",))


def _reasons(selection: Selection) -> Iterator[str]:
    """What was selected, a line a fixture, each with its first reason."""
    for fixture in selection.fixtures:
        reasons = selection.because.get(fixture, ())
        if reasons:
            first, *others = reasons
            more = f", and {len(others)} more" if others else ""
            yield f"needs {fixture}: {as_text(first.path)} hits `{first.pattern}`{more}"
        else:
            yield f"needs {fixture}: always"
