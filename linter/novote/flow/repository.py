"""The files of one repository and who calls whom: events of callees, exams behind calls."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from novote.flow.cases import EventCase, called_cases, own_cases
from novote.flow.roles import JobRole, roles
from novote.flow.unit import Unit, unit_of
from novote.knowledge import Knowledge
from novote.source.nodes import Scalar
from novote.workflow.model import Action, Workflow

View = Workflow | Action


@dataclass
class Repository:
    """The bound files of one repository by path; everything is computed once, when asked for."""

    views: Mapping[str, View]
    knowledge: Knowledge
    _roles: dict[str, tuple[JobRole, ...]] = field(default_factory=dict)
    _cases: dict[str, tuple[EventCase, ...]] = field(default_factory=dict)
    _units: dict[str, Unit] = field(default_factory=dict)
    _callers: dict[str, list[str]] | None = None
    _dispatches: bool | None = None

    def unit(self, file: str) -> Unit:
        """What is evaluated of a file."""
        found = self._units.get(file)
        if found is None:
            found = self._units[file] = unit_of(self.views[file])
        return found

    def roles(self, file: str) -> tuple[JobRole, ...]:
        """The roles of a file's jobs."""
        found = self._roles.get(file)
        if found is None:
            # A call that leads back here finds no exam on this way; another way may still find one.
            self._roles[file] = ()
            found = roles(self.unit(file), self.knowledge, self.holds_exam)
            self._roles[file] = found
        return found

    def holds_exam(self, uses: str) -> bool:
        """Whether a local action or reusable workflow, named as in `uses:`, holds an exam."""
        file = self.resolve(uses)
        return file is not None and any(role.is_exam for role in self.roles(file))

    def resolve(self, uses: str) -> str | None:
        """The file that a local `uses:` names; None where it names none of this repository's."""
        if not uses.startswith("./"):
            return None
        path = posixpath.normpath(uses)
        candidates = (path, posixpath.join(path, "action.yml"), posixpath.join(path, "action.yaml"))
        return next((posixpath.normpath(name) for name in candidates if posixpath.normpath(name) in self.views), None)

    def cases(self, file: str) -> tuple[EventCase, ...]:
        """The event cases a file runs under, those of its callers included."""
        found = self._cases.get(file)
        if found is None:
            self._cases[file] = ()
            view = self.views[file]
            own = own_cases(view, self.knowledge.sources) if isinstance(view, Workflow) else ()
            if isinstance(view, Action) or view.reusable:
                callers = [case for caller in self._called_by(file) for case in self.cases(caller)]
                own = (*own, *(called_cases(callers) if callers or not own else ()))
            found = self._cases[file] = tuple(dict.fromkeys(own))
        return found

    def _called_by(self, file: str) -> list[str]:
        if self._callers is None:
            callers: defaultdict[str, list[str]] = defaultdict(list)
            for caller in self.views:
                for uses in dict.fromkeys(self._local_uses(caller)):
                    callee = self.resolve(uses)
                    if callee is not None and callee != caller:
                        callers[callee].append(caller)
            self._callers = dict(callers)
        return self._callers.get(file, [])

    def _local_uses(self, file: str) -> Iterator[str]:
        for job in self.unit(file).jobs:
            for node in (job.uses, *(step.uses for step in job.steps)):
                if node is not None and node.value.startswith("./"):
                    yield node.value

    @property
    def anyone_dispatches(self) -> bool:
        """Whether some workflow forwards what any commenter writes as a `repository_dispatch` payload."""
        if self._dispatches is None:
            self._dispatches = any(map(self._forwards_comments, self.views))
        return self._dispatches

    def _forwards_comments(self, file: str) -> bool:
        for job in self.unit(file).jobs:
            for step in job.steps:
                model = self.knowledge.actions.find(step.uses.value) if step.uses is not None else None
                if model is not None and model.dispatches:
                    given = {name.lower(): node.value for name, node in step.with_ if isinstance(node, Scalar)}
                    if given.get("permission", "write") in ("none", "read"):
                        return True
        return False
