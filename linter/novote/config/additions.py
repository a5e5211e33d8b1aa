"""Reads what a repository adds to novote's knowledge: the files under `.github/novote/`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from novote.config.model import ADDITIONS, ADDITIONS_FOLDER
from novote.config.plain import Path, Unfit, plain, problems_at
from novote.knowledge import Knowledge, builtin
from novote.knowledge.additions import Additions, Document, Extended, message_faults
from novote.model import Problem, SourceText
from novote.source.yaml import parse

_KIND: Final = "bad-knowledge"


def folder_of(path: str) -> str | None:
    """Which of the folders a file lies in (`.github/novote/actions/x.yml` gives `actions`), if any."""
    parts = path.split("/")
    known = len(parts) == 4 and "/".join(parts[:2]) == ADDITIONS_FOLDER and parts[2] in ADDITIONS
    return parts[2] if known and parts[3].endswith((".yml", ".yaml")) else None


def read_additions(files: Iterable[SourceText]) -> tuple[Knowledge, tuple[Problem, ...]]:
    """What novote knows in a repository with these files, and what is wrong with them.

    Files outside these folders are ignored. A file with a problem adds nothing: half a policy is none.
    """
    found: dict[str, list[Document]] = {folder: [] for folder in ADDITIONS}
    problems: list[Problem] = []
    for file in sorted(files, key=lambda source: source.file):
        folder = folder_of(file.file)
        if folder is not None:
            value, faults = _read(file, folder)
            problems += faults
            if value is not None and not faults:
                found[folder].append(value)
    if not any(found.values()):
        return builtin(), tuple(problems)
    additions = Additions(**{folder: tuple(documents) for folder, documents in found.items()})
    return Extended(additions), tuple(problems)


def _read(file: SourceText, folder: str) -> tuple[Any, tuple[Problem, ...]]:
    document = parse(file)
    if document.problems or document.root is None:
        return None, document.problems
    try:
        value = plain(document.root)
    except Unfit as error:
        return None, problems_at(file.file, _KIND, document.root, [((), str(error))])
    return value, problems_at(file.file, _KIND, document.root, _faults(file, folder, value))


def _faults(file: SourceText, folder: str, value: Any) -> Iterator[tuple[Path, str]]:
    from novote.config.schema import complaints

    wrong = list(complaints(ADDITIONS[folder], value))
    yield from wrong
    if folder == "policies" and not wrong:
        name = file.file.rsplit("/", 1)[1].rsplit(".", 1)[0]
        if value["id"] != name:
            yield ("id",), f"The file of this rule must be named {value['id']}.yml."
        yield from ((("message",), fault) for fault in message_faults(value))
