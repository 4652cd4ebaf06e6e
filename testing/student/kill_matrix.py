#!/usr/bin/env python3
"""Finds which tests of a lab catch which wrong solutions of mutants.json.

kill_matrix.py BUILD LAB… [--whole] [--out FILE.json]

Needs labNN_starter and labNN_tests in BUILD. Runs each test in its own process, until two tests have caught a mistake:
first the tests that caught others in the same file, then the other tests of its step, then those of the lab, so that
few tests are needed. Long tests (LONG) run only where mutants.json names them. --whole runs every test against every
mistake. Prints the mistakes caught by no test or by one, and the tests that are neither the first nor the second to
catch any. A time-out counts as caught, and is also counted separately.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from compose import Lab
from mutants import programs, read

LONG = re.compile(r"explored:|very many|random|million|valgrind")
PASSED, LEFT_OUT = 0, 78
CPU_SECONDS, PATIENCE = 1, 6  # limits in CPU seconds and in seconds
WORKERS = 3


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def outcome(program, test):
    """'passed', 'failed' or 'timed out'."""
    call = [program, "--one", test]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        status = subprocess.run(call, timeout=PATIENCE, preexec_fn=limit, **quiet).returncode
    except subprocess.TimeoutExpired:
        return "timed out"
    if status in (PASSED, LEFT_OUT):
        return "passed"
    return "timed out" if status in (-24, -9) else "failed"


class Matrix:
    def __init__(self, lab, whole):
        self.lab, self.whole = lab, whole
        self.mutants = read(lab.dir)
        own = lab.build / "bin" / f"lab{lab.number}_tests"
        self.tests = subprocess.run([own, "--names"], capture_output=True, text=True, check=True).stdout.splitlines()
        self.kept = {}  # {file: tests that caught a mistake in it, most useful first}
        self.caught = {}  # {mistake: {test: outcome}}

    def candidates(self, mutant):
        named = [other["killed_by"] for other in self.mutants if other["file"] == mutant["file"]]
        step = mutant["killed_by"].split(" ")[0] + " "
        kept = self.kept.get(mutant["file"], {})
        order = [mutant["killed_by"], *sorted(kept, key=kept.get, reverse=True), *named]
        order += [test for test in self.tests if test.startswith(step)] + self.tests
        wanted = {test for test in self.tests if self.whole or not LONG.search(test)} | {mutant["killed_by"]}
        return list(dict.fromkeys(test for test in order if test in wanted))

    def catch(self, mutant, program):
        found = self.caught[mutant["name"]] = {}
        kept = self.kept.setdefault(mutant["file"], {})
        for test in self.candidates(mutant):
            result = outcome(program, test)
            if result == "passed":
                continue
            found[test] = result
            kept[test] = kept.get(test, 0) + 1
            if len(found) == 2 and not self.whole:
                return

    def fill(self):
        made = programs(self.lab, self.mutants)
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(lambda mutant: self.catch(mutant, made[mutant["name"]]), self.mutants))

    def needed(self):
        """Tests that catch each mistake twice where possible; greedy, first those named in mutants.json."""
        kept = {mutant["killed_by"] for mutant in self.mutants}
        for found in sorted(self.caught.values(), key=len):
            kept |= set(sorted(found, key=lambda test: test not in kept)[:2])
        return kept

    def print(self):
        few = {name: found for name, found in self.caught.items() if len(found) < 2}
        catching = set().union(*self.caught.values())
        late = sum(result == "timed out" for found in self.caught.values() for result in found.values())
        print(f"lab {self.lab.number}: {len(self.mutants)} mistakes, {len(self.tests)} tests; {len(self.needed())} "
              f"needed, {len(self.tests) - len(catching)} caught none, {late} time-outs")
        for name, found in few.items():
            print(f"  caught by {next(iter(found), 'no test')}: {name}")
        for test in self.tests:
            if test not in self.needed():
                print(f"  not needed: {test}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("lab", nargs="+")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    result = {}
    for name in options.lab:
        matrix = Matrix(Lab(name, options.build.resolve()), options.whole)
        matrix.fill()
        matrix.print()
        result[name] = {"caught": matrix.caught, "needed": sorted(matrix.needed())}
    if options.out:
        options.out.write_text(json.dumps(result, indent=1))


main()
