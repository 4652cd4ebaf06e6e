"""The rows of a sweep as a page in one file: a table that a click sorts, and plots."""

import html
from pathlib import Path
from string import Template

from .measures import measures, summary
from .plots import queues, spreads
from .table import plain
from .say import LANGUAGE, say

LESS = ("_ns", "switches", "calls", "spinning_percent", "locked_percent", "queue_mean", "queue_max")
MORE = ("fairness", "speed_up")  # less or more is better, as the key ends


def page(name, rows, seeds, lock_ns=0):
    strategies = ",".join(dict.fromkeys(row.strategy for row in rows))
    machines = ",".join(map(str, sorted({row.machines for row in rows})))
    shown = [m for m in measures() if any(m.value(run) for row in rows for run in row.runs)]
    nothing = ", ".join(m.title for m in measures() if m.key not in {one.key for one in shown})
    cost = f" --lock-ns {lock_ns}" if lock_ns else ""
    command = f"./lab compare {name} --strategy {strategies} --machines {machines}{cost} --seeds {seeds}"
    about = say("Each row is a demo by one strategy on so many machines, under the virtual clock: medians of {0} "
                "seeds, and below each the least and the most. The best of a column is underlined. A click on the head "
                "of a column sorts by it.", seeds)  # fmt: skip
    spread = say("The dot is the median, the thick line the middle half of the seeds, the thin one all.")
    queue = say("Tasks that could run and waited for a machine, with seed 1. All have the same two axes.")
    template = Template((Path(__file__).parent / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        language={"zh": "zh-CN"}.get(LANGUAGE, "en"),
        title=html.escape(say("{0}, compared", name)),
        about=html.escape(about),
        command=html.escape(command),
        measures=html.escape(say("Measures")),
        heads=heads(shown),
        rows="".join(table_rows(shown, rows)),
        nothing=html.escape(say("In no run: {0}.", nothing) if nothing else ""),
        spread=html.escape(say("How far the seeds differ")),
        spread_about=html.escape(spread),
        spreads="".join(spreads(rows)),
        queue=html.escape(say("The ready queue over time")),
        queue_about=html.escape(queue),
        queues="".join(queues(rows)),
    )


def heads(shown):
    titles = [(say("strategy"), ""), (say("machines"), ""), *((m.title, m.meaning) for m in shown)]
    one = '<th scope="col"><button title="%s">%s</button></th>'
    return "".join(one % (html.escape(meaning), html.escape(title)) for title, meaning in titles)


def table_rows(shown, rows):
    of = [[summary([m.value(run) for run in row.runs]) for m in shown] for row in rows]
    best = [best_of(m, [line[n].median for line in of]) for n, m in enumerate(shown)]
    for row, line in zip(rows, of):
        cells = ['<td data-value="%s">%s</td>' % (html.escape(row.strategy), html.escape(row.strategy))]
        cells.append('<td data-value="%d">%d</td>' % (row.machines, row.machines))
        cells += [cell(m, one, most) for m, one, most in zip(shown, line, best)]
        yield "<tr>%s</tr>\n" % "".join(cells)


def cell(measure, of, best):
    low, high = (html.escape(measure.told(value)) for value in (of.least, of.most))
    around = "" if of.median is None or low == high else "<small>%s – %s</small>" % (low, high)
    mark = ' class="best"' if best is not None and of.median == best else ""
    return '<td data-value="%s"%s><b>%s</b>%s</td>' % (
        plain(of.median), mark, html.escape(measure.told(of.median)), around)  # fmt: skip


def best_of(measure, medians):
    """None where more is neither good nor bad, or where all are alike."""
    told = [value for value in medians if value is not None]
    if len(set(told)) < 2 or not (measure.key.endswith(LESS + MORE)):
        return None
    return max(told) if measure.key in MORE else min(told)
