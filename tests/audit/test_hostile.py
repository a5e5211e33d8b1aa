"""Whatever a repository holds: bounded, no crash, and what can be said is said."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.model import Report, SourceText
from novote.report import render
from novote.report.context import Context

FILE = ".github/workflows/ci.yml"
HEAD = "on: pull_request\njobs:\n"
TEST = "    runs-on: u\n    steps:\n      - uses: actions/checkout@v4\n      - run: make test\n"
TITLE = "contains(github.event.pull_request.title, '{}')"
LABEL = "contains(github.event.pull_request.labels.*.name, '{}')"
pytestmark = pytest.mark.usefixtures("ends")


def audited(files: str | Mapping[str, str]) -> Report:
    """The report, which tells of no fault of ours."""
    texts = {FILE: files} if isinstance(files, str) else files
    inputs = [SourceText(file, text) for file, text in texts.items()]
    report = audit(inputs, Settings(date(2026, 1, 1), jobs=1))
    assert not [problem for problem in report.problems if problem.kind == "internal-error"]
    for format in ("json", "sarif", "text"):
        render(format, report, Context("0"))
    return report


def rules(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


def job(condition: str, name: str = "test") -> str:
    return f"  {name}:\n    if: {condition}\n{TEST}"


@pytest.mark.parametrize(
    "needs",
    [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "a"}, {"a": "[b, c]", "b": "c", "c": "b"}],
)
def test_needs_in_a_circle(needs: Mapping[str, str]) -> None:
    condition = f"${{{{ !{TITLE.format('x')} }}}}"
    jobs = (f"  {name}:\n    needs: {other}\n    if: {condition}\n{TEST}" for name, other in needs.items())
    report = audited(HEAD + "".join(jobs))
    assert rules(report).count("claim-skips-exam") == len(needs)


def test_variables_and_outputs_in_a_circle() -> None:
    text = """
on: pull_request
env: {A: '${{ env.B }}', B: '${{ env.A }}'}
jobs:
  test:
    needs: test
    env: {A: '${{ env.A }}', X: '${{ env.X }}'}
    outputs: {o: '${{ needs.test.outputs.o }}'}
    if: needs.test.outputs.o != env.A
    strategy: {matrix: {m: ['${{ matrix.m }}', '${{ env.X }}']}}
    runs-on: u
    steps:
      - uses: actions/checkout@v4
      - id: s
        if: steps.s.outputs.x && env.A && matrix.m
        run: make test
