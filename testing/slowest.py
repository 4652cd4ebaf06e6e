#!/usr/bin/env python3
"""slowest.py BUILD_DIR: prints the ten slowest tests of labs in their last run (from the grader's reports), and the ten
object files that took longest to compile (from ninja's log)."""

import glob
import json
import os
import sys

MANY = 10


def tests(build):
    """(seconds, lab and name) of each test of a lab."""
    for path in glob.glob(f"{glob.escape(build)}/report_[0-9][0-9]_all.json"):
        with open(path) as file:
            for test in json.load(file)["tests"]:
                yield test["milliseconds"] / 1000, f"{os.path.basename(path)[7:9]} {test['name']}"


def files(build):
    """(seconds, path) of each object file; a later compilation replaces an earlier one."""
    seconds = {}
    with open(f"{build}/.ninja_log") as log:
        for line in log.readlines()[1:]:
            begin, end, _, output, _ = line.split("\t")
            if output.endswith(".o"):
                seconds[output] = (int(end) - int(begin)) / 1000
    return ((took, output) for output, took in seconds.items())


def report(build):
    for title, rows in ("slowest tests", tests(build)), ("slowest files to compile", files(build)):
        print(f"\n{title}, s")
        for seconds, name in sorted(rows, reverse=True)[:MANY]:
            print(f"{seconds:8.1f}  {name}")


if __name__ == "__main__":
    report(*sys.argv[1:])
