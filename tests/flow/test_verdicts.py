"""Gates of every kind, with one of the jobs they need ending badly."""

from __future__ import annotations

import pytest

from novote.flow.evaluation import cond_of
from novote.flow.repository import Repository
from novote.flow.supposed import Result, Supposed
from novote.flow.verdicts import fails
from novote.flow.world import World
from novote.knowledge import builtin
from novote.model import SourceText

FILE = ".github/workflows/ci.yml"
HEAD = """\
on: pull_request
jobs:
  plan:
    runs-on: u
    outputs: {docs: "${{ steps.f.outputs.docs }}"}
    steps: [{id: f, uses: dorny/paths-filter@v3}]
  a: {runs-on: u, needs: plan, steps: [{run: make test}]}
  b: {runs-on: u, needs: plan, if: "needs.plan.outputs.docs == 'true'", steps: [{run: make lint}]}
  gate:
    needs: [plan, a, b]
    if: always()
    runs-on: u
    env: {NEEDS: "${{ toJSON(needs) }}"}
    steps:
"""
ENDS: tuple[dict[str, Result], ...] = (
    {}, {"a": "failure"}, {"a": "cancelled"}, {"b": "skipped"}, {"plan": "failure"},
)  # fmt: skip

# What passes, fails or is not known: all passed, `a` failed, was cancelled, `b` skipped, `plan` failed.
GATES = {
    "- if: contains(needs.*.result, 'failure')\n  run: exit 1": "pfppf",
    "- run: exit ${{ contains(needs.*.result, 'failure') && 1 || 0 }}": "pfppf",
    "- run: echo done": "ppppp",
    "- {run: exit 1, continue-on-error: true}": "ppppp",
    '- run: test "${{ needs.a.result }}" = success': "pffpf",
    "- run: |\n    ends='${{ join(needs.*.result, ' ') }}'\n    for end in $ends; do\n"
    "      [[ $end == success || $end == skipped ]] || exit 1\n    done": "pffpf",
    "- run: echo \"$NEEDS\" | jq -e 'all(.result == \"success\")'": "pffff",
    "- run: if jq -r '.[].result' <<< \"$NEEDS\" | grep -q failure; then exit 1; fi": "pfppf",
    "- shell: python\n  run: |\n    import json, os, sys\n"
    "    found = json.loads(os.environ['NEEDS']).values()\n"
    "    sys.exit(any(need['result'] == 'failure' for need in found))": "pfppf",
    "- uses: actions/github-script@v7\n  with:\n    script: |\n"
    "      const bad = Object.values(JSON.parse(process.env.NEEDS)).filter(n => n.result !== 'success');\n"
    "      if (bad.length) core.setFailed('bad');": "pffff",
    "- uses: re-actors/alls-green@v1\n  with: {jobs: '${{ toJSON(needs) }}'}": "pffff",
    "- uses: re-actors/alls-green@v1\n  with: {jobs: '${{ toJSON(needs) }}', allowed-skips: 'a, b'}": "pffpf",
    "- uses: re-actors/alls-green@v1\n  with: {jobs: '${{ toJSON(needs) }}',"
    " allowed-failures: '[\"a\"]'}": "pppff",
    "- uses: re-actors/alls-green@v1\n  with:\n    jobs: ${{ toJSON(needs) }}\n"
    "    allowed-skips: ${{ needs.plan.outputs.docs == 'false' && 'b' || '' }}": "p????",
    "- uses: acme/all-good@v1\n  with: {results: '${{ toJSON(needs) }}'}": "?????",
    "- {run: sleep 90, timeout-minutes: 1, if: \"needs.a.result == 'cancelled'\"}": "pp?pp",
}  # fmt: skip


def verdict(steps: str, ends: dict[str, Result]) -> str:
    text = HEAD + "".join(f"      {line}\n" for line in steps.split("\n"))
    repository = Repository({FILE: SourceText(FILE, text)}, builtin())
    unit = repository.open(FILE).unit
    assert unit is not None
    run = Supposed(unit, repository.cases(FILE)[0], World(builtin(), False, repository), ends)
    gate = run.jobs["gate"]
    assert run.settled(cond_of(run.job_condition(gate))).is_true
    failing = fails(run, gate)
    return "p" if failing.is_false else "f" if failing.is_true else "?"


@pytest.mark.parametrize("steps", GATES)
def test_a_gate_is_evaluated_for_each_end(steps: str) -> None:
    assert "".join(verdict(steps, ends) for ends in ENDS) == GATES[steps]


def test_who_needs_a_job_that_failed_is_skipped() -> None:
    repository = Repository({FILE: SourceText(FILE, HEAD + "      - run: exit 0\n")}, builtin())
    unit = repository.open(FILE).unit
    assert unit is not None
    run = Supposed(unit, repository.cases(FILE)[0], World(builtin()), {"plan": "cancelled"})
    assert {name: run.result(job) for name, job in run.jobs.items()} == {
        "plan": "cancelled", "a": "skipped", "b": "skipped", "gate": "success",
    }  # fmt: skip
