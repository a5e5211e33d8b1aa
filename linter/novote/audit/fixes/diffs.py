"""Fixes of commands that list changed paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from novote.audit.fixes.place import Place, fix_of
from novote.model import Edit, Finding, Fix
from novote.source.writing import Page

_DIFF: Final = re.compile(
    r"git\b(?P<before>(?:[ \t]+(?:-[cC][ \t]+[^\s|;&]+|--[\w-]+(?:=[^\s|;&]+)?))*)[ \t]+diff\b"
)
# Up to what ends a command; a backslash carries it on to the next line.
_ARGUMENTS: Final = re.compile(r"(?:[^|;&)\\\n]|\\\r?\n|\\.){0,5000}")
# What reads names that end in a null byte. The bounds are for lines that are made to be slow.
_READS_NULL: Final = re.compile(
    r"\|[ \t]{0,20}(?:"
    r"xargs\b[^|;&\n]{0,200}?[ \t](?:-[a-zA-Z]{0,9}0|--null\b)"
    r"|(?:grep|sed|sort|uniq|head|tail|cut)\b[^|;&\n]{0,200}?[ \t]"
    r"(?:-[a-zA-Z]{0,9}z|--null-data\b|--zero-terminated\b)"
    r"|while\b[^|;&\n]{0,50}?\bread\b[^|;&\n]{0,50}?[ \t]-[a-zA-Z]{0,9}d[ \t]{0,9}(?:''|\"\"|\$'\\0')"
    r"|tr[ \t]{1,9}[\"']?\\{1,4}0)"
)
_API: Final = re.compile(r"gh[ \t]+api\b")
# A filter that prints each file by itself prints those of every page; any other prints once a page.
_EACH: Final = re.compile(r"[ \t](?:--jq|-q)[= \t][ \t]*[\"']?\.\[\]")


def list_all(place: Place, finding: Finding) -> Fix | None:
    """`selector-lossy-diff`: both paths of a rename and every name as it is, or every page of an answer."""
    page, start = place.page, finding.location.span.start
    found = _API.match(page.source.text, start)
    if found is not None:
        if _EACH.search(_arguments(page, found)) is None:
            return None
        return fix_of("ask for every page", [page.edit(found.end(), found.end(), " --paginate")], safe=True)
    found = _DIFF.match(page.source.text, start)
    edits = [] if found is None else _options(page, found)
    return fix_of("list both paths of a rename, and names as they are", edits, safe=True)


def _arguments(page: Page, found: re.Match[str]) -> str:
    arguments = _ARGUMENTS.match(page.source.text, found.end())
    return "" if arguments is None else arguments[0]


def _options(page: Page, found: re.Match[str]) -> Iterator[Edit]:
    """The options that a `git diff` lacks; names are ended by null bytes only where the reader expects it."""
    arguments = _arguments(page, found)
    behind = [] if "--no-renames" in arguments.split() else ["--no-renames"]
    if "-z" not in arguments.split():
        if _READS_NULL.match(page.source.text, found.end() + len(arguments)) is not None:
            behind.append("-z")
        elif "core.quotepath=" not in found[0].lower():
            at = found.start() + len("git")
            yield page.edit(at, at, " -c core.quotePath=false")
    if behind:
        yield page.edit(found.end(), found.end(), " " + " ".join(behind))
