"""Models of actions: what they hand out, under which inputs, and what their inputs decide."""

from __future__ import annotations

import pytest

from novote.knowledge import builtin
from novote.knowledge.actions import ActionModel, extended

ACTIONS = builtin().actions


def model(uses: str) -> ActionModel:
    found = ACTIONS.find(uses)
    assert found is not None, uses
    return found


CLAIMS = [
    ("tj-actions/branch-names@v8", "current_branch", "branch"),
    ("xt0rted/pull-request-comment-branch@v2", "head_ref", "branch"),
    ("potiuk/get-workflow-origin@v1", "pullRequestLabels", "label"),
    ("8BitJonny/gh-get-current-pr@v3", "pr_title", "title"),
    ("jwalton/gh-find-current-pr@v1", "body", "body"),
    ("jwalton/gh-find-current-pr@v1", "draft", "draft"),
    ("actions-ecosystem/action-get-merged-pull-request@v1", "labels", "label"),
    ("gotson/pull-request-comment-branch@v1", "ref", "branch"),
    ("github/command@v1", "fork_ref", "branch"),
    ("github/branch-deploy@v10", "ref", "branch"),
    ("joerick/pr-labels-action@v1", "labels", "label"),
    ("mheap/github-action-required-labels@v5", "labels", "label"),
    ("actions/labeler@v5", "all-labels", "label"),
    ("peter-evans/find-comment@v3", "comment-body", "comment"),
    ("peter-evans/find-comment@v3", "comment-id", "comment"),
    ("agilepathway/label-checker@v1", "label_check", "label"),
    ("thehanimo/pr-title-checker@v1", "success", "title"),
    ("taskmedia/action-conventional-commits@v1", "version_type", "commit-message"),
    ("snnaplab/get-labels-action@v1", "labels", "label"),
    ("Khan/pull-request-comment-trigger@v1", "triggered", "comment"),
    ("amannn/action-semantic-pull-request@v5", "type", "title"),
    ("tim-actions/get-pr-commits@v1", "commits", "commit-message"),
    ("xarray-contrib/ci-trigger@v1", "trigger-found", "commit-message"),
    ("stefanbuck/github-issue-parser@v3", "issueparser_kind", "body"),
    ("dawidd6/action-download-artifact@v6", "found_artifact", "artifact"),
]


@pytest.mark.parametrize(("uses", "key", "kind"), CLAIMS)
def test_an_output_is_a_claim(uses: str, key: str, kind: str) -> None:
    output = model(uses).output(key)
    assert output is not None
    assert (output.cls, output.kind) == ("claim", kind)


OBSERVED = [
    ("dorny/paths-filter@v3", "backend", "bool"),
    ("dorny/paths-filter@v3", "changes", "list"),
    ("tj-actions/changed-files@v45", "any_changed", "bool"),
    ("tj-actions/changed-files@v45", "docs_any_changed", "bool"),
    ("tj-actions/changed-files@v45", "all_changed_files", "string"),
    ("nrwl/nx-set-shas@v4", "base", "string"),
    ("fkirc/skip-duplicate-actions@v5", "should_skip", "bool"),
    ("tj-actions/branch-names@v8", "base_ref_branch", "string"),
    ("actions/labeler@v5", "new-labels", "string"),
    ("AurorNZ/paths-filter@v3", "changes", "list"),
    ("getsentry/paths-filter@v2", "backend", "bool"),
    ("8BitJonny/gh-get-current-pr@v3", "number", "string"),
    ("actions/checkout@v6", "commit", "string"),
    ("nick-fields/retry@v3", "exit_code", "number"),
    ("docker/metadata-action@v5", "labels", "string"),
    ("actions/cache@v4", "cache-hit", "bool"),
]


@pytest.mark.parametrize(("uses", "key", "shape"), OBSERVED)
def test_an_output_is_observed(uses: str, key: str, shape: str) -> None:
    output = model(uses).output(key)
    assert output is not None
    assert (output.cls, output.kind, output.shape) == ("observed", "", shape)


CONDITIONAL = [
    ("xt0rted/slash-command-action@v2", "command-arguments", {}, "observed"),
    ("xt0rted/slash-command-action@v2", "command-arguments", {"permission-level": "write"}, "observed"),
    ("xt0rted/slash-command-action@v2", "command-arguments", {"permission-level": "None"}, "claim"),
    ("github/command@v1", "params", {}, "observed"),
    ("github/command@v1", "params", {"permissions": "write,read"}, "claim"),
    ("dependabot/fetch-metadata@v2", "update-type", {}, "observed"),
    ("dependabot/fetch-metadata@v2", "update-type", {"skip-verification": "true"}, "claim"),
    ("dependabot/fetch-metadata@v2", "update-type", {"skip-commit-verification": "true"}, "claim"),
    ("github/command@v1", "continue", {}, "observed"),
    ("github/command@v1", "continue", {"permissions": "read,write"}, "claim"),
    ("github/branch-deploy@v10", "noop", {"permissions": "read,write,admin"}, "claim"),
    ("peter-evans/find-comment@v3", "comment-id", {"comment-author": "github-actions[bot]"}, "observed"),
    ("ishworkh/container-image-artifact-download@v2", "download_path", {"image": "x"}, "observed"),
    ("ishworkh/container-image-artifact-download@v2", "download_path", {"workflow_run_id": "1"}, "claim"),
    ("actions/download-artifact@v4", "download-path", {}, "observed"),
    ("actions/download-artifact@v4", "download-path", {"run-id": "${{ x }}"}, "claim"),
]


