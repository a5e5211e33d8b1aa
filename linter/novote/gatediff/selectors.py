"""Lists of paths by which exams are selected, and that let fewer paths through than in the base.

The lists are those of actions that say what changed, and the paths that a comparison of git is limited to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from novote.config.plain import Unfit, plain
from novote.fixturemap.lints.language import Budget
from novote.flow.outputs import with_texts
from novote.flow.repository import Repository
from novote.flow.written import written_in
from novote.gatediff.filters import covers
from novote.gatediff.jobs import settling, touched
from novote.gatediff.model import Shrink, Side
from novote.gatediff.naming import some
from novote.knowledge.words import commands_of
from novote.model import Hop, Location, SourceText
from novote.source.nodes import Scalar
from novote.source.yaml import parse
from novote.workflow.model import Job, Step

_INSTEAD: Final = "Let the paths select what they selected, or have this confirmed in a change of its own"
_NAMED: Final = ("filters", "files_yaml")
_PLAIN: Final = ("files",)
_MAGIC: Final = ("!", ":!", ":^", ":(exclude)")
_BEFORE: Final = ("if", "!", "while", "elif")
_DEEPEST: Final = 4


class _List(NamedTuple):
    """A list of paths: who selects by it, its name there, and patterns, those that take out with `!`."""

    selector: str
    name: str
    patterns: tuple[str, ...]
    job: str
    location: Location

    def without(self, files: Collection[str]) -> _List:
        """The list without files that are not there."""
        return self._replace(patterns=tuple(each for each in self.patterns if each not in files))

    @property
    def taking(self) -> tuple[str, ...]:
        """The patterns that let paths through."""
        return tuple(pattern for pattern in self.patterns if not pattern.startswith("!"))

    @property
    def leaving(self) -> tuple[str, ...]:
        """The patterns that take paths out, without what says so."""
        return tuple(pattern[1:] for pattern in self.patterns if pattern.startswith("!"))


def narrower_lists(before: Side, after: Side) -> Iterator[Shrink]:
    """Every list that lets fewer paths through, and in whose place none lets as many through."""
    gone = frozenset(before.paths).difference(after.paths)
    files = touched(before, after)
    old = [each.without(gone) for each in _lists(before.repository, files)]
    new = list(_lists(after.repository, files))
    kept = {(each.selector, each.name, each.patterns) for each in old}
    budget = Budget()
    for was in old:
        like = [each for each in new if each.selector == was.selector]
        same = [each for each in like if each.name == was.name]
        if any(not _lost(was, each, budget) for each in same or like):
            continue
        left = [each for each in same if (each.selector, each.name, each.patterns) not in kept]
        left.sort(key=lambda each: (each.job != was.job, each.location.file != was.location.file))
        if left:
            now = left[0]
            name = f"`{now.name}` of " if now.name else ""
            what = f"{name}`{now.selector}` no longer lets {some(_lost(was, now, budget))} through"
            hop = Hop(before.named(was.location), "the base lets it through")
            yield Shrink("condition", what, _INSTEAD, now.location, (hop,), job=now.job)


def _lost(was: _List, now: _List, budget: Budget) -> tuple[str, ...]:
    """What a list no longer lets through: patterns that nothing covers, and such as are newly taken out."""
    if not now.taking:
        lost: tuple[str, ...] = ()
    elif not was.taking:
        return ("anything else",)
    else:
        lost = tuple(each for each in was.taking if not _is_covered(each, now.taking, budget))
    return (*lost, *(each for each in now.leaving if not _is_covered(each, was.leaving, budget)))


def _is_covered(pattern: str, others: Sequence[str], budget: Budget) -> bool:
    return any(
        pattern == other or pattern.startswith(f"{other.rstrip('/')}/") or covers(other, pattern, budget)
        for other in others
    )


def _lists(repository: Repository, files: Iterable[str]) -> Iterator[_List]:
    for file, job in settling(repository, files):
        for step in job.steps:
            model = repository.knowledge.actions.used_by(step)
            if model is not None and model.selector and step.uses is not None:
                yield from _of_action(repository, file, job, step, step.uses)
            elif step.run is not None:
                yield from _of_script(repository, file, job, step)


def _of_action(repository: Repository, file: str, job: Job, step: Step, uses: Scalar) -> Iterator[_List]:
    """The lists that an action is given; what it ignores takes out."""
    selector = uses.value.partition("@")[0].strip().lower()
    texts = with_texts(step)
    places = {key.lower(): node for key, node in step.with_ if isinstance(node, Scalar)}
    for key in filter(texts.get, _NAMED):
        found = repository.text_of(texts[key].strip()) if "\n" not in texts[key] else None
        for name, patterns in _named(texts[key] if found is None else found):
            yield _List(selector, name, patterns, job.id, Location(file, places[key].span))
    for key in filter(texts.get, _PLAIN):
        ignored = tuple(f"!{pattern}" for pattern in texts.get(f"{key}_ignore", "").split())
        yield _List(selector, "", (*texts[key].split(), *ignored), job.id, Location(file, places[key].span))


def _named(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Named lists of patterns, written as YAML; lists within come of anchors, mappings of kinds of edits."""
    root = parse(SourceText("", text)).root
    try:
        value = plain(root) if root is not None else None
    except Unfit:
        return
    for name, entry in value.items() if isinstance(value, dict) else ():
        yield str(name), tuple(_patterns(entry))


def _patterns(entry: object, depth: int = 0) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif depth < _DEEPEST and isinstance(entry, list | dict):
        for item in entry.values() if isinstance(entry, dict) else entry:
            yield from _patterns(item, depth + 1)


def _of_script(repository: Repository, file: str, job: Job, step: Step) -> Iterator[_List]:
    """The paths that comparisons of a script are limited to, behind `--`."""
    written = written_in(step, repository.knowledge)
    for command in commands_of(written[0].value) if written is not None and "git" in written[0].value else ():
        words = [word.text for word in command if word.text not in _BEFORE]
        if words[:2] == ["git", "diff"] and "--" in words and written is not None:
            paths = words[words.index("--") + 1 :]
            yield _List(
                "git diff", "", tuple(map(_as_pattern, paths)), job.id, Location(file, written[0].span)
            )


def _as_pattern(pathspec: str) -> str:
    """What a path means to git, as a filter has it: a folder is all in it, and a star crosses folders."""
    magic = next((each for each in _MAGIC if pathspec.startswith(each)), "")
    path = pathspec.removeprefix(magic).removesuffix("/**").rstrip("/")
    return f"{'!' if magic else ''}{path if '**' in path else path.replace('*', '**')}"
