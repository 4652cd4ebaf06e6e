"""Every lab is graded correctly: its reference has all points, the untouched exercise none, and a forger none without
a review."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from grading import course
from grading.setup import GradingSetup
from forger import of_stub
from support import ROOT, WALLED

UNASKED = {"05_epoll_io": {"5.6", "5.7"}}  # steps without a question
LABS = sorted(path.name for path in (ROOT / "labs").glob("0[2-9]_*"))


class EveryLab(unittest.TestCase):
    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="fiberscope_labs_"))
        self.work.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)

    def graded(self, lab):
        """The marks of (the reference, the untouched exercise), and of a forger with one test of each step."""
        setup = GradingSetup(ROOT, lab, self.work).prepare()
        folders = []
        for kind in ("solution", "exercise"):
            folders.append(self.work / kind)
            folders[-1].mkdir()
            for name in setup.expected_files():
                shutil.copy(next((ROOT / "labs" / lab).glob(f"**/{kind}/{name}")), folders[-1])
        marks = course.Course(setup, WALLED, parallel=os.cpu_count()).grade_all(map(str, folders))
        folders.append(self.work / "forger")
        folders[-1].mkdir()
        for name in setup.expected_files():
            text = next((ROOT / "labs" / lab).glob(f"**/exercise/{name}")).read_text()
            (folders[-1] / name).write_text(of_stub(text, lab) if name.endswith(".cpp") else text)
        setup.tests = list({name.split()[0]: name for name in setup.tests}.values())
        return marks + course.Course(setup, WALLED).grade_all([str(folders[-1])])

    def judge(self, lab):
        full, nothing, forger = self.graded(lab)
        why = [one for one in full.verdicts if not one.passed]
        self.assertEqual((full.refused, why, full.points), ("", [], full.most))
        self.assertEqual((nothing.refused, nothing.points), ("", 0))
        self.assertEqual([one.test for one in nothing.verdicts if one.passed], [])
        self.assertEqual(forger.refused, "")
        reviewed = {why.split()[1][:-1] for why in forger.reviews}
        plainly = [one.number for one in forger.steps if one.points and one.number not in reviewed]
        self.assertEqual(plainly, [])
        self.assertEqual({one.number for one in forger.steps if one.points}, UNASKED.get(lab, set()))
        self.assertGreater(len([one for one in forger.verdicts if one.passed]), 1)  # otherwise the attack did not work


def add_test(lab):
    setattr(EveryLab, "test_" + lab, lambda self: self.judge(lab))


for lab in LABS:
    add_test(lab)
