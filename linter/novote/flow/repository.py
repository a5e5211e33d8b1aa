"""The files of one repository and who calls whom: events of callees, exams behind calls.

Files are parsed when something asks for them and forgotten when they have been audited; what others need to
know of a file (what it calls, when it runs, whether it holds an exam) is kept.
"""

from __future__ import annotations

import posixpath
import re
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from novote.flow.cases import EventCase, called_cases, own_cases
from novote.flow.outputs import with_texts
from novote.flow.owners import PLACES, Owners, owners_of
from novote.flow.repeats import Repeats
from novote.flow.required import NOTHING_KNOWN, Required
from novote.flow.roles import JobRole, roles
from novote.flow.unit import LOCAL, Unit, unit_of
from novote.knowledge import Knowledge
from novote.model import Problem, SourceText
from novote.source.yaml import Document, parse
from novote.workflow.bind import bind
from novote.workflow.model import Action, Job, Workflow

if TYPE_CHECKING:
    from novote.flow.gating import Gating

QUEUE = "merge_group"
"""The event of the merge queue."""

# Parsed files kept at hand: those that others asked about before their own turn.
_KEPT = 128
_LOCAL_NAME = re.compile(r"[.$]/[^\s'\"#,\[\]{}]*")
# In double quotes a name may be spelled with escapes.
_ESCAPED_USES = re.compile(r"uses['\"]?\s*:[^\n\"]*\"[^\"]*\\")


class Files(Protocol):
    """The repository's other files."""

    def read(self, path: str) -> SourceText | None:
        """The text of a file named from the root; None where there is none to read."""
        ...

    def names(self, folder: str) -> Iterable[str]:
        """Paths of the files that lie directly in a folder; none where there is no such folder."""
        ...


