"""A list of changed paths is taken as it is, or not at all."""

from __future__ import annotations

import pytest

from novote.recompute.changed_file import UnreadableList, read_changed


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        (b"", ()),
        (b"\n\n", ()),
        (b"src/a.py\n", (b"src/a.py",)),
        (b"b\na\nb", (b"b", b"a")),
        (b"a\r\nb\r\n", (b"a", b"b")),
        (b" a \n", (b" a ",)),
        (b'a"b\n', (b'a"b',)),
        (b"-x\n--\n#c\n", (b"-x", b"--", b"#c")),
        (b"\xff\n\xc3\xa9\n", (b"\xff", b"\xc3\xa9")),
    ],
)
def test_lines(data: bytes, paths: tuple[bytes, ...]) -> None:
    assert read_changed(data, nul=False) == paths


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        (b"", ()),
        (b"a\0b\0", (b"a", b"b")),
        (b"a\0b", (b"a", b"b")),
        (b"b\0a\0b\0", (b"b", b"a")),
        (b'new\nline\0"q"\0cr\r\0', (b"new\nline", b'"q"', b"cr\r")),
        (b"\xef\xbb\xbfa\0", (b"\xef\xbb\xbfa",)),
    ],
)
def test_paths_that_end_in_nul(data: bytes, paths: tuple[bytes, ...]) -> None:
    assert read_changed(data, nul=True) == paths


@pytest.mark.parametrize(
    ("data", "nul", "told"),
    [
        (b'a\n"docs/\\303\\251.md"\n', False, "line 2 is quoted by git"),
        (b"a\nb\tc\n", False, "line 2 holds a control character"),
        (b"a\0b\0", False, "line 1 holds a control character"),
        (b"a\rb\n", False, "line 1 holds a control character"),
        (b"\xff\xfea\0\n\0", False, "byte order mark"),
        (b"\xef\xbb\xbfsrc/a\n", False, "byte order mark"),
        (b"src/a\nsrc/b\n", True, "leave -z out"),
    ],
)
def test_what_is_no_list_of_paths(data: bytes, nul: bool, told: str) -> None:
    with pytest.raises(UnreadableList, match=told):
        read_changed(data, nul)
