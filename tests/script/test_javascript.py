"""JavaScript over guarded values: each construct, the claim that decides, the answer without it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from novote.algebra.cond import Cond
from novote.algebra.value import Opaque, Value, origins_of, without_claims
from novote.script import tools
from novote.script.javascript.front import run_text
from novote.script.machine import Machine, TooMuch
from novote.script.result import Result, result_of
from novote.script.text import Text, claimed

pytestmark = pytest.mark.usefixtures("deep")
_TITLE = "context.payload.pull_request.title"
_LABELS = "github.event.pull_request.labels"
_CLAIMS = {
    "github.event.pull_request.title": "title",
    "github.event.pull_request.body": "body",
    _LABELS: "label",
    f"{_LABELS}.*.name": "label",
    "github.event.comment.body": "comment",
    "github.event.pull_request.head.ref": "branch",
    "TITLE": "title",
    "INPUT_MARKS": "label",
}


def _as_list(reading: Any) -> Any:
    content = reading.value.single
    shaped = Opaque(content.key, content.origins, (), True, "list")
    return reading._replace(value=Value.of(reading.value.universe, shaped))


class Read:
    """One script, read."""

    def __init__(self, host: type[Any], code: str, encoding: str, file: str, files: dict[str, str]) -> None:
        found = host(_CLAIMS, code=files)
        plain = found.event
        # The payload gives lists as lists.
        found.event = lambda path: _as_list(plain(path)) if path[-1] == "labels" else plain(path)
        self.machine = Machine(found)
        self.machine.file = file
        run_text(self.machine, code, [], encoding=encoding)

    @property
    def result(self) -> Result:
        return result_of(self.machine, [])

    def output(self, name: str) -> Value:
        found = self.result.output(name)
        assert found is not None, f"{name} is never set"
        return found

    def where(self, name: str, content: object) -> Cond:
        """Where an output is a text."""
        for guard, item in self.output(name).alternatives:
            if item == content:
                return guard
        raise AssertionError(f"{name} is never {content!r}: {self.output(name).alternatives}")


@pytest.fixture
def read(host: type[Any]) -> Any:
    def one(code: str, encoding: str = "json", file: str = "", **files: str) -> Read:
        return Read(
            host,
            code,
            encoding,
            file,
            {name.replace("__", "/") + ".js": text for name, text in files.items()},
        )

    return one


def claim_of(cond: Cond, kind: str, marker: str | None = None) -> None:
    """A condition of one claim atom, false without the claim."""
    (atom,) = cond.support()
    assert atom.is_claim
    assert {origin.kind for origin in atom.origins} == {kind}
    assert marker is None or atom.marker == marker
    assert atom.absent is not None
    assert atom.absent.is_false


_SKIP_LABEL = {
    "some": "const skip = labels.some(l => l.name === 'skip');",
    "every": "const skip = !labels.every(l => l.name !== 'skip');",
    "find": "const skip = Boolean(labels.find(({ name }) => name === 'skip'));",
    "find is undefined": "const skip = labels.find(l => l.name === 'skip') !== undefined;",
    "find index": "const skip = labels.findIndex(l => l.name == 'skip') >= 0;",
    "map includes": "const skip = labels.map(l => l.name).includes('skip');",
    "map index": "const skip = labels.map(l => l.name).indexOf('skip') !== -1;",
    "map index above": "const skip = labels.map(function (l) { return l.name; }).indexOf('skip') > -1;",
    "filter length": "const skip = labels.filter(l => l.name === 'skip').length > 0;",
    "filter truth": "const skip = !!labels.filter(l => l.name === 'skip').length;",
    "filter zero": "const skip = !(labels.filter(l => l.name === 'skip').length === 0);",
    "set": "const skip = new Set(labels.map(l => l.name)).has('skip');",
    "spread": "const skip = [...labels].map(l => l.name).includes('skip');",
    "for of": "let skip = false; for (const l of labels) { if (l.name === 'skip') { skip = true; break; } }",
    "for each": "let skip = false; labels.forEach(l => { if (l.name === 'skip') skip = true; });",
    "counted": "let skip = false; for (let i = 0; i < labels.length; "
    "i++) if (labels[i].name === 'skip') skip = true;",
    "reduce": "const skip = labels.reduce((found, l) => found || l.name === 'skip', false);",
    "pushed": "const names = []; for (const l of labels) names.push(l.name); "
    "const skip = names.includes('skip');",
    "function": "function has(n) { for (const l of labels) if (l.name === n) return true; return false; "
    "} const skip = has('skip');",
    "optional": "const skip = labels?.some?.(l => l?.name === 'skip') ?? false;",
    "or empty": "const skip = (labels || []).some(l => l.name === 'skip');",
    "flat map": "const skip = labels.flatMap(l => [l.name]).includes('skip');",
    "destructured": "let skip = false; for (const { name: n = '' } of labels) { skip ||= n === 'skip'; }",
    "switch": "let skip = false; for (const l of labels) switch (l.name) { case 'skip': skip = true; "
    "break; default: }",
    "promise": "const skip = (await Promise.all(labels.map(async l => l.name === 'skip'))).some(x => x);",
    "continue": "let skip = false; for (const l of labels) { if (l.name !== 'skip') continue; skip = true; }",
}  # fmt: skip


@pytest.mark.parametrize("how", _SKIP_LABEL)
def test_a_label_is_one_claim(read: Any, how: str) -> None:
    found = read(
        f"const labels = context.payload.pull_request.labels;\n{_SKIP_LABEL[how]}\n"
        "core.setOutput('run', !skip);"
    )
    claim_of(found.where("run", "false"), "label", "skip")
    assert without_claims(found.where("run", "true")).is_true


_BODY = {
    "includes": "b.includes('/skip')",
    "test": "/\\/skip/.test(b)",
    "match": "b.match(/\\/skip/)",
    "match is null": "b.match(/\\/skip/i) !== null",
    "exec": "/\\/skip/.exec(b) != null",
    "search": "b.search(/\\/skip/) !== -1",
    "index": "b.indexOf('/skip') > -1",
    "starts": "b.startsWith('/skip')",
    "ends": "b.trim().endsWith('/skip')",
    "lower": "b.toLowerCase().includes('/skip')",
    "pattern": "new RegExp('/skip', 'i').test(b)",
    "lines": "b.split('\\n').some(line => line.trim() === '/skip')",
    "equal": "b === '/skip'",
    "match all": "[...b.matchAll(/\\/skip/g)].length > 0",
    "any of": "['/skip'].some(word => b.includes(word))",
    "template": "`${b}`.includes('/skip')",
    "replaced": "b.replace(/\\s/g, '').includes('/skip')",
    "words": "b.split(/\\s+/).includes('/skip')",
    "set": "b.length > 0",
    "truth": "b",
}


@pytest.mark.parametrize("how", _BODY)
def test_a_body_is_one_claim(read: Any, how: str) -> None:
    found = read(
        "const b = context.payload.pull_request.body || '';\n"
        f"if ({_BODY[how]}) {{ core.setOutput('run', 'no'); return; }}\ncore.setOutput('run', 'yes');"
    )
    claim_of(found.where("run", "no"), "body")
    assert without_claims(found.where("run", "yes")).is_true


_CONTROL = {
    "early return": "if (t.includes('x')) { return core.setOutput('r', 'a'); } core.setOutput('r', 'b');",
    "ternary": "core.setOutput('r', t.includes('x') ? 'a' : 'b');",
    "and": "core.setOutput('r', (t.includes('x') && 'a') || 'b');",
    "else": "let r; if (!t.includes('x')) r = 'b'; else r = 'a'; core.setOutput('r', r);",
    "else if": "let r = 'b'; if (false) r = 'c'; else if (t.includes('x')) r = 'a'; core.setOutput('r', r);",
    "throw": "let r = 'b'; try { if (t.includes('x')) throw new Error('x'); } catch { r = 'a'; "
    "} core.setOutput('r', r);",
    "finally": "let r = 'b'; try { if (t.includes('x')) r = 'a'; } finally { core.setOutput('r', r); }",
    "closure": "const f = (u) => { if (u.includes('x')) return 'a'; return 'b'; }; "
    "core.setOutput('r', f(t));",
    "object": "const o = { r: 'b' }; if (t.includes('x')) o.r = 'a'; core.setOutput('r', o.r);",
    "array": "const o = ['b']; if (t.includes('x')) o[0] = 'a'; core.setOutput('r', o[0]);",
    "map": "const m = new Map([['r', 'b']]); if (t.includes('x')) m.set('r', 'a'); "
    "core.setOutput('r', m.get('r'));",
    "do": "let r = 'b'; do { if (t.includes('x')) { r = 'a'; break; } } while (false); "
    "core.setOutput('r', r);",
    "label": "let r = 'a'; out: { if (t.includes('x')) break out; r = 'b'; } core.setOutput('r', r);",
    "class": "class K { constructor(u) { this.u = u; } "
    "get_() { return this.u.includes('x') ? 'a' : 'b'; } }\n"
    "core.setOutput('r', new K(t).get_());",
    "entries": "for (const [k, v] of Object.entries({ r: t.includes('x') ? 'a' : 'b' })) "
    "core.setOutput(k, v);",
    "in": "let r = 'b'; for (const k in { x: 1 }) if (t.includes(k)) r = 'a'; core.setOutput('r', r);",
    "then": "await Promise.resolve(t).then(u => core.setOutput('r', u.includes('x') ? 'a' : 'b'));",
    "main": "async function main() { core.setOutput('r', t.includes('x') ? 'a' : 'b'); "
    "} main().catch(core.setFailed);",
    "json": "const o = JSON.parse('{\"r\": [\"b\", \"a\"]}'); "
    "core.setOutput('r', o.r[t.includes('x') ? 1 : 0]);",
    "var": "if (t.includes('x')) { var r = 'a'; } core.setOutput('r', r || 'b');",
}  # fmt: skip


@pytest.mark.parametrize("how", _CONTROL)
def test_control_keeps_polarity(read: Any, how: str) -> None:
    found = read(f"const {{ title: t }} = context.payload.pull_request;\n{_CONTROL[how]}")
    claim_of(found.where("r", "a"), "title", "x")
    assert found.where("r", "b") is ~found.where("r", "a")


def test_what_is_returned_is_an_output(read: Any) -> None:
    code = "return context.payload.pull_request.title.includes('x') ? 'none' : 'full';"
    claim_of(read(code).where("result", '"none"'), "title", "x")
    claim_of(read(code, "string").where("result", "none"), "title", "x")


def test_a_script_that_fails(read: Any) -> None:
    found = read(
        "if (context.payload.pull_request.title.includes('x')) core.setFailed('no'); core.setOutput('a', 1);"
    )
    claim_of(found.machine.failed, "title", "x")
    assert found.output("a").single == "1"
    found = read(
        "if (context.payload.pull_request.title.includes('x')) throw new Error('no'); core.setOutput('a', 1);"
    )
    claim_of(found.machine.failed, "title", "x")
    claim_of(~found.where("a", "1"), "title", "x")
    found = read("if (process.env.TITLE === 'x') process.exit(1); process.exit();", file="x.js")
    claim_of(found.machine.failed, "title", "x")


_ANSWERS = [
    ("(await github.rest.pulls.get({})).data.title", "title"),
    ("(await octokit.rest.pulls.get({})).data.body", "body"),
    ("(await github.pulls.list({})).data[0].head.ref", "branch"),
    (
        "(await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {})).data.labels[0].name",
        "label",
    ),
    (
        "(await github.request(`GET /repos/a/b/issues/${context.issue.number}/comments`)).data[0].body",
        "comment",
    ),
    ("(await github.paginate(github.rest.pulls.listCommits, {}))[0].commit.message", "commit-message"),
    (
        "(await github.paginate('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {}))[0].body",
        "review",
    ),
    (
        "(await github.paginate(github.rest.issues.listComments, {}, r => r.data.map(c => c.body)))[0]",
        "comment",
    ),
    ("(await github.graphql(`query { repository { pullRequest { labels(first: 9) { nodes { name } } } } }`))"
     ".repository.pullRequest.labels.nodes[0].name", "label"),
    ("(await (await fetch('https://api.github.com/repos/a/b/pulls/1')).json()).title", "title"),
    ("(await new (require('@octokit/rest').Octokit)({}).pulls.get({})).data.title", "title"),
    ("(await github.paginate(github.rest.pulls.list.endpoint.merge({})))[0].title", "title"),
    ("JSON.parse(`${{ toJSON(github.event.pull_request) }}`).title", "title"),
    ("core.getInput('marks')", "label"),
    ("process.env.TITLE", "title"),
    ("context.payload.comment.body", "comment"),
    ("require('@actions/github').context.payload.pull_request.head.ref", "branch"),
    ("JSON.parse(require('fs').readFileSync(process.env.GITHUB_EVENT_PATH)).pull_request.title", "title"),
    ("require(process.env.GITHUB_EVENT_PATH).pull_request.title", "title"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "kind"), _ANSWERS)
def test_whose_words_an_answer_holds(read: Any, code: str, kind: str) -> None:
    found = read(f"core.setOutput('r', ({code}).includes('x'));")
    claim_of(found.where("r", "true"), kind, "x")


@pytest.mark.parametrize(
    "code",
    [
        "(await github.paginate(github.rest.pulls.listFiles, {})).some(f => f.filename.startsWith('docs/'))",
        "(await github.rest.pulls.get({})).data.base.ref === 'main'",
        "context.eventName === 'push'",
        "context.actor === 'x'",
        "(await github.rest.repos.getCollaboratorPermissionLevel({})).data.permission === 'admin'",
        "(await github.rest.checks.listForRef({})).data.check_runs.every(c => c.conclusion === 'success')",
    ],
)
def test_facts_are_no_claims(read: Any, code: str) -> None:
    found = read(f"core.setOutput('r', {code});")
    for guard, _ in found.output("r").alternatives:
        assert {origin.cls for atom in guard.support() for origin in atom.origins} == {"observed"}


_DEEDS = [
    ("github.rest.repos.createCommitStatus({ state: 'success' })", "status"),
    ("github.rest.checks.create({ conclusion: 'success' })", "status"),
    ("github.rest.pulls.createReview({ event: 'APPROVE' })", "approve"),
    ("github.rest.pulls.merge({})", "merge"),
    ("github.graphql(`mutation { enablePullRequestAutoMerge(input: {}) { clientMutationId } }`)", "merge"),
    ("github.rest.actions.reRunWorkflow({})", "rerun"),
    ("github.rest.issues.addLabels({ labels: ['a'] })", "label"),
    ("github.rest.issues.createComment({ body: 'a' })", "comment"),
    ("github.request('POST /repos/{owner}/{repo}/statuses/{sha}', { state: 'success' })", "status"),
]


@pytest.mark.parametrize(("code", "kind"), _DEEDS)
def test_what_is_done_outside(read: Any, code: str, kind: str) -> None:
    found = read(f"if (context.payload.pull_request.title.includes('x')) await {code};")
    (deed,) = found.machine.deeds
    assert deed.kind == kind
    assert deed.marks
    claim_of(deed.guard, "title", "x")


def test_a_loop_knows_what_bounds_it(read: Any) -> None:
    found = read(
        "const n = Number(context.payload.pull_request.title);\n"
        "for (let i = 0; i < n; i++) await github.rest.actions.reRunWorkflow({});"
    )
    (deed,) = found.machine.deeds
    ((bound, place),) = deed.loops
    assert {origin.kind for origin in bound.origins()} == {"title"}
    assert place.span.start > 0


@pytest.mark.parametrize(
    "code",
    [
        "b.split(' ').slice(1).length > 0",
        "b.split(' ').slice(1)[0] === b.split(' ')[0]",
        "b.split(' ').length > 1",
        "b.match(/a/g)?.length === 2",
        "[...b].length > 3",
        "(() => { const [first, ...rest] = b.split(' '); return rest.includes(first); })()",
        "(() => { const parts = b.split(' '); parts.shift(); return parts.length === 0; })()",
        "Object.keys(JSON.parse(b)).length === 0",
        "b.split(' ')[0] !== b.split(' ')[1]",
    ],
)
def test_what_a_claim_decides_is_never_certain(read: Any, code: str) -> None:
    found = read(f"const b = context.payload.pull_request.body; core.setOutput('r', {code});")
    assert {origin.kind for origin in found.output("r").origins() if origin.cls == "claim"} == {"body"}


def test_a_review_without_approval_is_no_approval(read: Any) -> None:
    assert not read("await github.rest.pulls.createReview({ event: 'COMMENT' });").machine.deeds


def test_variables_for_later_steps(read: Any) -> None:
    found = read("core.exportVariable('MARKS', context.payload.pull_request.title);").result.variable("MARKS")
    assert found is not None
    assert [o.kind for o in found.origins()] == ["title"]


def test_a_module_of_the_repository(read: Any) -> None:
    code = "const { plan } = require('./ci/plan'); core.setOutput('r', plan(context));"
    files = {
        "ci__plan": "const n = require('./names.js'); "
        "exports.plan = c => n.has(c.payload.pull_request.title);",
        "ci__names": "module.exports = { has: t => t.includes('x') };",
    }
    found = read(code, **files)
    claim_of(found.where("r", "true"), "title", "x")
    assert {reading.file for reading in found.machine.readings.values()} == {"ci/plan.js"}


def test_modules_that_import_and_export(read: Any) -> None:
    files = {
        "ci__a": "import * as b from './b.js'; export default c => b.has(c.payload.pull_request.title);",
        "ci__b": "const has = t => t.includes('x'); export { has }; export const other = 1;",
    }
    code = "const { default: plan } = await import('./ci/a.js'); core.setOutput('r', plan(context));"
    claim_of(read(code, **files).where("r", "true"), "title", "x")


def test_an_action_in_javascript(read: Any) -> None:
    code = """
    const core = require('@actions/core');
    const github = require('@actions/github');
    async function run() {
      try {
        const octokit = github.getOctokit(core.getInput('token'));
        const { data: pr } = await octokit.rest.pulls.get({ ...github.context.repo, pull_number: 1 });
        core.setOutput('run', pr.labels.some(l => l.name === 'skip') ? 'false' : 'true');
      } catch (error) { core.setFailed(error.message); }
    }
    run();
    """
    guard = read(code, file="action/index.js").where("run", "false")
    claims = [atom for atom in guard.support() if atom.is_claim]
    assert [atom.marker for atom in claims] == ["skip"]
    assert without_claims(guard).is_false


def test_programs(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(
        machine: Machine, words: Any, places: Any, given: Value | None = None, **more: Any
    ) -> tools.Outcome:
        assert [word.single for word in words] == ["git", "log", "-1", "--format=%B"]
        assert len(places) == len(words)
        message = claimed("git log", "commit-message", "git log")
        return tools.Outcome(machine.value(message), machine.universe.true)

    monkeypatch.setattr(tools, "run", run)
    for code in (
        "(await exec.getExecOutput('git', ['log', '-1', '--format=%B'])).stdout",
        "(await exec.getExecOutput('git log -1 --format=%B')).stdout",
        "require('child_process').execFileSync('git', ['log', '-1', '--format=%B']).toString()",
        "require('child_process').spawnSync('git', ['log', '-1', '--format=%B']).stdout",
        "require('node:child_process').execSync('git log -1 --format=%B', { encoding: 'utf8' })",
        "await (async () => { let o = ''; await exec.exec('git', ['log', '-1', '--format=%B'], "
        "{ listeners: { stdout: d => { o += d.toString(); } } }); return o; })()",
    ):
        claim_of(
            read(f"core.setOutput('r', ({code}).includes('x'));").where("r", "true"), "commit-message", "x"
        )


def test_text_that_is_copied_keeps_its_writer(read: Any) -> None:
    found = read(
        "core.setOutput('r', JSON.stringify({ t: context.payload.pull_request.title, n: [1, 'a'] }));"
    )
    content = found.output("r").single
    assert isinstance(content, Text)
    assert content[0] == '{"t":"'
    assert {o.kind for part in content for o in origins_of(part)} == {"title"}


def test_expressions_filled_in(host: type[Any]) -> None:
    machine = Machine(host({"github.event.pull_request.title": "title"}, text={"github.event.number": "7"}))
    code = (
        "const t = '${{ github.event.pull_request.title }}'; const n = ${{ github.event.number }};\n"
        "core.setOutput('r', t.includes('x') && n === 7);"
    )
    run_text(machine, code, [])
    found = result_of(machine, []).output("r")
    assert found is not None
    claim_of(next(guard for guard, content in found.alternatives if content == "true"), "title", "x")


def test_unknown_functions_keep_claims(read: Any) -> None:
    found = read(
        "const lib = require('some-library');\n"
        "core.setOutput('r', lib.plan(context.payload.pull_request.title));"
    )
    assert {origin.cls for origin in found.output("r").origins()} == {"claim", "unknown"}


def test_a_broken_statement_is_unknown_alone(read: Any) -> None:
    found = read("core.setOutput('a', 'b'); let x = 'c'; x = foo(bar baz; \ncore.setOutput('d', 'e');")
    assert found.machine.outputs["a"].single == "b"


@pytest.mark.parametrize(
    "code",
    [
        "while (true) { x = 1; }",
        "for (;;) { }",
        "let i = 0; while (i < 1e9) i++;",
        "function f() { return f() + f(); } f();",
        "const f = (n) => f(n + 1); f(0);",
        "let a = 'x'; for (let i = 0; i < 1e6; i++) a += a;",
        "let a = [1]; for (let i = 0; i < 1e6; i++) a = [...a, ...a]; core.setOutput('r', a.join());",
        "'x'.repeat(1e9).padEnd(1e9).split('')",
        "/(a+)+$/.test('a'.repeat(40) + 'b')",
        "/" + "a?" * 60 + "a" * 60 + "/.test('a'.repeat(60))",
        "/" + "(a|a)" * 60 + "b/.test('a'.repeat(60))",
        "/.*.*.*.*.*x/.test('a'.repeat(4000))",
        "'a'.repeat(4000).replace(/.*.*.*.*.*x/, ''); 'a'.repeat(4000).split(/.*.*.*.*.*x/)",
        "[" * 90 + "]" * 90,
        "github.graphql('query {' + '{a'.repeat(900))",
        "x" + ".a" * 2_000,
        "core.setOutput('r', " + " + ".join(["context.payload.pull_request.title"] * 500) + ");",
        "const o = {}; o.o = o; core.setOutput('r', JSON.stringify(o)); core.setOutput('q', `${o}`);",
        "const a = []; a.push(a); core.setOutput('r', a.join()); core.setOutput('q', JSON.stringify(a));",
        "const a = []; a.push(a, context.payload.pull_request.title); console.log(unknown(a));",
        "if (x) {" * 70 + "}" * 70,
        "\ud800 + '\udfff'",
        "((((((((",
        "core.setOutput(context.payload.pull_request.title, 1);",
        "undefined.x.y(); null.z; (5)(); 'a'(); new Foo().bar;",
        "JSON.parse('['.repeat(5000))",
        "".join(f"var v{n} = {_TITLE}.includes('{n}') ? v{n - 1} : {n};" for n in range(80)),
        "".join(f"if ({_TITLE}.includes('{n}')) core.setOutput('r', '{n}');" for n in range(80)),
    ],
)  # fmt: skip
def test_hostile_scripts_end(read: Any, code: str) -> None:
    with suppress(TooMuch):
        read(code)


def test_a_very_long_script_is_not_read(host: type[Any]) -> None:
    with pytest.raises(TooMuch):
        run_text(Machine(host({})), "x = 1;\n" * 300_000, [])


def test_opaque_is_never_clean(read: Any) -> None:
    found = read("core.setOutput('r', somethingElse);")
    content = found.output("r").single
    assert isinstance(content, Opaque)
    assert {origin.cls for origin in content.origins} == {"unknown"}
