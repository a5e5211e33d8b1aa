"""What the names of jobs, targets and scripts say."""

from __future__ import annotations

import pytest

from novote.knowledge.names import NameRole, role_of_name, split_name

NAMES = {
    NameRole.EXAM: """
        test tests unit-tests unitTests e2e lint linters typecheck type-check mypy clippy fmt fuzz msrv
        coverage conformance integration regression smoke cargo-test-linux-release test-release build-and-test
        test-docs docs-tests lint-docs deploy-smoke-test test-labeler test_issue_parser check_code_quality
        windows-quality test-scipy-trigger gen_e2e_matrix scaladoc-coverage validate-docs-test static-analysis
        pre-commit check-formatter-instability python311-tests test1 JSTests typing_tests
    """,
    NameRole.WEAK_EXAM: """
        build check verify validate ci compile build_wheels cargo-check sdist build-linux check_paths
        check_loader_version_bump
    """,
    NameRole.SILENT: """
        linux gcc10 mkl-lp64 plan changes build-release release-build pr-check benchmarks-walltime-build setup
        ubuntu cargo-publish-dry-run
    """,
    NameRole.DOCUMENTATION: """
        docs build-docs docs-build documentation website scala-library-docs
    """,
    NameRole.NONE: """
        label labels label-tests comment triage backport release deploy publish notify sync preview greet
        close
        stale welcome changelog check-changelog title pr-title check-pr-template check-for-attached-issue
        automerge auto-merge assign cleanup benchmark bench perf publish-test-results report-failure
        test-report test-results
        build-and-deploy build-and-publish publish-build verify-squash check-draft
        test-pypi commitlint dco cla add-to-project remove-build-label celebrate-merge pr-reviewer-requested
        check-signed-commits deploy-preview create-release nightly-benchmark
    """,
}


@pytest.mark.parametrize(
    ("name", "role"), [(n, role) for role, names in NAMES.items() for n in names.split()]
)
def test_a_name_says(name: str, role: NameRole) -> None:
    assert role_of_name(name) is role


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unitTests", ["unit", "tests"]),
        ("test:api", ["test", "api"]),
        ("a/b.c_d-e f", ["a", "b", "c", "d", "e", "f"]),
        ("e2e", ["e2e"]),
        ("py311-tests", ["py", "tests"]),
        ("HTMLLint", ["html", "lint"]),
        ("test (${{ matrix.label }})", ["test"]),
        ("", []),
        ("---", []),
    ],
)
def test_a_name_is_read_as_words(name: str, words: list[str]) -> None:
    assert split_name(name) == words


def test_a_name_without_words_says_nothing() -> None:
    assert role_of_name("${{ matrix.name }}") is NameRole.SILENT
    assert role_of_name("") is NameRole.SILENT
