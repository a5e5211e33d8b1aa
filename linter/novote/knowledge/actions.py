"""What third-party actions and reusable workflows are, what they put out, and which inputs decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from novote.knowledge.load import table

if TYPE_CHECKING:
    from novote.workflow.model import Step

Role = Literal[
    "exam", "observed", "source", "transform", "hygiene", "aggregator", "retry", "checkout", "setup", "cache",
    "artifact", "deploy", "report", "label", "comment", "commit", "script", "runner", "other",
]  # fmt: skip
OutputClass = Literal["claim", "observed", "dispatched", "carries", "unknown"]


class ActionOutput(NamedTuple):
    """An output, or a variable set for later steps.

    `kind` is the claim kind, empty for no claim. Where `cls` is `carries`, the value holds what the inputs
    named in `inputs` hold. `shape` is that of `Source`; a list or object arrives as JSON text.
    """

    cls: OutputClass
    kind: str = ""
    shape: str = "string"
    inputs: tuple[str, ...] = ()


class Condition(NamedTuple):
    """What `with:` must hold for a variant to apply.

    An input is absent, given, equal to or containing one of `values`, or (`path`) names a file in one line
    where the value itself could stand.
    """

    input: str
    test: Literal["absent", "present", "equals", "contains", "lacks", "path"]
    values: tuple[str, ...] = ()

    def holds(self, given: Mapping[str, str]) -> bool:
        """Whether it holds for the inputs given, by lower-case name."""
        value = given.get(self.input)
        if self.test == "absent":
            return value is None or not value.strip()
        if self.test == "lacks":
            return value is None or not any(part in value.lower() for part in self.values)
        if value is None:
            return False
        text = value.strip().lower()
        if self.test == "present":
            return bool(text)
        if self.test == "equals":
            return text in self.values
        if self.test == "contains":
            return any(part in text for part in self.values)
        return _is_file(text)


def _is_file(text: str) -> bool:
    """Whether text looks like a file's name rather than YAML: one line without a key or a list."""
    return "\n" not in text and ": " not in text and text[-1:] not in ("", ":") and text[0] not in "{["


class Variant(NamedTuple):
    """Outputs, verdict or input rules that hold under all of `conditions` only."""

    conditions: tuple[Condition, ...]
    outputs: tuple[tuple[str, ActionOutput], ...]
    reads: str = ""
    """The input whose value names a file of the candidate tree that selects."""
    verdict: str | None = None

    def holds(self, given: Mapping[str, str]) -> bool:
        """Whether every condition holds."""
        return all(condition.holds(given) for condition in self.conditions)


class ActionModel(NamedTuple):
    """One action, whatever its version.

    `outputs` and `env` map names, or patterns with one `*`, to what they hold. `selects`, `retries`,
    `softens` and `targets` name inputs by the decision they settle. `runs` maps inputs that hold a script to
    the words that come before it (`command: "cargo "`). `verdict` is the claim kind that decides the exit
    status; `dispatches` that it forwards a comment as `repository_dispatch`; `selector` that it says what
    changed.
    """

    uses: str
    role: Role
    outputs: tuple[tuple[str, ActionOutput], ...] = ()
    env: tuple[tuple[str, ActionOutput], ...] = ()
    selects: tuple[str, ...] = ()
    retries: tuple[str, ...] = ()
    softens: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    runs: Mapping[str, str] = {}
    verdict: str = ""
    dispatches: bool = False
    selector: bool = False
    variants: tuple[Variant, ...] = ()

    def output(self, key: str, given: Mapping[str, str] | None = None) -> ActionOutput | None:
        """What output `key` holds when `with:` gives these inputs (names in lower case, text as written).

        None where the model does not know the output.
        """
        for variant in self.variants:
            if variant.outputs and variant.holds(given or {}):
                found = _named(variant.outputs, key)
                if found is not None:
                    return found
        return _named(self.outputs, key)

    def variable(self, name: str) -> ActionOutput | None:
        """What the environment variable `name` holds for later steps, where the action sets it."""
        return _named(self.env, name)

    def verdict_kind(self, given: Mapping[str, str] | None = None) -> str:
        """The claim kind that decides whether the step passes; empty where none does."""
        for variant in self.variants:
            if variant.verdict is not None and variant.holds(given or {}):
                return variant.verdict
        return self.verdict

    def file_inputs(self, given: Mapping[str, str]) -> tuple[str, ...]:
        """The inputs that name a file of the candidate tree which selects."""
        return tuple(v.reads for v in self.variants if v.reads and v.holds(given))

    def decision_of(self, name: str) -> Literal["which", "how-often", "verdict", "target"] | None:
        """The kind of decision that an input settles; None where it settles none."""
        lowered = name.lower()
        if lowered in self.selects:
            return "which"
        if lowered in self.retries:
            return "how-often"
        if lowered in self.softens:
            return "verdict"
        return "target" if lowered in self.targets else None


