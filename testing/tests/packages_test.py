"""cmake/packages.sh when apt-get fails: it prints the error and a remedy, and waits for a lock."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INTERRUPTED = "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem."
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt)"
EMCMAKE_IS_MISSING = "needs emscripten"


class Installing(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.program("dpkg-query", "exit 1")
        self.program("sudo", 'exec "$@"')
        self.program("sleep", "exit 0")

    def program(self, name, script):
        path = self.place / name
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(0o755)

    def answer(self, command, **environment):
        path = f"{self.place}:{os.environ['PATH']}"
        environment = {**os.environ, "LC_ALL": "C", "PATH": path, **environment}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        call = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, text=True, **streams)
        return call.returncode, call.stdout

    def install(self, **environment):
        return self.answer(". cmake/packages.sh; install_packages 'to test' nothing-like-this", **environment)

    def test_the_error_of_apt_is_printed_with_a_remedy(self):
        self.program("apt-get", f'echo "{INTERRUPTED}" >&2; exit 100')
        status, said = self.install()
        self.assertEqual(status, 1)
        self.assertIn(INTERRUPTED, said)
        self.assertIn("sudo apt install nothing-like-this", said)

    def test_the_page_does_not_blame_emscripten_for_a_failure_of_apt(self):
        self.program("apt-get", f'echo "{INTERRUPTED}" >&2; exit 100')
        status, said = self.answer("./lab web")
        self.assertEqual(status, 1)
        self.assertIn(INTERRUPTED, said)
        self.assertNotIn(EMCMAKE_IS_MISSING, said)

    def test_a_lock_is_waited_for_with_one_message(self):
        count = self.place / "count"
        self.program("apt-get", f'echo >>{count}; [ $(wc -l <{count}) -ge 4 ] || {{ echo "{LOCKED}" >&2; exit 100; }}')
        status, said = self.install()
        self.assertEqual(status, 0, said)
        self.assertEqual(said.count("waiting"), 1, said)
        self.assertEqual(count.read_text().count("\n"), 5)  # two commands; the first was tried four times

    def test_a_lock_that_is_not_released_is_an_error(self):
        self.program("apt-get", f'echo "{LOCKED}" >&2; exit 100')
        status, said = self.install(FIBERSCOPE_LOCK_WAIT="0")
        self.assertEqual(status, 1)
        self.assertIn(LOCKED, said)
