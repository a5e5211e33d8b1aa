"""stub"""
from typing import Any
JsonValue = Any
Program = Any
def parse(x: str) -> Any: return None
def run(*a: Any) -> Any: return None
def reads(*a: Any) -> Any: return frozenset()
def literals(*a: Any) -> Any: return ()
