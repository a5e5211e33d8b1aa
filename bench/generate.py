#!/usr/bin/env python3
"""Writes a synthetic repository of any number of workflows: the same seed, the same bytes.

Workflow number I depends on the seed and on I alone, so a smaller tree is the beginning of a larger one.
Sizes follow what public repositories hold: about 150 lines a workflow, a few of them many times that.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

REUSABLE_EVERY = 10
"""One workflow in this many is reusable, and later ones call it."""
ACTION_EVERY = 12
"""One local composite action for this many workflows."""

TRIGGERS = (
    "on: [push, pull_request]",
    "on:\n  pull_request:\n  merge_group:\n  push:\n    branches: [main]",
    "on:\n  pull_request:\n    types: [opened, synchronize, reopened, labeled, unlabeled]",
    "on:\n  pull_request:\n    types: [opened, synchronize, reopened, ready_for_review]\n"
    "    paths: ['src/**', 'tests/**', '!**/*.md']",
    "on:\n  pull_request_target:\n    types: [opened, edited, labeled]",
    "on:\n  issue_comment:\n    types: [created]\n  workflow_dispatch:\n    inputs:\n"
    "      suite:\n        description: What to run\n        required: false\n        default: all",
    "on:\n  schedule:\n    - cron: '17 3 * * *'\n  workflow_dispatch:",
    "on:\n  push:\n    tags: ['v*']\n  release:\n    types: [published]",
)

CONDITIONS = (
    "!contains(github.event.pull_request.labels.*.name, 'skip-tests')",
    "contains(github.event.pull_request.labels.*.name, 'run-integration')",
    "github.event_name != 'pull_request' || contains(github.event.pull_request.labels.*.name, 'full-ci')",
    "!contains(github.event.pull_request.title, '[skip ci]')",
    "${{ !startsWith(github.event.pull_request.title, 'docs:') }}",
    "github.event.pull_request.draft == false",
    "!contains(github.event.head_commit.message, '[no test]')",
    "contains(github.event.comment.body, '/test') && github.event.comment.author_association == 'MEMBER'",
    "startsWith(github.head_ref, 'release/')",
    "github.repository == 'acme/product' && github.ref == 'refs/heads/main'",
    "github.event_name == 'push'",
    "${{ always() && !cancelled() }}",
    "github.actor != 'dependabot[bot]'",
)

MATRICES = (
    "matrix:\n  os: [ubuntu-latest, windows-latest, macos-latest]\n  python: ['3.11', '3.12', '3.13']",
    "fail-fast: false\nmatrix:\n  node: [18, 20, 22]\n  include:\n    - node: 22\n      coverage: true",
    "matrix:\n  shard: [1, 2, 3, 4, 5, 6]\n  exclude:\n    - shard: 6",
    "fail-fast: ${{ github.event_name == 'pull_request' }}\nmatrix:\n  target: [x86_64, aarch64]\n"
    "  profile: [debug, release]",
)

EXAMS = (
    "python -m pytest tests -q",
    "npm test -- --ci",
    "cargo test --workspace --locked",
    "go test ./...",
    "make check",
    "./ci/test.sh",
    "ruff check . && mypy src",
    "mvn -B verify",
)

PIECES = (
    "set -euo pipefail",
    'echo "building $GITHUB_SHA on $RUNNER_OS"',
    "git fetch --no-tags --depth=50 origin main\ngit diff --name-only origin/main...HEAD > changed.txt",
    "if grep -qE '^(src|tests)/' changed.txt; then\n"
    '  echo "code=true" >> "$GITHUB_OUTPUT"\nelse\n  echo "code=false" >> "$GITHUB_OUTPUT"\nfi',
    "for attempt in 1 2 3; do\n  curl -fsSL https://example.org/tool.tgz -o tool.tgz && break\n"
    '  sleep "$((attempt * 5))"\ndone',
    'case "$GITHUB_REF" in\n  refs/heads/main) channel=nightly ;;\n  refs/tags/v*) channel=stable ;;\n'
    '  *) channel=none ;;\nesac\necho "channel=$channel" >> "$GITHUB_ENV"',
    'version=$(sed -n \'s/^version = "\\(.*\\)"$/\\1/p\' pyproject.toml)\necho "version=${version}"',
    "python3 - <<'PY'\nimport json, os\nreport = json.load(open('report.json'))\n"
    "print(len(report['failures']), 'failures', os.environ.get('RUNNER_OS'))\nPY",
    "mkdir -p build\ncmake -S . -B build -DCMAKE_BUILD_TYPE=Release\ncmake --build build --parallel 2",
    "jq -r '.packages[] | select(.private | not) | .name' packages.json |\nwhile read -r package; do\n"
    '  echo "::group::$package"\n  npm pack "$package"\n  echo "::endgroup::"\ndone',
    "# The cache of an earlier run may be of another layout.\nrm -rf .cache/objects",
    'if [[ "$TITLE" == *"[quick]"* ]]; then\n  echo "quick run asked for"\n  SUITE=smoke\nelse\n'
    "  SUITE=all\nfi\nexport SUITE",
    "docker build --pull -t product:ci -f docker/Dockerfile .\ndocker run --rm product:ci --version",
)

USES = (
    "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8",
    "actions/checkout@v4",
    "actions/setup-python@v5",
    "actions/setup-node@v4",
    "actions/cache@v4",
    "actions/upload-artifact@v4",
    "docker/setup-buildx-action@v3",
)

WITH = {
    "actions/setup-python@v5": {"python-version": "'3.12'", "cache": "pip"},
    "actions/setup-node@v4": {"node-version": "22", "cache": "npm"},
    "actions/cache@v4": {"path": "~/.cache", "key": "${{ runner.os }}-${{ hashFiles('**/*.lock') }}"},
    "actions/upload-artifact@v4": {"name": "logs-${{ github.job }}", "path": "build/logs"},
}


def indent(text: str, width: int) -> str:
    """The text with every line that holds something moved right by `width` spaces."""
    return "\n".join(" " * width + line if line else line for line in text.split("\n"))


def script(rng: random.Random) -> str:
    """A shell script that ends in an exam: mostly a few lines, now and then more than a hundred."""
    pieces = rng.choices((0, 1, 3, 8, 30), weights=(30, 30, 25, 12, 3))[0]
    return "\n".join([*rng.choices(PIECES, k=pieces), rng.choice(EXAMS)])


def run_step(rng: random.Random, name: str) -> str:
    """A step that runs a script, sometimes under a condition and with a claim in its environment."""
    lines = [f"- name: {name}"]
    if rng.random() < 0.15:
        lines.append(f'  if: "{rng.choice(CONDITIONS)}"')
    if rng.random() < 0.25:
        lines.append("  env:\n    TITLE: ${{ github.event.pull_request.title }}\n    CI_MODE: full")
    if rng.random() < 0.03:
        lines.append("  continue-on-error: ${{ github.event_name == 'pull_request' }}")
    text = script(rng)
    lines.append(f"  run: |\n{indent(text, 4)}" if "\n" in text else f"  run: {text}")
    return "\n".join(lines)


def uses_step(rng: random.Random) -> str:
    """A step that uses a published action."""
    action = rng.choice(USES[2:])
    inputs = "".join(f"\n    {key}: {value}" for key, value in WITH.get(action, {}).items())
    return f"- uses: {action}" + (f"\n  with:{inputs}" if inputs else "")


def steps(rng: random.Random, index: int) -> str:
    """The steps of one job: a checkout, some preparation, scripts."""
    listed = [f"- uses: {rng.choice(USES[:2])}\n  with:\n    fetch-depth: {rng.choice((0, 1, 50))}"]
    if rng.random() < 0.4:
        number = rng.randrange(index // ACTION_EVERY + 1)
        listed.append(f"- uses: ./.github/actions/setup-{number}\n  with:\n    suite: unit")
    listed += [uses_step(rng) for _ in range(rng.randint(0, 3))]
    listed += [run_step(rng, f"Step {number}") for number in range(1, rng.randint(2, 6))]
    return "\n".join(listed)


def selector_job() -> str:
    """A job that looks at the change and says for the others what it touches."""
    return f"""\
