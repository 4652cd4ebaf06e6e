"""Creates labs from broken tests, and runs the grader on them. GRADER and BROKEN_TESTS are the paths of programs."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILT = Path(__file__).resolve().parents[3] / "build/default/bin"
GRADER = os.environ.get("GRADER", BUILT / "grader")
BROKEN = os.environ.get("BROKEN_TESTS", BUILT / "broken_tests")
GOLDEN = Path(__file__).with_name("golden")
COMPARED = (  # without what differs between computers
    (r"\.cpp:[0-9]+", ".cpp:LINE"),
    (r"[^ \"]*/grader/testing/", "…/grader/testing/"),
    (r"\n *(called by|调用者)  [^\n]*", ""),  # names of inlined functions depend on the compiler
    (r"\n( *)in         [^\n]*  (labs/[^\n]*)", r"\n\1in FUNCTION  \2"),
    (r"\n *in         [^\n]*", ""),  # of the C library
    (r"did not end within [^;]*", "did not end within LIMIT"),  # which limit is reached depends on the computer
    (r"(stack of|栈) [0-9]+ (bytes|KiB|字节)", r"\1 SIZE"),  # chosen by the system
)


def step(number, title="t", **more):
    return {"step": number, "title": title, "file": f"exercise/{number}.cpp", **more}


class Made(unittest.TestCase):
    """A lab 09_broken in a temporary folder."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fiberscope_grader_")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "labs"
        self.lab = self.root / "09_broken"
        self.lab.mkdir(parents=True)

    def write(self, file, text):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def script(self, name, text):
        self.write(name, "#!/bin/sh\n" + text + "\n")
        (self.root / name).chmod(0o700)

    def describe(self, *steps, lab="09_broken"):
        self.write(f"{lab}/steps.json", json.dumps(steps))

    def broken(self, *numbers, program="09_broken/tests"):
        """Writes a test program with the broken tests of these steps."""
        names = "|".join(numbers).replace(".", r"\.")
        listed = f'if [ "$1" = --names ]; then {BROKEN} --names | grep -E "^({names}) "; exit; fi'
        self.script(program, f'{listed}\nexec {BROKEN} "$@"')

    def steps(self, *numbers):
        """Writes a lab with these steps and the broken tests of each."""
        self.describe(*(step(one, f"step {one}", read=[f"README.md#{one}"]) for one in numbers))
        self.broken(*numbers)

    def program(self, names, run="exit 1", program="09_broken/tests"):
        """Writes a test program with tests of these names, which all do the same."""
        listed = " ".join(map(repr, names))
        self.script(program, f'if [ "$1" = --names ]; then printf "%s\\n" {listed}; exit; fi\n{run}')

    def ask(self, *words, **environment):
        """(status, output)."""
        done = subprocess.run(
            [GRADER, *words],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "LC_ALL": "C.UTF-8", **environment},
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def grade(self, mode, *options, **environment):
        usual = ["--lab", "09_broken", "--program", "09_broken/tests", "--traces", "traces", "--parallel", "2"]
        return self.ask(mode, *usual, *options, **environment)

    def check(self, *options, **environment):
        return self.grade("check", *options, **environment)[1]

    def report(self):
        """(name, result) of each test in report.json."""
        return [(one["name"], one["result"]) for one in json.loads((self.root / "report.json").read_text())["tests"]]

    def assertGolden(self, name, said):
        """Compares with golden/NAME.txt. After an intended change run the tests with FIBERSCOPE_UPDATE_GOLDENS=1 and
        review the difference."""
        for pattern, replaced in COMPARED:
            said = re.sub(pattern, replaced, said)
        file = GOLDEN / f"{name}.txt"
        if "FIBERSCOPE_UPDATE_GOLDENS" in os.environ:
            file.write_text(said)
        self.assertEqual(said, file.read_text())
