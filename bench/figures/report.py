# SPDX-License-Identifier: MIT
"""One page with all charts, the table of targets and links to the tables (CSV)."""
from html import escape

import experiment
import table

STYLE = """
:root { color-scheme: light dark; --text: #222; --soft: #555; --line: #ddd; --back: #fff;
  --yes: #dff0d8; --no: #f6d5d0; --differs: #fcefc9 }
@media (prefers-color-scheme: dark) { :root { --text: #e4e4e4; --soft: #aaa; --line: #3a3a3a;
  --back: #181818; --yes: #23472b; --no: #5a2a26; --differs: #54461c } }
body { font: 15px/1.5 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em;
  color: var(--text); background: var(--back) }
table { border-collapse: collapse; font-size: 13px; width: 100% }
td:nth-child(2) { min-width: 14em }
th, td { text-align: left; vertical-align: top; padding: 3px 8px;
  border-bottom: 1px solid var(--line) }
th { position: sticky; top: 0; background: var(--back) }
td.yes { background: var(--yes) } td.no { background: var(--no) }
td.differs { background: var(--differs) }
td.short, td.not-done { color: var(--soft) }
figure { margin: 2.5em 0 } figure img { width: 100%; max-width: 900px }
figcaption { color: var(--soft) }
@media (max-width: 900px) { body { padding: 0 4px } table { font-size: 11px }
  th, td { padding: 2px 3px } td:nth-child(2) { min-width: 8em }
  td:last-child { overflow-wrap: anywhere } }
"""


def row(cells, met):
    """A row of the table; the cell of the verdict has its colour."""
    kind = met.replace(" ", "-")
    return "<tr>" + "".join(
        f'<td class="{kind}">{escape(cell)}</td>' if cell == met and met else
        f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def targets(lines, said):
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.HEAD)
    roles = "".join(f"<li><b>{escape(role)}</b>: {escape(meaning)}</li>"
                    for role, meaning in experiment.ROLES.items())
    rows = "\n".join(row(line.shown(), line.met) for line in lines)
    notes = "".join(f"<li>{escape(remark)}</li>" for remark in said)
    return (f'<h2>Published beside measured</h2>\n<p><a href="published.csv">published.csv</a></p>'
            f"\n<ul>{roles}</ul>\n<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n"
            f"</tbody></table>\n<h3>What the table cannot say</h3>\n<ul>{notes}</ul>\n")


def figure(chart, title, caption, drawn):
    name = escape(chart.file)
    picture = f'<img src="{name}.svg" alt="{escape(title)}">' if drawn else ""
    return (f'<figure id="{name}"><h3>{escape(title)}</h3>{picture}'
            f'<figcaption>{escape(caption)}; <a href="{name}.csv">{name}.csv</a></figcaption>'
            "</figure>")


def write(out, heading, lines, said, made, drawn):
    """made: [(chart, title, caption)]; drawn: whether there are pictures of them."""
    index = " ".join(f'<a href="#{escape(chart.file)}">{escape(chart.file)}</a>'
                     for chart, _, _ in made)
    without = "" if drawn else ("<p>No pictures: matplotlib is not installed. "
                                "Their tables are complete.</p>\n")
    figures = "\n".join(figure(*each, drawn) for each in made)
    page = (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width">'
            f"<title>{escape(heading)}</title><style>{STYLE}</style></head><body>\n"
            f"<h1>{escape(heading)}</h1>\n{targets(lines, said)}<h2>Charts</h2>\n"
            f"<p>{index}</p>\n{without}{figures}\n</body></html>\n")
    with open(table.path(out, "report", "html"), "w", encoding="utf-8") as file:
        file.write(page)