changes:
  runs-on: ubuntu-latest
  outputs:
    code: ${{{{ steps.look.outputs.code }}}}
  steps:
    - uses: {USES[0]}
      with:
        fetch-depth: 0
    - id: look
      run: |
{indent(PIECES[2], 8)}
{indent(PIECES[3], 8)}"""


def job_condition(rng: random.Random, *, selected: bool) -> str:
    """The `if:` line of a job, with its line end, or nothing."""
    if selected and rng.random() < 0.6:
        return "  if: needs.changes.outputs.code == 'true'\n"
    return f'  if: "{rng.choice(CONDITIONS)}"\n' if rng.random() < 0.3 else ""


def job(rng: random.Random, index: int, name: str, needs: Sequence[str]) -> str:
    """One ordinary job."""
    head = f"{name}:\n"
    if needs:
        head += f"  needs: [{', '.join(needs)}]\n"
    head += job_condition(rng, selected="changes" in needs)
    if rng.random() < 0.35:
        head += f"  strategy:\n{indent(rng.choice(MATRICES), 4)}\n"
    head += f"  runs-on: ubuntu-latest\n  timeout-minutes: {rng.choice((10, 30, 60))}\n"
    return f"{head}  steps:\n{indent(steps(rng, index), 4)}"


def calling_job(rng: random.Random, index: int, name: str) -> str:
    """A job that calls a reusable workflow written before this one."""
    called = rng.randrange(index // REUSABLE_EVERY) * REUSABLE_EVERY + REUSABLE_EVERY - 1
    suite = rng.choice(("all", "smoke", "${{ github.event.inputs.suite || 'all' }}"))
    return (
        f"{name}:\n  uses: ./.github/workflows/{workflow_name(called)}\n"
        f"  with:\n    suite: {suite}\n  secrets: inherit"
    )


def gate_job(needs: Sequence[str]) -> str:
    """The job whose result a branch rule requires."""
    return f"""\
