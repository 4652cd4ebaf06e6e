#!/usr/bin/env python3
"""check.py BUILD: explores lab 04 completely: the reference passes all schedules with two preemptions, and each race
of its mutants is found within ten seconds of processor time, which does not depend on the load. A race is a mutant that
an explored test of its step must find: extras/explore/tests/races.txt lists them."""

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import ROOT, end, expect, output, run, tells  # noqa: E402

bin = Path(sys.argv[1]).resolve() / "bin"
MUTANTS, TESTS = bin / "mutants", bin / "lab04_tests"


def is_found(mutant, step):
    """Prints the finding and its processor time in seconds, including minimization."""
    for name in (name for name in explored if name.startswith(step + " ")):
        answer = run(MUTANTS / f"lab04_mutant_{mutant}", "--one", [name], limit=120)
        found = re.search("^found: (.*)", answer.said, re.M)
        if answer.status != 0 and found:
            small = re.search(r"(\d+) preemptions?, .*--schedule", answer.said)
            preemptions = int(small[1]) if small else 0
            print(f"{mutant:34} {answer.used:5.1f} s, {preemptions} preemptions: {found[1]}", flush=True)
            if answer.used <= 10 and preemptions <= 2:
                return True
    return False


os.environ["FIBERSCOPE_EXPLORE"] = "full"
explored = re.findall(r"^\S+ explored:.*", output(TESTS, "--names"), re.M)
for name in explored:
    print(name)
    answer = tells(name, [TESTS, "--one", [name]], "^tried|^found|^checked", status=0)
    print(*re.findall("^(?:tried|found|checked).*", answer.said, re.M), sep="\n", flush=True)
# Help and error messages are in the user's language.
for call in "--help", "--depth x", "--nosuch":
    asked = [bin / "lab04_explore", "mixed_go --explore", call]
    tells(f"{call} in Chinese", asked, ".", never="Usage|Options|no value|there is|no limit", LC_ALL="zh_CN.UTF-8")
for mutant, step in map(str.split, (ROOT / "extras/explore/tests/races.txt").read_text().splitlines()):
    expect(is_found(mutant, step), f"{mutant}: found within ten seconds")
end("exploring lab 04")
