"""Folds text so that what looks alike is alike: scripts, styles, dashes, colons, marks nobody sees."""

from __future__ import annotations

import re
import unicodedata

_LOOKALIKES = {
    ":": ("\u02d0\u02d1\u02f8\u0589\u0903\u0a83\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua4ff\ua789\ua78a"),
    "a": "\u0251\u0391\u03b1\u0410\u0430\u13aa\u15c5\u1d00\u237a\ua4ee\U000102a0\U00016f40",
    "b": (
        "\u0184\u0392\u03b2\u0412\u042c\u0432\u13cf\u13f4\u1472\u15af\u15f7\ua4d0\ua7b4\U00010282"
        "\U000102a1\U00010301"
    ),
    "c": (
        "\u03a3\u03c2\u0421\u0441\u13df\u2ca4\u2ca5\ua4da\uabaf\U000102a2\U00010302\U00010415"
        "\U0001043d\U0001051c\U000118e9\U000118f2\U0001f74c"
    ),
    "d": "\u0501\u13a0\u13e7\u146f\u15de\u15ea\ua4d2\ua4d3",
    "e": (
        "\u0395\u03b5\u0415\u0435\u0454\u04bd\u13ac\u212e\u22ff\u2d39\ua4f0\uab32\U00010286"
        "\U000118a6\U000118ae"
    ),
    "f": ("\u03dc\u0584\u15b4\u1e9d\ua4dd\uab35\U00010287\U000102a5\U00010525\U000118a2\U000118c2\U0001d213"),
    "g": "\u018d\u0261\u050c\u0581\u13c0\u13f3\ua4d6",
    "h": "\u0397\u041d\u043d\u04bb\u0570\u13bb\u13c2\u157c\u2c8e\ua4e7\U000102cf",
    "i": "\u0131\u0269\u03b9\u0456\u04cf\u13a5\u2373\ua647\uab75\U000118c3",
    "j": "\u037f\u03f3\u0408\u0458\u13ab\u148d\ua4d9",
    "k": "\u039a\u03ba\u041a\u043a\u13e6\u16d5\u2c94\ua4d7\U00010518",
    "l": (
        "\u0196\u01c0\u0399\u0406\u04c0\u06f1\u13de\u14aa\u16c1\u2223\u23fd\u2502\u2c92\u2cd0"
        "\u2d4f\ua4e1\ua4f2\U0001028a\U00010309\U00010320\U0001041b\U00010526\U000118a3\U000118b2"
        "\U00016f16\U00016f28\U0001d22a"
    ),
    "m": "\u039c\u03fa\u041c\u043c\u13b7\u15f0\u16d6\u2c98\ua4df\U000102b0\U00010311",
    "n": "\u039d\u043f\u0578\u057c\u2c9a\ua4e0\U00010513",
    "o": (
        "\u039f\u03bf\u03c3\u041e\u043e\u0555\u0585\u06f5\u0966\u09e6\u0a66\u0ae6\u0b20\u0b66"
        "\u0be6\u0c02\u0c66\u0c82\u0ce6\u0d02\u0d20\u0d66\u0d82\u0e50\u0ed0\u101d\u1040\u10ff"
        "\u12d0\u1d11\u2c9e\u2c9f\u2d54\u3007\ua4f3\uab3d\U00010292\U000102ab\U00010404\U0001042c"
        "\U000104c2\U000104ea\U00010516\U000114d0\U000118b5\U000118c8\U000118d7\U000118e0"
    ),
    "p": "\u03a1\u03c1\u0420\u0440\u13e2\u146d\u2374\u2ca2\u2ca3\ua4d1\U00010295",
    "q": "\u051b\u0563\u0566\u2d55",
    "r": ("\u01a6\u0433\u13a1\u13d2\u1587\u1d26\u2c85\ua4e3\uab48\uab81\U000104b4\U00016f35\U0001d216"),
    "s": (
        "\u01bd\u0405\u0455\u054f\u13d5\u13da\ua4e2\uabaa\U00010296\U00010420\U00010448\U000118c1\U00016f3a"
    ),
    "t": (
        "\u03a4\u03c4\u0422\u0442\u13a2\u22a4\u27d9\u2ca6\ua4d4\U00010297\U000102b1\U00010315"
        "\U000118bc\U00016f0a\U0001f768"
    ),
    "u": (
        "\u028b\u03c5\u054d\u057d\u1200\u144c\u222a\u22c3\ua4f4\ua79f\U000104ce\U000104f6"
        "\U000118b8\U000118d8\U00016f42"
    ),
    "v": (
        "\u03bd\u0474\u0475\u06f7\u13d9\u142f\u2228\u22c1\u2d38\ua4e6\ua6df\uaba9\U0001051d"
        "\U00011706\U000118a0\U000118c0\U00016f08\U0001d20d"
    ),
    "w": (
        "\u026f\u0461\u051c\u051d\u0561\u13b3\u13d4\ua4ea\uab83\U0001170a\U0001170e\U0001170f"
        "\U000118e6\U000118ef"
    ),
    "x": (
        "\xd7\u03a7\u03c7\u0425\u0445\u1541\u157d\u166d\u166e\u16b7\u2573\u292b\u292c\u2a2f\u2cac"
        "\u2d5d\ua4eb\ua7b3\U00010290\U000102b4\U00010317\U00010322\U00010527\U000118ec"
    ),
    "y": (
        "\u0263\u03a5\u03b3\u0423\u0443\u04ae\u04af\u10e7\u13a9\u13bd\u1d8c\u2ca8\ua4ec\U000102b2"
        "\U000118a4\U000118dc\U00016f43"
    ),
    "z": "\u0396\u13c3\ua4dc\uab93\U000102f5\U000118a9\U000118c4\U000118e5",
}
"""Characters that pass for a letter or a colon and that neither their name nor NFKD gives away.

Source: https://www.unicode.org/reports/tr39/#Confusable_Detection, one character for one.
"""

