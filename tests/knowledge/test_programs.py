"""Commands of scripts: what they write, who wrote that, which words are files and programs."""

from __future__ import annotations

import shlex

import pytest

from novote.knowledge import builtin
from novote.knowledge.programs import HOLE, Produced, Tool, extended

PROGRAMS = builtin().programs


def tool(command: str) -> Tool:
    found = PROGRAMS.tool(shlex.split(command.replace("HOLE", HOLE)))
    assert found is not None, command
    return found


def produced(command: str) -> Produced:
    found = tool(command).produced
    assert found is not None, command
    return found


CLAIMS = [
    ("git log", "commit-message", "lines"),
    ("git log -1 --format=%s", "commit-message", "line"),
    ("git log -1 --pretty=%B HEAD", "commit-message", "lines"),
    ("git log --format=%s", "commit-message", "lines"),
    ("git log --format='%h %an'", "author", "lines"),
    ("git log -n 1 --format='%(trailers:key=Tests,valueonly)'", "trailer", "lines"),
    ("git log -1 --format=%N", "note", "lines"),
    ("git log -1 --pretty=format:%D", "branch", "line"),
    ("git log --oneline -3", "commit-message", "lines"),
    ("git log --name-only", "commit-message", "lines"),
    ("git log --format=%H --grep=skip", "commit-message", "lines"),
    ("git log --format=%H --author me", "author", "lines"),
    ("git log -p --format=", "head-file", "lines"),
    ("git -C sub -c a.b=c --no-pager log -1 --format=%s", "commit-message", "line"),
    ("git rev-list --pretty=%s -1 HEAD", "commit-message", "lines"),
    ("git show -s --format=%s HEAD", "commit-message", "line"),
    ("git show -s --format=%s HEAD~2..HEAD", "commit-message", "lines"),
    ("git show HEAD", "commit-message", "lines"),
    ("git show --format= HEAD", "head-file", "lines"),
    ("git show HEAD:ci/suites.txt", "head-file", "lines"),
    ("git show HOLE:ci/suites.txt", "head-file", "lines"),
    ("git cat-file -p HEAD", "commit-message", "lines"),
    ("git cat-file -p HEAD:x", "head-file", "lines"),
    ("git diff origin/main HEAD", "head-file", "lines"),
    ("git diff --name-only -p", "head-file", "lines"),
    ("git shortlog -s", "author", "lines"),
    ("git cherry -v main", "commit-message", "lines"),
    ("git notes show HEAD", "note", "lines"),
    ("git branch --show-current", "branch", "line"),
    ("git branch -a", "branch", "lines"),
    ("git rev-parse --abbrev-ref HEAD", "branch", "line"),
    ("git symbolic-ref --short HEAD", "branch", "line"),
    ("git name-rev HEAD", "branch", "lines"),
    ("git tag --contains HEAD", "branch", "lines"),
    ("git for-each-ref --format='%(refname:short) %(subject)' refs/heads", "commit-message", "lines"),
    ("git for-each-ref --format='%(refname)'", "branch", "lines"),
    ("gh pr view 3", "body", "lines"),
    ("novote recompute --base main --map-from head", "head-file", "lines"),
    ("gh pr list", "title", "lines"),
    ("gh pr diff 3", "head-file", "lines"),
    ("gh run watch 3", "title", "lines"),
    ("gh issue view 3 --comments", "body", "lines"),
]


@pytest.mark.parametrize(("command", "kind", "shape"), CLAIMS, ids=[row[0] for row in CLAIMS])
def test_what_an_author_writes(command: str, kind: str, shape: str) -> None:
    found = produced(command)
    assert (found.cls, found.kind, found.shape) == ("claim", kind, shape)


