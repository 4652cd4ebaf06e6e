"""The class on one page: the distribution of the points, the steps that were missed most, and the submissions."""

import html
import statistics

from . import say as texts
from .say import say, translated

STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse; width: 100% } td, th { padding: .1rem .6rem .1rem 0; text-align: left }
td { vertical-align: top; overflow-wrap: anywhere } .bar { width: 60% }
i { display: block; height: 1rem; background: #37c }
"""


def class_page(marks, lab):
    present, title = [mark for mark in marks if not mark.absent], say("Lab {0}: the class", lab.number)
    points, most = [mark.points for mark in present] or [0], marks[0].most
    averages = ["%g" % round(average(points), 1) for average in (statistics.mean, statistics.median)]
    found = (len(present), len(marks) - len(present), *averages, "%g" % most)
    summary = say("Submissions: {0}; students without one: {1}; mean: {2}, median: {3} of {4} points", *found)
    head = [element("th", say("student")), element("th", say("submission")), element("th", say("points"))]
    return "\n".join(
        [
            '<!doctype html><html lang="%s"><meta charset="utf-8">' % texts.catalogue.LANGUAGE,
            element("title", title) + "<style>%s</style>" % STYLE + element("h1", title),
            element("p", summary) + element("h2", say("Points")) + table(distribution(points, most)),
            element("h2", say("Most missed steps")) + table(missed(present, lab)),
            element("h2", say("Submissions")) + table([head + [element("th", say("remarks"))], *map(row, marks)]),
        ]
    )


def distribution(points, most):
    """Ten classes, the best first; it includes full marks."""
    tenths = [min(int(10 * one / most), 9) for one in points]
    for tenth in reversed(range(10)):
        bounds = "%g–%g" % (most * tenth / 10, most * (tenth + 1) / 10)
        yield bar(bounds, tenths.count(tenth), len(points))


def missed(marks, lab):
    """The steps that give points, sorted by the number of submissions that do not solve them."""
    for steps in sorted(zip(*(mark.steps for mark in marks)), key=lambda steps: sum(one.solved for one in steps)):
        if steps[0].most:
            title = "%s %s" % (steps[0].number, lab.title(steps[0].title))
            yield bar(title, sum(not one.solved for one in steps), len(steps))


def bar(title, count, whole):
    drawn = '<td class="bar"><i style="width: %d%%"></i></td>' % round(100 * count / whole)
    return [element("td", title), drawn, element("td", "%d / %d" % (count, whole))]


def row(mark):
    student = "%s %s" % (mark.student.id, mark.student.name) if mark.student else ""
    remarks = [translated(one) for one in (mark.refused, *mark.notes) if one]
    remarks += [say("  review by hand: {0}", translated(why)).strip() for why in mark.reviews]
    points = "" if mark.absent else "%g" % mark.points
    return [element("td", one) for one in (student, mark.name, points, "; ".join(remarks))]


def table(rows):
    return "<table>%s</table>" % "\n".join("<tr>%s</tr>" % "".join(cells) for cells in rows)


def element(name, text):
    return "<%s>%s</%s>" % (name, html.escape(text), name)
