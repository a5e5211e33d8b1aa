"""The same failure has the same name; another has another; what was printed is not in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.ledger.signature import of_log, of_tests, secrets_in, without_secrets

PYTEST = b"""\
E       AssertionError: expected 'a' within 3.21 s, at 0x7f3a, in /tmp/pytest-12/x.py:31
============ 1 failed in 3.21s ============
"""


def test_the_kind_of_the_error_and_a_digest() -> None:
    name = of_log(PYTEST)
    assert name is not None
    kind, digest = name.split(" ")
    assert kind == "AssertionError"
    assert len(digest) == 12


def test_numbers_quotes_paths_and_colours_do_not_count() -> None:
    other = (
        PYTEST.replace(b"3.21", b"9.7")
        .replace(b"'a'", b"'zz'")
        .replace(b"0x7f3a", b"0x11")
        .replace(b"12/x", b"9/y")
    )
    assert of_log(other) == of_log(PYTEST)
    assert of_log(PYTEST.replace(b"AssertionError", b"\x1b[31mAssertionError\x1b[0m")) == of_log(PYTEST)


@pytest.mark.parametrize("other", [b"E TypeError: x\n", b"E AssertionError: something else\n", b"segfault\n"])
def test_another_failure_has_another_name(other: bytes) -> None:
    assert of_log(other) != of_log(PYTEST)


def test_without_any_word_of_failure_the_last_line_counts() -> None:
    assert str(of_log(b"one\ntwo\n\n")).startswith("output ")
    assert of_log(b"one\ntwo\n") == of_log(b"three\ntwo")
    assert of_log(b" \n\n") is None
    assert of_log(b"make: fatal\nbye\n") == of_log(b"make: fatal\nciao\n")


@given(st.binary(max_size=300))
def test_any_bytes_have_a_printable_name(tail: bytes) -> None:
    name = of_log(tail)
    assert name is None or (name.isascii() and name.isprintable() and len(name) < 100)


def test_failed_tests_are_named_without_their_parameters() -> None:
    name = of_tests(["t.A::b[hunter2]", "t.A::a"], ["x.AssertionError", None])
    assert name.startswith("t.A::a, t.A::b AssertionError ")
    assert "hunter2" not in name
    assert name == of_tests(["t.A::a", "t.A::b[other]"], ["x.AssertionError"])
    assert name != of_tests(["t.A::a"], ["x.AssertionError"])
    many = of_tests([f"t{number}" for number in range(9)], [])
    assert many.startswith("t0, t1, t2 and 6 more ")


def test_titles_and_links_of_a_terminal_do_not_count(ends: None) -> None:
    link = b"\x1b]8;;file:///tmp/x\x1b\\AssertionError: a\x1b]8;;\x07"
    assert of_log(link) == of_log(b"AssertionError: a")
    assert str(of_log(b"\x1b]" * 32_768)).startswith("output ")


def test_secrets_are_values_of_variables_named_so_and_what_the_log_masks() -> None:
    environment = {
        "API_TOKEN": "s3cr3t-value",
        "MY_PASSWORD": "pw1",
        "DB_PASSWORD": "pass-word",
        "HOME": "/home/me",
        "SSH_PRIVATE_KEY": "first line\nsecond line\n",
    }
    found = secrets_in(environment, [b"masked-value ", b"one%0Atwo and %25"])
    assert found >= {"s3cr3t-value", "pass-word", "masked-value", "second line", "two and %"}
    assert not found & {"pw1", "/home/me", "one"}
    assert without_secrets("a s3cr3t-value b masked-value", found) == "a *** b ***"
    assert of_log(b"Error: s3cr3t-value", found) == of_log(b"Error: ***")
    assert "pass-word" not in of_tests(["t::x_pass-word"], [], found)
