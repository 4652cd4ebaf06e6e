"""A class of generated submissions (right, partial, wrong, hostile): graded without interruption, killed halfway, and
resumed; each mark is right and the table is complete. FIBERSCOPE_CLASS=300 sets its size (`./lab test --long`)."""

import csv
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from support import ARCH, FILES, LAB, ROOT

SIZE = int(os.environ.get("FIBERSCOPE_CLASS") or 8)
HOSTILE = [
    "namespace fiberscope::kit { void not_implemented(const char*, const char*, const char*) noexcept {} }",
    '#include "labs/01_switch_asm/solution/context.cpp"',
    'asm(".incbin \\"/etc/passwd\\"");',
    'extern "C" int __libc_start_main() { return 0; }',
    "\x1b[2J this is not C++",
]


class AClass(unittest.TestCase):
    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="fiberscope_class_"))
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)
        self.expected = dict(self.submission(number) for number in range(SIZE))

    def submission(self, number):
        """(name, points)."""
        kind = ("right", "half", "wrong", "hostile")[number % 4]
        name = "%s_%03d" % (kind, number)
        folder = self.work / "class" / name
        folder.mkdir(parents=True)
        for file in FILES:
            shutil.copy(ROOT / "labs" / LAB / ("exercise" if kind == "hostile" else "solution") / file, folder)
        with open(folder / "context.cpp", "a") as out:
            out.write("// of student %d\n" % number)
            out.write(HOSTILE[number // 4 % len(HOSTILE)] + "\n" if kind == "hostile" else "")
            out.truncate(10 << 30 if number == 3 else None)  # a file of one student that would delay the others
        if kind == "half":
            (folder / "coroutine.cpp").unlink()
        if kind == "wrong":
            shutil.copy(ROOT / "labs" / LAB / "exercise" / ("switch_%s.S" % ARCH), folder)
        return name, {"right": 100, "half": 52, "wrong": 20, "hostile": 0}[kind]

    def grade(self, **environment):
        folders = sorted(str(path) for path in (self.work / "class").iterdir())
        command = [ROOT / "lab", "grade", "01", *folders, "--format", "csv", "--out", self.work / "marks.csv"]
        command += ["--state", self.work / "state", "--parallel", str(os.cpu_count())]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True, **environment)

    def done(self):
        return len(list((self.work / "state").glob("*.json")))

    def test_killed_halfway_and_resumed(self):
        first = self.grade()
        while self.done() < SIZE // 2 and first.poll() is None:
            time.sleep(0.1)
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
        before = self.done()
        self.assertGreaterEqual(before, SIZE // 2)
        self.assertEqual((self.work / "marks.csv").read_text(), "")  # no partial table
        second = self.grade()
        said = second.communicate()[1]
        self.assertEqual(second.returncode, 0, said)
        self.assertIn("%d graded, %d of them before the interruption" % (SIZE, before), said)
        with open(self.work / "marks.csv") as file:
            rows = list(csv.DictReader(file))
        wrong = [row for row in rows if float(row["points"]) != self.expected[row["submission"]]]
        self.assertEqual(wrong, [])
        self.assertEqual([row["submission"] for row in rows], sorted(self.expected))
        self.assertIn("refused: ", next(row for row in rows if row["submission"] == "hostile_003")["feedback"])

    def test_a_signal_leaves_nothing(self):
        for number, status in (signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129):
            with self.subTest(number):
                shutil.rmtree(self.work / "state", ignore_errors=True)
                temporary = self.work / "temporary"
                temporary.mkdir(mode=0o755, exist_ok=True)
                self.work.chmod(0o755)
                grader = self.grade(env={**os.environ, "TMPDIR": str(temporary)})
                while not list(temporary.glob("*/place*/program/proof")) and grader.poll() is None:
                    time.sleep(0.05)
                time.sleep(0.5)
                grader.send_signal(number)
                said = grader.communicate()[1]
                self.assertEqual((grader.returncode, list(temporary.iterdir())), (status, []), said)
                self.assertIn("interrupted", said)
                self.assertEqual(self.processes_with(temporary), [])

    def processes_with(self, folder):
        found = []
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found += [process] if str(folder) in process.read_text(errors="replace") else []
            except OSError:
                pass  # it has ended
        return found

