"""Reports: for a person, as JSON, as Gradescope's results.json, as CSV."""

import csv
import io
import json
import os
import unicodedata

from .errors import Refused, printable
from .say import padded, say, translated

NOTE = (
    "These marks are not trustworthy: bubblewrap does not work, so a submission can read and change "
    "everything that its user can."
)
STEP = "  {0} {1} {2} {3} of {4} tests, {5} of {6}"


def text(marks, lab):
    lines = []
    for mark in marks:
        lines.append(say("{0}: {1} of {2} points", printable(mark.name), "%g" % mark.points, "%g" % mark.most))
        if mark.refused:
            lines.append(say("  refused: {0}", translated(mark.refused)))
        lines += [say("  review by hand: {0}", translated(why)) for why in mark.reviews]
        lines += [say("  note: {0}", translated(note)) for note in mark.notes]
        for step in mark.steps:
            lines += lines_of_step(step, mark, lab)
    if any(not mark.trusted for mark in marks):
        lines.append(say(NOTE))
    return "\n".join(lines) + "\n"


def lines_of_step(step, mark, lab):
    sign, title = "✓" if step.solved else "✗", padded(lab.title(step.title), 32)
    counts = (step.passed, step.total, "%g" % step.points, "%g" % step.most)
    lines = [say(STEP, sign, step.number.ljust(5), title, *counts)]
    why = next((one for one in mark.verdicts if one.step == step.number and not one.passed), None)
    if why is not None:
        lines.append(say("      {0}: {1}", printable(lab.name(why.test)), translated(why.why)))
    return lines


OF_MARK = ("points", "most", "graded", "refused", "trusted", "notes", "reviews")
OF_STEP = ("solved", "passed", "total", "points", "most")


def picked(one, names):
    return {name: getattr(one, name) for name in names}


def as_data(mark):
    return {
        "submission": mark.name,
        **picked(mark, OF_MARK),
        "seconds": round(mark.seconds, 1),
        "processor": round(mark.processor, 1),
        "steps": [{"step": one.number, **picked(one, OF_STEP)} for one in mark.steps],
        "tests": [{"name": one.test, **picked(one, ("passed", "why"))} for one in mark.verdicts],
    }


def dumped(data):
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def as_json(marks, _):
    return dumped({"fiberscope_marks": 1, "marks": [as_data(mark) for mark in marks]})


def as_csv(marks, _):
    out = io.StringIO()
    rows = csv.writer(out)
    steps = [step.number for step in marks[0].steps] if marks else []
    rows.writerow(["submission", "points", "of", "refused", "trusted", "notes", "review by hand"] + steps)
    for mark in marks:
        rows.writerow(
            [guarded(mark.name), mark.points, mark.most, guarded(mark.refused), mark.trusted]
            + [guarded("; ".join(mark.notes)), guarded("; ".join(mark.reviews))]
            + [step.points for step in mark.steps]
        )
    return out.getvalue()


def guarded(cell):
    """A cell that no spreadsheet treats as a formula. Some skip leading spaces, and treat full-width and small forms
    of the signs that begin one (＝, ﹣), and the minus of mathematics, for the signs themselves."""
    clean = printable(cell)
    first = unicodedata.normalize("NFKC", clean).lstrip()[:1]
    return "'" + clean if first and first in "=+-−@" else clean


def as_gradescope(marks, lab):
    """results.json for one submission. Each step is a Gradescope test; its output names the first failure."""
    mark = marks[0]
    tests = []
    for step in mark.steps:
        failures = [
            "%s: %s" % (lab.name(one.test), translated(one.why))
            for one in mark.verdicts
            if one.step == step.number and not one.passed
        ]
        tests.append(
            {
                "name": "%s %s" % (step.number, lab.title(step.title)),
                "number": step.number,
                "score": step.points,
                "max_score": step.most,
                "status": "passed" if step.solved else "failed",
                "output": "\n".join(failures[:3]),
                "output_format": "text",
                "visibility": "visible",
            }
        )
    output = [say("refused: {0}", translated(mark.refused))] if mark.refused else []
    output += [say("review by hand: {0}", translated(why)) for why in mark.reviews]
    output += [say("note: {0}", translated(note)) for note in mark.notes]
    output += [] if mark.trusted else [say(NOTE)]
    return dumped(
        {
            "score": mark.points,
            "execution_time": round(mark.seconds, 1),
            "output": "\n".join(output),
            "output_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": tests,
        }
    )


FORMATS = {"text": text, "json": as_json, "gradescope": as_gradescope, "csv": as_csv}


def write(path, content):
    """Writes atomically, so that an incomplete report never replaces an old one. Follows links; refuses devices and
    pipes, which must not be replaced by a file."""
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path):
        raise Refused("%s is not a regular file and cannot be replaced" % printable(path))
    beside = "%s.part" % path
    with open(beside, "w", encoding="utf-8") as file:
        file.write(content)
    os.replace(beside, path)
