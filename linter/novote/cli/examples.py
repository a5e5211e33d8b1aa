"""What people type, command by command: the end of each `--help`. Tests run every line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple


class Example(NamedTuple):
    """A line to type, and what it is for."""

    line: str
    purpose: str


_LEDGER: Final = "attempts.jsonl"
_BASE: Final = "--base origin/main"

EXAMPLES: Final[Mapping[str, tuple[Example, ...]]] = {
    "check": (
        Example("novote check", "the repository around the working folder"),
        Example(f"novote check {_BASE}", "the commits since that branch too"),
        Example(
            "novote check --format github --format sarif=novote.sarif",
            "annotations on a run of GitHub Actions, and a file for code scanning",
        ),
        Example("novote check --format html=novote.html", "a page to read in a browser"),
        Example("novote check --write-baseline known.json", "take what is found today as known"),
        Example("novote check --baseline known.json", "then only what is new counts"),
        Example("novote check --diff", "what novote can mend by itself"),
        Example("novote check --fix", "mend it"),
    ),
    "audit": (
        Example("novote audit .github/workflows/ci.yml", "one workflow, with all that it calls"),
        Example("novote audit - < .github/workflows/ci.yml", "one from standard input"),
        Example("novote audit --select claim-skips-exam,claim-picks-fixtures", "two rules alone"),
        Example("novote audit --fail-on note --verbose", "notes, too: what is not proved"),
    ),
    "diff": (
        Example(f"novote diff {_BASE}", "what the change takes from the gate"),
        Example(f"novote diff {_BASE} --format markdown", "the same, to show on the request"),
    ),
    "init": (
        Example("novote init --dry-run", "show all that would be written"),
        Example("novote init --owner @acme/gate", "write it, with the team that answers for the exams"),
    ),
    "recompute": (
        Example(f"novote recompute {_BASE} --out matrix.json", "what the commits since that branch need"),
        Example("novote recompute --changed-file changed.txt", "what a list of paths needs"),
    ),
    "compare": (
        Example(
            "novote compare --claimed-from-commits --matrix matrix.json",
            "what commit messages claim, beside what CI selected",
        ),
        Example(
            f"novote compare --claimed-file claimed.json {_BASE} --format markdown",
            "a list in a file, as a comment for the request",
        ),
    ),
    "map init": (
        Example("novote map init --dry-run", "print a draft for this repository"),
        Example("novote map init --map tests/map.yml", "write it elsewhere"),
    ),
    "map check": (
        Example("novote map check", "the map of this repository"),
        Example("novote map check --fail-on warning", "warnings count too"),
    ),
    "map explain": (
        Example("novote map explain src/billing/a.py", "what a change of this file needs, and why"),
        Example("novote map explain --format json src/new.py", "for a file that need not be there"),
    ),
    "map add": (
        Example("novote map add 'src/shop/**' --fixture billing", "these paths need that fixture"),
        Example(
            "novote map add 'docs/**' --no-fixture --because 'prose only' --dry-run",
            "show how the map would say that these need none",
        ),
    ),
    "explain": (Example("novote explain claim-skips-exam", "the page of a rule"),),
    "rules": (
        Example("novote rules", "every rule with its severity"),
        Example("novote rules --format json", "the same for a program"),
    ),
    "table": (Example("novote table --format markdown", "the decision table, for a page of your own"),),
    "run": (
        Example(
            f"novote run billing {_BASE} --ledger {_LEDGER} -- ./ci/run-fixture.sh billing",
            "as often as the map of that branch allows, each attempt recorded",
        ),
        Example(
            "novote run lint --ledger lint.jsonl --timeout 600 --junit report.xml -- ci/run-fixture.sh lint",
            "once, ten minutes at most; a report without tests is a failure",
        ),
    ),
    "promote": (
        Example(f"novote promote {_BASE} --ledger {_LEDGER}", "whether the commits since may merge"),
        Example(
            f"novote promote {_BASE} --ledger {_LEDGER} --matrix matrix.json --format markdown=summary.md",
            "only as the matrix that was run is the one recomputed now; with a summary",
        ),
    ),
    "hook install": (Example("novote hook install", "in this repository, beside a hook that is there"),),
    "hook run": (
        Example(f"novote hook run {_BASE}", "what a push of the branch would be told"),
        Example(f"novote hook run {_BASE} --strip", "what to type to mend the commits"),
    ),
    "ledger verify": (
        Example(f"novote ledger verify {_LEDGER}", "whether somebody edited it"),
        Example(
            f"novote ledger verify {_LEDGER} --checkpoint checkpoint.json", "whether somebody cut its end"
        ),
    ),
    "ledger checkpoint": (
        Example(f"novote ledger checkpoint {_LEDGER} --out checkpoint.json", "note how far it goes now"),
    ),
    "ledger merge": (
        Example("novote ledger merge all.jsonl shard-1.jsonl shard-2.jsonl", "what two jobs recorded"),
    ),
    "ledger show": (
        Example(f"novote ledger show {_LEDGER}", "every attempt"),
        Example(f"novote ledger show {_LEDGER} --fixture billing --format markdown", "those of one fixture"),
    ),
    "ledger import-junit": (
        Example(
            f"novote ledger import-junit junit.xml --ledger {_LEDGER} --fixture billing --sha abc123",
            "attempts that the test runner made by itself",
        ),
    ),
    "ledger push": (
        Example(f"novote ledger push {_LEDGER}", "to the branch ci-ledger of origin"),
        Example(f"novote ledger push {_LEDGER} --branch flakes", "to another branch"),
    ),
    "ledger pull": (Example(f"novote ledger pull {_LEDGER}", "what that branch holds, into the file"),),
    "ledger stats": (
        Example(f"novote ledger stats {_LEDGER}", "how often each fixture flakes"),
        Example(f"novote ledger stats {_LEDGER} --format html=flakes.html", "a page with small charts"),
    ),
    "completions": (
        Example("novote completions bash", "for bash: source <(novote completions bash)"),
        Example("novote completions fish", "for ~/.config/fish/completions/novote.fish"),
    ),
}


def shown(examples: Iterable[Example]) -> str:
    """The section of examples in a help text; empty where there is none."""
    lines = [f"  {example.line}\n      {example.purpose}\n" for example in examples]
    return "\nexamples:\n" + "".join(lines) if lines else ""