@pytest.mark.parametrize(("uses", "key", "given", "cls"), CONDITIONAL)
def test_inputs_change_what_an_output_is(uses: str, key: str, given: dict[str, str], cls: str) -> None:
    output = model(uses).output(key, given)
    assert output is not None
    assert output.cls == cls


def test_filters_in_a_file_are_read_from_the_candidate() -> None:
    paths_filter = model("dorny/paths-filter@v3")
    assert paths_filter.file_inputs({"filters": ".github/filters.yml"}) == ("filters",)
    assert paths_filter.file_inputs({"filters": "src:\n  - 'src/**'\n"}) == ()
    assert paths_filter.file_inputs({"filters": "src: ['src/**']"}) == ()
    assert paths_filter.file_inputs({}) == ()


def test_a_verdict_may_be_a_claim() -> None:
    semantic = model("amannn/action-semantic-pull-request@v5")
    assert semantic.verdict_kind() == "title"
    assert semantic.verdict_kind({"ignorelabels": "bot"}) == "label"
    assert model("mheap/github-action-required-labels@v5").verdict_kind({}) == "label"
    assert model("wagoid/commitlint-github-action@v6").verdict_kind() == "commit-message"
    assert model("deepakputhraya/action-branch-name@v1").verdict_kind() == "branch"
    buf = model("bufbuild/buf-action@v1")
    assert (buf.verdict_kind(), buf.verdict_kind({"breaking": "true"})) == ("label", "")
    assert model("actions/checkout@v4").verdict_kind({}) == ""


def test_inputs_settle_decisions() -> None:
    assert model("actions/checkout@v4").decision_of("ref") == "target"
    assert model("nick-fields/retry@v3").decision_of("max_attempts") == "how-often"
    assert model("re-actors/alls-green@release/v1").decision_of("allowed-skips") == "verdict"
    assert model("cypress-io/github-action@v6").decision_of("spec") == "which"
    assert model("actions/checkout@v4").decision_of("path") is None
    assert model("cypress-io/github-action@v6").decision_of("runTests") == "which"
    assert model("cypress-io/github-action@v6").decision_of("quiet") is None
    assert model("wechuli/allcheckspassed@v2").decision_of("fail_on_missing_checks") == "verdict"
    assert model("wechuli/allcheckspassed@v2").decision_of("retries") == "how-often"


def test_variables_are_set_for_later_steps() -> None:
    slug = model("rlespinasse/github-slug-action@v4")
    variable = slug.variable("GITHUB_HEAD_REF_SLUG")
    assert variable is not None
    assert (variable.cls, variable.kind) == ("claim", "branch")
    ref_name = slug.variable("GITHUB_REF_NAME_SLUG")
    assert ref_name is not None
    assert ref_name.kind == "branch"
    assert slug.variable("PATH") is None
    action_ref = model("FranzDiebold/github-env-vars-action@v2").variable("CI_ACTION_REF_NAME")
    assert action_ref is not None
    assert action_ref.kind == "branch"
    assert model("actions/setup-node@v4").variable("TITLE") is None


def test_scripts_of_inputs_and_workflows_of_others() -> None:
    assert model("actions-rs/cargo@v1").runs == {"command": "cargo "}
    tox = model("OpenAstronomy/github-actions-workflows/.github/workflows/tox.yml@v1")
    assert tox.role == "exam"
    assert model("peter-evans/slash-command-dispatch@v4").dispatches
    assert model("devcontainers/ci@v0.3").runs == {"runcmd": ""}
    assert model("tj-actions/docker-run@v2").runs == {"args": ""}


def test_helpers_hand_on_what_they_are_given() -> None:
    output = model("actions-ecosystem/action-regex-match@v2").output("match")
    assert output is not None
    assert output.cls == "carries"
    assert "text" in output.inputs
    matched = model("MeilCli/regex-match@v1").output("matched")
    assert matched is not None
    assert set(matched.inputs) == {"search_string", "regex_pattern"}
    assert model("frabert/replace-string-action@v2").output("value") is None


def test_what_a_wrapped_action_puts_out_is_not_known() -> None:
    output = model("Wandalen/wretry.action@v3").output("outputs")
    assert output is not None
    assert output.cls == "unknown"


@pytest.mark.parametrize(
    "uses", ["./.github/actions/x", "docker://alpine:3", "", "@v1", "nobody/nothing@v1", "a/b/c/d"]
)
def test_what_is_not_known_has_no_model(uses: str) -> None:
    assert ACTIONS.find(uses) is None


def test_every_model_can_be_built() -> None:
    for name in ACTIONS.names:
        assert model(f"{name}@v1").uses == name


def test_a_repository_adds_and_overrides_models() -> None:
    own = {
        "actions": [
            {"uses": "Acme/Oracle", "role": "observed", "outputs": {"*": {"class": "observed"}}},
            {"uses": "actions/checkout", "role": "other"},
        ]
    }
    actions = extended([own])
    oracle, checkout = actions.find("acme/oracle@1"), actions.find("actions/checkout@v4")
    assert oracle is not None
    assert oracle.output("go") is not None
    assert checkout is not None
    assert checkout.role == "other"
    assert model("actions/checkout@v4").role == "checkout"
