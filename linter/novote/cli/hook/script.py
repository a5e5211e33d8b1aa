"""The text of the hook, and how to tell it from others."""

from __future__ import annotations

import re
import shlex

KEPT = "pre-push.before-novote"
"""Where a hook that was there before goes on living; ours runs it after its own work."""

_MARK = "# novote pre-push hook"
_MARKED = re.compile(rf"^{_MARK}\b", re.MULTILINE)


def is_ours(text: str) -> bool:
    """Whether novote wrote a hook."""
    return _MARKED.search(text[:500]) is not None


def hook_script(python: str) -> str:
    """The hook; `python` is the absolute path of the interpreter that novote is installed for.

    It hands what git tells it to novote, and then to the hook that was there before, Git LFS's say, and ends
    as the first of them that fails. Without novote it lets the push go: it is advice, and CI checks again.
    """
    return f"""\
#!/bin/sh
{_MARK}: advice before a push; CI checks everything again.
# To uninstall: remove this file, and give `{KEPT}` its old name `pre-push` where there is one.
told=$(cat && echo .)
told=${{told%.}}
python={shlex.quote(python.replace(chr(92), "/"))}
if [ -x "$python" ] && "$python" -P -c 'import novote' 2>/dev/null; then
    printf %s "$told" | "$python" -P -m novote hook run -- "$@" || exit $?
elif command -v novote >/dev/null 2>&1; then
    printf %s "$told" | novote hook run -- "$@" || exit $?
else
    echo "novote: not installed any more, so nothing was checked; CI will" >&2
fi
kept=$(dirname -- "$0")/{KEPT}
if [ -x "$kept" ]; then
    printf %s "$told" | "$kept" "$@"
fi
"""
