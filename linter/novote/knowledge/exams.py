"""Which commands of a script are exams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any

from novote.knowledge.commands import ExamCommand, ExamEntry, PlainWords, Wrapper, entry_from, wrapper_from
from novote.knowledge.exam_index import indexed, runs_of
from novote.knowledge.load import table
from novote.knowledge.names import NameRole, NameWords, builtin_words, name_words, role_of_name, split_name
from novote.knowledge.words import Command, Word, commands_of

__all__ = ["ExamCommand", "ExamEntry", "Exams", "Wrapper", "builtin", "extended"]

# So many programs may start one another before the search ends.
MAX_WRAPPERS = 6
# Words that alone say too little of what a script does.
_VAGUE = frozenset({"gate", "ci"})
_QUESTIONS = frozenset({"--version", "-version", "--help", "-V"})
SCRIPT_BY_NAME = ExamEntry("script named for an exam", ("",), "test", {}, positional=True)
_STRENGTH = {
    NameRole.DOCUMENTATION: 0, NameRole.NONE: 0, NameRole.SILENT: 1, NameRole.WEAK_EXAM: 2, NameRole.EXAM: 3,
}  # fmt: skip
_NO_EXAM = (NameRole.NONE, NameRole.DOCUMENTATION)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_KEYWORDS = frozenset(
    ("if", "then", "do", "else", "elif", "while", "until", "!", "{", "(", "try", "time", "exec", "command")
)
_EXTENSION = re.compile(r"\.(?:exe|cmd|bat|ps1)$")
_PROGRAM = re.compile(r"[\w./@+-]+")


class Exams:
    """The table of commands, with the index that finds one by its program."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.names: NameWords = builtin_words() if data["names"] is None else name_words(data["names"])
        self._commands, self._programs = data["commands"], data["programs"]
        self._plain = PlainWords(frozenset(data["option-words"]), frozenset(data["variable-words"]))
        self._script_entry = SCRIPT_BY_NAME._replace(plain=self._plain)
        self._wrapper_rows = data["wrappers"]
        self._index: Mapping[str, list[list[Any]]] = data["index"]
        self._wrapper_index: Mapping[str, list[list[Any]]] = data["wrapper-index"]
        self._signs: Mapping[str, list[list[str]]] = data["signs"]
        self._first_signs = frozenset(self._signs)
        phrases = frozenset(max(phrase.split(), key=len) for phrase in self.names.exam_phrases)
        self._name_signs = self.names.strong | self.names.weak | phrases
        interpreters = {name for name, rows in self._wrapper_index.items() if self._runs_scripts(rows)}
        self._interpreters = frozenset(interpreters)
        self._housekeeping = frozenset(data["housekeeping"])
        self._own_programs = frozenset(tuple(text.split()) for text in data["own-programs"])
        self._entry_cache: dict[str, tuple[ExamEntry, ...]] = {}
        self._wrapper_cache: dict[str, tuple[Wrapper, ...]] = {}
        self._cached = lru_cache(maxsize=4096)(self._commands_in)

    def entries(self, program: str) -> tuple[ExamEntry, ...]:
        """What is known of a program (lower case, without folder), the longest prefix first."""
        known = self._entry_cache.get(program)
        if known is None:
            rows = self._index.get(program, ())
            known = tuple(
                entry_from(self._commands[at], prefix.split(), self._programs, self._plain)
                for at, prefix in rows
            )
            self._entry_cache[program] = known
        return known

    def wrappers(self, program: str) -> tuple[Wrapper, ...]:
        """How a program starts another, the longest prefix first."""
        known = self._wrapper_cache.get(program)
        if known is None:
            rows = self._wrapper_index.get(program, ())
            known = tuple(wrapper_from(self._wrapper_rows[at], prefix.split()) for at, prefix in rows)
            self._wrapper_cache[program] = known
        return known

    @cached_property
    def shared_variables(self) -> frozenset[str]:
        """Variables that select whatever starts their tool: `PYTEST_ADDOPTS` gets through `make`."""
        names = {name for row in self._commands for name in row.get("env", ())}
        return frozenset(name for name in names if "_" in name or name.endswith(("FLAGS", "OPTS", "ARGS")))

    def commands_in(self, script: str) -> tuple[ExamCommand, ...]:
        """The exam commands of a `run:` script, in the order of their places; linear in its length."""
        if not self._worth_reading(script):
            return ()
        return self._cached(script)

    def _runs_scripts(self, rows: list[list[Any]]) -> bool:
        return any(self._wrapper_rows[at].get("interpreter") for at, _ in rows)

    def _worth_reading(self, script: str) -> bool:
        """Whether a script holds the parts of a known command, or may run one that is named for an exam."""
        runs = runs_of(script)
        for first in self._first_signs & runs:
            if any(runs.issuperset(others) for others in self._signs[first]):
                return True
        if self._name_signs.isdisjoint(runs):
            return False
        return "/" in script or "\\" in script or not self._interpreters.isdisjoint(runs)

    def is_housekeeping(self, script: str) -> bool:
        """Whether a script runs nothing that could check the change: it prints, moves files, installs."""
        if self.commands_in(script):
            return False
        return all(self._keeps_house(script, command) for command in commands_of(script))

    def _keeps_house(self, script: str, command: Command) -> bool:
        at = _skip_prefixes(command)
        if at < len(command) and _program(command[at].text) in ("sudo", "env"):
            at = next((i for i in range(at + 1, len(command)) if command[i].text[:1] != "-"), len(command))
        if at >= len(command) or command[at].text[:1] in "$\"'-)":
            return True
        if command[at + 1 : at + 2] and command[at + 1].text == "-m" and at + 2 < len(command):
            at += 2
        word, program = command[at], _program(command[at].text)
        if _only_asks(command, at + 1):
            return True
        if program == "xargs" and any(w.text.startswith("./") for w in command[at + 1 :]):
            return False
        subcommand = next((w.text for w in command[at + 1 :] if w.text[:1] not in "-+"), "")
        if (program, subcommand) in self._own_programs:
            return False
        return program in self._housekeeping or script[word.end : word.end + 1] == "("

    def _commands_in(self, script: str) -> tuple[ExamCommand, ...]:
        found = filter(None, map(self.recognise, commands_of(script)))
        return tuple(sorted(found, key=lambda command: command.start))

    def recognise(self, command: Command, depth: int = 0) -> ExamCommand | None:
        """The exam that a command is, or None."""
        at = _skip_prefixes(command)
        return self._at(command, at, depth, named=False) if at < len(command) else None

    def _at(self, command: Command, at: int, depth: int, named: bool) -> ExamCommand | None:
        """The exam whose program stands at `at`; `named` says that an interpreter runs it as a script."""
        head = _program(command[at].text)
        if depth < MAX_WRAPPERS:
            for wrapper in self.wrappers(head):
                behind = _match(command, at, wrapper.prefix, wrapper.valued)
                if behind >= 0:
                    found = self._unwrapped(command, behind, wrapper, depth + 1)
                    if found is not None:
                        return found
                    break
        for entry in self.entries(head):
            behind = _match(command, at, entry.prefix, entry.valued)
            if behind >= 0:
                if entry.not_exam or _only_asks(command, behind):
                    return None
                return self._judged(command, at, behind, entry)
        if head in self._index or not (named or _is_path(command[at].text)):
            return None
        return self._script(command, at)

    def _unwrapped(self, command: Command, at: int, wrapper: Wrapper, depth: int) -> ExamCommand | None:
        size, left = len(command), wrapper.positional
        while at < size:
            text = command[at].text
            if text in wrapper.scripts:
                return self._inner(command[at + 1], depth) if at + 1 < size else None
            if text in wrapper.code:
                return None
            if text in wrapper.modules:
                return self._at(command, at + 1, depth, named=False) if at + 1 < size else None
            if text[:1] in "-+" or _ASSIGNMENT.match(text):
                at += 2 if text in wrapper.valued else 1
            elif left:
                left, at = left - 1, at + 1
            else:
                break
        if wrapper.anywhere:
            places = (i for i in range(at, min(size, at + 16)) if _PROGRAM.fullmatch(command[i].text))
            tries = (self._at(command, i, depth, named=False) for i in places)
            return next((found for found in tries if found is not None and found.sure), None)
        return self._at(command, at, depth, wrapper.interpreter) if at < size else None

    def _inner(self, word: Word, depth: int) -> ExamCommand | None:
        """The first exam of a script given as one word (`bash -c "..."`), its offsets moved outwards."""
        shift = word.start + 1
        for command in commands_of(word.text):
            moved = tuple(Word(w.start + shift, w.end + shift, w.text) for w in command)
            found = self.recognise(moved, depth)
            if found is not None:
                return found
        return None

    def _judged(self, command: Command, at: int, behind: int, entry: ExamEntry) -> ExamCommand | None:
        if not entry.targets:
            return ExamCommand(command, at, behind, entry, weak=entry.weak, kind=entry.kind)
        targets = list(_targets(command, behind, entry))
        if not targets:
            return ExamCommand(command, at, behind, entry, kind=entry.kind) if entry.bare else None
        named = [text for text in targets if text.lower() in entry.target_words or self._says_exam(text)]
        if named:
            only_builds = all(map(self._builds, named))
            return ExamCommand(command, at, behind, entry, kind="build" if only_builds else entry.kind)
        if entry.targets == "any" and not all(self._ships(text) for text in targets):
            return ExamCommand(command, at, behind, entry, kind=entry.kind)
        if any("$" in text for text in targets):
            return ExamCommand(command, at, behind, entry, sure=False, kind=entry.kind)
        return None

    def _role(self, name: str) -> NameRole:
        return role_of_name(name, self.names)

    def _ships(self, target: str) -> bool:
        return self._role(target) in _NO_EXAM and self.names.strong.isdisjoint(split_name(target))

    def _builds(self, name: str) -> bool:
        """Whether a name says no more than that something is built."""
        builds = not self.names.building.isdisjoint(split_name(name))
        return builds and self._role(name) is NameRole.WEAK_EXAM

    def _says_exam(self, name: str) -> bool:
        return self._role(name) in (NameRole.EXAM, NameRole.WEAK_EXAM)

    def _script(self, command: Command, at: int) -> ExamCommand | None:
        """A script of the repository, judged by its own name and by the first word it is given."""
        stem = _program(command[at].text).rsplit(".", 1)[0]
        role = self._role(stem)
        if role in (NameRole.SILENT, NameRole.WEAK_EXAM):
            argument = next((w.text for w in command[at + 1 : at + 4] if w.text[:1] not in "-$"), "")
            if len(argument) < 40 and "/" not in argument and "." not in argument:
                role = max(role, self._role(argument), key=_STRENGTH.__getitem__)
        if role not in (NameRole.EXAM, NameRole.WEAK_EXAM):
            return None
        builds = self._builds(stem)
        # A script from elsewhere, or one called `gate`, may settle anything.
        elsewhere = command[at].text[:1] in "$/~" or self.names.weak.intersection(split_name(stem)) <= _VAGUE
        checks = role is NameRole.WEAK_EXAM and not builds
        kind = "build" if builds else SCRIPT_BY_NAME.kind
        return ExamCommand(
            command, at, at + 1, self._script_entry,
            sure=False, weak=checks and elsewhere, checks=checks, kind=kind,
        )  # fmt: skip