OBSERVED = [
    "git log --format=%H -1", "git log --name-only --format= A..B", "git log -1 --format='%ct %h'",
    "git rev-list --count HEAD", "git rev-list A..B", "git rev-parse HEAD", "git rev-parse --short HEAD",
    "git rev-parse --abbrev-ref origin/HEAD", "git merge-base A B", "git diff --name-only HOLE...HOLE",
    "git diff --name-status --diff-filter=AM A", "git diff --stat A",
    "git diff-tree --no-commit-id --name-only -r A",
    "git show --name-only --format= HEAD", "git show origin/main:ci/suites.txt", "git show origin/HOLE:x",
    "git ls-files '*.py'", "git ls-tree -r --name-only HEAD", "git ls-remote --heads origin",
    "git describe --tags --abbrev=0", "git tag -l 'v*'", "git status --porcelain", "git cherry main",
    "git symbolic-ref refs/remotes/origin/HEAD", "git for-each-ref --format='%(refname)' refs/tags",
    "git cat-file -t HEAD", "gh pr diff 3 --name-only", "gh pr checks 3", "ls src", "find . -name '*.c'",
    "date +%s", "uname -m", "nproc", "mktemp -d", "openssl rand -hex 4",
    "gh api orgs/o/memberships/u", "gh api repos/a/b/contents/x", "gh api user",
    "novote -q recompute --base main --map-from base --out m.json", "novote recompute --event e.json",
]  # fmt: skip


@pytest.mark.parametrize("command", OBSERVED)
def test_what_git_and_the_platform_state(command: str) -> None:
    found = produced(command)
    assert (found.cls, found.kind) == ("observed", "")


UNKNOWN = [
    "git log --format=%H --no-such-option", "git diff --name-only --no-such-option", "git log --format=HOLE",
    "git rev-parse --no-such-option HEAD", "git --no-such-option rev-parse HEAD", "git log -1 --format=%Q",
    "gh pr checks --no-such-option", "gh pr view --json number --no-such-option", "gh api no/such/route",
    "gh run view 3 --log", "find . -exec cat {} ';'", "curl https://example.com/list.json",
    "curl -w '%{http_code}' https://api.github.com/repos/a/b/languages", "curl HOLE", "gh api HOLE",
    "gh api graphql -f query=HOLE", "novote recompute --no-such-option", "python -c 'print(1)'",
]  # fmt: skip


@pytest.mark.parametrize("command", UNKNOWN)
def test_nothing_unknown_is_clean(command: str) -> None:
    assert produced(command).cls == "unknown"


def test_the_name_of_a_variable_may_say_that_a_revision_is_the_base() -> None:
    words = ["git", "show", f"{HOLE}:x"]
    for written, cls in (
        ("$BASE_SHA:x", "observed"),
        ("$SHA:x", "claim"),
        ("origin/$GITHUB_HEAD_REF:x", "claim"),
    ):
        found = PROGRAMS.tool(words, ["git", "show", written])
        assert found is not None
        assert found.produced is not None
        assert found.produced.cls == cls, written