gate:
  if: ${{{{ always() }}}}
  needs: [{", ".join(needs)}]
  runs-on: ubuntu-latest
  steps:
    - run: |
        results='${{{{ join(needs.*.result, ' ') }}}}'
        for result in $results; do
          [ "$result" = success ] || [ "$result" = skipped ] || exit 1
        done"""


def jobs(rng: random.Random, index: int) -> Iterator[str]:
    """The jobs of one workflow, each of which may need those before it."""
    written: list[str] = []
    if rng.random() < 0.4:
        yield selector_job()
        written.append("changes")
    for number in range(rng.choices((1, 2, 4, 8), weights=(35, 30, 25, 10))[0]):
        name = f"job-{number}"
        if index >= REUSABLE_EVERY and rng.random() < 0.12:
            yield calling_job(rng, index, name)
        else:
            needs = [other for other in written if rng.random() < (0.8 if other == "changes" else 0.3)]
            yield job(rng, index, name, needs)
        written.append(name)
    if len(written) > 1 and rng.random() < 0.4:
        yield gate_job(written)


def is_reusable(index: int) -> bool:
    """Whether workflow number `index` is called by others."""
    return index % REUSABLE_EVERY == REUSABLE_EVERY - 1


def workflow_name(index: int) -> str:
    """The file name of workflow number `index`."""
    return f"{'reusable' if is_reusable(index) else 'ci'}-{index:05d}.yml"


def workflow(seed: int, index: int) -> str:
    """The text of workflow number `index`."""
    rng = random.Random(f"{seed}:workflow:{index}")
    trigger = rng.choice(TRIGGERS)
    if is_reusable(index):
        trigger = (
            "on:\n  workflow_call:\n    inputs:\n      suite:\n        type: string\n        default: all"
        )
    head = f"# Workflow {index} of a synthetic repository.\nname: Workflow {index}\n\n{trigger}\n\n"
    if rng.random() < 0.5:
        head += "permissions:\n  contents: read\n\n"
    if rng.random() < 0.4:
        head += (
            "concurrency:\n  group: ${{ github.workflow }}-${{ github.ref }}\n  cancel-in-progress: true\n\n"
        )
    return f"{head}jobs:\n" + "\n\n".join(indent(text, 2) for text in jobs(rng, index)) + "\n"


def composite_action(seed: int, index: int) -> str:
    """The text of local composite action number `index`."""
    rng = random.Random(f"{seed}:action:{index}")
    body = "\n".join(f"- shell: bash\n  run: |\n{indent(script(rng), 4)}" for _ in range(rng.randint(1, 4)))
    return f"""\
name: Setup {index}
description: Prepares the machine
inputs:
  suite:
    description: What will run
    default: all
outputs:
  suite:
    description: What will run
    value: ${{{{ inputs.suite }}}}
runs:
  using: composite
  steps:
{indent(body, 4)}
"""


def files(workflows: int, seed: int) -> Iterator[tuple[str, str]]:
    """Every file of a tree: its path from the root, with `/`, and its text."""
    for index in range(workflows):
        yield f".github/workflows/{workflow_name(index)}", workflow(seed, index)
    for index in range((workflows - 1) // ACTION_EVERY + 1):
        yield f".github/actions/setup-{index}/action.yml", composite_action(seed, index)
    yield ".github/CODEOWNERS", "/.github/ @acme/ci\n"
    yield "ci/test.sh", "#!/usr/bin/env bash\nset -euo pipefail\npython -m pytest tests -q\n"


def write_tree(folder: Path, workflows: int, seed: int) -> None:
    """Writes a tree into a folder that must not exist yet, or be empty."""
    for name, text in files(workflows, seed):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the tree that the command line asks for; 2 where it cannot."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--workflows", type=int, required=True, metavar="N")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="absent, or empty")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    options = parser.parse_args(arguments)
    if options.workflows < 1:
        parser.error("--workflows must be at least 1")
    # Nothing is ever deleted or overwritten: a mistyped folder would be somebody's repository.
    if options.out.exists() and (not options.out.is_dir() or any(options.out.iterdir())):
        parser.error(f"not an empty folder: {options.out}")
    write_tree(options.out, options.workflows, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
