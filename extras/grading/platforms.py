"""What is uploaded to a learning platform: points, and feedback for each student. `marks` have students."""

import html
import io
import json
import re
import zipfile

from .formats import feedback


def present(marks):
    return [mark for mark in marks if not mark.absent]


def moodle(marks, lab, students):
    """The grading worksheet. Moodle takes a comment as HTML."""
    comments = students.columns.get("feedback comments")
    for mark in present(marks):
        mark.student.row[students.grade] = "%g" % mark.points
        if comments is not None:
            told = html.escape(feedback(mark, lab).strip()).replace("\n", "<br>")
            mark.student.row[comments] = "<pre>%s</pre>" % told
    return students.text()


def canvas(marks, lab, students):
    """The gradebook, which has no place for feedback."""
    for mark in present(marks):
        mark.student.row[students.grade] = "%g" % mark.points
    return students.text()


SETUP = "#!/usr/bin/env bash\napt-get update && apt-get install -y python3\n"
RUN = """#!/usr/bin/env python3
# Runs nothing: copies the result of ./lab grade for this submission.
import json
import shutil

number = json.load(open("submission_metadata.json"))["id"]
try:
    shutil.copy(f"source/marks/{number}.json", "results/results.json")
except FileNotFoundError:
    json.dump({"score": 0, "output": "This submission has not been graded yet."}, open("results/results.json", "w"))
"""


def gradescope(marks, lab, _):
    """An autograder that runs nothing: it looks up the result of a submission."""
    files = {"setup.sh": SETUP, "run_autograder": RUN}
    for mark in present(marks):
        steps = [
            {"name": "%s %s" % (step.number, lab.title(step.title)), "score": step.points, "max_score": step.most}
            for step in mark.steps
            if step.most
        ]
        result = {"score": mark.points, "output": feedback(mark, lab), "tests": steps}
        files["marks/%s.json" % mark.student.id] = json.dumps(result, ensure_ascii=False)
    return zipped(files)


REPORTS = {"moodle": moodle, "canvas": canvas, "gradescope": gradescope}


def feedback_of(marks, lab, platform):
    """{name: content} of the feedback files, and of the archive in which the platform takes them."""
    marks = present(marks)
    files = {"%s.txt" % mark.student.id: feedback(mark, lab) for mark in marks}
    if platform == "moodle":  # the folders of its own download
        folder = "%s_%s_assignsubmission_file_/feedback.txt"
        names = [folder % (re.sub("[_/]", " ", mark.student.name), mark.student.id) for mark in marks]
        files["feedback.zip"] = zipped({name: feedback(mark, lab) for name, mark in zip(names, marks)})
    if platform == "canvas":  # the names of its own download
        inner = {mark.student.file: zipped({"feedback.txt": feedback(mark, lab)}) for mark in marks}
        files["feedback.zip"] = zipped({name: data for name, data in inner.items() if name.lower().endswith(".zip")})
    return files


def zipped(files):
    """All of them are executable, as run_autograder must be."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = 0o100755 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return out.getvalue()
