"""The word scanner: where commands and their words stand, whatever the shell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.knowledge.words import MAX_SCRIPT, commands_of


def texts(script: str) -> list[list[str]]:
    return [[word.text for word in command] for command in commands_of(script)]


KNOWN = [
    ("npm ci\nnpm test -- -x\n", [["npm", "ci"], ["npm", "test", "--", "-x"]]),
    ("a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
    ("a \\\n  b", [["a", "b"]]),
    ("a `\n  b", [["a", "b"]]),
    ("# make test\nmake lint # no", [["make", "lint"]]),
    ("echo a#b", [["echo", "a#b"]]),
    ("echo 'make test'; ls", [["echo", "make test"], ["ls"]]),
    ('echo "a \\" b" c', [["echo", 'a " b', "c"]]),
    ("a > out 2>&1 b", [["a", "b"]]),
    ("a 2>/dev/null b >>log", [["a", "b"]]),
    ('grep -q x <<< "$BODY"', [["grep", "-q", "x"]]),
    ("cat <<'EOF' > f\nmake test\nEOF\nmake lint", [["cat"], ["make", "lint"]]),
    ("cat <<-EOF\n\tmake test\n\tEOF\nls", [["cat"], ["ls"]]),
    ("cat <<EOF\nnever closed", [["cat"]]),
    ("X=$(pytest -x) ls", [["pytest", "-x"], ["X=$(pytest -x)", "ls"]]),
    ('echo "n: $(go vet ./...)"', [["go", "vet", "./..."], ["echo", "n: $(go vet ./...)"]]),
    ("`date` x", [["date"], ["`date`", "x"]]),
    ("a=(pytest b)\nls", [["a=(pytest b)"], ["ls"]]),
    ("{ make test; }", [["make", "test"]]),
    ("f() { ls; }", [["f"], ["ls"]]),
    ("cp a{1,2} b", [["cp", "a{1,2}", "b"]]),
    ("echo ${{ matrix.a || 'b c' }} d", [["echo", "${{ matrix.a || 'b c' }}", "d"]]),
    ('t "${{ a && b }}"', [["t", "${{ a && b }}"]]),
    ("diff <(ls a) b", [["ls", "a"], ["diff", "<(ls a)", "b"]]),
    ("echo it's; ls", [["echo", "its"], ["ls"]]),
    ("& .\\gradlew.bat test", [[".\\gradlew.bat", "test"]]),
    ("if ($a -eq 1) { dotnet test }", [["if"], ["$a", "-eq", "1"], ["dotnet", "test"]]),
    ("case $x in a) pytest;; esac", [["case", "$x", "in", "a"], ["pytest"], ["esac"]]),
    ("a\r\nb c\r\n", [["a"], ["b", "c"]]),
    ("", []),
]


@pytest.mark.parametrize(("script", "expected"), KNOWN)
def test_commands_and_words(script: str, expected: list[list[str]]) -> None:
    assert texts(script) == expected


def test_a_here_string_of_powershell_holds_no_command() -> None:
    commands = texts("$x = @'\nmake test\n'@\nmake lint\n")
    assert ["make", "lint"] in commands
    assert ["make", "test"] not in commands


def test_offsets_point_into_the_script() -> None:
    script = 'set -e\nA=1 make -j2 "un it" ${{ x }} $(nproc) # x\n'
    for command in commands_of(script):
        for word in command:
            assert script[word.start : word.end].replace('"', "") == word.text


@given(st.text(alphabet="ab \n\t\\'\"$`(){}<>|&;#=@!-{}", max_size=200))
def test_any_text_gives_words_in_order(script: str) -> None:
    for command in commands_of(script):
        assert command
        last = 0
        for word in command:
            assert last <= word.start < word.end <= len(script)
            last = word.start


@given(st.lists(st.text(alphabet="abc/.-_$", min_size=1, max_size=8), min_size=1, max_size=8))
def test_plain_words_come_back(words: list[str]) -> None:
    assert texts(" ".join(words)) == [words]


HOSTILE = [
    "$(",
    "`",
    "'",
    '"$(',
    "${{",
    "<<A\n",
    "{",
    "${",
    "@'\n",
    "\\\n",
    "<(",
    "a=(",
    '"`a`',
    "<<A ",
    "`\n",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_to_the_end(piece: str) -> None:
    # A pass that is not linear would not come back from so long a text.
    script = piece * (200_000 // len(piece))
    for command in commands_of(script):
        for word in command:
            assert 0 <= word.start < word.end <= len(script)


def test_what_lies_beyond_the_bound_is_not_read() -> None:
    assert texts(" " * MAX_SCRIPT + "make test") == []
    assert texts("'" + "x" * MAX_SCRIPT + "'\nmake test")[0][0][0] == "x"