FIELDS = [
    ("gh pr view --json title", ("title",), "title"),
    ("gh pr view --json labels", ("labels", "*", "name"), "label"),
    ("gh pr view --json comments", ("comments", "*", "body"), "comment"),
    ("gh pr view --json reviews", ("reviews", "*", "state"), "review"),
    ("gh pr view --json commits", ("commits", "*", "messageHeadline"), "commit-message"),
    ("gh pr view --json headRefName", ("headRefName",), "branch"),
    ("gh pr view --json isDraft", ("isDraft",), "draft"),
    ("gh pr view --json milestone", ("milestone", "title"), "milestone"),
    ("gh pr view --json files", ("files", "*", "path"), ""),
    ("gh pr view --json baseRefName,number", ("baseRefName",), ""),
    ("gh pr list --json number,title", ("*", "title"), "title"),
    ("gh pr list --json number --label x", ("*", "number"), "label"),
    ("gh pr list --json number --search HOLE", ("*", "number"), ""),
    ("gh pr list --json number --search '[skip] in:title'", ("*", "number"), "title"),
    ("gh pr status --json title", ("currentBranch", "title"), "title"),
    ("gh issue view 3 --json body", ("body",), "body"),
    ("gh run list --json headBranch,conclusion", ("*", "headBranch"), "branch"),
    ("gh run list --json headBranch,conclusion", ("*", "conclusion"), ""),
    ("gh api repos/a/b/pulls/3", ("title",), "title"),
    ("gh api repos/a/b/pulls/3", ("head", "ref"), "branch"),
    ("gh api repos/a/b/pulls/3", ("head", "sha"), ""),
    ("gh api /repos/HOLE/pulls/HOLE", ("labels", "*", "name"), "label"),
    ("gh api 'repos/{owner}/{repo}/pulls/3/files?per_page=100'", ("*", "filename"), ""),
    ("gh api repos/HOLE/HOLE/pulls/3/files", ("*", "patch"), ""),
    ("gh api HOLE/pulls/3/files", ("*", "filename"), ""),
    ("gh api --paginate --slurp repos/a/b/pulls/1/files", ("*", "*", "filename"), ""),
    ("gh api repos/a/b/pulls/3/commits", ("*", "commit", "message"), "commit-message"),
    ("gh api repos/a/b/issues/3/comments", ("*", "body"), "comment"),
    ("gh api repos/a/b/issues/3/labels", ("*", "name"), "label"),
    ("gh api repos/a/b/pulls/3/reviews", ("*", "state"), "review"),
    ("gh api repos/a/b/compare/main...HOLE", ("files", "*", "filename"), ""),
    ("gh api repos/a/b/actions/runs/3", ("head_branch",), "branch"),
    ("gh api repos/a/b/commits/x/check-runs", ("check_runs", "*", "conclusion"), ""),
    ("gh api repos/a/b/contents/x?ref=HEAD", ("content",), "head-file"),
    ("gh api search/issues", ("items", "*", "title"), "title"),
    ("curl -sH a https://api.github.com/repos/a/b/issues/3", ("title",), "title"),
    ("curl -s HOLE/repos/HOLE/pulls/3", ("body",), "body"),
    ("wget -qO- https://api.github.com/repos/a/b/issues/3", ("body",), "body"),
    ("Invoke-RestMethod -Uri HOLE/repos/HOLE/pulls/3 -Headers x", ("title",), "title"),
]


@pytest.mark.parametrize(("command", "path", "kind"), FIELDS, ids=[row[0] for row in FIELDS])
def test_the_fields_of_documents(command: str, path: tuple[str, ...], kind: str) -> None:
    found = produced(command)
    for step in path:
        assert step in found.fields, step
        found = found.fields[step]
    assert (found.cls, found.kind) == ("claim" if kind else "observed", kind)


def test_a_query_is_read_by_its_fields() -> None:
    query = (
        'query($n: Int!) { repository(owner: "a") { pull: pullRequest(number: $n) { title number '
        "labels(first: 9) { nodes { name } } commits(last: 1) { nodes { commit { message oid } } } } } }"
    )
    request = (
        produced(f"gh api graphql -f query='{query}'").fields["data"].fields["repository"].fields["pull"]
    )
    assert request.fields["title"].kind == "title"
    assert request.fields["number"].cls == "observed"
    assert request.fields["labels"].fields["nodes"].fields["*"].fields["name"].kind == "label"
    commit = request.fields["commits"].fields["nodes"].fields["*"].fields["commit"]
    assert (commit.fields["message"].kind, commit.fields["oid"].cls) == ("commit-message", "observed")


def test_what_a_command_itself_makes_of_a_document() -> None:
    assert produced("gh pr view --json labels -q .labels[].name").jq == ".labels[].name"
    assert produced("gh api repos/a/b/pulls/1 --jq=.title").jq == ".title"
    assert produced("gh pr view --json title --template '{{.title}}'").template


def test_messages_call_a_source_by_its_command_and_field() -> None:
    assert produced("gh pr view --json title,labels").fields["labels"].text == "gh pr view --json labels"
    assert produced("gh api repos/HOLE/pulls/HOLE").fields["title"].text == "gh api repos/…/pulls/… .title"
    assert produced("git log -1 --format=%s").text == "git log --format=%s"
    assert produced("git branch --show-current").text == "git branch --show-current"


