"""`argparse`: a script's arguments by name; and the other objects that libraries make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from novote.algebra.value import Opaque, Value
from novote.script.python.core import Run
from novote.script.python.solid import iterated
from novote.script.python.things import Arguments, Instance, Item
from novote.script.python.web import response_method
from novote.script.python.words import formatted, spoken
from novote.script.text import joined as joined_text
from novote.script.text import literal, pieces


class Option(NamedTuple):
    """One argument that a parser knows."""

    names: tuple[str, ...]
    given: Arguments

    @property
    def is_positional(self) -> bool:
        """Whether it is known by its place."""
        return not self.names[0].startswith("-")

    @property
    def action(self) -> str:
        """What is done when it is met."""
        return self.word("action") or "store"

    def word(self, name: str) -> str | None:
        """A keyword that is known text."""
        value = self.given.named.get(name)
        return None if value is None else literal(value)

    @property
    def destination(self) -> str:
        """The attribute that it sets."""
        long = next((name for name in self.names if name.startswith("--")), self.names[0])
        return self.word("dest") or long.lstrip("-").replace("-", "_")

    @property
    def takes(self) -> str:
        """How many words follow: a number as text, `*`, `+`, `?`, or nothing for one."""
        count = self.given.named.get("nargs")
        single = count.single if count is not None and count.is_single else None
        return str(single) if isinstance(single, int | str) else ""


class Parser(Instance):
    """An `ArgumentParser`, a group of it, or one for a command."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.machine, run.number(), None, "parser")
        self.options: list[Option] = []
        self.defaults: dict[str, Value] = {}
        self.commands: dict[str, Parser] = {}
        self.command = ""


def _parser(run: Run, given: Arguments) -> Value:
    return run.value(Parser(run))


def _parser_method(run: Run, parser: Parser, name: str, given: Arguments) -> Value:
    if name == "add_argument":
        names = tuple(text for text in map(literal, given.positional) if text)
        if names:
            parser.options.append(Option(names, given))
        return run.nothing
    if name in ("add_argument_group", "add_mutually_exclusive_group"):
        return run.value(parser)
    if name == "add_subparsers":
        parser.command = literal(given.named.get("dest") or run.value("")) or "command"
        return run.value(parser)
    if name == "add_parser":
        made = Parser(run)
        parser.commands[literal(given.get(0) or run.value("")) or ""] = made
        return run.value(made)
    if name == "set_defaults":
        parser.defaults.update(given.named)
        return run.nothing
    if name in ("parse_args", "parse_known_args"):
        words = given.get(0, "args")
        found = _parsed(run, parser, _words(run, words))
        return found if name == "parse_args" else run.listed((found, run.listed(())), "tuple")
    if name in ("error", "exit"):
        run.exit(run.universe.constant(name == "error" or bool(given.positional)))
    return run.nothing


def _words(run: Run, words: Value | None) -> list[Value]:
    if words is None or (words.is_single and words.single is None):
        return list(run.arguments)
    return [
        item.value if item.guard.is_true and item.many is None else run.mixed("words", (item.value,))
        for item in iterated(run, words)
    ]


class _Binding:
    """Words met one after the other."""

    def __init__(self, run: Run, parser: Parser, words: Sequence[Value]) -> None:
        self.run = run
        self.parser = parser
        self.options = list(parser.options)
        self.defaults = dict(parser.defaults)
        self.words = list(words)
        self.found: dict[str, Value] = {}
        self.lists: dict[str, list[Value]] = {}
        self.positional: list[Value] = []
        self.strange: list[Value] = []

    def option(self, name: str) -> Option | None:
        """The option of a name, or of its beginning."""
        exact = [option for option in self.options if name in option.names]
        if exact or not name.startswith("--"):
            return exact[0] if exact else None
        return next((o for o in self.options if any(n.startswith(name) for n in o.names)), None)

    def go(self) -> None:
        """Meets every word."""
        while self.words:
            self.run.machine.spend()
            self.word(self.words.pop(0))
        self.place()

    def word(self, word: Value) -> None:
        """Meets one word."""
        text, rest = self._split(word)
        if text is None or not text.startswith("-") or text == "-" or text[1:2].isdigit():
            if text is not None and not self.positional and text in self.parser.commands:
                self.found[self.parser.command] = word
                self.options += self.parser.commands[text].options
                self.defaults |= self.parser.commands[text].defaults
            elif text is None and self._flags(word):
                return
            else:
                self.positional.append(word)
            return
        option = self.option(text)
        if option is None:
            return
        self.meet(option, rest)

    def _split(self, word: Value) -> tuple[str | None, Value | None]:
        """An option's name and what follows its equals sign."""
        if not word.is_single:
            return None, None
        parts = pieces(word.single) if not isinstance(word.single, bool | int | float | None) else ()
        if not parts or isinstance(parts[0], Opaque):
            return ("" if word.single == "" else None), None
        first = parts[0]
        if first.startswith("-") and "=" in first:
            name, _, value = first.partition("=")
            return name, self.run.value(joined_text(self.run.universe, (value, *parts[1:])))
        return (first if len(parts) == 1 else None), None

    def _flags(self, word: Value) -> bool:
        """A word that is a flag under a condition, and empty elsewhere."""
        met = False
        for guard, content in word.alternatives:
            option = self.option(content) if isinstance(content, str) and content.startswith("-") else None
            if option is not None and option.action.startswith("store_"):
                old = self.found.get(option.destination) or self.default(option)
                self.found[option.destination] = Value.choose(guard, self.constant(option), old)
                met = True
        return met

    def constant(self, option: Option) -> Value:
        """What a flag stands for."""
        if option.action in ("store_true", "store_false"):
            return self.run.value(option.action == "store_true")
        return option.given.named.get("const") or self.run.nothing

    def default(self, option: Option) -> Value:
        """What an option is that nobody gives."""
        given = option.given.named.get("default") or self.defaults.get(option.destination)
        if given is not None:
            return given
        if option.action in ("store_true", "store_false"):
            return self.run.value(option.action == "store_false")
        return self.run.nothing

    def meet(self, option: Option, value: Value | None) -> None:
        """Meets an option, with what follows its equals sign."""
        name = option.destination
        if option.action in ("store_true", "store_false", "store_const"):
            self.found[name] = self.constant(option)
        elif option.action == "count":
            self.found[name] = self.run.value(1)
        elif option.takes in ("*", "+") or option.takes.isdigit():
            values = [value] if value is not None else []
            while self.words and not self._is_option(self.words[0]):
                values.append(self.words.pop(0))
            self.lists.setdefault(name, []).extend(self.typed(option, one) for one in values)
        else:
            if value is None:
                value = self.words.pop(0) if self.words else self.run.value("")
            if option.action in ("append", "extend"):
                self.lists.setdefault(name, []).append(self.typed(option, value))
            else:
                self.found[name] = self.typed(option, value)

    def _is_option(self, word: Value) -> bool:
        text, _ = self._split(word)
        return text is not None and self.option(text) is not None

    def typed(self, option: Option, value: Value) -> Value:
        """A word as the option's type makes it."""
        kind = option.given.named.get("type")
        if option.given.named.get("action") is not None and "BooleanOptional" in option.given.node.text:
            return self.run.value(True)
        return value if kind is None else self.run.call_with(kind, (value,), option.given.node)

    def place(self) -> None:
        """Gives the words that are no options to the arguments known by their places."""
        waiting = [option for option in self.options if option.is_positional]
        for at, option in enumerate(waiting):
            after = len(waiting) - at - 1
            if option.takes in ("*", "+"):
                count = max(0, len(self.positional) - after)
                taken, self.positional = self.positional[:count], self.positional[count:]
                self.lists[option.destination] = [self.typed(option, one) for one in taken]
            elif self.positional:
                self.found[option.destination] = self.typed(option, self.positional.pop(0))
        self.strange = [word for word in self.positional if literal(word) is None]


