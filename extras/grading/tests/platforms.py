"""Files for learning platforms: each is read by the rules of the platform's importer. The commands of docs/grading.md
run on submissions named as each platform names them."""

import contextlib
import csv
import glob
import html
import io
import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from grading import __main__ as program
from grading import formats, marks, page, platforms, say, students, submission
from grading.errors import Refused, Trouble
from support import FILES, LAB, ROOT, Attack

LAB_01 = say.Lab(ROOT / "labs" / LAB)
MOODLE = (
    "\ufeffIdentifier,\"Full name\",Status,Grade,\"Maximum grade\",\"Last modified (grade)\",\"Feedback comments\"\r\n"
    'Participant 11,"=Ada, Å_b",Submitted,,"100,00","Sunday, 29 November 2026, 1:00 AM",\r\n'
    "Participant 12,Bob,Submitted,7.00,100.00,-,old\r\n"
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Quiz (31),Lab 1 (42),Final Score (2026)\n"
    ",,,,,,,Manual Posting,\n"
    "    Points Possible,,,,,,10,100,(read only)\n"
    '"Å, Ada",11,s11,ada,A,,7,,50\n'
    '"B, Bob",12,s12,bob,A,,8,9,50\n'
)
GRADESCOPE = (
    "First Name,Last Name,SID,Email,Total Score,Max Points,Status,Submission ID\n"
    "Ada,Å,s11,a@b.c,,100.0,Ungraded,11\nEve,E,s13,e@b.c,,100.0,Ungraded,11\nBob,B,s12,b@b.c,,,Missing,\n"
)
OWN = "id,name,language,submission\ns11,Ada,zh,ada\ns12,Bob,,\n"
LISTS = {"moodle": MOODLE, "canvas": CANVAS, "gradescope": GRADESCOPE, None: OWN}
HANDED_IN = {
    "moodle": "=Ada, Å b_11_assignsubmission_file",
    "canvas": "åada_LATE_11_88_lab_01.zip",
    "gradescope": "submission_11",
    None: "ada.tar.gz",
}


def as_rows(text, separator=","):
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator))


