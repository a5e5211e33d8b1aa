"""The page: well-formed whatever the repository holds, whole without its script, and on its own."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from novote.model import (
    DecisionCounts,
    Finding,
    Hop,
    Location,
    MapCoverage,
    Report,
    RuleInfo,
    Severity,
    SourceText,
    Span,
)
from novote.report import Context, render

VOID = {"meta", "br", "input"}
FETCHING = {"link", "img", "iframe", "object", "embed", "base", "audio", "video", "image", "use"}


class Page(HTMLParser):
    """A page taken apart; every element must be closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data

    def named(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(params=["report", "clean", "hostile"])
def page(request: pytest.FixtureRequest, context: Context) -> str:
    return render("html", request.getfixturevalue(request.param), context)


def test_nothing_is_fetched_and_nothing_runs_but_our_script(page: str) -> None:
    taken = Page(page)
    assert {tag for tag, _ in taken.elements} & FETCHING == set()
    for _, attributes in taken.elements:
        assert [name for name in attributes if name.startswith("on")] == []
        assert attributes.keys() & {"src", "srcset", "style", "action", "data", "background"} == set()
        assert re.match(r"#|https://docs\.github\.com/|$", attributes.get("href", ""))
    for text in (*taken.texts["style"], *taken.texts["script"]):
        assert not re.search(r"url\(|@import|//|innerHTML|eval|fetch", text)


def test_the_policy_names_the_style_and_the_script_and_nothing_else(page: str) -> None:
    taken = Page(page)
    [policy] = [meta["content"] for meta in taken.named("meta") if "http-equiv" in meta]
    for tag in ("style", "script"):
        [text] = taken.texts[tag]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_every_finding_and_problem_is_there(report: Report, context: Context) -> None:
    taken = Page(render("html", report, context))
    articles = taken.named("article")
    assert len(articles) == len(report.counted())
    assert sorted(a["data-rule"] for a in articles) == sorted(f.rule for f in report.counted())
    text = "".join(taken.texts["main"])
    for finding in report.findings:
        assert finding.message.replace("`", "") in text
    for problem in report.problems:
        assert problem.message in text
    assert text.count("suppressed by") == len(report.findings) - len(report.counted())


def test_links_lead_to_places_of_the_page(report: Report, context: Context) -> None:
    taken = Page(render("html", report, context))
    ids = [attributes["id"] for _, attributes in taken.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {a["href"] for a in taken.named("a") if a["href"].startswith("#")}
    assert "#rule-claim-skips-exam" in links
    assert {link[1:] for link in links} <= set(ids)


def test_hostile_text_stays_text(hostile: Report, context: Context) -> None:
    taken = Page(render("html", hostile, context))
    assert len(taken.named("script")) == len(taken.named("style")) == 1
    assert len(taken.named("article")) == len(hostile.counted())
    assert "alert" not in "".join(taken.texts["script"])
    assert "<script>alert(1)</script>" in "".join(taken.texts["article"])


def test_a_flow_marks_its_words_in_order(report: Report, context: Context) -> None:
    taken = Page(render("html", report, context))
    assert taken.texts["mark"][:2] == [
        "github.event.pull_request.labels.*.name",
        "${{ !contains(github.event.pull_request.labels.*.name, 'skip-tests') }}",
    ]
    kinds = [item["class"] for item in taken.named("li") if "class" in item]
    assert kinds == ["claim", "hop", "decision"]


def test_the_worst_come_first_and_what_nobody_counts_is_left_out() -> None:
    place = Location("w.yml", Span(0, 0))
    note, error = (Finding("a", severity, "Wrong.", place) for severity in (Severity.NOTE, Severity.ERROR))
    report = Report(1, (note, error), (), DecisionCounts())
    page = render("html", report, Context("1"))
    assert [a["data-severity"] for a in Page(page).named("article")] == ["error", "note"]
    assert "decisions free" in page
    assert "decisions free" not in render("html", report, Context("1", audited=False))
    assert "Strict:" in render("html", report, Context("1", strict=True))


def test_a_long_line_is_cut_around_its_words_and_a_long_place_too() -> None:
    text = "x" * 5_000 + "WORD" + "y" * 5_000 + "\n" + "line\n" * 50
    word, lines = Span(5_000, 5_004), Span(text.index("line"), len(text))
    hops = tuple(Hop(Location("w", span), "here") for span in (word, lines))
    found = Finding("a", Severity.ERROR, "Wrong.", hops[1].location, flow=hops)
    report = Report(1, (found,), (), DecisionCounts(), sources={"w": SourceText("w", text)})
    taken = Page(render("html", report, Context("1")))
    first, second = taken.texts["pre"]
    assert "WORD" in taken.texts["mark"]
    assert len(first) < 700
    assert second.count("line") < 10
    assert "44 more lines" in second


def test_a_rule_of_a_repository_makes_no_link_that_runs(report: Report, context: Context) -> None:
    rule = RuleInfo("claim-skips-exam", "t", Severity.NOTE, "low", "w", "r", ("javascript:alert(1)",))
    taken = Page(render("html", report, replace(context, rules=(rule,))))
    assert [a for a in taken.named("a") if "javascript" in a["href"]] == []
    assert "javascript:alert(1)" in "".join(taken.texts["section"])


def test_the_coverage_of_the_map_is_told_in_figures_and_drawn(report: Report, context: Context) -> None:
    taken = Page(render("html", report, context))
    assert taken.texts["caption"] == ["ci/fixture-map.yml covers 26 of 28 tracked files"]
    assert taken.texts["th"][5:] == ["files in the root", "src/"]
    cells = [cell for cell in taken.texts["td"] if cell.isdigit()]
    assert cells == ["1", "3", "0", "20", "2", "2"]
    assert [svg["aria-label"] for svg in taken.named("svg")] == ["4 of 4 files", "22 of 24 files"]
    assert [(bar["x"], bar["width"]) for bar in taken.named("rect")][3:] == [
        ("0.0", "100.0"),
        ("100.0", "10.0"),
        ("110.0", "10.0"),
    ]


def test_without_a_map_there_is_no_coverage(clean: Report, context: Context) -> None:
    unknown = replace(clean, coverage=(MapCoverage("ci/fixture-map.yml", ()),))
    for report in (clean, unknown):
        assert "<table" not in render("html", report, context)


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
STEPS = """
{
const form = document.getElementById("filters");
const said = () => `${form.elements.shown.value}: ` + [...document.querySelectorAll("article:not([hidden])")]
  .map((article) => article.id).join(" ");
const seen = [said()];
const change = (name, value) => {
  form.elements[name].value = value;
  form.dispatchEvent(new Event("input"));
  seen.push(said());
};
change("text", "TITLE docs");
change("text", "");
change("rule", "exam-on-request");
change("rule", "");
form.elements.severity[0].click();
seen.push(said());
document.title = seen.join(" | ");
}
"""


def browsed(page: str, folder: Path) -> str:
    """The page as a browser has it when its scripts have run."""
    if BROWSER is None:
        pytest.skip("no Chromium and no Chrome here, so the filters are not tried in a browser")
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    options = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}")
    done = subprocess.run(
        [BROWSER, *options, "--dump-dom", file.as_uri()], capture_output=True, check=True, timeout=120
    )
    return done.stdout.decode()


def test_the_policy_lets_the_script_run_in_a_browser(
    report: Report, context: Context, tmp_path: Path
) -> None:
    dom = browsed(render("html", report, context), tmp_path)
    form = re.search(r"<form [^>]*>", dom)
    assert form is not None
    assert "hidden" not in form[0]
    assert "3 of 3 shown" in dom


def test_filters_hide_what_does_not_fit(report: Report, context: Context, tmp_path: Path) -> None:
    page = render("html", report, context)
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n', page)
    assert policy is not None
    # The steps are a script that the policy would refuse.
    tried = page.replace(policy[0], "").replace("</body>", f"<script>{STEPS}</script></body>")
    title = re.search(r"<title>(.*?)</title>", browsed(tried, tmp_path))
    assert title is not None
    assert title[1].split(" | ") == [
        "3 of 3 shown: finding-1 finding-2 finding-3",
        "1 of 3 shown: finding-2",
        "3 of 3 shown: finding-1 finding-2 finding-3",
        "1 of 3 shown: finding-3",
        "3 of 3 shown: finding-1 finding-2 finding-3",
        "2 of 3 shown: finding-2 finding-3",
    ]


def test_a_browser_refuses_a_script_that_is_not_ours(
    report: Report, context: Context, tmp_path: Path
) -> None:
    page = render("html", report, context)
    tried = page.replace("</body>", "<script>document.title = 'not ours'</script></body>")
    assert "<title>novote report</title>" in browsed(tried, tmp_path)
