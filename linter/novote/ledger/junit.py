"""Reads a JUnit file: which tests ran, how often each was tried, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from novote.ledger.store import LedgerError, regular

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_BYTES = 64 << 20
"""A larger file is refused."""

Ending = Literal["pass", "fail", "skip"]

_MOST_KINDS = 20
"""So many errors of one test are named, which is enough to tell one failure from another."""

_FAILURES = ("failure", "error")
_FLAKY = ("flakyFailure", "flakyError")
_RERUNS = ("rerunFailure", "rerunError", "rerun")


class Case(NamedTuple):
    """One test. `tries` counts how often it ran: all but the last failed. `kinds` names its errors."""

    name: str
    ending: Ending
    tries: int = 1
    kinds: tuple[str, ...] = ()


class Suite(NamedTuple):
    """All tests of a file, each once."""

    cases: tuple[Case, ...]

    @property
    def executed(self) -> int:
        """How many tests ran."""
        return sum(case.ending != "skip" for case in self.cases)

    @property
    def failed(self) -> tuple[Case, ...]:
        """The tests that failed in the end."""
        return tuple(case for case in self.cases if case.ending == "fail")

    @property
    def repeated(self) -> tuple[Case, ...]:
        """The tests that were tried more than once."""
        return tuple(case for case in self.cases if case.tries > 1)

    @property
    def tries(self) -> int:
        """How often the test ran that ran most often; 1 where none ran."""
        return max((case.tries for case in self.cases), default=1)


def read_junit(path: str) -> Suite:
    """Reads a file. Raises LedgerError where it is not there, too large, or no JUnit."""
    try:
        with open(regular(path), "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise LedgerError(f"{path}: this is larger than {MAX_BYTES >> 20} MB")
    return parse_junit(path, data)


def parse_junit(name: str, data: bytes) -> Suite:
    """Reads the content of a file; entities and document types are refused. Raises LedgerError."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        root = fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise LedgerError(
            f"{name}: this declares a document type or entities, which no JUnit file needs"
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        raise LedgerError(f"{name}: this is no XML: {error}") from None
    if _tag(root) not in ("testsuites", "testsuite"):
        raise LedgerError(
            f"{name}: this is no JUnit file: its root is {_tag(root)}, not testsuites or testsuite"
        )
    return Suite(tuple(_joined(_cases(root))))


_Key = tuple[int, str]
"""What tells a test from others: the number of its suite, and its name."""


def _cases(root: Element) -> Iterator[tuple[_Key, Case]]:
    """Each testcase with its key, in the order of the file.

    Suites may hold suites; those of one name in the same suite are one.
    """
    suites: dict[tuple[int, str, str], int] = {}
    waiting: list[tuple[int, Element]] = [(0, root)]
    while waiting:
        within, element = waiting.pop()
        if _tag(element) == "testcase":
            case = _case(element)
            yield (within, case.name), case
            continue
        named = (within, element.get("package", ""), element.get("name", ""))
        suite = suites.setdefault(named, len(suites) + 1)
        waiting.extend(
            (suite, child) for child in reversed(element) if _tag(child) in ("testsuite", "testcase")
        )


def _case(element: Element) -> Case:
    tags = [_tag(child) for child in element]
    failed = [tag for tag in tags if tag in _FAILURES]
    # A test that failed for good names its first failure, then its reruns; one that passed only its failures.
    again = sum(tag in _FLAKY or tag in _RERUNS for tag in tags)
    kinds = (child.get("type", "") for child in element if _tag(child) in (*_FAILURES, *_FLAKY, *_RERUNS))
    ending: Ending = "fail" if failed else "skip" if "skipped" in tags else "pass"
    name = "::".join(filter(None, (element.get("classname"), element.get("name"))))
    return Case(name, ending, 1 + again, tuple(islice(filter(None, kinds), _MOST_KINDS)))


def _joined(cases: Iterable[tuple[_Key, Case]]) -> Iterator[Case]:
    """Each test once: one that stands in its suite several times was run again, and the last run counts."""
    found: dict[_Key, Case] = {}
    for key, case in cases:
        before = found.get(key)
        if before is not None and "skip" not in (before.ending, case.ending):
            kinds = (*before.kinds, *case.kinds)[:_MOST_KINDS]
            case = case._replace(tries=before.tries + case.tries, kinds=kinds)
        found[key] = case
    return iter(found.values())


def _tag(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]
