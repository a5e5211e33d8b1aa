"""`json`, `yaml`, `tomllib`, `csv`: structures from text and text from structures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr import jsontext
from novote.expr.atoms import ask, spell
from novote.script.python.core import Run
from novote.script.python.files import content_of_file, put_out, standard_input
from novote.script.python.solid import solid
from novote.script.python.things import Arguments, FileThing, Instance, Module
from novote.script.python.words import dumped, loaded
from novote.script.text import Text, flat


def _dumps(run: Run, given: Arguments) -> Value:
    value = given.get(0, "obj") or run.nothing
    indent = given.named.get("indent")
    sort = given.named.get("sort_keys")
    return dumped(
        run,
        value,
        indent is not None and indent.collapsed().single is not None,
        sort is not None and sort.collapsed().single is True,
    )


def _dump(run: Run, given: Arguments) -> Value:
    text = _dumps(run, given)
    file = given.get(1, "fp")
    if file is not None:
        put_out(run, file, text)
    return run.nothing


def _source(run: Run, value: Value) -> Value:
    """The text behind what is given: a file, standard input, or text itself."""

    def text(content: Content) -> Value:
        if isinstance(content, FileThing):
            return content_of_file(run, content.path)
        if isinstance(content, Instance):
            held = run.machine.variables.get(content.attribute("text"))
            return run.mystery("a file", (run.value(content),)) if held is None else held
        if isinstance(content, Module) and content.name == "sys.stdin":
            return standard_input(run)
        return run.value(content)

    return value.bind(text)


def _load(name: str) -> Callable[[Run, Arguments], Value]:
    def call(run: Run, given: Arguments) -> Value:
        text = _source(run, given.get(0) or run.value(""))
        if run.tries and name == "json":
            broken = solid(run, text).test(lambda content: _is_no_json(run.universe, content))
            run.fail_where(broken, given.node)
        return loaded(run, text, name)

    return call


def _is_no_json(universe: Universe, content: Content) -> Cond:
    if isinstance(content, Text):
        content = flat(universe, content)
    if isinstance(content, str):
        try:
            jsontext.read(content)
        except jsontext.BadJson:
            return universe.true
        return universe.false
    if not isinstance(content, Opaque) or content.shape != "string" or content.key.startswith("tojson("):
        return universe.constant(content is None)
    key = f"{spell(universe, content)} is no JSON"
    return ask(universe, key, "is no JSON", None, content, None, lambda u, a, _: _is_no_json(u, a))


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    "json.dumps": _dumps,
    "json.dump": _dump,
    "json.loads": _load("json"),
    "json.load": _load("json"),
    "orjson.loads": _load("json"),
    "ast.literal_eval": _load("python"),
    "yaml.safe_load": _load("yaml"),
    "yaml.load": _load("yaml"),
    "yaml.safe_load_all": _load("yaml"),
    "yaml.dump": _dumps,
    "yaml.safe_dump": _dumps,
    "tomllib.load": _load("toml"),
    "tomllib.loads": _load("toml"),
    "tomli.load": _load("toml"),
    "tomli.loads": _load("toml"),
    "toml.load": _load("toml"),
    "toml.loads": _load("toml"),
    "csv.reader": _load("csv"),
    "csv.DictReader": _load("csv"),
}