class Texts(Mapping[str, SourceText]):
    """Every file of a repository that can be read as text, by its path; only its own files are listed."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def __getitem__(self, path: str) -> SourceText:
        found = self._repository.source_of(path)
        if found is None:
            raise KeyError(path)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._repository.sources)

    def __len__(self) -> int:
        return len(self._repository.sources)


class OpenFile(NamedTuple):
    """One parsed file; `unit` is None where it is neither workflow nor action, or could not be read."""

    document: Document
    view: Workflow | Action | None
    problems: tuple[Problem, ...]
    unit: Unit | None


class _Facts(NamedTuple):
    """What callers and callees of a file ask: its own cases, whether it can be called, what it calls."""

    own: tuple[EventCase, ...]
    callable: bool
    calls: tuple[str, ...]


class Repository:
    """The workflow and action files of one repository, by path."""

    def __init__(
        self,
        sources: Mapping[str, SourceText],
        knowledge: Knowledge,
        tree: Files | None = None,
        required: Required = NOTHING_KNOWN,
    ) -> None:
        self.sources = sources
        self._tree = tree
        self._texts: dict[str, SourceText | None] = {}
        # Scripts with those they start, as far as words are searched for: kept for all who ask.
        self.reachable: dict[tuple[str, int], str] = {}
        self.repeats = Repeats()
        self.knowledge = knowledge
        self.required = required
        self._open: OrderedDict[str, OpenFile] = OrderedDict()
        self._cases: dict[str, tuple[EventCase, ...]] = {}
        self._roles: dict[str, tuple[JobRole, ...]] = {}
        self._exam: dict[str, bool] = {}
        self._own_exams: dict[str, tuple[bool, tuple[str, ...]]] = {}
        self._facts: dict[str, _Facts] = {}
        self._files: dict[str, str | None] = {}

    @cached_property
    def gating(self) -> Gating | None:
        """Which jobs gate; None where nobody says which checks must pass."""
        if self.required.checks is None and not self.required.workflows:
            return None
        # Most repositories do not say, and need not pay for the import.
        from novote.flow.gating import Gating

        return Gating(self, self.required)

    def source_of(self, path: str) -> SourceText | None:
        """Any file of the repository as text; None where there is none to read."""
        if path not in self._texts:
            inside = path in self.sources
            plain = bool(path) and not path.startswith(("/", "..", "~")) and path != "."
            read = self._tree.read(path) if self._tree is not None and plain and not inside else None
            self._texts[path] = self.sources[path] if inside else read
        return self._texts[path]

    @property
    def texts(self) -> Texts:
        """Every file that can be read as text."""
        return Texts(self)

    def text_of(self, path: str) -> str | None:
        """The text of any file of the repository; None where there is none to read."""
        found = self.source_of(path)
        return None if found is None else found.text

    def is_folder(self, path: str) -> bool:
        """Whether a path names a folder that holds files."""
        plain = bool(path) and not path.startswith(("/", "..", "~"))
        return plain and self._tree is not None and any(True for _ in self._tree.names(path))

    @cached_property
    def _owners(self) -> Owners | None:
        text = next((text for text in map(self.text_of, PLACES) if text is not None), None)
        return None if text is None else owners_of(text)

    @property
    def has_owners(self) -> bool:
        """Whether there is a CODEOWNERS file."""
        return self._owners is not None

    def is_protected(self, path: str) -> bool:
        """Whether a change to a file needs the approval of its owners."""
        return self._owners is not None and self._owners.protects(path)

    def open(self, file: str) -> OpenFile:
        """A file, parsed and bound."""
        found = self._open.get(file)
        if found is None:
            document = parse(self.sources[file])
            bound = bind(document, file)
            unit = unit_of(bound.view) if bound.view is not None else None
            found = self._open[file] = OpenFile(
                document, bound.view, (*document.problems, *bound.problems), unit
            )
            if len(self._open) > _KEPT:
                self.forget(next(iter(self._open)))
        return found

    def forget(self, file: str) -> None:
        """Drops a parsed file; what its callers and callees may still ask is kept."""
        if file not in self._open:
            return
        if _mentions_local(self.sources[file].text):
            self._facts_of(file)
        found = self._roles.pop(file, None)
        if found is not None:
            self._exam.setdefault(file, any(role.is_exam for role in found))
        del self._open[file]

    def roles(self, file: str) -> tuple[JobRole, ...]:
        """The roles of a file's jobs."""
        found = self._roles.get(file)
        if found is None:
            unit = self.open(file).unit
            required = self._required_in(file)
            found = roles(unit, self.knowledge, self.holds_exam, required) if unit is not None else ()
            self._roles[file] = found
        return found

    def _required_in(self, file: str) -> frozenset[str]:
        return self.gating.required_jobs(file) if self.gating is not None else frozenset()

    def holds_exam(self, uses: str) -> bool:
        """Whether a local action or reusable workflow, named as in `uses:`, holds an exam."""
        file = self.resolve(uses)
        if file is None:
            return False
        known = self._exam.get(file)
        if known is None:
            known = self._exam[file] = any(self._own_exam(name)[0] for name in self._reached(file))
        return known

    def _reached(self, file: str) -> Iterator[str]:
        """A file and all it calls where the answer matters, directly or through others, each once."""
        seen, waiting = {file}, deque([file])
        while waiting:
            name = waiting.popleft()
            yield name
            for callee in self._own_exam(name)[1]:
                if callee not in seen:
                    seen.add(callee)
                    waiting.append(callee)

    def _own_exam(self, file: str) -> tuple[bool, tuple[str, ...]]:
        """Whether a file holds an exam whatever it calls, and the files it calls to know more."""
        found = self._own_exams.get(file)
        if found is None:
            unit = self.open(file).unit
            asked: list[str] = []

            def ask(uses: str) -> bool:
                asked.append(uses)
                return False

            required = self._required_in(file)
            own = roles(unit, self.knowledge, ask, required) if unit is not None else ()
            held = any(role.is_exam for role in own)
            if not asked:
                self._roles.setdefault(file, own)
            callees = dict.fromkeys(filter(None, map(self.resolve, asked)))
            found = self._own_exams[file] = (held, tuple(callees))
        return found

    def resolve(self, uses: str) -> str | None:
        """The file that a local `uses:` names; None where it names none of this repository's."""
        if not uses.startswith(LOCAL):
            return None
        # The same few names are asked for again and again.
        if uses not in self._files:
            path = posixpath.normpath(uses[2:] or ".")
            names = (path, posixpath.join(path, "action.yml"), posixpath.join(path, "action.yaml"))
            whole = map(posixpath.normpath, names)
            self._files[uses] = next((name for name in whole if name in self.sources), None)
        return self._files[uses]

    def cases(self, file: str) -> tuple[EventCase, ...]:
        """The event cases a file runs under, those of its callers included."""
        found = self._cases.get(file)
        if found is None:
            self._cases[file] = ()
            facts = self._facts_of(file)
            own = facts.own
            if facts.callable:
                callers = [case for caller in self._callers(file) for case in self.cases(caller)]
                own = (*own, *(called_cases(callers) if callers or not own else ()))
            found = self._cases[file] = tuple(dict.fromkeys(own))
        return found

    @cached_property
    def queued(self) -> tuple[str, ...]:
        """The workflows that run in the merge queue."""
        named = (file for file, source in self.sources.items() if QUEUE in source.text)
        return tuple(file for file in named if any(case.event == QUEUE for case in self._facts_of(file).own))

    @cached_property
    def names_in_queue(self) -> frozenset[str]:
        """By what the jobs that run in the merge queue are known; found out once for all who ask."""
        roles = (role for file in self.queued for role in self.roles(file))
        return frozenset(name for role in roles for name in known_as(role.job))

    def _callers(self, file: str) -> list[str]:
        candidates = self._mentions.get(file, ())
        return [c for c in candidates if c != file and file in map(self.resolve, self._facts_of(c).calls)]

    def calling_jobs(self, file: str) -> Iterator[tuple[str, Job]]:
        """The jobs of other files that call a workflow, each with its file."""
        for caller in self._callers(file):
            unit = self.open(caller).unit
            for job in unit.jobs if unit is not None else ():
                if job.uses is not None and self.resolve(job.uses.value) == file:
                    yield caller, job

    def is_called(self, file: str) -> bool:
        """Whether another file of the repository calls a workflow or action."""
        return bool(self._callers(file))

    @cached_property
    def _mentions(self) -> Mapping[str, list[str]]:
        """For each file the files whose text has what may be a call of it."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for file, source in self.sources.items():
            if _mentions_local(source.text):
                for name in dict.fromkeys(_LOCAL_NAME.findall(source.text)):
                    callee = self.resolve(name)
                    if callee is not None:
                        found[callee].append(file)
        return found

    def together(self) -> list[str]:
        """Every file, those that call one another side by side: who works on a part needs few of the rest."""
        return [file for group in self._groups for file in group]

    @cached_property
    def _groups(self) -> Iterable[list[str]]:
        """The files by who calls whom, directly or through others."""
        groups = {file: [file] for file in self.sources}
        for callee, callers in self._mentions.items():
            for caller in callers:
                one, other = groups[callee], groups[caller]
                if one is not other:
                    one, other = (one, other) if len(one) >= len(other) else (other, one)
                    one += other
                    groups.update(dict.fromkeys(other, one))
        return {id(group): group for group in groups.values()}.values()

    def callers_first(self, files: Iterable[str]) -> list[str]:
        """The files in the order that opens the fewest twice: whoever is called needs its callers."""
        wanted = frozenset(files)
        ordered: list[str] = []
        for group in self._groups:
            ordered += sorted(wanted.intersection(group), key=lambda file: (*self._called_late(file), file))
        return ordered

    def _called_late(self, file: str) -> tuple[bool, bool]:
        return posixpath.basename(file) in ("action.yml", "action.yaml"), file in self._mentions

    def _facts_of(self, file: str) -> _Facts:
        found = self._facts.get(file)
        if found is None:
            view = self.open(file).view
            found = self._facts[file] = _Facts(
                own_cases(view, self.knowledge.sources) if isinstance(view, Workflow) else (),
                isinstance(view, Action) or (isinstance(view, Workflow) and view.reusable),
                self._read_calls(file),
            )
        return found

    def _read_calls(self, file: str) -> tuple[str, ...]:
        unit = self.open(file).unit
        jobs = unit.jobs if unit is not None else ()
        named = (uses for job in jobs for uses in (job.uses, *(step.uses for step in job.steps)))
        return tuple(
            dict.fromkeys(uses.value for uses in named if uses is not None and uses.value.startswith(LOCAL))
        )

    @cached_property
    def anyone_dispatches(self) -> bool:
        """Whether some workflow forwards what any commenter writes as a `repository_dispatch` payload."""
        names = self.knowledge.actions.dispatchers()
        return any(
            self._forwards_comments(file)
            for file, source in self.sources.items()
            if "dispatch" in source.text and _may_use(source.text, names)
        )

    def _forwards_comments(self, file: str) -> bool:
        unit = self.open(file).unit
        for job in unit.jobs if unit is not None else ():
            for step in job.steps:
                model = self.knowledge.actions.used_by(step)
                if model is not None and model.dispatches:
                    given = with_texts(step)
                    if given.get("permission", "write") in ("none", "read"):
                        return True
        return False


def known_as(job: Job) -> set[str]:
    """By what a job can be known in another workflow: its id, its name, what it calls."""
    return {job.id, *(node.value for node in (job.name, job.uses) if node is not None)}


def _may_use(text: str, names: Iterable[str]) -> bool:
    """Whether a file may use one of some actions, told from its text."""
    lowered = text.lower()
    return any(name in lowered for name in names) or ("\\" in text and _ESCAPED_USES.search(text) is not None)


def _mentions_local(text: str) -> bool:
    return any(start in text for start in LOCAL)
