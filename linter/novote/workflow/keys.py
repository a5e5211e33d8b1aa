"""Reading a key of a mapping whose type is not yet known: what does not fit reads as absent."""

from __future__ import annotations

from collections.abc import Iterator

from novote.source.nodes import Mapping, Node, Scalar, Sequence

# Names with their values, in the order of the file.
Entries = tuple[tuple[str, Node], ...]


def scalar(mapping: Node | None, key: str) -> Scalar | None:
    """The scalar under a key; None where it is missing, empty (`key:`) or no scalar."""
    node = mapping.get(key) if type(mapping) is Mapping else None
    return node if type(node) is Scalar and not node.is_null else None


def is_null(node: Node) -> bool:
    """Whether a node is YAML's null, such as the value of `key:`."""
    return type(node) is Scalar and node.is_null


def child(mapping: Node | None, key: str) -> Node | None:
    """The value under a key of any type; None where it is missing or null."""
    node = mapping.get(key) if type(mapping) is Mapping else None
    return None if node is None or is_null(node) else node


def entries(node: Node | None) -> Entries:
    """The entries of a mapping; none for anything else."""
    return node.named if isinstance(node, Mapping) else ()


def scalars(node: Node | None) -> Iterator[Scalar]:
    """Every scalar at and below a node, keys left out, in the order of the file."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)
    elif isinstance(node, Mapping):
        for _, value in node.named:
            yield from scalars(value)


def texts(node: Node | None) -> tuple[str, ...] | None:
    """A scalar or a list of scalars as texts; None for anything else."""
    if isinstance(node, Scalar):
        return None if is_null(node) else (node.value,)
    if isinstance(node, Sequence):
        return tuple([item.value for item in node.items if isinstance(item, Scalar)])
    return None