def _skip_prefixes(command: Command) -> int:
    at, size = 0, len(command)
    while at < size and (command[at].text in _KEYWORDS or _ASSIGNMENT.match(command[at].text)):
        at += 1
    return at


def _program(text: str) -> str:
    """The name of a program without its folder and without an extension of Windows."""
    return _EXTENSION.sub("", re.split(r"[/\\]", text)[-1].lower())


def _is_path(text: str) -> bool:
    return ("/" in text or "\\" in text) and "://" not in text and not text.startswith("-")


def _match(command: Command, at: int, prefix: tuple[str, ...], valued: frozenset[str]) -> int:
    """The index behind the prefix, which may have options between its words; -1 where it does not match."""
    at += 1
    size = len(command)
    for expected in prefix[1:]:
        while at < size and command[at].text != expected:
            text = command[at].text
            if text[:1] not in ("-", "+"):
                return -1
            at += 2 if text in valued else 1
        if at >= size:
            return -1
        at += 1
    return at


def _only_asks(command: Command, at: int) -> bool:
    """Whether a program is asked for nothing but its version or its help."""
    return at == len(command) - 1 and command[at].text in _QUESTIONS


def _targets(command: Command, at: int, entry: ExamEntry) -> Iterator[str]:
    size = len(command)
    while at < size:
        text = command[at].text
        if text == "--" and not entry.target_words:
            return
        if text[:1] in ("-", "+") or _ASSIGNMENT.match(text):
            name, equals, value = text.partition("=")
            if entry.options.get(name) == "select":
                yield value if equals else command[at + 1].text if at + 1 < size else ""
            takes = name in entry.valued or name in entry.options
            at += 2 if takes and not equals else 1
        else:
            yield text
            at += 1


@cache
def builtin() -> Exams:
    """The table novote ships."""
    return Exams(table("exams"))


def extended(documents: Iterable[Mapping[str, Any]]) -> Exams:
    """The table with a repository's own documents of `rules/exams` added; its commands win."""
    base = table("exams")
    commands, wrappers, programs = list(base["commands"]), list(base["wrappers"]), dict(base["programs"])
    words = {
        key: list(base[key]) for key in ("housekeeping", "own-programs", "option-words", "variable-words")
    }
    for document in documents:
        commands[:0] = document.get("commands", ())
        wrappers[:0] = document.get("wrappers", ())
        programs |= document.get("programs", {})
        for key, found in words.items():
            found += document.get(key.replace("-", "_"), {}).get("words", ())
    added = {"commands": commands, "wrappers": wrappers, "programs": programs, **words}
    return Exams({**base, **added, **indexed(commands, wrappers)})
