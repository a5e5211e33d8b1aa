"""What a workflow or action declares about itself: triggers, inputs, outputs, defaults."""

from __future__ import annotations

from collections.abc import Iterator

from novote.model import Span
from novote.record import record
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.scalars import resolve
from novote.workflow.keys import Entries, child, entries, scalar, texts


@record
class Trigger:
    """One event under `on`; `node` is its configuration, where it has any, and `span` its name.

    A filter is None where it is not written, which is not the same as an empty one.
    """

    event: str
    span: Span
    node: Mapping | None = None

    @property
    def types(self) -> tuple[str, ...] | None:
        """Activity types."""
        return self._filter("types")

    @property
    def branches(self) -> tuple[str, ...] | None:
        """Branch patterns."""
        return self._filter("branches")

    @property
    def branches_ignore(self) -> tuple[str, ...] | None:
        """Branch patterns that keep the event out."""
        return self._filter("branches-ignore")

    @property
    def tags(self) -> tuple[str, ...] | None:
        """Tag patterns."""
        return self._filter("tags")

    @property
    def tags_ignore(self) -> tuple[str, ...] | None:
        """Tag patterns that keep the event out."""
        return self._filter("tags-ignore")

    @property
    def paths(self) -> tuple[str, ...] | None:
        """Path patterns."""
        return self._filter("paths")

    @property
    def paths_ignore(self) -> tuple[str, ...] | None:
        """Path patterns that do not count."""
        return self._filter("paths-ignore")

    @property
    def workflows(self) -> tuple[str, ...] | None:
        """Names of the workflows that `workflow_run` follows."""
        return self._filter("workflows")

    def _filter(self, key: str) -> tuple[str, ...] | None:
        return None if self.node is None else texts(self.node.get(key))


@record
class Input:
    """One declared input of an action, a reusable workflow or a manual run; `node` is its declaration."""

    name: str
    node: Node

    @property
    def type(self) -> str:
        """`string`, `boolean`, `number`, `choice` or `environment`; `string` where nothing is said."""
        found = scalar(self.node, "type")
        return "string" if found is None else found.value

    @property
    def default(self) -> Scalar | None:
        """The default value."""
        return scalar(self.node, "default")

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        found = scalar(self.node, "required")
        return found is not None and resolve(found) is True

    @property
    def options(self) -> tuple[str, ...]:
        """The values of a `choice`."""
        return texts(child(self.node, "options")) or ()


def inputs(node: Node | None) -> tuple[Input, ...]:
    """The inputs a mapping declares."""
    return tuple([Input(name, declaration) for name, declaration in entries(node)])


def outputs(node: Node | None) -> Entries:
    """Declared outputs with the node of their `value`."""
    found = [(name, child(declaration, "value")) for name, declaration in entries(node)]
    return tuple([(name, value) for name, value in found if value is not None])


@record
class RunDefaults:
    """`defaults.run` of a workflow or job."""

    node: Node | None

    @property
    def shell(self) -> Scalar | None:
        """The shell of `run:` steps."""
        return scalar(self.node, "shell")

    @property
    def working_directory(self) -> Scalar | None:
        """The folder of `run:` steps."""
        return scalar(self.node, "working-directory")


def run_defaults(owner: Mapping) -> RunDefaults:
    """The `defaults.run` of a workflow's or job's mapping."""
    return RunDefaults(child(child(owner, "defaults"), "run"))


def triggers(node: Node | None) -> Iterator[Trigger]:
    """The triggers that the value of `on` names."""
    if isinstance(node, Scalar):
        yield Trigger(node.value, node.span)
    elif isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Scalar):
                yield Trigger(item.value, item.span)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if isinstance(key, Scalar):
                yield Trigger(key.value, key.span, value if isinstance(value, Mapping) else None)
