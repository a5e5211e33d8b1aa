"""Turns judged decisions into findings, and settles which of them count.

Called, it is `novote.audit`, the function of docs/api.md: a package and a function of one name are one
object, or whichever was imported last would hide the other.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A package that is a function too.

    The function is imported by name: it lies above this layer, and nothing in here needs it.
    """

    def __call__(self, *args: Any, **options: Any) -> Any:
        return import_module("novote.api.auditing").audit(*args, **options)

    @property
    def __signature__(self) -> object:
        """What `inspect.signature` and `help` show."""
        return import_module("inspect").signature(import_module("novote.api.auditing").audit)


sys.modules[__name__].__class__ = _Callable