EFFECTS = [
    ("gh pr review --approve", "approve"),
    ("gh pr review --comment -b x", "comment"),
    ("gh pr merge --squash", "merge"),
    ("gh pr comment -b x", "comment"),
    ("gh pr edit --add-label x", "label"),
    ("gh run rerun 3 --failed", "rerun"),
    ("gh workflow run ci.yml", "dispatch"),
    ("gh api repos/a/b/statuses/HOLE -f state=success", "status"),
    ("gh api -X POST repos/a/b/check-runs --input -", "status"),
    ("gh api repos/a/b/pulls/1/reviews -f event=APPROVE", "approve"),
    ("gh api repos/a/b/pulls/1/reviews -f event=COMMENT", "comment"),
    ("gh api repos/a/b/pulls/1/reviews --input review.json", "approve"),
    ("gh api -XPUT repos/a/b/pulls/1/merge", "merge"),
    ("gh api --method POST repos/a/b/actions/runs/1/rerun", "rerun"),
    ("gh api repos/a/b/issues/1/labels -f labels[]=x", "label"),
    ("gh api repos/a/b/issues/1/comments -f body=x", "comment"),
    ("gh api -X DELETE repos/a/b/issues/1/labels/x", "label"),
    ("gh api -X POST no/such/route", ""),
    ("gh api graphql -f query='mutation { mergePullRequest(input: {}) { clientMutationId } }'", "merge"),
    ("""curl -X POST -d '{"event": "APPROVE"}' HOLE/repos/HOLE/pulls/1/reviews""", "approve"),
    ("""curl -d '{"state": "success"}' https://api.github.com/repos/a/b/statuses/x""", "status"),
]


@pytest.mark.parametrize(("command", "effect"), EFFECTS, ids=[row[0] for row in EFFECTS])
def test_what_a_command_does_outside(command: str, effect: str) -> None:
    found = tool(command)
    assert (found.role, found.effect) == ("effect", effect)


QUIET = [
    "git fetch origin main", "git checkout HOLE", "git config user.name x", "git branch -D x", "git tag v1",
    "git remote add a b", "mkdir -p x", "npm ci", "apt-get install -y x", "sed -i s/a/b/ f", "wget https://x.y/z",
    "curl -sSfLO https://x.y/z", "gh pr checkout 3",
]  # fmt: skip


@pytest.mark.parametrize("command", QUIET)
def test_what_writes_nothing_that_matters(command: str) -> None:
    assert tool(command).role == "quiet"


def test_what_is_downloaded_from_a_run_is_an_artifact() -> None:
    found = tool("gh run download 3")
    assert (found.role, found.produced and found.produced.kind) == ("quiet", "artifact")


def test_a_known_program_with_an_unknown_subcommand_and_an_unknown_program() -> None:
    for command in ("git frobnicate", "gh pr frobnicate", "openssl frobnicate", "git", "git HOLE"):
        assert tool(command).role == "unknown"
    assert PROGRAMS.tool(["frobnicate"]) is None
    assert PROGRAMS.tool([]) is None
    assert PROGRAMS.tool([HOLE, "log"]) is None


PLACES = [
    ("grep -qE 'a|b' f", Tool("test", scripts=(2,), files=(3,))),
    ("grep -oP x", Tool("filter", scripts=(2,), reads_stdin=True)),
    ("grep -e p -m 3 f g", Tool("filter", scripts=(2,), files=(5, 6))),
    ("grep -zq --regexp=p", Tool("test", scripts=(2,), reads_stdin=True, starts={2: 9})),
    ("grep -ep -f pats f", Tool("filter", scripts=(1,), files=(3, 4), starts={1: 2})),
    ("grep -rn p", Tool("filter", scripts=(2,))),
    ("grep p -", Tool("filter", scripts=(1,), reads_stdin=True)),
    ("rg --quiet p f", Tool("test", scripts=(2,), files=(3,))),
    ("sed -n -e a -e b f", Tool("filter", scripts=(3, 5), files=(6,))),
    ("sed -E s/a/b/", Tool("filter", scripts=(2,), reads_stdin=True)),
    ("awk -F , -v n=1 '{print}' f", Tool("filter", scripts=(5,), files=(6,), arguments=(("n", 4),))),
    ("awk -f p.awk f", Tool("filter", files=(2, 3))),
    ("jq -r --arg n v .a f.json", Tool("filter", scripts=(5,), files=(6,), arguments=(("n", 4),))),
    ("jq -rn --argjson a 1 '$a'", Tool("filter", scripts=(5,), arguments=(("a", 4),))),
    ("/usr/bin/jq -e .a", Tool("filter", scripts=(2,), reads_stdin=True)),
    ("cut -d, -f 1", Tool("filter", reads_stdin=True, starts={})),
    ("head -n 5 f", Tool("filter", files=(3,))),
    ("head -5", Tool("filter", reads_stdin=True)),
    ("sort -u -o out in", Tool("filter", files=(4,), output_file=3)),
    ("tee -a out", Tool("filter", reads_stdin=True, copies=(2,))),
    ("cat a b", Tool("filter", files=(1, 2))),
    ("cat.exe", Tool("filter", reads_stdin=True)),
    ("echo -n a b", Tool("filter", words=(2, 3))),
    ("echo --x", Tool("filter")),
    ("printf %s a", Tool("filter", words=(1, 2))),
    ("basename a/b .x", Tool("filter", words=(1, 2))),
    ("tr a-z A-Z", Tool("filter", reads_stdin=True)),
    ("xargs -n 1 echo", Tool("filter", reads_stdin=True)),
    ("Write-Output a", Tool("filter", words=(1,), reads_stdin=True)),
]


