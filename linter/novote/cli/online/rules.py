"""What GitHub's rules require for the branch that changes go to, asked of its API."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

from novote.cli.exit_code import UsageError
from novote.cli.online.client import Client, NoAnswer, is_safe
from novote.config.protection import Protection
from novote.config.rulesets import UnusableAnswer, protection_in
from novote.git.error import GitError
from novote.git.repository import open_repository

GITHUB_API: Final = "https://api.github.com"
TOKENS: Final = ("GH_TOKEN", "GITHUB_TOKEN")
"""The variables that may hold the token, the first that is set counts."""

# Anything else would come back in the complaint of whoever has to send it.
_TOKEN: Final = re.compile(r"[!-~]+")
_REPOSITORY: Final = re.compile(r"(?!\.{1,2}/)[\w.-]{1,100}/(?!\.{1,2}$)[\w.-]{1,100}", re.ASCII)
_ADDRESS: Final = re.compile(
    r"(?:(?:https|ssh|git)://(?:[^/@\s]{1,200}@)?|[^/@:\s]{1,200}@)(?P<host>[\w.-]{1,200})(?::\d+)?[:/]/*"
    r"(?P<path>[\w.-]+/[\w.-]+?)(?:\.git)?/?",
    re.ASCII,
)
_OBJECT: Final = re.compile(r"[0-9a-f]{7,64}")


class Remote(NamedTuple):
    """A repository, `OWNER/NAME`, and the branch that changes go to; None for its default branch."""

    repository: str
    branch: str | None


def client_from(environment: Mapping[str, str]) -> Client:
    """Whom to ask. Raises UsageError where the environment holds no token, or no address for one."""
    name = next((name for name in TOKENS if environment.get(name, "").strip()), None)
    if name is None:
        raise UsageError(f"--online needs a token in {TOKENS[0]} or {TOKENS[1]}")
    token = environment[name].strip()
    if not _TOKEN.fullmatch(token):
        raise UsageError(f"--online: {name} holds characters that no token has")
    api = (environment.get("GITHUB_API_URL") or GITHUB_API).strip().rstrip("/")
    if not is_safe(api):
        raise UsageError("--online: GITHUB_API_URL must begin with https://")
    return Client(api, token)


def remote_of(root: str, base: str | None, environment: Mapping[str, str], api: str) -> Remote:
    """The repository to ask about and its branch. Raises NoAnswer."""
    return Remote(_repository(root, environment, api), _branch(base, environment))


def _repository(root: str, environment: Mapping[str, str], api: str) -> str:
    named = environment.get("GITHUB_REPOSITORY", "")
    if named:
        if not _REPOSITORY.fullmatch(named):
            raise NoAnswer("GITHUB_REPOSITORY is no OWNER/NAME")
        return named
    try:
        address = open_repository(root).remote_address("origin")
    except GitError as error:
        raise NoAnswer(f"{error}; name the repository in GITHUB_REPOSITORY") from None
    found = _ADDRESS.fullmatch(address or "")
    if found is None or not _REPOSITORY.fullmatch(found["path"]):
        raise NoAnswer("the remote `origin` names no repository at GitHub; name it in GITHUB_REPOSITORY")
    if found["host"].lower() not in _hosts(api):
        raise NoAnswer(
            f"the remote `origin` is at {found['host']}, and the API asked is {urlsplit(api).hostname}; "
            "set GITHUB_API_URL, or name the repository in GITHUB_REPOSITORY"
        )
    return found["path"]


def _hosts(api: str) -> frozenset[str]:
    """Where the repositories of an API are found."""
    host = urlsplit(api).hostname or ""
    bare = host.removeprefix("api.")
    return frozenset({bare, f"ssh.{bare}"})


def _branch(base: str | None, environment: Mapping[str, str]) -> str | None:
    """The branch that changes go to, as the command line or the platform names it."""
    name = base or environment.get("GITHUB_BASE_REF") or ""
    for start in ("refs/heads/", "refs/remotes/origin/", "origin/"):
        if name.startswith(start):
            name = name[len(start) :]
            break
    is_branch = name and not _OBJECT.fullmatch(name) and not re.search(r"[\s~^:?*\[\\]|\.\.|@\{|^HEAD$", name)
    return name if is_branch else None


def asked_online(root: str, base: str | None) -> Protection:
    """What GitHub requires of changes to the repository at `root`. Raises UsageError and NoAnswer."""
    client = client_from(os.environ)
    return protection_online(client, remote_of(root, base, os.environ, client.api))


def protection_online(client: Client, remote: Remote) -> Protection:
    """What GitHub requires of changes to a branch. Raises NoAnswer."""
    about = f"/repos/{remote.repository}"
    repository = _told(client, about, remote.repository)
    branch = remote.branch or repository.get("default_branch")
    if not isinstance(branch, str):
        raise NoAnswer(f"{remote.repository} has no default branch; name one with --base")
    quoted = quote(branch, safe="")
    protected = _told(client, f"{about}/branches/{quoted}", f"branch {branch} of {remote.repository}")
    try:
        rules = client.pages(f"{about}/rules/branches/{quoted}")
    except NoAnswer as error:
        if not error.missing or client.api == GITHUB_API:
            raise NoAnswer(f"the rules for branch {branch} of {remote.repository}: {error}") from None
        rules = []  # an older server without rulesets
    try:
        own = protection_in(protected, f"the protection of branch `{branch}`")
        return protection_in(_in_this(rules, repository.get("id")), f"the rules of branch `{branch}`") | own
    except UnusableAnswer as error:
        raise NoAnswer(f"GitHub's answer cannot be used: {error}") from None


def _told(client: Client, path: str, what: str) -> Mapping[str, Any]:
    """An object that the API answers."""
    try:
        answer = client.get(path)
    except NoAnswer as error:
        raise NoAnswer(f"{what}: {error}") from None
    if not isinstance(answer, dict):
        raise NoAnswer(f"{what}: GitHub's answer is no object")
    return answer


def _in_this(rules: Iterable[Any], repository: object) -> list[Any]:
    """The rules of a branch without required workflows that lie in another repository."""
    found = []
    for rule in rules:
        parameters = rule.get("parameters") if isinstance(rule, dict) else None
        if isinstance(parameters, dict) and isinstance(parameters.get("workflows"), list):
            own = [item for item in parameters["workflows"] if _lies_in(item, repository)]
            rule = {**rule, "parameters": {**parameters, "workflows": own}}
        found.append(rule)
    return found


def _lies_in(workflow: object, repository: object) -> bool:
    return not isinstance(workflow, dict) or workflow.get("repository_id") in (None, repository)
