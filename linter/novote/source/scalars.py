"""What a scalar means under the core schema of YAML 1.2, as GitHub reads it."""

from __future__ import annotations

import re
from typing import Final

from novote.source.nodes import NULLS, Scalar

_WORDS: Final[dict[str, bool | float | None]] = {
    **dict.fromkeys(NULLS),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_DECIMAL: Final = re.compile(r"[-+]?[0-9]+")
_PREFIXED: Final = re.compile(r"0x([0-9a-fA-F]+)|0o([0-7]+)")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
# Python refuses to turn longer texts into integers; GitHub has only doubles.
_LONGEST_INTEGER: Final = 300
STRING_TAG: Final = "tag:yaml.org,2002:str"
"""What `!!str` stands for."""

Resolved = None | bool | int | float | str


def resolve(scalar: Scalar) -> Resolved:
    """The value of a scalar: quoted and block scalars, and those tagged `!!str`, are always text."""
    if scalar.style != "plain" or scalar.tag == STRING_TAG:
        return scalar.value
    return resolve_plain(scalar.value)


def resolve_to_double(scalar: Scalar) -> bool | float | str | None:
    """The value of a scalar as expressions see it: numbers are doubles, those too large for one infinite."""
    value = resolve(scalar)
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def resolve_plain(text: str) -> Resolved:
    """The value of a plain scalar's text; `yes`, `no`, `on`, `off` are text, leading zeros are decimal."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "0123456789+-.":
        return text
    if _DECIMAL.fullmatch(text):
        return int(text) if len(text) <= _LONGEST_INTEGER else float(text)
    if prefixed := _PREFIXED.fullmatch(text):
        return int(prefixed[1], 16) if prefixed[1] else int(prefixed[2], 8)
    return float(text) if _FLOAT.fullmatch(text) else text
