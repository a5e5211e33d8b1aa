"""What GitHub's own rules require before a merge, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from novote.flow.required import Required


class Protection(NamedTuple):
    """What one or several answers say.

    `checks` and `workflows` name who requires them, in words; `checks` is None where nobody lists any.
    `elsewhere` are the required checks that an app other than GitHub Actions publishes. `queue` says who has
    changes merged by a queue, `idle` which rulesets do not apply, and why.
    """

    checks: Mapping[str, str] | None
    workflows: Mapping[str, str]
    elsewhere: frozenset[str] = frozenset()
    queue: str = ""
    idle: tuple[str, ...] = ()

    @property
    def required(self) -> Required:
        """What the audit asks of it."""
        return Required(self.checks, self.workflows, self.queue)

    def __or__(self, other: Protection) -> Protection:
        """Both together; of a check that both require, the first says who does."""
        return Protection(
            _joined(self.checks, other.checks),
            {**other.workflows, **self.workflows},
            self.elsewhere | other.elsewhere,
            self.queue or other.queue,
            (*self.idle, *other.idle),
        )


NO_PROTECTION: Final = Protection(None, {})


def _joined(one: Mapping[str, str] | None, other: Mapping[str, str] | None) -> Mapping[str, str] | None:
    return (
        {**one, **other, **one} if one is not None and other is not None else one if other is None else other
    )
