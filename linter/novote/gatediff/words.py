"""Whether one command examines at least what another does, by the words that select.

What an option means is known from the table of exams only as far as that it selects. Words without a dash and
options that name what to take (`-p CRATE`) add up; where there are none, everything is examined. Options that
name what to leave out, and patterns, take away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from novote.gatediff.doings import HOLE
from novote.gatediff.model import Doing
from novote.gatediff.naming import quoted, some
from novote.knowledge.commands import ExamCommand, WordRole
from novote.knowledge.words import Word

_EXCLUDES: Final = re.compile(r"exclud|ignor|deselect|skip|disable|omit|(?:^|-)no(?:-|$)|^-x$|^-D$|^-LE$")
_NARROWS: Final = re.compile(r"exclud|ignor|deselect|skip|(?:^|-)only|(?:^|-)filter|quick|smoke|changed")
_WIDENS: Final = re.compile(
    r"^--?(?:all|workspace|all-features|all-targets|all-files|include-.*|tags|build-tags|features"
    r"|extend-select|race|asan|msan)$"
)
_EVERYTHING: Final = frozenset({".", "./", "./...", "...", "**", "*", "all"})
_SETTING: Final = re.compile(r"true|false|auto|on|off|always|never|\d+")
"""Behind an option of which nothing is known such a word is its value."""
_INCLUDED: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "mvn": {
        "verify": frozenset({"compile", "test-compile", "test", "package", "integration-test"}),
        "install": frozenset({"compile", "test-compile", "test", "package", "integration-test", "verify"}),
        "package": frozenset({"compile", "test-compile", "test"}),
        "test": frozenset({"compile", "test-compile"}),
    },
    "gradle": {"check": frozenset({"test"}), "build": frozenset({"check", "test", "assemble"})},
}
"""What a target does besides, by the command."""
_BY_DEFAULT: Final = re.compile(
    r"(?:\./)?(?:pyproject\.toml|setup\.cfg|(?:tox|pytest|mypy)\.ini|\.?ruff\.toml|tsconfig\.json"
    r"|\.?[a-z-]+(?:rc|\.config)(?:\.[a-z]+)?|\.golangci\.ya?ml|\.pre-commit-config\.yaml)"
)
_IS_WORDS: Final = re.compile(r"(?:OPTS|OPTIONS|FLAGS|ARGS)$")
"""What such a variable holds is read behind the command's own words."""
_PARTS: Final = re.compile(r"[,|\s]+")
_CRATE: Final = "cargo "
_OF_CRATE: Final = frozenset(
    {
        "--lib",
        "--bin",
        "--bins",
        "--test",
        "--tests",
        "--example",
        "--examples",
        "--bench",
        "--benches",
        "--doc",
    }
)
_TESTS_A_CRATE: Final = ("cargo test", "cargo nextest run")

Options = Mapping[str, tuple[str, ...]]
"""The options of a command, each with its values, an empty one where it has none."""


class Given(NamedTuple):
    """What a command is given: words that select, options that select with their values, and all options."""

    command: ExamCommand
    targets: tuple[str, ...]
    selecting: Options
    options: Options

    @property
    def of_crate(self) -> frozenset[str]:
        """Which kinds of things of a crate are named."""
        return _OF_CRATE & self.options.keys() if self.command.entry.name.startswith(_CRATE) else frozenset()


def given(doing: Doing) -> Given:
    """The words of a command, told apart."""
    command = _as_it_comes_out(doing)
    targets: list[str] = []
    selecting: dict[str, tuple[str, ...]] = {}
    options: dict[str, tuple[str, ...]] = {}
    for name, _, value, role in _read(command):
        if not name:
            targets += [value] if role == "select" else []
            continue
        options[name] = (*options.get(name, ()), value)
        if (role == "select" or (not role and _NARROWS.search(name))) and not _apart(command, name):
            selecting[name] = options[name]
    for name, value in doing.variables:
        if _IS_WORDS.search(name) is None:
            options[name] = selecting[name] = (value,)
    return Given(command, tuple(targets), selecting, options)


def _apart(command: ExamCommand, name: str) -> bool:
    """Whether an option says how long or how something is done, and not what."""
    return "timeout" in name or (name == "--config" and command.entry.prefix[0] == "bazel")


def _as_it_comes_out(doing: Doing) -> ExamCommand:
    """The command with its words as they are evaluated; a word that an expression fills may be several."""
    command = doing.command
    assert command is not None
    words: list[Word] = []
    for at, text in enumerate(doing.words):
        is_value = at > 0 and _takes_value(command, doing.words[at - 1])
        is_word = at >= command.after and text[:1] != "-" and not is_value
        words += [Word(0, 0, part) for part in (text.split() if is_word else [text])]
    given = (value for name, value in doing.variables if _IS_WORDS.search(name) is not None)
    words += [Word(0, 0, part) for value in given for part in value.split()]
    return command._replace(words=tuple(words))


