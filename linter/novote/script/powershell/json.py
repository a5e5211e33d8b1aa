"""`ConvertFrom-Json` and `ConvertTo-Json`."""

from __future__ import annotations

from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr import jsontext
from novote.expr.atoms import is_known
from novote.script.documents import document_of
from novote.script.powershell import operators
from novote.script.powershell.arguments import Called, input_of
from novote.script.powershell.content import as_text, is_array, items_of
from novote.script.powershell.session import Session
from novote.script.text import Text, derived, flat


def from_json(session: Session, called: Called, given: Value | None) -> Value:
    """`ConvertFrom-Json`: the event's file becomes the event, text that says nothing becomes nothing."""
    value = input_of(session, called, given, "inputobject")
    session.risk(value)
    return value.map(lambda content: _parsed(session, content))


def _parsed(session: Session, content: Content) -> Content:
    universe = session.universe
    if isinstance(content, Opaque) and content.key in session.documents:
        return content
    if is_array(content):
        content = operators.join_items(universe, content, "\n")
    text = flat(universe, as_text(universe, content)) if not isinstance(content, Opaque) else content
    if isinstance(text, str):
        return _read_json(text)
    assert isinstance(text, Opaque), "text that is not known is opaque"
    document = document_of(session.machine, text)
    if document is not None and document.fields is not None:
        return document.fields
    absent = text.absent
    known = text.absent_known and not isinstance(absent, Opaque)
    parsed = _read_json(absent) if isinstance(absent, str) else None
    key = f"fromjson({text.key})"
    key = universe.short_key(key) if len(key) > 200 else key
    return Opaque(key, text.origins, parsed if known else None, known)


def _read_json(text: str) -> Content:
    try:
        return _plain(jsontext.read(text)) if text.strip() else None
    except jsontext.BadJson:
        return None


def _plain(content: Content) -> Content:
    """JSON with arrays as plain tuples, which compare by their elements."""
    if isinstance(content, tuple) and not isinstance(content, Text):
        return tuple(_plain(item) for item in content)
    if isinstance(content, Object):
        return Object(tuple((name, _plain(item)) for name, item in content.items))
    return content


def to_json(session: Session, called: Called, given: Value | None) -> Value:
    """`ConvertTo-Json`: known content as text, anything else as text made of all its parts."""
    value = input_of(session, called, given, "inputobject")
    wraps = called.get("asarray") is not None
    compressed = called.get("compress") is not None

    def write(content: Content) -> Content:
        if wraps and not is_array(content):
            content = items_of(content)
        if is_array(content) and len(content) == 1 and given is not None and not wraps:
            content = content[0]
        if is_known(content):
            text = jsontext.write(content)
            return _compact(text) if compressed else text
        parts = [flat(session.universe, as_text(session.universe, item)) for item in _leaves(content)]
        return derived(session.universe, "tojson", parts, lambda p: "[]" if is_array(content) else None)

    return value.map(write)


def _compact(text: str) -> str:
    lines = [line.strip() for line in text.split("\n")]
    return "".join(
        line[:-3] + '":' + line[-1] if line.endswith(('": [', '": {')) else _tight(line) for line in lines
    )


def _tight(line: str) -> str:
    if line.startswith('"') and '": ' in line:
        name, _, rest = line.partition('": ')
        return f'{name}":{rest}'
    return line


def _leaves(content: Content) -> list[Content]:
    if isinstance(content, Object):
        return [leaf for _, item in content.items for leaf in _leaves(item)]
    if is_array(content):
        return [leaf for item in content for leaf in _leaves(item)]
    return [content]
