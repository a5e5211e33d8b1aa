"""`novote ledger stats`: how often each fixture flakes, how sure that is, and how it fails."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from novote.cli.exit_code import ExitCode
from novote.cli.layout import json_text, markdown_table, text_table
from novote.cli.ledger.failing import fails_closed, say_faults
from novote.cli.outputs import add_outputs, chosen_outputs, write_outputs
from novote.cli.streams import Streams
from novote.ledger.started import with_lost
from novote.ledger.stats import FixtureStats, statistics
from novote.ledger.store import reader_of

Stats = Sequence[FixtureStats]

_COLUMNS = ("fixture", "attempts", "failed", "commits", "flaky", "flake rate (95 %)", "last seen", "fails as")
_SIGNATURES = 5
_NAMED = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `ledger stats` takes."""
    parser.add_argument("file", metavar="FILE", help="the ledger")
    parser.add_argument("--fixture", metavar="ID", help="this fixture alone")
    add_outputs(parser, _FORMATS)


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Counts what can be read. 3 where something of the ledger cannot."""
    outputs = chosen_outputs(args.format or ())
    with reader_of(args.file) as reader:
        attempts = with_lost(args.file, reader)
        found = statistics(a for a in attempts if args.fixture in (None, a.fixture))
    write_outputs(outputs, lambda output: _FORMATS[output.format](found), streams)
    return say_faults(args.file, reader, streams)


def _text(found: Stats) -> str:
    from novote.report.escape import terminal

    if not found:
        return ""
    return text_table([_COLUMNS, *([terminal(cell) for cell in _cells(stats)] for stats in found)])


def _markdown(found: Stats) -> str:
    from novote.report.escape import markdown

    return markdown_table([_COLUMNS, *([markdown(cell) for cell in _cells(stats)] for stats in found)])


def _cells(stats: FixtureStats) -> tuple[str, ...]:
    named = [f"{name} ({count})" for name, count in stats.signatures[:_NAMED]]
    rest = len(stats.signatures) - _NAMED
    return (
        stats.fixture,
        str(stats.attempts),
        str(stats.failures),
        str(stats.commits),
        str(stats.flaky),
        rate_text(stats),
        (stats.last or "")[:10],
        ", ".join(named) + (f", {rest} more" if rest > 0 else ""),
    )


def rate_text(stats: FixtureStats) -> str:
    """`4.0 % (1.1 to 13.5 %, n = 50)`."""
    rate, low, high, n = stats.rate
    return f"{rate * 100:.1f} % ({low * 100:.1f} to {high * 100:.1f} %, n = {n})"


def _json(found: Stats) -> str:
    return json_text({"schema": "novote/ledger-stats/v1", "fixtures": [*map(_document, found)]})


def _document(stats: FixtureStats) -> dict[str, object]:
    rate, low, high, n = stats.rate
    return {
        "fixture": stats.fixture,
        "attempts": stats.attempts,
        "failures": stats.failures,
        "commits": stats.commits,
        "flaky": stats.flaky,
        "rate": {"value": round(rate, 6), "low": round(low, 6), "high": round(high, 6), "n": n},
        "first_seen": stats.first,
        "last_seen": stats.last,
        "signatures": [{"name": name, "count": count} for name, count in stats.signatures[:_SIGNATURES]],
    }


def _html(found: Stats) -> str:
    from novote.cli.ledger.stats_page import page

    return page(found)


_FORMATS: dict[str, Callable[[Stats], str]] = {
    "text": _text,
    "json": _json,
    "markdown": _markdown,
    "html": _html,
}
