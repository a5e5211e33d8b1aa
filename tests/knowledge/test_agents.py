"""An agent is known by its address or account, never by a display name."""

from __future__ import annotations

import pytest

from novote.knowledge.agents import agent_of


@pytest.mark.parametrize(
    ("address", "agent"),
    [
        ("noreply@anthropic.com", "Claude Code"),
        ("NoReply@Anthropic.com ", "Claude Code"),
        ("cursoragent@cursor.com", "Cursor"),
        ("198982749+Copilot@users.noreply.github.com", "GitHub Copilot"),
        ("198982749+copilot-swe-agent[bot]@users.noreply.github.com", "GitHub Copilot"),
        ("161369871+google-labs-jules[bot]@users.noreply.github.com", "Google Jules"),
        ("devin-ai-integration[bot]@users.noreply.github.com", "Devin"),
        ("noreply@openai.com", "OpenAI Codex"),
        ("noreply@aider.chat", "Aider"),
        ("noreply@codeium.com", "Windsurf"),
    ],
)
def test_an_agent(address: str, agent: str) -> None:
    assert agent_of(address) == agent


@pytest.mark.parametrize(
    "address",
    [
        "",
        "claude.martin@example.org",
        "devin@users.noreply.github.com",
        "copilot@example.org",
        "noreply@anthropic.com.example.org",
        "someone+noreply@anthropic.com",
        "noreply@github.com",
        "49699333+dependabot[bot]@users.noreply.github.com",
        "41898282+github-actions[bot]@users.noreply.github.com",
        "1+2+Copilot@users.noreply.github.com",
        "Claude Code",
    ],
)
def test_somebody_else(address: str) -> None:
    assert agent_of(address) is None
