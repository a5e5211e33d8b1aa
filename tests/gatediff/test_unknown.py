"""Exams that nobody recognises, and exams that move to where nobody can read them."""

from __future__ import annotations

from tests.gatediff.conftest import WORKFLOW
from tests.gatediff.test_exams import HEAD, job, kinds

OWN = job("verify", "uses: actions/checkout@v4", "run: ./prove.sh --all")


def test_a_script_that_nobody_knows_is_the_same_wherever_it_runs() -> None:
    before = HEAD + OWN
    assert kinds(before, HEAD + OWN.replace("verify", "main")) == []
    assert kinds(before, HEAD + OWN.replace("run: ./prove.sh --all", "run: bash prove.sh --all --more")) == []
    wrapped = {WORKFLOW: HEAD + job("verify", "run: ci/all.sh"), "ci/all.sh": "./prove.sh --all\n"}
    assert kinds(before, wrapped) == kinds(wrapped, before) == []


def test_a_script_that_nobody_knows_can_be_gone() -> None:
    assert kinds(HEAD + OWN, HEAD + OWN.replace("run: ./prove.sh --all", "run: echo proved")) == ["removed"]
    assert kinds(HEAD + OWN, HEAD + job("other", "run: make docs")) == ["removed"]


def test_a_recipe_that_nobody_can_read_may_stand_for_what_its_job_did() -> None:
    before = HEAD + job("test", "run: pytest tests")
    assert kinds(before, HEAD + job("test", "run: tox -e py")) == []
    assert kinds(before, HEAD + job("test", "run: make test")) == []
    assert kinds(before, HEAD + job("other", "run: tox -e py")) == ["removed"]
    both = HEAD + job("test", "run: tox -e lint", "run: pytest tests")
    assert kinds(both, HEAD + job("test", "run: tox -e lint")) == ["removed"]


def test_a_recipe_that_can_be_read_stands_for_nothing_else() -> None:
    before = HEAD + job("test", "run: pytest tests")
    made = {WORKFLOW: HEAD + job("test", "run: make test"), "Makefile": "test:\n\truff check .\n"}
    assert kinds(before, made) == ["removed"]


def test_a_recipe_may_not_run_less_often_than_what_it_stands_for() -> None:
    before = HEAD + job("test", "run: pytest tests")
    assert kinds(before, HEAD + job("test", "run: tox", more="if: github.actor == 'me'")) == ["condition"]