"""
    assert "internal-error" not in rules(audited(text))


def test_five_thousand_jobs() -> None:
    names = [f"test-{number}" for number in range(5000)]
    report = audited(HEAD + "".join(f"  {name}: {{steps: [{{run: make test}}]}}\n" for name in names))
    assert report.decisions.total + len(report.problems) > 0


def test_hundreds_of_jobs_in_one_chain() -> None:
    first = job(f"${{{{ !{TITLE.format('x')} }}}}", "test0")
    others = (f"  test{n}:\n    needs: test{n - 1}\n{TEST}" for n in range(1, 256))
    report = audited(HEAD + first + "".join(others))
    assert rules(report) == ["claim-skips-exam"] or report.problems


def test_a_job_that_needs_hundreds() -> None:
    names = [f"test{n}" for n in range(200)]
    many = "".join(job(f"${{{{ !{LABEL.format(name)} }}}}", name) for name in names)
    report = audited(f"{HEAD}{many}  test-all:\n    needs: [{', '.join(names)}]\n{TEST}")
    assert rules(report).count("claim-skips-exam") >= 200 or report.problems


@pytest.mark.parametrize("operator", [" || ", " && "])
def test_a_condition_of_twenty_thousand_characters(operator: str) -> None:
    condition = operator.join(LABEL.format(f"l{n}") for n in range(350))
    assert len(condition) > 20_000
    report = audited(HEAD + job(condition))
    assert rules(report) or report.problems


def test_a_condition_nested_a_thousand_deep() -> None:
    condition = "!(" * 1000 + TITLE.format("x") + ")" * 1000
    report = audited(HEAD + job(f'"{condition}"'))
    assert rules(report) or report.problems


@pytest.mark.parametrize("join", [" && ", " || "])
@pytest.mark.parametrize("sign", ["", "!"])
def test_forty_labels_in_one_condition(join: str, sign: str) -> None:
    condition = join.join(sign + LABEL.format(f"l{n}") for n in range(40))
    report = audited(HEAD + job(f"${{{{ {condition} }}}}"))
    assert set(rules(report)) <= {"claim-skips-exam", "exam-on-request"}
    assert report.findings


def test_forty_labels_mixed() -> None:
    pairs = (f"({LABEL.format(f'a{n}')} && !{LABEL.format(f'b{n}')})" for n in range(20))
    assert audited(HEAD + job(f"${{{{ {' || '.join(pairs)} }}}}")).findings


def test_forty_labels_that_only_work_together() -> None:
    condition = " && ".join(LABEL.format(f"l{n}") for n in range(40))
    report = audited(HEAD + job(f"${{{{ !({condition}) }}}}"))
    assert rules(report) == ["claim-skips-exam"]


def test_a_parity_of_labels() -> None:
    condition = LABEL.format("l0")
    for number in range(1, 14):
        condition = f"({condition}) != {LABEL.format(f'l{number}')}"
    assert audited(HEAD + job(condition)).findings


def test_a_list_chosen_by_many_labels() -> None:
    item = '"${{{{ {} && {} || {} }}}}"'
    items = (item.format(LABEL.format(f"l{n}"), f"'a{n}'", f"'b{n}'") for n in range(60))
    matrix = f"    strategy: {{matrix: {{m: [{', '.join(items)}]}}}}\n"
    report = audited(HEAD + "  test:\n" + matrix + TEST.replace("make test", "make test M=${{ matrix.m }}"))
    assert "claim-picks-fixtures" in rules(report)


@pytest.mark.parametrize("depth", [10, 100, 3000])
def test_a_matrix_nested_deeply(depth: int) -> None:
    value = "[" * depth + "'${{ github.event.pull_request.title }}'" + "]" * depth
    report = audited(f"{HEAD}  test:\n    strategy: {{matrix: {{m: {value}}}}}\n{TEST}")
    assert rules(report) or report.problems


def test_a_matrix_of_ten_thousand_entries() -> None:
    entries = "".join(f"          - {{kind: k{n}, run: true}}\n" for n in range(10_000))
    steps = TEST.replace("- run:", "- if: matrix.run\n        run:")
    report = audited(f"{HEAD}  test:\n    strategy:\n      matrix:\n        include:\n{entries}{steps}")
    assert report.findings == ()


BROKEN = """
${{
${{ }}
${{ ) }}
${{ a. }}
${{ 'open }}
${{ f( }}
${{ a[ }}
${{ ${{ }} }}
${{ unknown(1) }}
${{ 0x }}
${{ a.b.c.d.e.f.* }}
${{ github.event.*.*.* == 'x' }}
${{ fromJSON('{') }}
a }} b {{ ${{
"""


@pytest.mark.parametrize("expression", BROKEN.strip().split("\n"))
def test_expressions_that_do_not_parse(expression: str) -> None:
    quoted = "'" + expression.replace("'", "''") + "'"
    text = f"{HEAD}{job(quoted)}"
    text += f"  lint:\n    env: {{A: {quoted}}}\n    strategy: {{matrix: {{m: {quoted}}}}}\n{TEST}"
    audited(text)


def test_names_with_control_characters() -> None:
    name = '"a\\u001b[31m\\u0007\\u202e\\u0000b"'
    condition = f'"!{LABEL.format(chr(92) + "u001b]0;x" + chr(92) + "u0007")}"'
    steps = TEST + f"      - name: {name}\n        if: {condition}\n        run: make lint\n"
    report = audited(f"{HEAD}  {name}:\n    name: {name}\n    if: {condition}\n{steps}")
    assert rules(report) == ["claim-skips-exam"]
    shown = render("text", report, Context("0"))
    assert not {"\x1b", "\x07", "\u202e", "\x00"} & set(shown)


def test_texts_that_look_like_templates() -> None:
    condition = f"${{{{ !{TITLE.format('{claim} {0} %s {')} }}}}"
    report = audited(f"{HEAD}  '{{exam}}-test':\n    name: '{{decision!r}}'\n    if: {condition}\n{TEST}")
    assert rules(report) == ["claim-skips-exam"]
    assert "{claim} {0} %s {" in report.findings[0].message


@pytest.mark.parametrize("depth", [50, 2000])
def test_actions_that_use_actions(depth: int) -> None:
    use = "name: a\nruns: {{using: composite, steps: [{{uses: ./a{}}}]}}\n"
    files = {f"a{n}/action.yml": use.format(n + 1) for n in range(depth)}
    files[f"a{depth}/action.yml"] = (
        "name: a\nruns: {using: composite, steps: [{run: make test, shell: bash}]}\n"
    )
    steps = TEST.replace("run: make test", "uses: ./a0")
    report = audited({**files, FILE: f"{HEAD}  main:\n    if: ${{{{ !{TITLE.format('x')} }}}}\n{steps}"})
    assert rules(report) == ["claim-skips-exam"] or {problem.kind for problem in report.problems} == {
        "too-deep"
    }


def test_many_callers_of_many_callees() -> None:
    calls = "".join(f"  c{n}: {{uses: ./.github/workflows/w{n}.yml}}\n" for n in range(30))
    files = {f".github/workflows/w{n}.yml": f"on: [workflow_call, push]\njobs:\n{calls}" for n in range(30)}
    assert audited(files).findings == ()


@pytest.mark.parametrize("fan", [2, 40])
def test_calls_that_fan_out(fan: int) -> None:
    declared = "on: {workflow_call: {inputs: {x: {type: string}}}}\njobs:\n"
    files = {}
    for n in range(9):
        given = f"{{uses: ./.github/workflows/w{n + 1}.yml, with: {{x: '${{{{ inputs.x }}}}'}}}}"
        files[f".github/workflows/w{n}.yml"] = declared + "".join(f"  j{m}: {given}\n" for m in range(fan))
    test = "  test:\n    if: inputs.x != 'skip'\n" + TEST
    files[".github/workflows/w9.yml"] = declared + test
    title = "'${{ github.event.pull_request.title }}'"
    files[FILE] = f"{HEAD}  all: {{uses: ./.github/workflows/w0.yml, with: {{x: {title}}}}}\n"
    assert set(rules(audited(files))) >= ({"claim-skips-exam"} if fan == 2 else {"claim-picks-fixtures"})


def test_outputs_in_a_circle_of_calls() -> None:
    out = "outputs: {o: {value: '${{ jobs.j.outputs.o }}'}}"
    files = {
        f".github/workflows/w{n}.yml": f"on: {{workflow_call: {{inputs: {{x: {{}}}}, {out}}}}}\njobs:\n"
        f"  j: {{uses: ./.github/workflows/w{1 - n}.yml, with: {{x: '${{{{ inputs.x }}}}'}}}}\n"
        for n in range(2)
    }
    given = "with: {x: '${{ needs.j.outputs.o }}'}"
    call = f"  j:\n    uses: ./.github/workflows/w0.yml\n    {given}\n    needs: j\n"
    test = "  test:\n    needs: j\n    if: needs.j.outputs.o\n" + TEST
    assert set(rules(audited({**files, FILE: HEAD + call + test}))) == {"selector-unknown"}


def test_two_thousand_steps() -> None:
    steps = "".join(f"      - {{id: s{n}, run: 'echo {n} >> $GITHUB_ENV'}}\n" for n in range(2000))
    condition = "      - if: env.X == steps.s1999.outputs.y\n        run: make test\n"
    audited(f"{HEAD}  test:\n    env: {{X: y}}\n    runs-on: u\n    steps:\n{steps}{condition * 20}")


def test_a_script_of_many_exams() -> None:
    line = '          pytest -k "${{ github.event.pull_request.title }}" && echo done\n'
    report = audited(f"{HEAD}  test:\n    runs-on: u\n    steps:\n      - run: |\n{line * 4000}")
    assert set(rules(report)) == {"claim-picks-fixtures"}
    assert len(report.findings) == 1


SHAPES = [
    "",
    "\x00",
    "on:",
    "&a [*a]",
    "on: {pull_request: [a]}\njobs: []\n",
    "on: [[pull_request], {push: 1}, null]\njobs: {test: {steps: [{run: make test}], if: [a]}}\n",
]
JOBS = [
    "{a: null, b: [], c: x, d: {steps: x}, e: {steps: [x, null, [], {run: []}]}}",
    "{test: {needs: {a: b}, strategy: [1], env: x, outputs: 3, steps: [{run: pytest}]}}",
    "{? [a] : {steps: [{run: pytest}]}, 1: {steps: [{run: pytest}]}}",
    "&j {test: {steps: [{run: pytest}], with: *j}}",
    "{test: {steps: [{uses: '', with: {a: b}}, {uses: './'}, {uses: '@'}, {run: ''}]}}",
]


@pytest.mark.parametrize("text", [*SHAPES, *(f"on: pull_request\njobs: {jobs}\n" for jobs in JOBS)])
def test_shapes_that_are_no_workflow(text: str) -> None:
    audited(text)
    audited({"action.yml": text})
