"""novote: proves where the author of a change chooses the exam.

`novote.audit` audits a repository or a workflow; what it gives is described in docs/api.md. All else in the
package may change with any version.
"""

__version__ = "0.1.0"

__all__ = [
    "Claim",
    "Decision",
    "DecisionCounts",
    "Finding",
    "Hop",
    "Problem",
    "Report",
    "SeverityCounts",
    "Summary",
    "Suppression",
    "Tool",
    "Witness",
    "__version__",
    "audit",
]

# NOTE: `typing` would be half of what `novote --version` imports; type checkers know this name as it is.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from novote.api.auditing import audit
    from novote.api.records import (
        Claim,
        Decision,
        DecisionCounts,
        Finding,
        Hop,
        Problem,
        Report,
        SeverityCounts,
        Summary,
        Suppression,
        Tool,
        Witness,
    )

else:

    def __getattr__(name: str) -> object:
        """What `__all__` names, imported when it is first asked for."""
        from importlib import import_module

        if name == "audit":
            return import_module("novote.audit")
        if name in __all__:
            return getattr(import_module("novote.api.records"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
