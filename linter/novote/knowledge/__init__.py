"""What novote knows of GitHub, actions, commands, test runners and its own rules: `rules/` as tables."""

from __future__ import annotations

from functools import cached_property

from novote.knowledge import actions, exams, octokit, programs, rules, sources


class Knowledge:
    """Everything known; each table is loaded when it is first asked for."""

    @cached_property
    def sources(self) -> sources.Sources:
        """Who writes what of the `github` context."""
        return sources.builtin()

    @cached_property
    def actions(self) -> actions.Actions:
        """Third-party actions."""
        return actions.builtin()

    @cached_property
    def exams(self) -> exams.Exams:
        """Exam commands."""
        return exams.builtin()

    @cached_property
    def programs(self) -> programs.Programs:
        """What the commands of scripts write and do."""
        return programs.builtin()

    @cached_property
    def octokit(self) -> octokit.Octokit:
        """GitHub's API as scripts call it."""
        return octokit.builtin()

    @cached_property
    def rules(self) -> rules.Rules:
        """Novote's own rules."""
        return rules.builtin()


_BUILTIN = Knowledge()


def builtin() -> Knowledge:
    """What novote ships."""
    return _BUILTIN
