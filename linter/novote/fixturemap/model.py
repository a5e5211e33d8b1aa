"""What a fixture map says, read and checked; every part knows its place in the file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

from novote.model import Location
from novote.record import record

Dialect = Literal["plain", "github"]
"""How patterns are read: the subset that means the same everywhere, or GitHub's `paths` cheat sheet."""

Overflow = Literal["fail", "all"]
"""What becomes of a matrix with more fixtures than allowed: none at all, or every fixture of the map."""

DEFAULT_FILE = "ci/fixture-map.yml"
MOST_FIXTURES = 256
"""How many cells a matrix may have on GitHub; no map may allow more."""

DEFAULT_PRODUCT_PATHS = ("src/**",)


@record
class Pattern:
    """One pattern as it is written; `excludes` says that it begins with `!`, which `text` leaves out."""

    text: str
    excludes: bool
    location: Location

    @property
    def written(self) -> str:
        """The whole pattern, its `!` included."""
        return f"!{self.text}" if self.excludes else self.text


@record
class PathRule:
    """Paths and the fixtures they need; `no_fixture` entries need none. Patterns stand in their order."""

    patterns: tuple[Pattern, ...]
    fixtures: tuple[str, ...]
    location: Location
    because: str | None = None


@record
class Quarantine:
    """A fixture that fails now and then is still run, recorded and reported, but blocks no merge for a while.

    `owner` mends it, `because` says what is wrong, `until` is the last day.
    """

    owner: str
    because: str
    until: date
    location: Location


@record
class Fixture:
    """An entry of the registry. `timeout` is in seconds, None where none is named; `command` may be empty.

    `retries` says how often CI may try again after a failure.
    """

    id: str
    location: Location
    command: tuple[str, ...] = ()
    timeout: float | None = None
    retries: int = 0
    owner: str | None = None
    quarantine: Quarantine | None = None


@record
class FixtureMap:
    """A whole map.

    `registry` is None where the map has none: then every id is as good as declared. `max_fixtures` is None
    where nothing is said. `sha256` is the digest of the file's bytes, in hexadecimal.
    """

    file: str
    sha256: str
    rules: tuple[PathRule, ...]
    no_fixture: tuple[PathRule, ...] = ()
    always: tuple[str, ...] = ()
    registry: Mapping[str, Fixture] | None = None
    product_paths: tuple[Pattern, ...] = ()
    require_map_hit: bool = True
    max_fixtures: int | None = None
    on_overflow: Overflow = "fail"
    dialect: Dialect = "plain"

    @property
    def fixtures(self) -> tuple[str, ...]:
        """Every fixture that the map can select, each once, in the order of the map; `always` come last."""
        named = [fixture for rule in self.rules for fixture in rule.fixtures]
        return tuple(dict.fromkeys((*named, *self.always)))
