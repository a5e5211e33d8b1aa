"""`novote map explain PATH`: which rules and fixtures a path hits, and what keeps it from the others."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from novote.cli.discovery.root import working_folder
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.layout import json_text
from novote.cli.map.place import MapPlace, add_map_argument, find_map, read_map_file, told
from novote.cli.streams import Streams
from novote.report.escape import terminal

if TYPE_CHECKING:
    from novote.fixturemap.explain import Answer, Explanation
    from novote.fixturemap.model import FixtureMap
    from novote.model import SourceText

SHOWN = 3
"""How many rules that a path misses are told, the nearest first; all of them for -v and in JSON."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `map explain` takes."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, whether they are there or not")
    add_map_argument(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        metavar="text|json",
        help="how to print (default: text)",
    )


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Prints what the map says of each path."""
    from novote.fixturemap.explain import explain

    if not args.paths:
        raise UsageError("which path? Name a file, such as src/app.py")
    here = working_folder()
    place = find_map(args.map, here)
    paths = [_from_root(path, place, here) for path in args.paths]
    loaded = read_map_file(place).loaded
    if loaded.map is None or loaded.source is None:
        told(loaded, streams)
        return ExitCode.UNREADABLE
    explained = [explain(loaded.map, path) for path in paths]
    told_of = _Told(loaded.map, loaded.source, len(loaded.map.rules) if args.verbose else SHOWN)
    if args.format == "json":
        streams.write_utf8(json_text(told_of.document(explained)))
    else:
        streams.write("\n".join("".join(f"{line}\n" for line in told_of.lines(one)) for one in explained))
    return ExitCode.CLEAN


def _from_root(path: str, place: MapPlace, here: str) -> bytes:
    """A path of the command line as git writes it: from the root of the repository, with `/`."""
    inside = os.path.realpath(here)
    below = inside == place.root or inside.startswith(place.root.rstrip(os.sep) + os.sep)
    whole = os.path.normpath(os.path.join(inside if below else place.root, path))
    relative = os.path.relpath(whole, place.root).replace(os.sep, "/")
    if relative == "." or relative.startswith("../"):
        raise UsageError(f"{path} is no file of the repository {place.root}")
    if (
        os.path.isdir(whole)
        and not os.path.islink(whole)
        and not os.path.lexists(os.path.join(whole, ".git"))
    ):
        raise UsageError(f"{path} is a folder, and the map speaks of files; name a file in it")
    return os.fsencode(relative)


class _Told:
    """Words and documents about one map; `most` is how many misses of a path are told in text."""

    def __init__(self, found: FixtureMap, source: SourceText, most: int) -> None:
        self._map = found
        self._source = source
        self._most = most

    def lines(self, explained: Explanation) -> Iterator[str]:
        """What is said of one path, for a terminal."""
        yield terminal(os.fsdecode(explained.path))
        yield f"  {self._verdict(explained)}"
        for answer in (*explained.rules, *explained.no_fixture):
            if answer.hit is not None:
                yield terminal(f"  hit   {self._named(answer)} by `{answer.hit.written}`{_reason(answer)}")
        for answer in explained.misses[: self._most]:
            yield terminal(f"  miss  {self._named(answer)}: {_why(answer, explained.path)}")
        left = len(explained.misses) - self._most
        if left > 0:
            yield f"        and {left} more; -v tells of all"

    def _verdict(self, explained: Explanation) -> str:
        if explained.fixtures:
            listed = (*explained.fixtures, *(f for f in self._map.always if f not in explained.fixtures))
            return f"needs {', '.join(listed)}"
        if explained.covered:
            more = f" but {', '.join(self._map.always)}" if self._map.always else ""
            return f"needs no fixture{more}"
        refused = "a change to it is refused" if self._map.require_map_hit else "it selects nothing"
        return f"is not mapped: {refused}. `novote map add PATTERN --fixture ID` maps it"

    def _named(self, answer: Answer) -> str:
        kind = "rule" if answer.rule.fixtures else "no_fixture"
        fixtures = f" ({', '.join(answer.rule.fixtures)})" if answer.rule.fixtures else ""
        return f"{kind} on line {self._line(answer)}{fixtures}"

    def _line(self, answer: Answer) -> int:
        return self._source.position(answer.rule.location.span.start)[0]

    def document(self, explained: Sequence[Explanation]) -> dict[str, Any]:
        """What is said of all paths, as JSON."""
        return {
            "schema": "novote/map-explain/v1",
            "map": {"path": self._map.file, "sha256": self._map.sha256},
            "paths": [self._entry(one) for one in explained],
        }

    def _entry(self, explained: Explanation) -> dict[str, Any]:
        answers = (*explained.rules, *explained.no_fixture)
        return {
            "path": os.fsdecode(explained.path),
            "mapped": explained.covered,
            "product": explained.product,
            "fixtures": list(explained.fixtures),
            "always": list(self._map.always),
            "hits": [
                {**self._site(answer), "pattern": answer.hit.written, "because": answer.rule.because}
                for answer in answers
                if answer.hit is not None
            ],
            "misses": [
                {
                    **self._site(answer),
                    "pattern": answer.miss.pattern.written,
                    "reason": answer.miss.reason,
                    "message": _why(answer, explained.path),
                }
                for answer in explained.misses
                if answer.miss is not None
            ],
        }

    def _site(self, answer: Answer) -> dict[str, Any]:
        return {
            "section": "rules" if answer.rule.fixtures else "no_fixture",
            "rule": answer.index,
            "line": self._line(answer),
            "fixtures": list(answer.rule.fixtures),
        }


def _reason(answer: Answer) -> str:
    return "" if answer.rule.because is None else f" because {' '.join(answer.rule.because.split())}"


def _why(answer: Answer, path: bytes) -> str:
    from novote.fixturemap.explain import why_not

    return "" if answer.miss is None else why_not(answer.miss, path)
