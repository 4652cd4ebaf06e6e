"""Every lab is graded as it should be: its reference has all points, and the untouched exercise none."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from grade import course
from grade.ground import Ground
from support import ROOT, WALLED

LABS = sorted(path.name for path in (ROOT / "labs").glob("0[2-9]_*"))


class EveryLab(unittest.TestCase):
    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="fiberscope_labs_"))
        self.work.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)

    def graded(self, lab):
        """The marks of (the reference, the untouched exercise)."""
        ground = Ground(ROOT, lab, self.work).prepare()
        folders = []
        for kind in ("solution", "exercise"):
            folders.append(self.work / kind)
            folders[-1].mkdir()
            for name in ground.expected_files()[lab]:
                shutil.copy(ROOT / "labs" / lab / kind / name, folders[-1])
        return course.Course(ground, WALLED, parallel=os.cpu_count()).grade_all(map(str, folders))

    def judge(self, lab):
        full, nothing = self.graded(lab)
        why = [one for one in full.verdicts if not one.passed]
        self.assertEqual((full.refused, why, full.points), ("", [], full.most))
        self.assertEqual((nothing.refused, nothing.points), ("", 0))
        self.assertEqual([one.test for one in nothing.verdicts if one.passed], [])


def add_test(lab):
    setattr(EveryLab, "test_" + lab, lambda self: self.judge(lab))


for lab in LABS:
    add_test(lab)
