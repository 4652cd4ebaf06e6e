#!/usr/bin/env python3
"""Attacks on `./lab grade`: submissions of lab 01 that try to get credit or do harm. They must get no credit, do no
harm and not affect other marks. Several run in parallel, because they mostly wait. If bubblewrap does not work, only
the attacks prevented without it are tested, and the others are listed.

    attacks.py [NAME…]     forgeries, whole_labs.EveryLab.test_06_timers, …; all of them without a name"""

import os
import re
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import ROOT, run  # noqa: E402

LABS = sorted(path.name for path in (ROOT / "labs").glob("0[2-9]_*"))
# The tests of a lab run one after another and mostly wait, so each lab has a separate name.
NAMES = [  # the longest first
    *(f"whole_labs.EveryLab.test_{lab}" for lab in reversed(LABS)),
    "whole_way",
    "attack_processes",
    "forgeries",
    "attack_sources",
    "attack_folders",
    "whole_class",
    "speaks",
]
SUM = re.compile(r"^attacks of .*: (-?\d+) held, (\d+) failed, (\d+) left out$", re.M)
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable  # has the system's packages


def run_here(name):
    sys.path.insert(0, str(ROOT / "extras"))
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromName(name))
    for test, why in result.skipped:
        print("%s: %s" % (test.id(), why))
    failed, left_out = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"attacks of {name}: {result.testsRun - failed - left_out} held, {failed} failed, {left_out} left out")
    return 0 if result.wasSuccessful() and result.testsRun else 1


def run_apart(name):
    """Runs in a new process; returns the summary."""
    begin = time.monotonic()
    call = [PYTHON, "-B", "-W", "error::ResourceWarning", __file__, name]
    answer = run(call, limit=7200, LC_ALL="C.UTF-8")
    said = re.sub(r"^[.s]*grade: .*\n", "", answer.said, flags=re.M)
    print(f"{said}{name}: {time.monotonic() - begin:.0f} s", flush=True)
    found = SUM.search(said)
    good, failed, left_out = map(int, found.groups()) if found else (0, 1, 0)
    return good, max(failed, int(answer.status != 0)), left_out


def main(names):
    if len(names) == 1:
        return run_here(names[0])
    with ThreadPoolExecutor(2 * os.cpu_count()) as pool:
        good, failed, left_out = map(sum, zip(*pool.map(run_apart, names or NAMES)))
    if left_out:
        print(f"bubblewrap does not work here: {left_out} attacks, listed above, are not prevented")
    print(f"attacks on the grader: {good} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
