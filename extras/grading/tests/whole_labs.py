"""Every lab is graded as it should be: its reference has all points, the untouched exercise none, and a forger none."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from grading import course
from grading.ground import Ground
from forger import of_stub
from support import ROOT, WALLED

LABS = sorted(path.name for path in (ROOT / "labs").glob("0[2-9]_*"))


class EveryLab(unittest.TestCase):
    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="fiberscope_labs_"))
        self.work.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)

    def graded(self, lab):
        """The marks of (the reference, the untouched exercise), and of a forger one test of each step."""
        ground = Ground(ROOT, lab, self.work).prepare()
        folders = []
        for kind in ("solution", "exercise"):
            folders.append(self.work / kind)
            folders[-1].mkdir()
            for name in ground.expected_files()[lab]:
                shutil.copy(ROOT / "labs" / lab / kind / name, folders[-1])
        marks = course.Course(ground, WALLED, parallel=os.cpu_count()).grade_all(map(str, folders))
        folders.append(self.work / "forger")
        folders[-1].mkdir()
        for name in ground.expected_files()[lab]:
            text = (ROOT / "labs" / lab / "exercise" / name).read_text()
            (folders[-1] / name).write_text(of_stub(text, lab) if name.endswith(".cpp") else text)
        ground.tests = list({name.split()[0]: name for name in ground.tests}.values())
        return marks + course.Course(ground, WALLED).grade_all([str(folders[-1])])

    def judge(self, lab):
        full, nothing, forger = self.graded(lab)
        why = [one for one in full.verdicts if not one.passed]
        self.assertEqual((full.refused, why, full.points), ("", [], full.most))
        self.assertEqual((nothing.refused, nothing.points), ("", 0))
        self.assertEqual([one.test for one in nothing.verdicts if one.passed], [])
        self.assertEqual((forger.refused, forger.points), ("", 0))
        self.assertGreater(len([one for one in forger.verdicts if one.passed]), 1)  # or this is no attack any more


class OwnEarlierLabs(unittest.TestCase):
    """Lab 03 with the student's own lab 01: the mark counts on the reference, and what passes on the own one is
    told."""

    setUp = EveryLab.setUp

    def submission(self, name, kind):
        """Lab 03's reference, with lab 01's files of this kind."""
        folder = self.work / name
        for lab, inside in (("03_shared_stack", "solution"), ("01_switch_asm", kind)):
            (folder / lab / "exercise").mkdir(parents=True)
            for file in self.ground.expected_files()[lab]:
                shutil.copy(ROOT / "labs" / lab / inside / file, folder / lab / "exercise")
        return folder

    def test_right_untouched_and_refused(self):
        self.ground = Ground(ROOT, "03_shared_stack", self.work).prepare()
        right, untouched, hostile = (
            self.submission("right", "solution"),
            self.submission("untouched", "exercise"),
            self.submission("hostile", "solution"),
        )
        with open(hostile / "01_switch_asm" / "exercise" / "context.cpp", "a") as out:
            out.write("#include <unistd.h>\nnamespace fiberscope::lab01 { int f() { return ::fork(); } }\n")
        folders = [str(one) for one in (right, untouched, hostile)]
        marks = course.Course(self.ground, WALLED, parallel=os.cpu_count()).grade_all(folders)
        self.assertEqual([(one.refused, one.points) for one in marks], [("", marks[0].most)] * 3)
        tests = len(self.ground.tests)
        self.assertEqual(marks[0].own_labs, "%d of %d tests pass" % (tests, tests))
        self.assertRegex(marks[1].own_labs, r"^\d+ of %d tests pass$" % tests)
        self.assertLess(int(marks[1].own_labs.split()[0]), tests)
        self.assertRegex(marks[2].own_labs, "^refused: .*calls fork")


def add_test(lab):
    setattr(EveryLab, "test_" + lab, lambda self: self.judge(lab))


for lab in LABS:
    add_test(lab)
