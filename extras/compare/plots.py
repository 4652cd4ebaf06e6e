"""The rows of a sweep as plots, in SVG."""

import html

from .measures import in_words, measures, summary
from .say import say

PLOTTED = ("makespan_ns", "speed_up", "waiting_p50_ns", "waiting_p99_ns", "answer_p50_ns", "answer_p99_ns", "fairness",
           "idle_percent", "queue_mean", "switches", "calls")  # fmt: skip
WIDTH, NAMES, VALUES, LINE = 560, 190, 90, 20  # pixels; of the names on the left, the values on the right, a row


def name_of(row):
    return "%s × %d" % (row.strategy, row.machines)


def spreads(rows):
    """A plot for each measure that says something: the median, the middle half, and the least and the most."""
    for measure in measures():
        of = [summary([measure.value(run) for run in row.runs]) for row in rows]
        most = max((one.most for one in of if one.most is not None), default=0)
        if measure.key in PLOTTED and most > 0:
            yield spread_plot(measure, rows, of, most)


def spread_plot(measure, rows, of, most):
    def x(value):
        return NAMES + (WIDTH - NAMES - VALUES) * value / most

    def text(x, y, anchor, words):
        return '<text x="%d" y="%.1f" text-anchor="%s">%s</text>' % (x, y + 5, anchor, html.escape(words))

    def line(kind, x0, x1, y):
        return '<line class="%s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>' % (kind, x(x0), x(x1), y, y)

    lines = []
    for n, (row, one) in enumerate(zip(rows, of)):
        y = LINE * n + LINE / 2
        lines.append(text(NAMES - 12, y, "end", name_of(row)))
        if one.median is None:
            lines.append(text(NAMES + 8, y, "start", say("none")))
            continue
        lines += [line("whole", one.least, one.most, y), line("half", one.low, one.high, y)]
        lines.append('<circle cx="%.1f" cy="%.1f" r="4.5"/>' % (x(one.median), y))
        lines.append(text(WIDTH - 2, y, "end", measure.told(one.median)))
    lines.append('<line class="axis" x1="%d" x2="%d" y1="0" y2="%d"/>' % (NAMES, NAMES, LINE * len(rows)))
    return figure(measure.title, measure.meaning, WIDTH, LINE * len(rows), lines)


def queues(rows):
    """Small multiples: how many tasks wait for a machine over time, with seed 1, all on the same two axes."""
    width, height = 270, 64
    end = max(row.runs[0]["makespan"] for row in rows) or 1
    most = max(max(row.runs[0]["queue_over_time"]) for row in rows) or 1
    for row in rows:
        run = row.runs[0]
        over_time, step = run["queue_over_time"], width * run["makespan"] / end / len(run["queue_over_time"])
        steps = "".join(" H%.2f V%.2f" % (step * n, height * (1 - v / most)) for n, v in enumerate(over_time))
        path = "M0 %d%s H%.2f V%d Z" % (height, steps, step * len(over_time), height)
        axis = '<line class="axis" x1="0" x2="%d" y1="%d" y2="%d"/>' % (width, height, height)
        about = say("until {0}, at most {1}", in_words(run["makespan"]), run["queue_most"])
        yield figure(name_of(row), about, width, height, ['<path d="%s"/>' % path, axis])


def figure(title, about, width, height, shapes):
    head = "<figure><figcaption><b>%s</b> %s</figcaption>" % (html.escape(title), html.escape(about))
    svg = '<svg viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">%s</svg></figure>\n'
    return head + svg % (width, height + 2, width, height + 2, html.escape(title), "".join(shapes))
