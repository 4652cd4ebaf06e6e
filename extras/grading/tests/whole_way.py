"""From submissions to marks."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from grading import __main__ as program
from grading import build, course, formats, judge, sandbox, say
from grading.errors import Refused
from grading.limits import Budget, Limits
from support import ARCH, LAB, ROOT, Attack

X86 = ARCH == "x86_64"


class TheWholeWay(Attack):
    def run_program(self, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as complaints:
            status = program.main(list(arguments))
        return status, said.getvalue(), complaints.getvalue()

    def test_right_half_and_wrong(self):
        half, wrong = self.right("half"), self.right("wrong")
        (half / "coroutine.cpp").unlink()
        shutil.copy(ROOT / "labs" / LAB / "exercise" / ("switch_%s.S" % ARCH), wrong)
        right, half, wrong = self.mark(self.right(), half, wrong, parallel=2)
        self.assertEqual(right.points, right.most)
        self.assertEqual([step.number for step in half.steps if step.solved], ["1.1", "1.2", "1.6"])
        self.assertEqual([step.number for step in wrong.steps if step.solved], ["1.1"])

    def test_a_step_that_loops_costs_one_limit_and_the_others_are_graded(self):
        endless = self.right("endless")
        (endless / ("switch_%s.S" % ARCH)).write_text(".globl _switch\n_switch: %s _switch\n" % ("jmp" if X86 else "b"))
        with mock.patch.object(judge, "TESTING", Limits(processor=1, wall=20)):
            with mock.patch.object(sandbox, "Budget", lambda: Budget(processor=12)):
                endless, right = self.mark(endless, self.right())
        self.assertEqual([step.number for step in endless.steps if step.solved], ["1.1"])
        self.assertEqual(endless.notes, [])
        slow = [one.test.split()[0] for one in endless.verdicts if "ran longer than 1 s" in one.why]
        self.assertEqual(slow, ["1.2", "1.3", "1.4", "1.5", "1.6"])
        self.assertFalse([one for one in endless.verdicts if "signal" in one.why])
        self.assertEqual((right.points, right.notes), (right.most, []))

    def test_what_the_grader_did_not_foresee_stops_no_class_and_is_not_remembered(self):
        state = Path(self.work) / "unforeseen"
        with mock.patch.object(course.build, "prepare", side_effect=[RecursionError("deep"), Refused("bad")]):
            marks_of_two = self.mark(self.right("a"), self.right("b"), state=state, parallel=1)
        self.assertEqual([one.points for one in marks_of_two], [0, 0])
        self.assertRegex(marks_of_two[0].refused, "^internal error of the grader: RecursionError")
        self.assertEqual((marks_of_two[1].refused, len(list(state.iterdir()))), ("bad", 1))

    def test_formats(self):
        mark = self.mark(self.with_text("not C++", name="=cmd"))
        self.assertTrue(formats.as_csv([mark], say.Lab(ROOT / "labs" / LAB)).splitlines()[1].startswith("'=cmd,,0"))
        self.assertEqual(json.loads(formats.as_json([mark], None))["marks"][0]["graded"], False)

    def test_no_cell_is_a_formula(self):
        for sign in "=+-@＝＋－＠﹦﹢﹣﹫−":
            for before in ("", " "):
                self.assertEqual(formats.guarded(f"{before}{sign}1"), f"'{before}{sign}1")
        for text in ("", "bob", "1+1", "名字"):
            self.assertEqual(formats.guarded(text), text)
        self.assertEqual(formats.guarded("\t=1\ufeff"), "\\x09=1?")

    def test_names_that_are_the_same(self):
        self.assertEqual(course.unique_names(["a/x", "b/x", "c/y"]), ["a/x", "b/x", "y"])
        with self.assertRaisesRegex(Refused, "duplicate submission"):
            course.unique_names(["a/x", "a/x"])

    def test_a_tree_that_is_built_anew_while_a_class_is_graded(self):
        tree, asked = str(ROOT / "build"), []
        run = subprocess.run

        def remembering(words, **settings):
            asked.extend([*words, str(settings.get("cwd"))])
            return run(words, **settings)

        with mock.patch.object(build.subprocess, "run", remembering):
            mark = self.mark(self.right())
        self.assertEqual([verdict for verdict in mark.verdicts if not verdict.passed], [])
        self.assertEqual(mark.points, 100)
        self.assertTrue(any(word.endswith(".a") for word in asked))
        self.assertEqual([word for word in asked if word.startswith(tree)], [])

    def test_an_old_report_never_stays(self):
        report = Path(self.work) / "report"
        report.write_text("100 points")
        status, _, complaints = self.run_program("77", str(self.right()), "--out", str(report))
        self.assertEqual(status, 2)
        self.assertIn("there is no lab 77", complaints)
        self.assertEqual(report.read_text(), "")

    def test_a_report_replaces_no_device_and_no_pipe(self):
        pipe, link, file = (Path(self.work) / name for name in ("pipe", "link", "file"))
        os.mkfifo(pipe)
        file.write_text("old")
        link.symlink_to(file)
        for place in (pipe, Path("/dev/null"), Path(self.work)):
            status, _, complaints = self.run_program("01", str(self.right()), "--out", str(place))
            self.assertEqual(status, 2)
            self.assertIn("is not a regular file", complaints)
            self.assertFalse(place.is_file())
        formats.write(link, "new")
        self.assertEqual((link.is_symlink(), file.read_text()), (True, "new"))
