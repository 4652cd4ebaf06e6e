"""Shared code of the attacks: the setup of lab 01, and submissions that are right except for the attack."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from grading import course, sandbox
from grading.setup import GradingSetup

ROOT = Path(__file__).resolve().parents[3]
LAB = "01_switch_asm"
ARCH = os.uname().machine
FILES = ["context.cpp", "coroutine.cpp", "switch_%s.S" % ARCH, "switch_float_%s.S" % ARCH]
WALLED = sandbox.works()


def needs_walls(test):
    """An attack prevented only by bubblewrap."""
    test.needs_walls = True
    return test


def without_walls(case):
    """The same attacks without bubblewrap, except those prevented only by it."""
    names = [name for name in dir(case) if getattr(getattr(case, name), "needs_walls", False)]
    return type(case.__name__ + "WithoutBubblewrap", (case,), {"walled": False, **{name: None for name in names}})


class Attack(unittest.TestCase):
    walled, needs_setup = WALLED, True

    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp(prefix="fiberscope_attacks_")
        os.chmod(cls.work, 0o755)
        cls.setup = GradingSetup(ROOT, LAB, cls.work).prepare() if cls.needs_setup else None

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work, ignore_errors=True)

    def setUp(self):
        test = getattr(self, self._testMethodName)
        if getattr(test, "needs_walls", False) and not self.walled:
            self.skipTest("not prevented without bubblewrap")

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
        marks = course.Course(self.setup, self.walled, **settings).grade_all([str(one) for one in folders])
        return marks[0] if len(folders) == 1 else marks

    def refused(self, folder, pattern):
        mark = self.mark(folder)
        self.assertEqual(mark.points, 0)
        self.assertFalse(mark.graded)
        self.assertRegex(mark.refused, pattern)
