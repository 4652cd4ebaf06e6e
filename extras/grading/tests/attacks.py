"""Attacks on `./lab grade`, each a submission of lab 01 that tries to get credit or to do harm: no credit, no harm,
and the others' marks stay right. Run by extras/grading/tests/check.sh.

    attacks.py [NAME…]     attack_objects, whole_labs.EveryLab.test_06_timers, …; all of them without a name
    attacks.py --list      their names"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from whole_labs import LABS

# The tests of a lab run one after another and mostly wait, so each lab is a name of its own.
NAMES = [  # the longest first
    *(f"whole_labs.EveryLab.test_{lab}" for lab in reversed(LABS)),
    "whole_way",
    "attack_processes",
    "whole_labs.OwnEarlierLabs",
    "attack_memory",
    "attack_sources",
    "attack_objects",
    "attack_errors",
    "attack_folders",
    "attack_reports",
    "attack_served",
    "whole_class",
    "speaks",
]

if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(NAMES))
        sys.exit()
    tests = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:] or NAMES)
    result = unittest.TextTestRunner(verbosity=1).run(tests)
    for test, why in result.skipped:
        print("%s: %s" % (test.id(), why))
    sys.exit(not result.wasSuccessful())
