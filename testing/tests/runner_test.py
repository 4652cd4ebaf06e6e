"""./lab test (testing/run.py) terminates and reports the reason, whatever a part does."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import run  # noqa: E402
import slowest  # noqa: E402
from parts import LeftOut, Part  # noqa: E402


def raises(error):
    def fail(long):
        raise error

    return fail


def shell(command):
    return lambda long: command


class Runner(unittest.TestCase):
    def said(self, progress_seconds=60, **parts):
        """(exit status, output) of a run of these parts."""
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.dict(os.environ, {"CI": ""}))
            stack.enter_context(mock.patch.multiple(run, LOGS=place, PARTS=parts, PROGRESS_SECONDS=progress_seconds))
            stack.enter_context(contextlib.redirect_stdout(out))
            status = run.Run(list(parts), False).all()
        return status, out.getvalue()

    def test_a_part_that_cannot_run_here_is_left_out_and_the_others_run(self):
        for where in "build", "run":
            with self.subTest(where):
                left_out = Part(**{"run": shell("true"), where: raises(LeftOut("tool is not installed"))})
                status, said = self.said(first=left_out, second=Part(shell("echo 3 passed, 0 failed")))
                self.assertEqual(status, 0, said)
                self.assertRegex(said, r"first .*skipped: tool is not installed")
                self.assertRegex(said, r"\n3 passed, 0 failed\n")

    def test_a_fault_of_a_part_is_a_failure_with_its_traceback(self):
        status, said = self.said(first=Part(raises(KeyError("gone"))), second=Part(shell("echo 3 passed, 0 failed")))
        self.assertEqual(status, 1)
        self.assertRegex(said, r"first .*FAILED")
        self.assertIn("KeyError: 'gone'", said)
        self.assertRegex(said, r"\n3 passed, 1 failed\n")

    def test_a_long_build_says_how_far_it_is(self):
        build = shell("echo '[7/9] Building'; sleep 0.4")
        _, said = self.said(0.05, slow=Part(shell("true"), build))
        self.assertIn("building (7/9)", said)

    def test_the_slowest_tests_and_files_are_those_of_the_last_run(self):
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as place, contextlib.redirect_stdout(out):
            Path(place, ".ninja_log").write_text(
                "# ninja log v5\n0\t9000\t1\tnow_fast.o\t0\n0\t2000\t1\tslow.o\t0\n"
                "9\t9\t1\tnow_fast.o\t0\n0\t7000\t1\tlink\t0\n"
            )
            Path(place, "report_01_all.json").write_text(
                json.dumps({"tests": [{"name": f"test {n}", "milliseconds": 1000 * n} for n in range(12)]})
            )
            slowest.report(place)
        said = out.getvalue()
        self.assertRegex(said, r"tests, s\n +11.0  01 test 11\n +10.0  01 test 10\n")
        self.assertNotIn("01 test 1\n", said)
        self.assertRegex(said, r"compile, s\n +2.0  slow.o\n +0.0  now_fast.o\n$")
