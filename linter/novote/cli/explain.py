"""`novote explain RULE`: what a rule means, why, what to do instead, with examples."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator

from novote.cli.catalogue import Policy, policies, rule_ids
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.streams import Streams
from novote.knowledge.rules import cited_rows
from novote.nearest import did_you_mean

WIDTH = 88
EXAMPLE_HEADINGS = {"bad": "Bad", "good": "Good", "near_miss": "Near, but no finding", "fixed": "Mended"}

_EXPECTATION = re.compile(r"[ \t]*# (?:expect|tolerate): .*")
"""What makes an example a test; the reader sees the heading instead."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `explain` takes."""
    parser.add_argument("rule", nargs="?", metavar="RULE", help="a rule's id, such as claim-skips-exam")


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Prints a rule's page. Raises UsageError for a rule that does not exist."""
    if args.rule is None:
        raise UsageError("which rule? `novote rules` lists them")
    for policy in policies():
        if policy["id"] == args.rule:
            streams.write("\n".join(page(policy)) + "\n")
            return ExitCode.CLEAN
    hint = did_you_mean(args.rule, rule_ids()) or "; `novote rules` lists them"
    raise UsageError(f"no rule {args.rule!r}{hint}")


def page(policy: Policy) -> Iterator[str]:
    """The lines of a rule's page."""
    yield f"{policy['id']} ({policy['severity']}): {policy['title']}"
    for heading, key in (("Why", "why"), ("Instead", "remedy"), ("Fix", "fix")):
        if key in policy:
            yield from ("", heading, *_wrapped(policy[key]))
    rows = cited_rows(policy["id"])
    if rows:
        yield from ("", "In the decision table", *(line for row in rows for line in _wrapped(row)))
    for example in policy["examples"]:
        yield from _example(example)
    if policy.get("references"):
        yield from ("", "References", *(f"  {reference}" for reference in policy["references"]))
    suppression = f"# novote: allow {policy['id']} -- REASON [until YYYY-MM-DD]"
    yield from ("", "To allow one place, on its line or alone on the line above:", f"  {suppression}")


def _wrapped(text: str) -> list[str]:
    paragraphs = text.strip().split("\n\n")
    wrapped = [
        textwrap.fill(" ".join(p.split()), WIDTH, initial_indent="  ", subsequent_indent="  ")
        for p in paragraphs
    ]
    return "\n\n".join(wrapped).split("\n")


def _example(example: Policy) -> Iterator[str]:
    """The texts of one example, each below what it shows, after an empty line."""
    for key, heading in EXAMPLE_HEADINGS.items():
        if key in example:
            yield from ("", heading)
            text = _EXPECTATION.sub("", example[key])
            yield from textwrap.indent(text.rstrip(), "  ").split("\n")
