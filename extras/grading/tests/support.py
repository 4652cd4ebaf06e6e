"""Shared code of the attacks: the setup of lab 01, and submissions that are right except for the attack."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from grading import course
from grading.setup import GradingSetup

ROOT = Path(__file__).resolve().parents[3]
LAB = "01_switch_asm"
ARCH = os.uname().machine
FILES = ["context.cpp", "coroutine.cpp", "switch_%s.S" % ARCH, "switch_float_%s.S" % ARCH]


class Attack(unittest.TestCase):
    needs_setup = True

    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp(prefix="fiberscope_attacks_")
        os.chmod(cls.work, 0o755)
        cls.setup = GradingSetup(ROOT, LAB, cls.work).prepare() if cls.needs_setup else None

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work, ignore_errors=True)

    def right(self, name="right"):
        """A right submission in its own directory."""
        folder = Path(tempfile.mkdtemp(dir=self.work)) / name
        folder.mkdir()
        for file in FILES:
            shutil.copy(ROOT / "labs" / LAB / "solution" / file, folder / file)
        return folder

    def with_text(self, text, file="context.cpp", name="attacker"):
        """A right submission with a text appended to a file."""
        folder = self.right(name)
        with open(folder / file, "a") as out:
            out.write("\n" + text + "\n")
        return folder

    def mark(self, *folders, **settings):
        marks = course.Course(self.setup, **settings).grade_all([str(one) for one in folders])
        return marks[0] if len(folders) == 1 else marks

    def refused(self, folder, pattern):
        mark = self.mark(folder)
        self.assertEqual(mark.points, 0)
        self.assertFalse(mark.graded)
        self.assertRegex(mark.refused, pattern)