def _parsed(run: Run, parser: Parser, words: Sequence[Value]) -> Value:
    binding = _Binding(run, parser, words)
    binding.go()
    made = Instance(run.machine, run.number(), None, "namespace")
    values = dict(binding.defaults)
    for option in binding.options:
        name = option.destination
        if name in binding.lists:
            values[name] = run.listed(binding.lists[name])
        else:
            values[name] = binding.found.get(name) or binding.default(option)
        if binding.strange:
            # A word nobody knows may be any option.
            values[name] = run.mixed("arguments", (values[name], *binding.strange))
    if parser.command:
        values[parser.command] = binding.found.get(parser.command) or run.nothing
    for name, value in values.items():
        run.machine.variables[made.attribute(name)] = value
    return run.value(made)


def method(run: Run, instance: Instance, name: str, given: Arguments) -> Value:
    """A method of an object that a library made."""
    if isinstance(instance, Parser):
        return _parser_method(run, instance, name, given)
    if instance.kind == "response":
        return response_method(run, instance, name, given)
    if instance.kind == "process":
        return _process_method(run, instance, name)
    if name in ("substitute", "safe_substitute") and instance.kind == "template":
        return _substituted(run, instance, given)
    values = (run.value(instance), *given.all)
    return run.mystery(name, values)


def _process_method(run: Run, instance: Instance, name: str) -> Value:
    variables = run.machine.variables
    if name == "communicate":
        return run.listed(
            (variables[instance.attribute("stdout")], variables[instance.attribute("stderr")]), "tuple"
        )
    if name in ("wait", "poll"):
        return variables[instance.attribute("returncode")]
    if name == "check_returncode":
        failed = run.truth(variables[instance.attribute("returncode")])
        run.fail_where(failed, run.main)
    return run.nothing


def _template(run: Run, given: Arguments) -> Value:
    made = Instance(run.machine, run.number(), None, "template")
    run.machine.variables[made.attribute("template")] = spoken(run, given.get(0) or run.value(""))
    return run.value(made)


def _substituted(run: Run, instance: Instance, given: Arguments) -> Value:
    template = literal(run.machine.variables[instance.attribute("template")])
    made = None
    if template is not None and "$$" not in template:
        escaped = template.replace("{", "{{").replace("}", "}}").replace("${{", "{").replace("}}", "}")
        made = formatted(run, escaped, (), given.named)
    return made or run.mixed("substitute", (run.value(instance), *given.all), "")


def _variables(run: Run, given: Arguments) -> Value:
    target = given.get(0)
    content = target.single if target is not None and target.is_single else None
    if not isinstance(content, Instance):
        return run.mystery("vars", given.all)
    start = content.attribute("")
    found = [
        Item(run.universe.true, value, None, name.removeprefix(start))
        for name, value in run.machine.variables.items()
        if name.startswith(start)
    ]
    return run.group("dict", found)


def _namespace(run: Run, given: Arguments) -> Value:
    made = Instance(run.machine, run.number(), None, "namespace")
    for name, value in given.named.items():
        run.machine.variables[made.attribute(name)] = value
    return run.value(made)


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    "argparse.ArgumentParser": _parser,
    "argparse.Namespace": _namespace,
    "types.SimpleNamespace": _namespace,
    "string.Template": _template,
    "builtins.vars": _variables,
    "dataclasses.asdict": _variables,
}
