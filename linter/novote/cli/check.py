"""`novote check`: the main job, everything that can be said of a repository in one report."""

from novote.cli.audit import add_arguments, run

__all__ = ["add_arguments", "run"]
