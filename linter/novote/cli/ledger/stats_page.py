"""The statistics of a ledger as one HTML page: small charts drawn in it, nothing fetched, nothing run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novote.cli.ledger.stats import rate_text
from novote.ledger.stats import FixtureStats
from novote.report.page.chart import bar, drawing
from novote.report.page.text import shown

_WIDTH = 180
_NAMED = 3
_HEADINGS = (
    "Fixture",
    "Attempts",
    "Failed",
    "Commits",
    "Flaky",
    "Flake rate",
    "Last attempts",
    "Seen",
    "Fails as",
)
_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Flaky fixtures</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em; }
table { border-collapse: collapse; }
th, td { padding: .3em .8em; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
code { overflow-wrap: anywhere; }
.track { fill: #8883; } .range { fill: #d98a00; } .rate { fill: currentColor; }
.pass { fill: #2a8a4a; } .fail { fill: #c8323c; }
</style>
</head>
<body>
<h1>Flaky fixtures</h1>
<p>A fixture is flaky at a commit where it failed and passed. The bar is the 95 % interval (Wilson) of how
often that happens, the mark in it the rate itself.</p>
"""


def page(found: Sequence[FixtureStats]) -> str:
    """The whole page."""
    heads = "".join(f"<th>{heading}</th>" for heading in _HEADINGS)
    rows = "".join(f"<tr>{''.join(_cells(stats))}</tr>\n" for stats in found)
    table = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    return f"{_HEAD}{table}</body>\n</html>\n"


def _cells(stats: FixtureStats) -> Iterator[str]:
    yield f"<td><code>{shown(stats.fixture)}</code></td>"
    for number in (stats.attempts, stats.failures, stats.commits, stats.flaky):
        yield f'<td class="number">{number}</td>'
    yield f"<td>{_interval(stats)}</td>"
    yield f"<td>{_history(stats)}</td>"
    yield f"<td>{shown((stats.first or '')[:10])}<br>{shown((stats.last or '')[:10])}</td>"
    named = (f"<code>{shown(name)}</code> ({count})" for name, count in stats.signatures[:_NAMED])
    yield f"<td>{'<br>'.join(named)}</td>"


def _interval(stats: FixtureStats) -> str:
    """A bar from 0 to 100 %, and the same in words."""
    rate, low, high, _ = stats.rate
    words = rate_text(stats)
    bars = (
        bar("track", 0, _WIDTH),
        bar("range", low * _WIDTH, max(1, (high - low) * _WIDTH)),
        bar("rate", min(rate * _WIDTH, _WIDTH - 2), 2),
    )
    return f"{drawing(_WIDTH, words, bars)}<br>{words}"


def _history(stats: FixtureStats) -> str:
    """A mark for each of the last attempts: a tall one where it failed."""
    bars = [bar("pass" if ok else "fail", at * 3, 2, ok) for at, ok in enumerate(stats.history)]
    failed = sum(not ok for ok in stats.history)
    return drawing(3 * max(1, len(bars)), f"{failed} of the last {len(bars)} failed", bars)
