"""Exam commands as data: what is known of a command, of what starts it, and of one found in a script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from novote.knowledge.words import Word

WordRole = Literal["", "select", "retry", "soften"]


_PART = re.compile(r"[a-z0-9]+")


class PlainWords(NamedTuple):
    """Words in the names of options and of variables that say that their values choose no test."""

    options: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()

    def option(self, name: str) -> bool:
        """Whether an option takes a value that chooses no test."""
        return not self.options.isdisjoint(_PART.findall(name.lower()))

    def variable(self, name: str) -> bool:
        """Whether a variable chooses no test."""
        return not self.variables.isdisjoint(_PART.findall(name.lower()))


class ExamEntry(NamedTuple):
    """A command that is known. `options` gives the role of each option that has one.

    `positional` says that words which are no options select; `targets` that such words decide by their names
    whether it is an exam at all (`named`: one must say so; `any`: unless all say that it is none), `bare`
    that it is one without any. `valued` options take a value that means nothing here; `env` names variables
    that select. `remembers` are the options by which an
    earlier run says what is tested, each with the folder that holds what it remembers. Where `checks_with`
    names words, it only writes unless one of them is among its own. One that is `weak`
    does what it is told: it is an exam where its job's name says so.
    """

    name: str
    prefix: tuple[str, ...]
    kind: str
    options: Mapping[str, WordRole]
    positional: bool = False
    targets: Literal["", "named", "any"] = ""
    target_words: frozenset[str] = frozenset()
    bare: bool = False
    not_exam: bool = False
    env: tuple[str, ...] = ()
    valued: frozenset[str] = frozenset()
    plain: PlainWords = PlainWords()
    remembers: Mapping[str, str] = {}
    checks_with: frozenset[str] = frozenset()
    weak: bool = False

    @property
    def typed(self) -> str:
        """The words by which it is recognised: several commands of one kind share an entry's name."""
        return " ".join(self.prefix).strip() or self.name


class Wrapper(NamedTuple):
    """A command that starts another: `sudo`, `npx`, `python -m`.

    `positional` words are skipped before the command begins; an option of `scripts` holds a script, one of
    `modules` the command, one of `code` ends the search. `interpreter` says that the command is a script's
    path, `anywhere` that the command stands somewhere behind.
    """

    prefix: tuple[str, ...]
    positional: int = 0
    valued: frozenset[str] = frozenset()
    scripts: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    interpreter: bool = False
    anywhere: bool = False


class ExamCommand(NamedTuple):
    """An exam command in a script; offsets count into the script.

    `first` is the index of its program in `words` (behind wrappers), `after` that of the word behind the
    prefix. `sure` is false where a name or an unknown target alone says that it is an exam, `weak` true where
    that is little to go by: a script called `gate`, or one from outside the repository. `checks` is true
    where all that a script's name says is that something is checked. `kind` is that of the entry, or `build`
    where all its targets say no more than that.
    """

    words: tuple[Word, ...]
    first: int
    after: int
    entry: ExamEntry
    sure: bool = True
    weak: bool = False
    checks: bool = False
    kind: str = ""

    @property
    def start(self) -> int:
        """Where the command begins, wrappers included."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """Where its last word ends."""
        return self.words[-1].end

    @property
    def only_writes(self) -> bool:
        """Whether it puts right what it finds instead of failing on it."""
        given = (word.text.partition("=")[0] for word in self.words[self.first :])
        return bool(self.entry.checks_with) and self.entry.checks_with.isdisjoint(given)

    def roles(self) -> tuple[WordRole, ...]:
        """What each word does: selects tests, repeats them, softens the verdict, or nothing known."""
        found: list[WordRole] = [""] * len(self.words)
        for at in range(self.first):
            name, equals, _ = self.words[at].text.partition("=")
            if equals and (
                name in self.entry.env or (self.entry.targets and not self.entry.plain.variable(name))
            ):
                found[at] = "select"
        pending: WordRole | None = None
        for at in range(self.after, len(self.words)):
            text = self.words[at].text
            # The value of many an option may be left out: what looks like another option is one.
            if pending is not None and text[:2] != "--":
                found[at], pending = pending, None
            elif text[:1] == "-" and text != "-":
                name, equals, _ = text.partition("=")
                role = self._option(name)
                found[at] = role or ""
                known = name in self.entry.options or name in self.entry.valued
                if not equals and (known or self.entry.plain.option(name)):
                    pending = role or ""
            elif (self.entry.positional or self.entry.targets) and not self._sets_plainly(text):
                found[at] = "select"
        return tuple(found)

    def _sets_plainly(self, text: str) -> bool:
        """Whether a word sets a variable that chooses no test."""
        name, equals, _ = text.partition("=")
        return (
            bool(equals)
            and name.isidentifier()
            and name not in self.entry.env
            and self.entry.plain.variable(name)
        )

    def _option(self, name: str) -> WordRole | None:
        """The role of an option: empty for one that takes a plain value, None for an unknown one."""
        role = self.entry.options.get(name)
        if role is None and name in self.entry.valued:
            return ""
        if role is None and len(name) > 2 and name[1] != "-":
            role = self.entry.options.get(name[:2])
        return role


_ROLES: tuple[tuple[str, WordRole], ...] = (("select", "select"), ("retries", "retry"), ("softens", "soften"))


def _options(row: Mapping[str, Any]) -> dict[str, WordRole]:
    found: dict[str, WordRole] = {}
    for key, role in _ROLES:
        for option in row.get(key, {}).get("options", ()):
            found[option] = role
    return found


def entry_from(
    row: Mapping[str, Any], prefix: list[str], programs: Mapping[str, Any], plain: PlainWords
) -> ExamEntry:
    """The entry of one row under one of its prefixes; `programs` adds the options of whole programs."""
    return ExamEntry(
        row["command"],
        tuple(prefix),
        row.get("kind", ""),
        _options(row),
        positional=row.get("select", {}).get("positional", False),
        targets=row.get("targets", ""),
        target_words=frozenset(row.get("target_words", ())),
        bare=row.get("bare", False),
        not_exam=row.get("not_exam", False),
        env=tuple(row.get("env", ())),
        valued=frozenset((*row.get("valued", ()), *programs.get(prefix[0], {}).get("valued", ()))),
        plain=plain,
        remembers=row.get("remembers", {}),
        checks_with=frozenset(row.get("checks_with", ())),
        weak=row.get("weak", False),
    )


def wrapper_from(row: Mapping[str, Any], prefix: list[str]) -> Wrapper:
    """The wrapper of one row under one of its prefixes."""
    return Wrapper(
        tuple(prefix),
        row.get("positional", 0),
        valued=frozenset(row.get("valued", ())),
        scripts=frozenset(row.get("scripts", ())),
        modules=frozenset(row.get("modules", ())),
        code=frozenset(row.get("code", ())),
        interpreter=row.get("interpreter", False),
        anywhere=row.get("anywhere", False),
    )
