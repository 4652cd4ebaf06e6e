"""Reports: for a person, for a student, as JSON, as CSV."""

import csv
import dataclasses
import io
import json
import os
import unicodedata

from .errors import Refused, printable
from .say import in_language, padded, say, translated

STEP = "  {0} {1} {2} {3} of {4} tests, {5} of {6}"


def text(marks, lab):
    lines = []
    for mark in marks:
        name = printable(mark.name or mark.student.id)
        lines.append(say("{0}: {1} of {2} points", name, "%g" % mark.points, "%g" % mark.most))
        if mark.refused:
            lines.append(say("  refused: {0}", translated(mark.refused)))
        lines += [say("  review by hand: {0}", translated(why)) for why in mark.reviews]
        lines += [say("  note: {0}", translated(note)) for note in mark.notes]
        for step in [] if mark.absent else mark.steps:
            lines += lines_of_step(step, mark, lab)
    return "\n".join(lines) + "\n"


def feedback(mark, lab):
    """For the student, in the student's language."""
    with in_language(mark.student.language if mark.student else ""):
        if mark.absent:
            return translated(mark.refused)
        return text([dataclasses.replace(mark, name=say("Lab {0}", lab.number), reviews=[])], lab)


def lines_of_step(step, mark, lab):
    sign, title = "✓" if step.solved else "✗", padded(lab.title(step.title), 32)
    counts = (step.passed, step.total, "%g" % step.points, "%g" % step.most)
    lines = [say(STEP, sign, step.number.ljust(5), title, *counts)]
    why = next((one for one in mark.verdicts if one.step == step.number and not one.passed), None)
    if why is not None:
        lines.append(say("      {0}: {1}", printable(lab.name(why.test)), translated(why.why)))
    return lines


OF_MARK = ("points", "most", "graded", "refused", "notes", "reviews")
OF_STEP = ("solved", "passed", "total", "points", "most")


def picked(one, names):
    return {name: getattr(one, name) for name in names}


def as_data(mark):
    return {
        "submission": mark.name,
        "student": mark.student.id if mark.student else "",
        **picked(mark, OF_MARK),
        "seconds": round(mark.seconds, 1),
        "processor": round(mark.processor, 1),
        "steps": [{"step": one.number, **picked(one, OF_STEP)} for one in mark.steps],
        "tests": [{"name": one.test, **picked(one, ("passed", "why"))} for one in mark.verdicts],
    }


def as_json(marks, _):
    data = {"fiberscope_marks": 1, "marks": [as_data(mark) for mark in marks]}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def as_csv(marks, lab):
    out = io.StringIO()
    rows = csv.writer(out)
    steps = [step.number for step in marks[0].steps] if marks else []
    rows.writerow(["submission", "student", "points", "of", "feedback", "review by hand"] + steps)
    for mark in marks:
        points = [mark.points, *(step.points for step in mark.steps)] if not mark.absent else [""] * (1 + len(steps))
        rows.writerow(
            [guarded(mark.name), guarded(mark.student.id if mark.student else ""), points[0], mark.most]
            + [feedback(mark, lab), guarded("; ".join(mark.reviews))]
            + points[1:]
        )
    return out.getvalue()


def guarded(cell):
    """A cell that no spreadsheet treats as a formula. Some skip leading spaces, and treat full-width and small forms
    of the signs that begin one (＝, ﹣), and the minus of mathematics, for the signs themselves."""
    clean = printable(cell)
    first = unicodedata.normalize("NFKC", clean).lstrip()[:1]
    return "'" + clean if first and first in "=+-−@" else clean


FORMATS = {"text": text, "json": as_json, "csv": as_csv}


def write(path, content):
    """Writes atomically, so that an incomplete report never replaces an old one. Follows links; refuses devices and
    pipes, which must not be replaced by a file."""
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path):
        raise Refused("%s is not a regular file and cannot be replaced" % printable(path))
    beside = "%s.part" % path
    with open(beside, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    os.replace(beside, path)
