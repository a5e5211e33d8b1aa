"""The one script of the page: the filters. Without it all is there, and nothing can be filtered."""

SCRIPT = """
"use strict";
const form = document.getElementById("filters");
if (form) {
  const findings = [...document.querySelectorAll("article.finding")].map((element) => ({
    element, ...element.dataset, text: element.textContent.toLowerCase(),
  }));
  for (const name of ["rule", "file"]) {
    for (const value of new Set(findings.map((finding) => finding[name]).sort())) {
      form.elements[name].add(new Option(value, value));
    }
  }
  const apply = () => {
    const chosen = new FormData(form);
    const severities = new Set(chosen.getAll("severity"));
    const words = chosen.get("text").toLowerCase().split(/\\s+/);
    let shown = 0;
    for (const finding of findings) {
      const fits = severities.has(finding.severity)
        && ["rule", "file"].every((name) => ["", finding[name]].includes(chosen.get(name)))
        && words.every((word) => finding.text.includes(word));
      finding.element.hidden = !fits;
      shown += fits;
    }
    form.elements.shown.value = `${shown} of ${findings.length} shown`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}
"""
