"""What a repository adds to what novote knows: its own sources, actions, commands and rules."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from novote.knowledge import Knowledge, actions, exams, programs, rules, sources
from novote.knowledge.load import table
from novote.knowledge.rules import CHECK_SLOTS, MESSAGE_SLOTS

Document = Mapping[str, Any]


class Additions(NamedTuple):
    """The documents of `.github/novote/`, each valid by its schema."""

    sources: tuple[Document, ...] = ()
    actions: tuple[Document, ...] = ()
    exams: tuple[Document, ...] = ()
    commands: tuple[Document, ...] = ()
    policies: tuple[Document, ...] = ()


class Extended(Knowledge):
    """What novote ships together with what a repository adds; the repository's entries win."""

    def __init__(self, additions: Additions) -> None:
        self._additions = additions

    @cached_property
    def sources(self) -> sources.Sources:
        """Who writes what of the `github` context."""
        extra = [e for document in self._additions.sources for e in document.get("sources", ())]
        return sources.build(table("sources"), extra) if extra else sources.builtin()

    @cached_property
    def actions(self) -> actions.Actions:
        """Third-party actions, and the repository's."""
        own = self._additions.actions
        return actions.extended(own) if own else actions.builtin()

    @cached_property
    def exams(self) -> exams.Exams:
        """Exam commands."""
        own = self._additions.exams
        return exams.extended(own) if own else exams.builtin()

    @cached_property
    def programs(self) -> programs.Programs:
        """What the commands of scripts write and do."""
        own = self._additions.commands
        return programs.extended(own) if own else programs.builtin()

    @cached_property
    def rules(self) -> rules.Rules:
        """Novote's own rules, where the repository does not replace them, and the repository's."""
        own = {document["id"]: document for document in self._additions.policies}
        if not own:
            return rules.builtin()
        shipped = {document["id"]: document for document in table("policies")["policies"]}
        return rules.Rules({**shipped, **own}.values(), frozenset(own))


def message_faults(document: Document) -> Iterator[str]:
    """What is wrong with the message of a rule that is valid by its schema."""
    try:
        fields = list(string.Formatter().parse(document["message"]))
    except ValueError:
        yield "A brace in the message stands alone. Write `{{` or `}}` where a brace is meant."
        return
    check = document["match"].get("check")
    slots = MESSAGE_SLOTS if check is None else CHECK_SLOTS.get(check, frozenset())
    for _, name, format_spec, conversion in fields:
        if name is not None and (name not in slots or format_spec or conversion):
            known = ", ".join(f"{{{slot}}}" for slot in sorted(slots)) or "nothing"
            yield f"The message names {{{name}}}, which nothing fills. It may name {known}."
