"""Bytes to text: what is read, what is a problem, and where."""

from __future__ import annotations

import pytest

from novote.model import Problem, SourceText, Span
from novote.source.bounds import MAX_LENGTH
from novote.source.decode import decode


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"on: push\r\n", "on: push\r\n"),
        (b"\xef\xbb\xbfon: push", "\ufeffon: push"),
        ("\ufeffon: grün \U0001f600".encode("utf-16-le"), "\ufeffon: grün \U0001f600"),
        ("\ufeffon: grün".encode("utf-16-be"), "\ufeffon: grün"),
        (b"", ""),
    ],
)
def test_text_keeps_every_code_point(raw: bytes, text: str) -> None:
    assert decode("ci.yml", raw) == SourceText("ci.yml", text)


def test_bytes_that_are_not_utf8_are_a_problem_at_the_first_of_them() -> None:
    problem = decode("ci.yml", "grün: ".encode() + b"\xff\xfe")
    assert isinstance(problem, Problem)
    assert (problem.kind, problem.span) == ("not-utf8", Span(6, 6))


def test_half_a_character_of_utf16_is_a_problem() -> None:
    problem = decode("ci.yml", b"\xff\xfea\x00b")
    assert isinstance(problem, Problem)
    assert problem.kind == "not-utf8"


def test_a_huge_file_is_not_decoded() -> None:
    problem = decode("ci.yml", b"\xff" * (4 * MAX_LENGTH + 1))
    assert isinstance(problem, Problem)
    assert problem.kind == "too-large"
