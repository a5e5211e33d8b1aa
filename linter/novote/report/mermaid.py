"""A picture of the way from claim to decision, in Mermaid, which GitHub draws."""

from __future__ import annotations

from novote.clip import ELLIPSIS, clip
from novote.model import Finding, Report
from novote.report import wording
from novote.report.escape import mermaid

SHOWN_STEPS = 8
LABEL_LIMIT = 90


def picture(report: Report, finding: Finding) -> str:
    """A fenced flow chart; empty where the finding has no path. A long path keeps its two ends."""
    steps = wording.steps(finding)
    if len(steps) < 2:
        return ""
    labels = [_label(note, wording.place(report, location)) for location, note in steps]
    if len(labels) > SHOWN_STEPS:
        hidden = len(labels) - SHOWN_STEPS + 1
        half = SHOWN_STEPS // 2
        labels = [*labels[:half], f"{hidden} more steps", *labels[len(labels) - half + 1 :]]
    return "\n".join(["```mermaid", "flowchart LR", *_chart(labels), "```"])


def _label(note: str, place: str) -> str:
    """What happens there, and where; the place keeps its end, which holds the file's name and line."""
    short = place if len(place) <= LABEL_LIMIT else ELLIPSIS + place[1 - LABEL_LIMIT :]
    return f"{mermaid(clip(note, LABEL_LIMIT))}<br/>{mermaid(short)}"


def _chart(labels: list[str]) -> list[str]:
    last = len(labels) - 1
    lines = []
    for index, label in enumerate(labels):
        left, right = ("([", "])") if index == 0 else ("{{", "}}") if index == last else ("[", "]")
        lines.append(f'  s{index}{left}"{label}"{right}')
    return [*lines, "  " + " --> ".join(f"s{index}" for index in range(len(labels)))]
