"""Reads `.github/novote.yml`.

A file that fits is read without a JSON Schema library, whose import would cost as much as the audit itself.
Only one that does not fit is held against `schemas/config.json`, which then says what is wrong and where; a
test proves that both accept the same files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast, get_args

from novote.config.model import Config, FailOn, Ignored
from novote.config.plain import Unfit, plain, problems_at
from novote.model import Problem, Severity, SourceText, Span
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.yaml import parse

DEFAULT_FILE = ".github/novote.yml"
KIND = "bad-config"
"""The kind of a problem with a configuration."""


class LoadedConfig(NamedTuple):
    """A configuration and what is wrong with its file; with problems it is the default one.

    `named` are the rules it names, each with its place.
    """

    config: Config
    problems: tuple[Problem, ...] = ()
    named: tuple[tuple[str, Span], ...] = ()


def read_config(source: SourceText) -> LoadedConfig:
    """The configuration in a file's text. An empty file is the default configuration."""
    document = parse(source)
    if document.problems:
        return LoadedConfig(Config(source.file), document.problems)
    if document.root is None:
        return LoadedConfig(Config(source.file))
    try:
        value = plain(document.root)
    except Unfit as error:
        return LoadedConfig(
            Config(source.file), problems_at(source.file, KIND, document.root, [((), str(error))])
        )
    try:
        return LoadedConfig(_config(source.file, value), (), tuple(_rules_named(document.root)))
    except Unfit:
        # Only what does not fit pays for the import of the schema library.
        from novote.config.schema import complaints

        faults = complaints("config.json", value)
        return LoadedConfig(Config(source.file), problems_at(source.file, KIND, document.root, faults))


_KEYS = (
    "strict", "required_checks", "rulesets", "exclude", "ignore", "severity", "fail_on", "merge_queue",
    "refused_trailers",
)  # fmt: skip
# NOTE: the very pattern of the schema, asked as a schema asks: a key with a line break behind it passes both.
_TRAILER_KEY = re.compile(r"^[A-Za-z0-9][A-Za-z0-9-]*$")


def _config(file: str, value: Any) -> Config:
    top = _object(value, _KEYS)
    queue = _object(top.get("merge_queue", {}), ("compensates",))
    return Config(
        file=file,
        strict=_boolean(top.get("strict", False)),
        required_checks=_texts(top["required_checks"]) if "required_checks" in top else None,
        rulesets=_texts(top.get("rulesets", [])),
        exclude=_texts(top.get("exclude", [])),
        ignore=tuple(map(_ignored, _list(top.get("ignore", [])))),
        severity={rule: _severity(word) for rule, word in _object(top.get("severity", {})).items()},
        fail_on=_fail_on(top["fail_on"]) if "fail_on" in top else None,
        queue_compensates=_boolean(queue.get("compensates", True)),
        refused_trailers=_trailer_keys(top["refused_trailers"]) if "refused_trailers" in top else None,
    )


def _ignored(value: Any) -> Ignored:
    entry = _object(value, ("rule", "paths", "because"))
    paths = _texts(entry["paths"]) if "paths" in entry else ()
    if "paths" in entry and not paths:
        raise Unfit
    return Ignored(_text(entry.get("rule")), _text(entry.get("because")), paths)


def _trailer_keys(value: Any) -> tuple[str, ...]:
    keys = _texts(value)
    if not keys or not all(map(_TRAILER_KEY.search, keys)):
        raise Unfit
    return keys


def _object(value: Any, known: tuple[str, ...] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict) or (known is not None and not value.keys() <= set(known)):
        raise Unfit
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Unfit
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Unfit
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(_text, _list(value)))


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit
    return value


def _severity(value: Any) -> Severity | None:
    if value == "off":
        return None
    if not isinstance(value, str) or value not in tuple(Severity):
        raise Unfit
    return Severity(value)


def _fail_on(value: Any) -> FailOn:
    if not isinstance(value, str) or value not in get_args(FailOn):
        raise Unfit
    return cast(FailOn, value)


def _rules_named(root: Node) -> Iterator[tuple[str, Span]]:
    """The rules that a fitting file names, in `severity` and in `ignore`."""
    severity = root.get("severity") if isinstance(root, Mapping) else None
    if isinstance(severity, Mapping):
        yield from ((key.value, key.span) for key, _ in severity.entries if isinstance(key, Scalar))
    ignore = root.get("ignore") if isinstance(root, Mapping) else None
    for entry in ignore.items if isinstance(ignore, Sequence) else ():
        rule = entry.get("rule") if isinstance(entry, Mapping) else None
        if isinstance(rule, Scalar):
            yield rule.value, rule.span
