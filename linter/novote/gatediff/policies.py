"""What `.github/novote.yml` of the change asks less than that of the base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from novote.audit.structure.names import published
from novote.commits.message import DEFAULT_KEYS
from novote.config.model import Config
from novote.config.read import DEFAULT_FILE, read_config
from novote.gatediff.model import Shrink, Side
from novote.gatediff.naming import some
from novote.glob import matches_any
from novote.knowledge.rules import Rule
from novote.model import Hop, Location, Severity, SourceText, Span
from novote.source.nodes import Mapping
from novote.source.yaml import parse

_INSTEAD: Final = f"Take it back, or have the owners of `{DEFAULT_FILE}` confirm it in a change of its own"
_STRICTEST_FIRST: Final = ("note", "warning", "error", "never")
# What the command fails on where nobody says anything.
_BUILT_IN: Final = "error"
_ANYWHERE: Final = "**"


class _Weaker(NamedTuple):
    """One thing that is asked less: the key at the top of the file, and what is less."""

    key: str
    what: str


def weakened_policy(before: Side, after: Side) -> Iterator[Shrink]:
    """Every setting that has novote find, count or stop less; a file that cannot be used says nothing."""
    was, now = (side.repository.source_of(DEFAULT_FILE) for side in (before, after))
    if (was.text if was else None) == (now.text if now else None):
        return
    old, new = _config(was), _config(now)
    if old is None or new is None:
        return
    for key, what in chain(
        _severities(old, new, before),
        _left_out(old, new, before, after),
        _checks(old, new, after),
        _rest(old, new),
    ):
        hops = () if was is None else (Hop(before.named(_key(was, key)), "the base says so here"),)
        yield Shrink("policy", what, _INSTEAD, _key(now, key), hops)


def _config(source: SourceText | None) -> Config | None:
    if source is None:
        return Config()
    loaded = read_config(source)
    return None if loaded.problems else loaded.config


def _key(source: SourceText | None, key: str) -> Location:
    """Where a key of the top stands; the beginning of a file that does not have it."""
    root = parse(source).root if source is not None else None
    found = root.pair(key) if isinstance(root, Mapping) else None
    return Location(DEFAULT_FILE, Span(0, 0) if found is None else found[0].span)


def _severities(old: Config, new: Config, side: Side) -> Iterator[_Weaker]:
    """Rules that count less. Where that is because `strict` is off, it is told once."""
    relaxed = old.strict and not new.strict
    if relaxed:
        yield _Weaker("strict", "`strict` is off, so that claims may widen what runs and ask for exams")
    for rule in side.repository.knowledge.rules.rules:
        was, now = _severity(old, rule), _severity(new, rule)
        by_strict = (
            relaxed and rule.strict_severity is not None and rule.id not in {*old.severity, *new.severity}
        )
        if _rank(now) > _rank(was) and not by_strict:
            yield _Weaker("severity", f"findings of `{rule.id}` {_become(now)}; in the base they {_are(was)}")


def _severity(config: Config, rule: Rule) -> Severity | None:
    """How bad findings of a rule are; None where it is off."""
    built_in = rule.strict_severity if config.strict and rule.strict_severity else rule.severity
    return config.severity.get(rule.id, built_in)


def _rank(severity: Severity | None) -> int:
    return len(Severity) if severity is None else severity.rank


def _become(severity: Severity | None) -> str:
    return "are not looked for" if severity is None else f"become {severity}s"


def _are(severity: Severity | None) -> str:
    return "are not looked for" if severity is None else f"are {severity}s"


def _left_out(old: Config, new: Config, before: Side, after: Side) -> Iterator[_Weaker]:
    """Rules that do not count in more files than before, and files that nobody looks at."""
    for rule in dict.fromkeys(entry.rule for entry in new.ignore):
        files = _newly(_places(old, rule), _places(new, rule), before, after)
        if files:
            everywhere = _ANYWHERE in _places(new, rule)
            where = "anywhere" if everywhere else f"in {some(files)}"
            yield _Weaker("ignore", f"findings of `{rule}` do not count {where}")
    files = _newly(old.exclude, new.exclude, before, after)
    if files:
        yield _Weaker("exclude", f"{some(files)} {'is' if len(files) == 1 else 'are'} left out of the audit")


def _places(config: Config, rule: str) -> tuple[str, ...]:
    """Where a rule does not count, as patterns."""
    entries = [entry for entry in config.ignore if entry.rule == rule]
    return tuple(pattern for entry in entries for pattern in entry.paths or (_ANYWHERE,))


def _newly(old: Sequence[str], new: Sequence[str], before: Side, after: Side) -> tuple[str, ...]:
    """Files that patterns cover and others did not; none where they are others under new names."""
    if set(new) <= set(old):
        return ()
    found = tuple(path for path in after.paths if matches_any(new, path) and not matches_any(old, path))
    known, left = frozenset(before.paths), frozenset(after.paths)
    gone = [path for path in before.paths if path not in left and matches_any(old, path)]
    renamed = len(found) <= len(gone) and known.isdisjoint(found)
    return () if renamed else found


def _checks(old: Config, new: Config, after: Side) -> Iterator[_Weaker]:
    """Checks that are no longer required; one that nothing publishes any more may be called otherwise."""
    if old.required_checks is None or new.required_checks is None:
        return
    lost = [check for check in old.required_checks if check not in new.required_checks]
    added = [check for check in new.required_checks if check not in old.required_checks]
    names = _published(after) if added else frozenset[str]()
    kept = [check for check in lost if check in names]
    if kept or len(lost) > len(added):
        told = kept or lost
        what = f"{some(told)} {'is' if len(told) == 1 else 'are'} no longer required"
        yield _Weaker("required_checks", what)


def _published(side: Side) -> frozenset[str]:
    """What the checks of a side are called."""
    repository = side.repository
    files = (file for file in repository.sources)
    return frozenset(
        check.name for file in files for check in published(repository, file, repository.roles(file))
    )


def _rest(old: Config, new: Config) -> Iterator[_Weaker]:
    was, now = old.fail_on or _BUILT_IN, new.fail_on or _BUILT_IN
    if _STRICTEST_FIRST.index(now) > _STRICTEST_FIRST.index(was):
        yield _Weaker("fail_on", f"novote fails on `{now}`; in the base it fails on `{was}`")
    if new.queue_compensates and not old.queue_compensates:
        yield _Weaker(
            "merge_queue", "a run in the merge queue makes findings milder, and in the base it does not"
        )
    lost = [key for key in _refused(old) if key.lower() not in {each.lower() for each in _refused(new)}]
    if lost:
        yield _Weaker("refused_trailers", f"commit messages may hold {some(lost)}, which the base refuses")


def _refused(config: Config) -> Sequence[str]:
    return config.refused_trailers or DEFAULT_KEYS