class Files(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def listed(self, platform, text=None, assignment="Lab 1"):
        (self.place / "list.csv").write_bytes((text or LISTS[platform]).encode())
        return students.Students(self.place / "list.csv", platform, 100, assignment if platform == "canvas" else None)

    def graded(self, platform):
        """Ada has 20.5 points; Bob has handed in nothing."""
        found = self.listed(platform)
        ada, = found.matched([HANDED_IN[platform]])
        bob, = (one for one in found.all if one is not ada)
        steps = [marks.Step("1.1", "make a context", 20.5, 20.5, 1, 1), marks.Step("1.2", "<b>", 79.5, 0, 0, 1)]
        steps.append(marks.Step("1.9", "a challenge", 0, 0, 0, 1))
        mark = marks.Mark(HANDED_IN[platform], steps, True, student=ada, reviews=["step 1.1: secret"])
        mark.notes = ["=a & <script>", 'a "quoted" \\']
        none = marks.Mark("", [marks.Step(one.number, one.title, one.most) for one in steps], student=bob)
        none.absent, none.refused = True, "not submitted"
        return found, [mark, none]

    def expect_changed(self, old, new, cells):
        """Only the cells (row, column) differ."""
        self.assertEqual([len(row) for row in old], [len(row) for row in new])
        differ = {(y, x) for y, row in enumerate(old) for x, cell in enumerate(row) if cell != new[y][x]}
        self.assertEqual(differ, cells)

    def test_moodle_takes_the_worksheet(self):
        """mod/assign/feedback/offline: importgradeslib.php, locallib.php."""
        found, both = self.graded("moodle")
        text = platforms.moodle(both, LAB_01, found)
        self.assertTrue(text.startswith("\ufeffIdentifier,") and text.endswith("old\r\n"))
        self.expect_changed(as_rows(MOODLE), as_rows(text), {(1, 3), (1, 6)})
        columns, ada, bob = as_rows(text)
        needed = ("Identifier", "Grade", "Last modified (grade)", "Feedback comments")
        at = {name: columns.index(name) for name in needed}
        self.assertEqual(ada[at["Identifier"]][len("Participant ") :], "11")
        self.assertEqual((float(ada[at["Grade"]]), bob[at["Grade"]]), (20.5, "7.00"))
        comment = ada[at["Feedback comments"]]  # stored as HTML
        self.assertNotIn('"', comment)  # PHP reads \" otherwise
        self.assertNotRegex(comment, "<(?!/?pre>|br>)|secret|\n")
        self.assertEqual(html.unescape(comment[5:-6].replace("<br>", "\n")), formats.feedback(both[0], LAB_01).strip())

    def test_moodle_takes_the_feedback_files(self):
        """mod/assign/feedback/file: importziplib.php; before Moodle 4.1 with five parts."""
        _, both = self.graded("moodle")
        files = platforms.feedback_of(both, LAB_01, "moodle")
        self.assertEqual(sorted(files), ["11.txt", "feedback.zip"])
        with zipfile.ZipFile(io.BytesIO(files["feedback.zip"])) as archive:
            (name,) = archive.namelist()
            folder, _, file = name.partition("/")
            _, number, kind, plugin, rest = folder.split("_", 4)
            self.assertEqual((number, kind, plugin, rest), ("11", "assignsubmission", "file", ""))
            self.assertEqual((file, archive.read(name).decode()), ("feedback.txt", files["11.txt"]))

    def test_canvas_takes_the_gradebook(self):
        """lib/gradebook_importer.rb."""
        for separator in ",;":
            found, both = self.graded("canvas")
            if separator == ";":
                found = self.listed("canvas", re.sub(",(?! )", ";", CANVAS))
                (both[0].student,) = found.matched([HANDED_IN["canvas"]])
            text = platforms.canvas(both[:1], LAB_01, found)
            rows = as_rows(text, separator)
            self.expect_changed(as_rows(CANVAS), rows, {(3, 7)})
            self.assertTrue("Student" in rows[0][0] and "ID" in rows[0][1] and rows[0][4] == "Section")
            self.assertIn("Points Possible", rows[2][0])
            self.assertEqual((rows[0][7], rows[3][1], rows[3][7], rows[4][7]), ("Lab 1 (42)", "11", "20.5", "9"))

    def test_canvas_takes_the_feedback_files(self):
        """infer_comment_context_from_filename: the first two numbers are the user and the attachment."""
        _, both = self.graded("canvas")
        with zipfile.ZipFile(io.BytesIO(platforms.feedback_of(both, LAB_01, "canvas")["feedback.zip"])) as archive:
            (name,) = archive.namelist()
            self.assertEqual([part for part in name.split("_") if part.isdigit()][:2], ["11", "88"])
            with zipfile.ZipFile(io.BytesIO(archive.read(name))) as inner:
                self.assertEqual(inner.read("feedback.txt").decode(), formats.feedback(both[0], LAB_01))

    def test_gradescope_shows_the_results(self):
        """gradescope-autograders.readthedocs.io: Autograder Specifications, Submission Metadata."""
        found, both = self.graded("gradescope")
        self.assertEqual([one.name for one in found.all], ["Ada Å, Eve E", "Bob B"])
        self.assertEqual(len(self.listed("gradescope", GRADESCOPE + "Mo,M,s14,m@b.c,,,Missing,\n").all), 3)
        for folder in "source", "results":
            (self.place / folder).mkdir()
        with zipfile.ZipFile(io.BytesIO(platforms.gradescope(both, LAB_01, found))) as archive:
            self.assertLessEqual({"setup.sh", "run_autograder"}, set(archive.namelist()))
            self.assertTrue(archive.getinfo("run_autograder").external_attr >> 16 & 0o111)
            archive.extractall(self.place / "source")
        answers = []
        for number in 11, 12:
            (self.place / "submission_metadata.json").write_text(json.dumps({"id": number, "users": []}))
            subprocess.run(["python3", "source/run_autograder"], cwd=self.place, check=True)
            answers.append(json.loads((self.place / "results" / "results.json").read_text()))
        self.assertEqual([one["score"] for one in answers], [20.5, 0])
        self.assertEqual(answers[0]["output"], formats.feedback(both[0], LAB_01))
        self.assertEqual([(one["score"], one["max_score"]) for one in answers[0]["tests"]], [(20.5, 20.5), (0, 79.5)])
        self.assertIn("not been graded", answers[1]["output"])

    def test_an_own_list(self):
        _, both = self.graded(None)
        ada, bob = csv.DictReader(io.StringIO(formats.as_csv(both, LAB_01), newline=""))
        cells = [ada[name] for name in ("submission", "student", "points", "1.2")]
        self.assertEqual(cells, ["ada.tar.gz", "s11", "20.5", "0"])
        self.assertIn("100", ada["feedback"])
        self.assertIn("满分", ada["feedback"])  # the student's language
        self.assertEqual([bob[key] for key in ("submission", "student", "points", "1.1")], ["", "s12", "", ""])
        self.assertEqual(bob["feedback"], "not submitted")
        self.assertEqual(set(platforms.feedback_of(both, LAB_01, None)), {"s11.txt"})

    def test_the_class_on_a_page(self):
        _, both = self.graded("moodle")
        text = page.class_page(both, LAB_01)
        self.assertNotRegex(text, "<script|<b>|http|src=|a challenge")
        for part in "=Ada, Å_b", "&lt;b&gt;", "1 / 1", "not submitted", "step 1.1: secret", "20–30":
            self.assertIn(part, text)
        self.assertIn("20.5, median: 20.5 of 100", text)
        self.assertIn("0, median: 0 of 100", page.class_page(both[1:], LAB_01))

    def test_mistakes_are_named_with_their_line(self):
        one = MOODLE.splitlines(True)
        for platform, text, problem in (
            (None, "name\nx\n", "line 1: missing column id"),
            (None, "\n", "line 1: the file is empty"),
            (None, "id\na\nb\na\n", "line 4: it repeats the id or the submission of line 2"),
            (None, "id,submission\na,x\nb,x\n", "line 3: it repeats the id or the submission of line 2"),
            (None, "id,name\na\n", "line 2: it has not as many cells"),
            (None, "id\n../x\n", r"line 2: an id has letters, digits and . _ @ \+ -, not '../x'"),
            (None, 'id\n"a\n', "line 2: it is not CSV"),
            (None, "id,language\na,fr\n", "line 2: the language is en or zh, not 'fr'"),
            ("moodle", MOODLE.replace("Identifier", "ID-Nummer"), "line 1: missing column Identifier; a platform"),
            ("moodle", MOODLE.replace("100.00", "10.00"), "line 3: the assignment has at most 10.00 points"),
            ("moodle", one[0] + one[1] + one[1], "line 3: it repeats the id or the submission of line 2"),
            ("canvas", CANVAS.replace("42", "x"), r"line 1: name one of these columns .*: Quiz \(31\), Lab 1 \(x\)"),
            ("canvas", CANVAS.replace(",100,", ",90,"), "line 3: the assignment has at most 90"),
            ("canvas", CANVAS.replace("Points Possible", ""), "line 1: missing row Points Possible"),
        ):
            with self.subTest(problem), self.assertRaisesRegex(Trouble, "^list.csv, " + problem):
                self.listed(platform, text)
        (self.place / "list.csv").write_bytes("id\nÅ".encode("latin1"))
        with self.assertRaisesRegex(Trouble, "not in UTF-8"):
            students.Students(self.place / "list.csv", None, 100)

    def test_submissions_and_students_match(self):
        for names, problem in (
            (["ada.zip", "x/ada"], "^list.csv, line 2: there are two submissions, ada.zip and ada; leave one out"),
            (["s11"], "^list.csv has no student for the submission s11; rename it"),
            (["ada.pdf"], "submission ada.pdf"),
        ):
            with self.subTest(names), self.assertRaisesRegex(Trouble, problem):
                self.listed(None).matched(names)
        self.assertEqual([one.name for one in self.listed(None).matched(["x/s12.tgz", "ada/"])], ["Bob", "Ada"])
        self.assertEqual([one.id for one in self.listed("canvas").matched(["12", "a_b_11_2_3_x.zip"])], ["12", "11"])
        one_column = self.listed("canvas", CANVAS.replace("Quiz (31)", "Quiz").replace(",,10,", ",,,"), None)
        self.assertEqual(one_column.grade, 7)
        with self.assertRaisesRegex(Trouble, "no student"):
            self.listed("moodle").matched(["11_13_assignsubmission_file"])  # the name of a student is a number

    def test_an_archive_alone_in_a_directory(self):
        folder, outside = self.place / "submission", self.place / "outside.zip"
        folder.mkdir()
        outside.write_bytes(platforms.zipped({"context.cpp": "x"}))
        (folder / "a.zip").symlink_to(outside)
        with self.assertRaisesRegex(Refused, "none of the files"):
            submission.take(folder, LAB, {"context.cpp"})
        (folder / "a.zip").unlink()
        outside.rename(folder / "Lab.ZIP")
        self.assertEqual(submission.take(folder, LAB, {"context.cpp"})[0], {"context.cpp": b"x"})
        (folder / "b.zip").write_bytes(b"")
        with self.assertRaisesRegex(Refused, "none of the files"):
            submission.take(folder, LAB, {"context.cpp"})


class TheWalkthroughs(Attack):
    """Each command of docs/grading.md with a list of students, in a directory with the files that it names."""

    def run_in(self, folder, command):
        words = [sorted(glob.glob(word, root_dir=folder)) or [word] for word in shlex.split(command)[2:]]
        before = os.getcwd()
        os.chdir(folder)
        try:
            with mock.patch.object(self.setup, "prepare", lambda: self.setup), mock.patch.object(
                program, "GradingSetup", lambda *_: self.setup
            ):
                with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
                    return program.main(sum(words, [])), said.getvalue()
        finally:
            os.chdir(before)

    def prepared(self, name, platform):
        folder = Path(tempfile.mkdtemp(dir=self.work))
        (folder / name).write_text(LISTS[platform], newline="")
        handed_in = folder / "submissions" / HANDED_IN[platform]
        files = {file: (ROOT / "labs" / LAB / "solution" / file).read_text() for file in FILES}
        handed_in.parent.mkdir()
        if not handed_in.suffix:
            handed_in.mkdir()
            handed_in /= "lab01.zip"
        handed_in.write_bytes(platforms.zipped(files))
        return folder

    def test_the_commands_of_the_page(self):
        page = (ROOT / "docs" / "grading.md").read_text()
        commands = re.findall(r"^(?:\$ )?(\./lab grade 01 .*--students .*)$", page.replace("\\\n", ""), re.M)
        kinds = {re.search(r"--for (\w+)|$", one)[1]: one for one in commands}
        self.assertEqual(set(kinds), set(LISTS))
        for platform, command in kinds.items():
            with self.subTest(command):
                names = dict(re.findall(r"(--\w+) (\S+)", command))
                folder = self.prepared(names["--students"], platform)
                status, said = self.run_in(folder, command)
                self.assertEqual(status, 0, said)
                self.assertRegex(said, "no submission from .*Bob")
                report = (folder / names["--out"]).read_bytes()
                self.assertIn(b"run_autograder" if platform == "gradescope" else b",100", report)
                told = {one.name for one in (folder / names["--feedback"]).iterdir()}
                self.assertIn("class.html", told)
                self.assertEqual("feedback.zip" in told, platform in ("moodle", "canvas"))

    def test_mistakes_leave_everything_unchanged(self):
        folder = self.prepared("list.csv", None)
        for options, problem in (
            ("--students list.csv --out list.csv", "--out would replace the list"),
            ("--students list.csv --for gradescope", "--for gradescope needs --out"),
            ("--for moodle", "--for and --feedback need --students"),
            ("--students list.csv --for moodle", "list.csv, line 1: missing column Identifier"),
            ("--students none.csv", "none.csv"),
        ):
            status, said = self.run_in(folder, "./lab grade 01 submissions/* " + options)
            self.assertEqual(status, 2)
            self.assertIn(problem, said)
        self.assertEqual((folder / "list.csv").read_text(), OWN)
        self.assertEqual(sorted(one.name for one in folder.iterdir()), ["list.csv", "submissions"])