def _read(command: ExamCommand) -> Iterator[tuple[str, int, str, WordRole]]:
    """Each option with its place and value, and each word that is none with an empty name."""
    at = command.after
    words, roles = [word.text for word in command.words], command.roles()
    while at < len(words):
        text, role = words[at], roles[at]
        at += 1
        if text[:1] != "-" or text in ("-", "--"):
            yield "", at - 1, text, role
            continue
        name, _, value = text.partition("=")
        place = at - 1
        following = words[at] if at < len(words) else "--"
        is_taken = _takes_value(command, text) or ("=" not in text and _SETTING.fullmatch(following))
        if is_taken and following[:2] != "--":
            value = following
            at += 1
        yield name, place, value, role


def _takes_value(command: ExamCommand, text: str) -> bool:
    """Whether a word is an option behind which its value stands."""
    entry = command.entry
    known = text in entry.options or text in entry.valued or entry.plain.option(text)
    return text[:1] == "-" and "=" not in text and known


def parts(doing: Doing) -> tuple[Doing, ...]:
    """What is done to each of several targets; what is done itself where there are not several."""
    if doing.command is None:
        return (doing,)
    command = _as_it_comes_out(doing)
    words = tuple(word.text for word in command.words)
    targets = [at for name, at, _, role in _read(command) if not name and role == "select"]
    if len(targets) < 2:
        return (doing,)
    kept = [
        tuple(word for at, word in enumerate(words) if at == chosen or at not in targets)
        for chosen in targets
    ]
    return tuple(doing._replace(words=each) for each in kept)


def narrower(before: Doing, after: Doing) -> str:
    """In which words a command examines less than another of its kind; empty where it examines as much."""
    return lacking(given(before), given(after))


def lacking(old: Given, new: Given) -> str:
    """What a command lacks of another: words, options, or that it fails on what it finds."""
    if new.command.only_writes and not old.command.only_writes:
        return f"without {some(sorted(new.command.entry.checks_with))} it only writes"
    done = _INCLUDED.get(new.command.entry.name, {})
    included = {each for target in new.targets for each in done.get(target, ())}
    lost = [word for word in old.targets if word not in included and not _is_covered(word, new.targets)]
    if new.targets and lost:
        return f"it is no longer given {some(lost)}"
    if new.targets and not old.targets and not _EVERYTHING.issuperset(new.targets):
        return f"it is given {some(new.targets)} only"
    for name, values in new.selecting.items():
        reason = _by_option(name, old.selecting.get(name), values) if name not in new.of_crate else ""
        if reason:
            return reason
    return _of_crate(old, new) or _dropped(old, new)


def _by_option(name: str, old: tuple[str, ...] | None, new: tuple[str, ...]) -> str:
    """What less is examined by an option that selects."""
    shown = spelled(name, new)
    if old is None and all(value in _EVERYTHING or _BY_DEFAULT.fullmatch(value) for value in new if value):
        # What is read or taken anyway is named.
        return "" if any(new) or _WIDENS.match(name) else f"it is given {shown}"
    if old is None:
        return "" if _WIDENS.match(name) else f"it is given {shown}"
    before, after = (frozenset(part for v in values for part in _PARTS.split(v)) for values in (old, new))
    if _EXCLUDES.search(name):
        return "" if after <= before else f"it is given {shown}"
    return (
        ""
        if before <= after or HOLE in after
        else f"it is given {shown} where it was {quoted(' '.join(old))}"
    )


def _of_crate(old: Given, new: Given) -> str:
    """What of a crate is built no more; `cargo test` builds all of it where nothing is named."""
    was, now = old.of_crate, new.of_crate
    if was == now or "--all-targets" in new.options:
        return ""
    everything = old.command.entry.name in _TESTS_A_CRATE
    if everything and not was:
        return f"it is given {some(sorted(now))} only"
    lost = was - now if now or not everything else ()
    return f"it is no longer given {some(sorted(lost))}" if lost else ""


def _dropped(old: Given, new: Given) -> str:
    """An option by which more was examined, and which is gone."""
    for name, values in old.options.items():
        instead = {name, "--all-features", "--workspace" if name == "--all" else name}
        if _WIDENS.match(name) and instead.isdisjoint(new.options):
            return f"it is no longer given {spelled(name, values)}"
    return ""


def spelled(name: str, values: tuple[str, ...]) -> str:
    """An option with its values, as a message has it."""
    return quoted(" ".join((name, *filter(None, values))))


def _is_covered(word: str, targets: tuple[str, ...]) -> bool:
    """Whether what a word names is among what others name: the same, or something in a folder of theirs."""
    if not targets:
        return True
    path = _path(word)
    return any(
        target in _EVERYTHING
        or target == HOLE
        or _path(target) == path
        or path.startswith(f"{_path(target)}/")
        for target in targets
    )


def _path(word: str) -> str:
    return word.removeprefix("./").removesuffix("/...").rstrip("/*") if word != HOLE else word
