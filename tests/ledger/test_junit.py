"""JUnit files as test runners write them, and as nobody should."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from novote.ledger.junit import MAX_BYTES, Case, Suite, parse_junit, read_junit
from novote.ledger.store import LedgerError

BOMB = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<testsuite><testcase name="&b;"/></testsuite>
"""
OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>
"""


def cases(body: str) -> tuple[Case, ...]:
    return parse_junit("junit.xml", f"<testsuites>{body}</testsuites>".encode()).cases


def test_how_tests_end() -> None:
    found = cases(
        '<testsuite name="a"><testcase classname="t.C" name="ok"/>'
        '<testcase classname="t.C" name="bad"><failure type="AssertionError">x</failure></testcase>'
        '<testcase name="worse"><error type="builtins.OSError"/></testcase>'
        '<testcase classname="t.C" name="off"><skipped/></testcase></testsuite>'
    )
    assert found == (
        Case("t.C::ok", "pass"),
        Case("t.C::bad", "fail", 1, ("AssertionError",)),
        Case("worse", "fail", 1, ("builtins.OSError",)),
        Case("t.C::off", "skip"),
    )
    assert Suite(found).executed == 3
    assert [case.name for case in Suite(found).failed] == ["t.C::bad", "worse"]


def test_a_root_that_is_one_suite_and_one_with_a_namespace() -> None:
    for text in (
        "<testsuite><testcase name='x'/></testsuite>",
        "<testsuite xmlns='urn:j'><testcase name='x'/></testsuite>",
    ):
        assert parse_junit("j", text.encode()).cases == (Case("x", "pass"),)


def test_a_test_that_stands_twice_in_its_suite_ran_twice() -> None:
    again = '<testcase classname="c" name="t"/>'
    (case,) = cases(f'<testsuite name="s">{again}{again}{again}</testsuite>')
    assert case == Case("c::t", "pass", 3)
    failed = '<testcase classname="c" name="t"><failure/></testcase>'
    assert cases(f'<testsuite name="s">{failed}{again}</testsuite>') == (Case("c::t", "pass", 2),)
    assert cases(f'<testsuite name="s">{again}{failed}</testsuite>') == (Case("c::t", "fail", 2),)


def test_tests_of_one_name_in_two_suites_are_two() -> None:
    case = '<testcase classname="c" name="t"/>'
    found = cases(f'<testsuite name="one">{case}</testsuite><testsuite name="two">{case}</testsuite>')
    assert found == (Case("c::t", "pass"), Case("c::t", "pass"))
    nested = cases(f'<testsuite name="one"><testsuite name="in">{case}</testsuite>{case}</testsuite>')
    assert len(nested) == 2


def test_surefire_tells_of_reruns_inside_the_test() -> None:
    flaky = '<testcase name="t"><flakyFailure type="x.E"/><flakyError type="y.E"/></testcase>'
    assert cases(f"<testsuite>{flaky}</testsuite>") == (Case("t", "pass", 3, ("x.E", "y.E")),)
    given_up = '<testcase name="t"><failure type="x.E"/><rerunFailure/><rerunFailure/></testcase>'
    assert cases(f"<testsuite>{given_up}</testsuite>") == (Case("t", "fail", 3, ("x.E",)),)


def test_nothing_ran() -> None:
    for body in ("", "<testsuite/>", '<testsuite><testcase name="x"><skipped/></testcase></testsuite>'):
        suite = Suite(cases(body))
        assert (suite.executed, suite.tries) == (0, 1)


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, "<!DOCTYPE testsuite><testsuite/>"])
def test_entities_and_document_types_are_refused(text: str, ends: None) -> None:
    with pytest.raises(LedgerError, match=r"junit\.xml: this declares a document type"):
        parse_junit("junit.xml", text.encode())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<testsuite>",
        b"{}",
        b"\xff\xfe",
        b'<?xml version="1.0" encoding="no-such"?><testsuite/>',
        b"<html/>",
        b"<testsuite>&undefined;</testsuite>",
    ],
)
def test_what_is_no_junit_is_refused(data: bytes) -> None:
    with pytest.raises(LedgerError, match=r"^junit\.xml: this is no "):
        parse_junit("junit.xml", data)


def test_deep_nesting_ends(ends: None) -> None:
    depth = 100_000
    text = f'<testsuite name="{"a" * 100}">' * depth + '<testcase name="x"/>' + "</testsuite>" * depth
    assert parse_junit("j", text.encode()).executed == 1


def test_a_file_that_is_missing_or_too_large(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="No such file"):
        read_junit(str(tmp_path / "junit.xml"))
    with (tmp_path / "large.xml").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(LedgerError, match="larger than 64 MB"):
        read_junit(str(tmp_path / "large.xml"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_or_a_folder_in_its_place_is_refused(tmp_path: Path, ends: None) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(LedgerError, match="this is no file"):
            read_junit(str(tmp_path / name))


def test_a_test_that_fails_ever_again_is_read_in_one_go(ends: None) -> None:
    case = '<testcase name="t"><failure type="x.AError"/></testcase>'
    (found,) = cases(f"<testsuite>{case * 100_000}</testsuite>")
    assert (found.tries, found.kinds) == (100_000, ("x.AError",) * 20)
    reruns = '<rerunFailure type="E"/>' * 100_000
    (within,) = cases(f'<testsuite><testcase name="t">{reruns}</testcase></testsuite>')
    assert (within.tries, within.kinds) == (100_001, ("E",) * 20)
