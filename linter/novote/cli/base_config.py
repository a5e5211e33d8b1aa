"""Which trailers a repository refuses, as the base of a change says: the change itself has no say in it."""

from __future__ import annotations

from novote.commits.message import DEFAULT_KEYS, Keys
from novote.config.model import Config
from novote.config.read import DEFAULT_FILE, read_config
from novote.git.model import SYMLINK
from novote.git.repository import Git
from novote.model import Problem
from novote.source.decode import MAX_BYTES, decode


def base_config(git: Git, commit: str) -> Config:
    """The configuration that a commit holds; the default one where it holds none that can be read.

    Raises GitError.
    """
    entry = git.entry(commit, DEFAULT_FILE.encode("ascii"))
    if entry is None or entry.type != "blob" or entry.mode == SYMLINK:
        return Config()
    source = decode(DEFAULT_FILE, git.blob(entry.oid, MAX_BYTES + 1))
    return Config() if isinstance(source, Problem) else read_config(source).config


def keys_of(config: Config) -> Keys:
    """The keys that no message may hold."""
    return Keys(config.refused_trailers or DEFAULT_KEYS)
