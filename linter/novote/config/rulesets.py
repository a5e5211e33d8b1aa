"""What must pass before a merge, read from what GitHub says of it: rulesets and branch protection as JSON.

A ruleset as the page exports it or the API answers it, a list of those, the rules that apply to a branch, and
the protection of a branch or the part of it about status checks.
https://docs.github.com/en/rest/repos/rules
https://docs.github.com/en/rest/branches/branch-protection
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from novote.clip import clip
from novote.config.plain import Key, Path, problems_at
from novote.config.protection import NO_PROTECTION, Protection
from novote.model import Problem, SourceText, Span
from novote.source.yaml import parse

KIND: Final = "bad-rulesets"
"""The kind of a problem with such a file."""

# No app in particular, in several spellings, or GitHub Actions by its number on github.com.
_ANY_APP: Final = frozenset({-1, 0, 15368})
_LONGEST: Final = 60

_WHAT: Final = (
    "a ruleset, the rules of a branch, or the protection of a branch, as GitHub exports or answers it"
)


class LoadedProtection(NamedTuple):
    """What a file says, and what is wrong with it; with problems it says nothing."""

    protection: Protection
    problems: tuple[Problem, ...] = ()


class UnusableAnswer(Exception):
    """Something in an answer that is not as GitHub writes it."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


def protection_in(value: Any, source: str) -> Protection:
    """What an answer requires; `source` says who does, where the answer does not. Raises UnusableAnswer."""
    return _any(value, (), source)


def read_protection(source: SourceText) -> LoadedProtection:
    """What a file with such an answer says."""
    # NOTE: neither of the two is part of JSON where it is text, so places stay what they are.
    text = source.text.replace("\ufeff", " ", 1) if source.text.startswith("\ufeff") else source.text
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"This is no JSON ({error.msg}). Save {_WHAT}."
        found = Problem(source.file, KIND, message, Span(error.pos, error.pos))
        return LoadedProtection(NO_PROTECTION, (found,))
    except (ValueError, RecursionError):
        found = Problem(source.file, KIND, f"This is no JSON that can be read. Save {_WHAT}.")
        return LoadedProtection(NO_PROTECTION, (found,))
    try:
        return LoadedProtection(protection_in(value, f"`{source.file}`"))
    except UnusableAnswer as fault:
        return LoadedProtection(NO_PROTECTION, _told(source.file, text, fault))


def _told(file: str, text: str, fault: UnusableAnswer) -> tuple[Problem, ...]:
    """The problem at its place; JSON is YAML but for its tabs, which stand between values only."""
    root = parse(SourceText(file, text.replace("\t", " "))).root
    if root is None:
        return (Problem(file, KIND, str(fault)),)
    return problems_at(file, KIND, root, [(fault.path, str(fault))])


def _any(value: Any, path: Path, source: str) -> Protection:
    if isinstance(value, list):
        return _together(value, path, source)
    if not isinstance(value, dict):
        raise UnusableAnswer(path, f"This is {_kind(value)}; save {_WHAT}.")
    if "enforcement" in value or "rules" in value:
        return _ruleset(value, path, source)
    if "type" in value and "parameters" in value:
        return _rule(value, path, _owner(value, source))
    if "required_status_checks" in value:
        return _status_checks(value["required_status_checks"], (*path, "required_status_checks"), source)
    if "contexts" in value or "checks" in value:
        return _status_checks(value, path, source)
    if isinstance(value.get("protection"), dict):
        return _any(value["protection"], (*path, "protection"), source)
    if "message" in value:
        raise UnusableAnswer((*path, Key("message")), f"This is an error that GitHub answered, not {_WHAT}.")
    if not value.keys().isdisjoint(("url", "type", "protected")):
        # Protection without required checks, a rule without parameters, a branch that is not protected.
        return NO_PROTECTION
    raise UnusableAnswer(path, f"This is not {_WHAT}.")


def _together(value: list[Any], path: Path, source: str) -> Protection:
    found = NO_PROTECTION
    for at, item in enumerate(value):
        found |= _any(item, (*path, at), source)
    return found


