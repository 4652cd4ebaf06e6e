#!/usr/bin/env python3
"""Attacks on `./lab grade`, each a submission of lab 01 that tries to get credit or to do harm: no credit, no harm,
and the others' marks stay right. Several run in parallel, because they mostly wait.

    attacks.py [NAME…]     forgeries, whole_labs.EveryLab.test_06_timers, …; all of them without a name"""

import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "testing"))
from expect import ROOT, run  # noqa: E402

LABS = sorted(path.name for path in (ROOT / "labs").glob("0[2-9]_*"))
# The tests of a lab run one after another and mostly wait, so each lab has a separate name.
NAMES = [  # the longest first
    *(f"whole_labs.EveryLab.test_{lab}" for lab in reversed(LABS)),
    *("whole_way", "attack_processes", "forgeries", "attack_sources", "attack_folders", "whole_class"),
    *("platforms", "speaks"),
]
PATH = f"{HERE}:{ROOT / 'extras'}"
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable  # has the system's packages


def holds(name):
    """Runs in a new process."""
    begin = time.monotonic()
    call = [PYTHON, "-B", "-W", "error::ResourceWarning", "-m", "unittest", name]
    answer = run(call, limit=7200, LC_ALL="C.UTF-8", PYTHONPATH=PATH)
    said = re.sub(r"^[.s]*grade: .*\n", "", answer.said, flags=re.M)
    print(f"{said}{name}: {time.monotonic() - begin:.0f} s", flush=True)
    return answer.status == 0


def main(names):
    if run([PYTHON, "-c", "from grading.sandbox import works; exit(not works())"], PYTHONPATH=PATH).status != 0:
        print("bubblewrap does not work here")
        return 77
    with ThreadPoolExecutor(2 * os.cpu_count()) as pool:
        held = list(pool.map(holds, names or NAMES))
    print(f"attacks on the grader: {held.count(True)} passed, {held.count(False)} failed")
    return False in held


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
