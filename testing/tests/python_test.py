"""Python programs started by a verb import nothing from the current directory, which may hold a student's files."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "import os\nos.write(1, b'imported ' + __name__.encode() + b'\\n')\nos._exit(66)\n"
OWN = "catalogue plan written steps page parts run expect compare grading seccomp"
VERBS = {
    "steps": "{lab} progress; {lab} hint 1.1; {lab} check 01 1.99; {lab} progress next",
    "grade": "{lab} grade 99 json email",
    "compare": "{lab} compare --help",
    "test": "{lab} test --list",
    "page": "home={root}; . {root}/tools/python.sh; (python_program $home/tools/page.py --help)",
    "server": "home={root}; . {root}/tools/python.sh; (system_python -m http.server --help)",
    "probe": "home={root}; . {root}/tools/python.sh; (system_python -c 'import argparse, json, seccomp')",
}


class HostileFolder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def said(self, verb):
        command = VERBS[verb].format(lab=ROOT / "lab", root=ROOT)
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "LC_ALL": "C"}
        answer = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120
        )
        return answer.stdout + answer.stderr

    def check_all(self):
        for verb in VERBS:
            with self.subTest(verb):
                said = self.said(verb)
                self.assertNotEqual(said if verb != "probe" else "-", "")
                self.assertNotIn("imported", said)

    def test_files_named_as_modules(self):
        for name in [*sys.stdlib_module_names, *OWN.split()]:
            (self.folder / (name + ".py")).write_text(HOSTILE)
        self.check_all()

    def test_folders_named_as_modules(self):
        for name in [*sys.stdlib_module_names, *OWN.split()]:
            (self.folder / name).mkdir()
            (self.folder / name / "__init__.py").write_text(HOSTILE)
        self.check_all()


class OnePlace(unittest.TestCase):
    def test_python_is_started_by_one_helper(self):
        command = ["git", "-C", str(ROOT), "ls-files", "lab", "tools/*.sh", "extras/*/verb.sh"]
        listed = subprocess.run(command, capture_output=True, text=True)
        if listed.returncode != 0:
            self.skipTest("not a git clone")
        start = re.compile(r"^[^#]*(?<!-)\bpython3? (?!>)-?\S", re.M)
        found = [name for name in listed.stdout.split() if start.search((ROOT / name).read_text())]
        self.assertLessEqual(set(found), {"tools/python.sh"})


if __name__ == "__main__":
    unittest.main()