@pytest.mark.parametrize(("command", "expected"), PLACES, ids=[row[0] for row in PLACES])
def test_which_words_are_files_and_programs(command: str, expected: Tool) -> None:
    assert tool(command) == expected


def test_what_carries_its_words_or_variables() -> None:
    assert tool("seq 3") == Tool("source", Produced("carries", "", "seq"), words=(1,))
    assert tool("printenv TITLE") == Tool("source", Produced("carries", "", "printenv"), variables=(1,))


def test_a_test_of_git_asks_about_what_git_states() -> None:
    for command in ("git diff --quiet HEAD", "git merge-base --is-ancestor A B", "git cat-file -e A"):
        found = tool(command)
        assert found.role == "test"
        assert found.produced is not None
        assert found.produced.cls == "observed"


def test_the_answer_of_curl_may_go_to_a_file() -> None:
    found = tool("curl -s -o pr.json https://api.github.com/repos/a/b/pulls/3")
    assert (found.role, found.output_file) == ("source", 3)
    assert tool("wget -O - https://x.y").output_file is None


OWN = {
    "commands": [
        {"command": "acme labels", "role": "source", "output": "label"},
        {"command": "git lfs", "role": "source", "output": "observed"},
    ],
    "routes": [{"route": "repos/{repo}/pulls", "output": "observed"}],
    "documents": {
        "a": {"extends": "b", "fields": {}},
        "b": {"extends": "a", "fields": {"x": {"list": "b"}, "y": {"one": "b"}}},
    },
}


def test_a_repositorys_own_entries_win() -> None:
    programs = extended([OWN])
    for command, kind in (("acme labels", "label"), ("git lfs ls-files", ""), ("gh api repos/a/b/pulls", "")):
        found = programs.tool(command.split())
        assert found is not None
        assert found.produced is not None
        assert found.produced.kind == kind
    acme = programs.tool(["acme", "x"])
    assert acme is not None
    assert acme.role == "unknown"
    assert tool("git lfs ls-files").role == "quiet"


def test_documents_that_refer_to_themselves_are_bounded() -> None:
    row = {"route": "loop", "output": {"one": "b"}}
    found = extended([{**OWN, "routes": [row]}]).tool(["gh", "api", "loop"])
    assert found is not None
    assert found.produced is not None


def test_hostile_words_take_bounded_time() -> None:
    for word in (
        "a/" * 50_000,
        HOLE + "/" + "{repo}/" * 1_000,
        "--format=" + "%(" * 50_000,
        "-" + "x" * 50_000,
    ):
        for command in (
            ["gh", "api"],
            ["curl"],
            ["git", "log"],
            ["git", "show"],
            ["gh", "pr", "view", "--json"],
        ):
            PROGRAMS.tool([*command, word])
    PROGRAMS.tool(["gh", "api", "graphql", "-f", "query=" + "{a" * 9_000])
