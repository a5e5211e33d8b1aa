"""Workflow text in, what the engine makes of it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import dedent

import pytest

from novote.flow.cases import EventCase
from novote.flow.evaluation import Evaluation
from novote.flow.repository import Repository
from novote.flow.unit import Unit, unit_of
from novote.flow.world import World
from novote.knowledge import builtin
from novote.model import SourceText
from novote.source.yaml import parse
from novote.workflow.bind import bind

FILE = ".github/workflows/ci.yml"

Read = Callable[[str], Unit]
Evaluate = Callable[..., Evaluation]
Gather = Callable[[Mapping[str, str]], Repository]


def unit_from(text: str, file: str = FILE) -> Unit:
    bound = bind(parse(SourceText(file, dedent(text))), file)
    assert bound.view is not None, bound.problems
    return unit_of(bound.view)


@pytest.fixture
def read() -> Read:
    """The unit that the text of a workflow makes."""
    return unit_from


@pytest.fixture
def evaluate() -> Evaluate:
    """The evaluation of a workflow's text under one event."""

    def evaluation(text: str, event: str = "pull_request", *, called: bool = False) -> Evaluation:
        case = EventCase(event, "before-merge", called=called)
        return Evaluation(unit_from(text), case, World(builtin()))

    return evaluation


@pytest.fixture
def gather() -> Gather:
    """The repository that some files make."""

    def repository(files: Mapping[str, str]) -> Repository:
        sources = {file: SourceText(file, dedent(text)) for file, text in files.items()}
        return Repository(sources, builtin())

    return repository