def _ruleset(value: Mapping[str, Any], path: Path, source: str) -> Protection:
    name = value.get("name")
    owner = f"ruleset `{clip(name, _LONGEST)}`" if isinstance(name, str) and name.strip() else source
    if "rules" not in value:
        raise UnusableAnswer(
            path,
            "This says that there is a ruleset, not what it requires; save it by its id, as "
            "`gh api repos/OWNER/NAME/rulesets/ID` prints it.",
        )
    if value.get("target", "branch") != "branch":
        return NO_PROTECTION
    enforcement = value.get("enforcement", "active")
    if enforcement != "active":
        return NO_PROTECTION._replace(idle=(f"{owner} is not active, so it requires nothing",))
    if _included(value.get("conditions")) == []:
        return NO_PROTECTION._replace(idle=(f"{owner} includes no branch, so it requires nothing",))
    rules = _list(value["rules"], (*path, "rules"))
    found = NO_PROTECTION
    for at, rule in enumerate(rules):
        found |= _rule(_mapping(rule, (*path, "rules", at)), (*path, "rules", at), owner)
    return found


def _included(conditions: Any) -> Any:
    """The branches that a ruleset names; None where it does not say."""
    names = conditions.get("ref_name") if isinstance(conditions, dict) else None
    return names.get("include") if isinstance(names, dict) else None


def _owner(rule: Mapping[str, Any], source: str) -> str:
    """Who demands a rule that stands among those of a branch."""
    number = rule.get("ruleset_id")
    return f"ruleset {number} of `{rule.get('ruleset_source')}`" if isinstance(number, int) else source


def _rule(rule: Mapping[str, Any], path: Path, source: str) -> Protection:
    kind = rule.get("type")
    if kind == "merge_queue":
        return NO_PROTECTION._replace(queue=source)
    if kind not in ("required_status_checks", "workflows"):
        return NO_PROTECTION
    inner = (*path, "parameters")
    parameters = _mapping(rule.get("parameters"), inner)
    if kind == "workflows":
        paths = [_text(item, "path", at) for at, item in _items(parameters, "workflows", inner)]
        return NO_PROTECTION._replace(workflows=dict.fromkeys(paths, source))
    return _checks(parameters, "required_status_checks", "integration_id", inner, source)


def _status_checks(value: Any, path: Path, source: str) -> Protection:
    """The part of a branch's protection about status checks; null where none are required."""
    if value is None:
        return NO_PROTECTION
    parts = _mapping(value, path)
    if parts.get("enforcement_level") == "off":
        return NO_PROTECTION
    found = NO_PROTECTION
    if "checks" in parts:
        found = _checks(parts, "checks", "app_id", path, source)
    for at, context in enumerate(_list(parts.get("contexts", []), (*path, "contexts"))):
        if not isinstance(context, str):
            raise UnusableAnswer((*path, "contexts", at), f"The name of a check is {_kind(context)}.")
        found |= NO_PROTECTION._replace(checks={context: source})
    return found


def _checks(parts: Mapping[str, Any], key: str, app: str, path: Path, source: str) -> Protection:
    items = [(_text(item, "context", at), item.get(app)) for at, item in _items(parts, key, path)]
    strange = (name for name, number in items if isinstance(number, int) and number not in _ANY_APP)
    return NO_PROTECTION._replace(checks={name: source for name, _ in items}, elsewhere=frozenset(strange))


def _items(parts: Mapping[str, Any], key: str, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for at, item in enumerate(_list(parts.get(key), (*path, key))):
        yield (*path, key, at), _mapping(item, (*path, key, at))


def _list(value: Any, path: Path) -> list[Any]:
    if not isinstance(value, list):
        raise UnusableAnswer(path, f"A list is expected here, and this is {_kind(value)}; save {_WHAT}.")
    return value


def _mapping(value: Any, path: Path) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UnusableAnswer(path, f"An object is expected here, and this is {_kind(value)}; save {_WHAT}.")
    return value


def _text(item: Mapping[str, Any], key: str, path: Path) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value:
        where = (*path, key) if key in item else path
        raise UnusableAnswer(where, f"`{key}` must be a text here; save {_WHAT}.")
    return value


def _kind(value: Any) -> str:
    """What a value is, in words."""
    return _KINDS.get(type(value), "an object")


_KINDS: Final = {
    type(None): "nothing", bool: "a boolean", int: "a number", float: "a number", str: "text", list: "a list",
}  # fmt: skip
