"""Which scripts a text names: found run by run, as a search through the whole text would find them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novote.flow import written
from novote.flow.written import named_scripts

PIECES = st.sampled_from(["a", "b", "-", ".", "/", "_", " ", "$", '"', ".sh", ".py", "./", "\n", "é"])


@given(st.lists(PIECES, max_size=14).map("".join))
def test_names_are_those_that_the_pattern_finds_in_the_whole_text(text: str) -> None:
    whole = written._NAMED_SCRIPT.findall(text)
    assert list(dict.fromkeys(named_scripts(text))) == list(dict.fromkeys(whole))


def test_scripts_and_paths_are_named_in_the_order_of_the_text() -> None:
    text = "bash ci/run.sh && python tools/select.py --out=x && ./gradlew test | grep foo"
    assert named_scripts(text) == ["ci/run.sh", "tools/select.py", "./gradlew"]
