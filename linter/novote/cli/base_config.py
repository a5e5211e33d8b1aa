"""The configuration at the base of a change, for those who judge nothing but its commits."""

from __future__ import annotations

from novote.cli.discovery.pinned import load_at_base
from novote.cli.discovery.tree import Unreadable
from novote.commits.message import DEFAULT_KEYS, Keys
from novote.config.model import Config
from novote.config.read import DEFAULT_FILE, read_config
from novote.git.repository import Git


def base_config(git: Git, base: str) -> Config:
    """The configuration that a commit holds; the default one where it holds none that can be read."""
    try:
        source = load_at_base(git, base, DEFAULT_FILE)
    except Unreadable:
        return Config()
    return read_config(source).config


def keys_of(config: Config) -> Keys:
    """The keys that no message may hold."""
    return Keys(config.refused_trailers or DEFAULT_KEYS)
