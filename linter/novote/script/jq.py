"""Programs of jq: what they are, what they make of a document, which parts of it they read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novote.script.jq_functions import Failure, JsonValue, TooMuch
from novote.script.jq_machine import Machine
from novote.script.jq_parser import parse
from novote.script.jq_reads import literals, reads
from novote.script.jq_syntax import Program

__all__ = ["JsonValue", "Program", "literals", "parse", "reads", "run"]

MAX_OUTPUTS = 1_000


def run(
    program: Program, document: JsonValue, arguments: Mapping[str, JsonValue] = {}
) -> list[JsonValue] | None:
    """What a program makes of a document; None for an error, something unknown, or too much work.

    `arguments` are the values of `--arg` and `--argjson`.
    """
    try:
        return list(_bounded(Machine().run(program, document, dict(arguments))))
    except (Failure, TooMuch, RecursionError):
        return None


def _bounded(outputs: Iterator[JsonValue]) -> Iterator[JsonValue]:
    for number, output in enumerate(outputs):
        if number >= MAX_OUTPUTS:
            raise TooMuch
        yield output
