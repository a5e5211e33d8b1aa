"""How the page looks: light and dark, narrow and on paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #fff; --raised: #f6f7f9; --ink: #1c2128; --faint: #59636e; --line: #d1d9e0;
  --error: #b3232f; --warning: #8a5a00; --note: #2458a6; --free: #1f7a3d;
  --word: #ffe08a; --word-ink: #1c2128;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --raised: #1d2229; --ink: #e3e8ee; --faint: #9aa5b1; --line: #3a424d;
    --error: #ff8f93; --warning: #e8b04a; --note: #84b5ff; --free: #6cc98a;
    --word: #6b5310; --word-ink: #fff4cf;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 64rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
p { margin: .4rem 0; }
a { color: var(--note); }
code, pre { font: .875em/1.5 ui-monospace, monospace; direction: ltr; unicode-bidi: isolate; }
:focus-visible { outline: 3px solid var(--note); outline-offset: 2px; }
[hidden] { display: none !important; }
.faint { color: var(--faint); }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
.counts {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .5rem; margin: 1rem 0;
}
.counts div {
  display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: .5rem .75rem;
  background: var(--raised); border: 1px solid var(--line); border-radius: .4rem;
}
.counts dt { color: var(--faint); font-size: .85rem; line-height: 1.3; }
.counts dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.error { color: var(--error); } .warning { color: var(--warning); } .note { color: var(--note); }
.free { color: var(--free); }
.filters {
  display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; padding: .75rem;
  background: var(--raised); border: 1px solid var(--line); border-radius: .4rem;
}
.filters fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.filters legend, .filters span { font-size: .85rem; color: var(--faint); padding: 0; }
.filters .field { display: flex; flex-direction: column; flex: 1 1 11rem; min-width: 0; }
.filters input[type="search"], .filters select, .filters button {
  width: 100%; min-height: 2.2rem; padding: .2rem .5rem; font: inherit; color: inherit;
  background: var(--ground); border: 1px solid var(--faint); border-radius: .3rem;
}
.filters button { width: auto; cursor: pointer; }
.filters output { flex-basis: 100%; }
.finding {
  margin: 1rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-left-width: .35rem;
  border-radius: .4rem;
}
.finding.error, .finding.warning, .finding.note { color: inherit; }
.finding.error { border-left-color: var(--error); }
.finding.warning { border-left-color: var(--warning); }
.finding.note { border-left-color: var(--note); }
.flow { list-style: none; margin: .75rem 0; padding: 0; }
.flow li { position: relative; margin: 0; padding: 0 0 .75rem 2.4rem; }
.flow li:not(:last-child)::before {
  content: ""; position: absolute; left: .72rem; top: 1.6rem; bottom: -.1rem;
  border-left: 2px solid var(--faint);
}
.flow li:not(:last-child)::after {
  content: ""; position: absolute; left: calc(.72rem - .25rem + 1px); bottom: -.1rem;
  border: .25rem solid transparent; border-top: .4rem solid var(--faint); border-bottom: 0;
}
.flow .number {
  position: absolute; left: 0; top: 0; width: 1.55rem; height: 1.55rem; border-radius: 50%;
  border: 2px solid var(--faint); text-align: center; font-size: .85rem; line-height: 1.35rem;
  background: var(--ground); font-variant-numeric: tabular-nums;
}
.flow .claim .number { border-color: var(--error); color: var(--error); }
.flow .decision .number { border-radius: .2rem; border-color: var(--note); color: var(--note); }
.excerpt {
  margin: .25rem 0; padding: .35rem 0; background: var(--raised); border: 1px solid var(--line);
  border-radius: .3rem; white-space: pre-wrap;
}
.excerpt > span { display: block; padding: 0 .75rem 0 4em; text-indent: -4em; }
.excerpt .at {
  display: inline-block; width: 4em; padding-right: 1em; text-indent: 0; text-align: right;
  color: var(--faint); user-select: none;
}
.excerpt .around { color: var(--faint); }
mark { background: var(--word); color: var(--word-ink); border-radius: .15rem; text-decoration: underline; }
.remarks { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0 0; }
.remarks dt { color: var(--faint); }
.remarks dd { margin: 0; min-width: 0; }
.remarks dd p { margin: 0 0 .4rem; }
table { border-collapse: collapse; margin: .5rem 0; }
caption { text-align: left; padding: .25rem 0; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line); }
th { font-weight: normal; }
thead th { color: var(--faint); font-size: .85rem; line-height: 1.3; overflow-wrap: normal; }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
svg { display: block; max-width: 100%; }
.tested { fill: var(--free); } .spared { fill: var(--faint); } .fail { fill: var(--error); }
.list { padding-left: 1.25rem; }
.rule { margin: 1.25rem 0; }
:target { outline: 2px solid var(--note); outline-offset: .35rem; border-radius: .2rem; }
@media (max-width: 34rem) {
  body { padding: .6rem; }
  .finding { padding: .6rem; }
  .remarks { grid-template-columns: 1fr; gap: 0; }
  .remarks dd { margin-bottom: .4rem; }
  .flow li { padding-left: 2rem; }
  th, td, thead th { padding-right: .4rem; font-size: .8rem; }
}
@media print {
  :root {
    color-scheme: light; --ground: #fff; --raised: #fff; --ink: #000; --faint: #444; --line: #999;
    --error: #900; --warning: #640; --note: #039; --free: #050; --word: #fff; --word-ink: #000;
  }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .filters, .skip { display: none !important; }
  .flow li, .rule { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  mark { font-weight: bold; }
}
"""
