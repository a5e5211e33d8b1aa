"""Finds the data that novote ships: policy in `rules/`, JSON Schemas in `schemas/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal


@cache
def data_folder(name: Literal["rules", "schemas"]) -> Path:
    """The folder that holds built-in data.

    An installed novote carries it inside the package, in `_data`; a checkout has it at the top level, two
    folders above the package. Raises FileNotFoundError where neither is there: a broken installation.
    """
    package = Path(__file__).parent
    for folder in (package / "_data" / name, package.parents[1] / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"novote's own {name}/ folder is missing beside {package}")
