"""The loose scan for claims: what is one, however it looks, and what is prose."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.commits.lookalikes import fold
from novote.commits.message import DEFAULT_KEYS, ClaimLine, Keys
from novote.commits.trailers import trailers

KEYS = Keys()


def found(message: str) -> list[tuple[str, int]]:
    return [(claim.key, claim.number) for claim in KEYS.claims(message)]


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("Title\n\nTested-with: pytest\n", 3),
        ("Title\n\ntested-WITH: pytest\n", 3),
        ("Title\n\nTested-with : pytest\n", 3),
        ("Title\n\nTested-with:\n billing,\n checkout\n", 3),
        ("Title\n\nTested-with: pytest\n\nA closing paragraph.\n", 3),
        ("Tested-with: pytest\n", 1),
        ("Title\nTested-with: pytest\n", 2),
        ("Title\n\nBody\nTested-with: pytest\nmore\n", 4),
        ("Title\n\n---\nTested-with: pytest\n", 4),
        ("Title\n\n# Tested-with: pytest\n", 3),
        ("Title\n\nNote: see\n Tested-with: pytest\n", 4),
        ("Title\r\n\r\nTested-with: pytest\r\n", 3),
        ("Title\n\nBody\rTested-with: pytest\n", 3),
        ("Title\n\nBody\u2028Tested-with: pytest\n", 3),
        ("Title\n\nTested\x0b-with: pytest\n", 3),
        ("Title\n\nTested-with:", 3),
    ],
)
def test_a_claim_is_found_wherever_it_stands(message: str, number: int) -> None:
    assert found(message) == [("Tested-with", number)]


@pytest.mark.parametrize(
    "line",
    [
        "Tested-with=pytest",
        "Tested-with = pytest",
        "Tested_with: pytest",
        "TestedWith: pytest",
        "Tested with: pytest",
        "Tested\u00a0with: pytest",
        "Tested--with: pytest",
        *(
            f"Tested{dash}with: pytest"
            for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\uff0d\xad"
        ),
        *(f"Tested-with{colon} pytest" for colon in "\uff1a\ufe55\u2236\ua789\u02d0\u0589\uff1d\ua78a"),
        *(
            f"T{mark}ested-with: pytest"
            for mark in "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e\u202e\u0301\x00"
        ),
        "T\u0435sted-with: pytest",
        "\u0422\u0435\u0455\u0442\u0435\u0501-\u051d\u0456\u0442\u04bb: pytest",
        "\u03a4ested-with: pytest",
        "\uff34ested-with: pytest",
        "\U0001d413ested-with: pytest",
        "\u1d1bested-with: pytest",
        "\U0001f1f9ested-with: pytest",
        "Te\u017fted-with: pytest",
        "Tested-w\u0131th: pytest",
        "Tested-w1th: pytest",
        "Tested-vvith: pytest",
        "- Tested-with: pytest",
        "* Tested-with: pytest",
        "\u2022 Tested-with: pytest",
        "2. Tested-with: pytest",
        "- [x] Tested-with: pytest",
        "[ ] Tested-with: pytest",
        "> Tested-with: pytest",
        "## Tested-with: pytest",
        "**Tested-with:** pytest",
        "_Tested-with_: pytest",
        "`Tested-with`: pytest",
        "`Tested-with: pytest`",
        "| Tested-with: | pytest |",
        "<!-- Tested-with: pytest -->",
        "\u2705 Tested-with: pytest",
        ": Tested-with: pytest",
        '"Tested-with": "pytest"',
        "Tested-with: https://example.org/run/1",
        "\x1b[1;31mTested-with\x1b[0m: pytest",
        "\x9b1mTested-with: pytest",
        "\x1b(JTested-with: pytest",
        "\x1b]0;title\x07Tested-with: pytest",
        "\x1b]8;;https://example.org\x1b\\Tested-with\x1b]8;;\x1b\\: pytest",
        "no\b\bTested-with: pytest",
        "T\bTe\bested-with: pytest",
    ],
)
def test_a_claim_is_found_however_it_is_dressed_up(line: str) -> None:
    assert found(f"Title\n\n{line}\n") == [("Tested-with", 3)]


@pytest.mark.parametrize(
    "line",
    [
        "tested with pytest: works",
        "Tested with Python 3.11 and 3.12.",
        "Tested-with pytest",
        "Drop the Tested-with: trailer",
        "docs: say that Tested-with: lines are refused",
        "`Tested-with:` lines are refused",
        '"Tested-with:" lines are refused',
        "- \u201cTested-with:\u201d lines are refused",
        "Tested-by: A Reviewer <a@example.org>",
        "Reviewed-by: A Reviewer <a@example.org>",
        "Test Plan: run it",
        "Fixtures: regenerate all",
        "fixtures: regenerate all",
        "tests: cover more",
        "local: Callable[P, None] = cast(Callable[P, None], object())",
        "Untested-with: pytest",
        "Tested-without: pytest",
        "https://example.org/Tested-with:",
        "Green: local",
        "\x1b[1mtested with pytest\x1b[0m: works",
        "\u0422\u0435\u0441\u0442\u044b: \u043f\u0440\u043e\u0448\u043b\u0438",
        ":",
        "",
    ],
)
def test_prose_is_no_claim(line: str) -> None:
    assert found(f"Title\n\n{line}\n") == []
    assert found(line) == []


@pytest.mark.parametrize("key", DEFAULT_KEYS)
def test_every_default_key_is_refused(key: str) -> None:
    assert found(f"Title\n\n{key}: all\n") == [(key, 3)]
    assert found(f"Title\n\n{key.upper().replace('-', '_')} = all\n") == [(key, 3)]
    assert found(f"Title\n\n{key}s: all\n") == []


def test_several_claims_come_in_their_order_with_their_lines_as_they_are() -> None:
    message = "Title\n\n Local-Green: yes \n\nBody\nClaimed\u2010Fixtures: a,\n b\n\tc\n\n d\n"
    assert list(KEYS.claims(message)) == [
        ClaimLine("Local-Green", 3, "Local-Green: yes", (" Local-Green: yes ",)),
        ClaimLine(
            "Claimed-Fixtures", 6, "Claimed\u2010Fixtures: a,", ("Claimed\u2010Fixtures: a,", " b", "\tc")
        ),
    ]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Tested-with: a, b", "a, b"),
        ("Tested-with : a", "a"),
        ("- 2. Tested-with=a=b", "a=b"),
        (": Tested-with\uff1aa: b", "a: b"),
        ("Tested-with:\n a,\n b", "a,\n b"),
        ("Tested-with:", ""),
    ],
)
def test_what_a_claim_says(line: str, value: str) -> None:
    (claim,) = KEYS.claims(line)
    assert claim.value == value


@pytest.mark.parametrize(
    "message",
    ["Tested-with: a\n" * 200_000, "Title\n\n" + "x\u0301\b" * 400_000, "Title\n\n" + "\x1b[0" * 400_000],
    ids=["claims", "backspaces", "escapes"],
)
def test_a_message_made_to_be_slow_ends(message: str, ends: None) -> None:
    assert len(found(message)) == message.count("Tested-with")


def test_other_keys_replace_the_default_ones() -> None:
    own = Keys(("Proven-by",))
    assert [claim.key for claim in own.claims("x\n\nproven by: me\nTested-with: y\n")] == ["Proven-by"]


def test_folding_goes_character_by_character() -> None:
    marks = "\u0301\u0316" * 50
    assert fold(f"a{marks}b") == "ab"
    assert fold("\u212b\ufb01\u2168") == "afiix"
    assert fold("\u0667\uff13") == "73"


_DASHES = "".join(chr(code) for code in range(0x3000) if unicodedata.category(chr(code)) == "Pd")
_UNSEEN = st.text("\u200b\u200d\ufe0f\u2066\U000e0041", max_size=2)


@given(st.sampled_from(DEFAULT_KEYS), st.data())
def test_a_key_is_found_in_any_case_with_any_dash_and_marks(key: str, data: st.DataObject) -> None:
    def dressed(character: str) -> str:
        shown = data.draw(
            st.sampled_from(_DASHES + " _" if character == "-" else character.lower() + character.upper())
        )
        return str(shown) + data.draw(_UNSEEN)

    line = "".join(map(dressed, key)) + data.draw(st.sampled_from([":", " :", "=", "\uff1a"])) + "x"
    assert found(f"Title\n\n{line}\n") == [(key, 3)]


@given(st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from(":=-\n\r TestedWith"), max_size=60))
def test_whatever_git_takes_for_a_claimed_trailer_is_found(text: str) -> None:
    message = f"Title\n\n{text}\n\nTested-with: {text}\n"
    seen = {trailer.key.lower() for trailer in trailers(message.encode())}
    assert ("tested-with" not in seen) or "Tested-with" in {key for key, _ in found(message)}