_TWINS = {twin: letter for letter, twins in _LOOKALIKES.items() for twin in twins} | {"=": ":"}
_UNSEEN = ("Mn", "Me", "Cf", "Cc", "Cn", "Co", "Cs")
_BLANK_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and a symbol without ink."""

_NAMED = re.compile(
    r"LATIN (?:(?:SMALL|CAPITAL) LETTER|LETTER SMALL CAPITAL) ([A-Z])(?= WITH |$)|SYMBOL LETTER ([A-Z])$"
)
_STROKES = str.maketrans("01|i", "olll")


class _Folded(dict[int, str]):
    """What each character becomes, worked out when it first occurs."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        parts = character if character in "\t " else unicodedata.normalize("NFKD", character)
        self[code] = "".join(map(_plain, parts))
        return self[code]


def _plain(character: str) -> str:
    if character in _TWINS:
        return _TWINS[character]
    if character.isascii():
        return character.lower() if character.isprintable() or character == "\t" else ""
    if unicodedata.category(character) in _UNSEEN or character in _BLANK_FILLERS:
        return ""
    named = _NAMED.search(unicodedata.name(character, ""))
    if named:
        return (named[1] or named[2]).lower()
    return _TWINS.get(character.lower()) or _TWINS.get(character.upper()) or _digit(character)


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character.lower() if value is None else str(value)


_FOLDED = _Folded()


def fold(text: str) -> str:
    """Text in plain lower case, each character for itself: the time is linear in the text.

    Letters of other scripts and styles become the Latin letter that they look like, digits ASCII digits,
    equals signs and whatever looks like a colon `:`; what cannot be seen goes away.
    """
    return text.translate(_FOLDED)


def skeleton(text: str) -> str:
    """The letters and digits of folded text; what only a good font tells apart (`1`, `l`, `i`) is one."""
    letters = filter(str.isalnum, text.translate(_STROKES))
    return "".join(letters).replace("rn", "m").replace("vv", "w")