def _named(pairs: tuple[tuple[str, ActionOutput], ...], key: str) -> ActionOutput | None:
    lowered = key.lower()
    for pattern, output in pairs:
        before, star, after = pattern.partition("*")
        if pattern == lowered or (star and lowered.startswith(before) and lowered.endswith(after)):
            return output
    return None


class Actions:
    """The table of actions: rows, and their places by lower-case name; models are built when asked for."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], names: Mapping[str, int]) -> None:
        self.rows = rows
        self.names = names
        self._models: dict[str, ActionModel] = {}

    def dispatchers(self) -> tuple[str, ...]:
        """The names of the actions that forward comments, lower case."""
        return tuple(name for name, at in self.names.items() if self.rows[at].get("dispatches"))

    def used_by(self, step: Step) -> ActionModel | None:
        """The model of the action that a step uses; None where it uses none, or none is known."""
        uses = step.uses
        return None if uses is None else self.find(uses.value)

    def find(self, uses: str) -> ActionModel | None:
        """The model of `owner/repo[/path]@ref`, also of a reusable workflow; None where none is known.

        Actions of the repository itself (`./path`) and images have no model.
        """
        name = uses.partition("@")[0].strip().strip("/").lower()
        model = self._models.get(name)
        if model is None:
            at = self.names.get(name)
            if at is None:
                return None
            model = self._models[name] = _model(name, self.rows[at])
        return model


def _outputs(rows: Mapping[str, Any]) -> tuple[tuple[str, ActionOutput], ...]:
    pairs = []
    for names, row in rows.items():
        output = ActionOutput(
            row["class"], row.get("claim", ""), row.get("shape", "string"), tuple(row.get("inputs", ()))
        )
        pairs += [(name.strip().lower(), output) for name in names.split(",")]
    # NOTE: exact names come before patterns, short patterns last.
    return tuple(sorted(pairs, key=lambda pair: ("*" in pair[0], -len(pair[0]))))


def _variant(row: Mapping[str, Any]) -> Variant:
    conditions = []
    for name, test in row["with"].items():
        if isinstance(test, Mapping):
            ((kind, values),) = test.items()
            conditions.append(Condition(name.lower(), kind, tuple(value.lower() for value in values)))
        else:
            conditions.append(Condition(name.lower(), test))
    return Variant(
        tuple(conditions), _outputs(row.get("outputs", {})), row.get("reads", "").lower(), row.get("verdict")
    )


_INPUT_LISTS = ("selects", "retries", "softens", "targets")


def _model(name: str, row: Mapping[str, Any]) -> ActionModel:
    inputs = {key: tuple(map(str.lower, row.get(key, ()))) for key in _INPUT_LISTS}
    return ActionModel(
        uses=name,
        role=row["role"],
        outputs=_outputs(row.get("outputs", {})),
        env=_outputs(row.get("env", {})),
        runs={key.lower(): prefix for key, prefix in row.get("runs", {}).items()},
        verdict=row.get("verdict", ""),
        dispatches=row.get("dispatches", False),
        selector=row.get("selector", False),
        variants=tuple(map(_variant, row.get("when", ()))),
        **inputs,
    )


@cache
def builtin() -> Actions:
    """The table novote ships."""
    data = table("actions")
    return Actions(data["rows"], data["names"])


def extended(documents: Iterable[Mapping[str, Any]]) -> Actions:
    """The table with a repository's own documents of `rules/actions` added; its models win."""
    data = table("actions")
    rows, names = list(data["rows"]), dict(data["names"])
    for document in documents:
        for entry in document["actions"]:
            uses = entry["uses"]
            names |= {name.lower(): len(rows) for name in ([uses] if isinstance(uses, str) else uses)}
            rows.append(entry)
    return Actions(rows, names)
