"""Attacks on `./lab grade`, each a submission of lab 01 that tries to get credit or to do harm: no credit, no harm,
and the others' marks stay right. Run by testing/grade/check.sh.

    attacks.py [MODULE…]     attack_objects, whole_way, …; all of them without a name
    attacks.py --list        the modules"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "labs" / "grader"))

MODULES = [  # the longest first
    "whole_labs",
    "whole_way",
    "attack_objects",
    "attack_sources",
    "attack_folders",
    "attack_memory",
    "attack_processes",
    "attack_reports",
    "attack_served",
    "whole_class",
]

if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(MODULES))
        sys.exit()
    tests = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:] or MODULES)
    result = unittest.TextTestRunner(verbosity=1).run(tests)
    for test, why in result.skipped:
        print("%s: %s" % (test.id(), why))
    sys.exit(not result.wasSuccessful())
