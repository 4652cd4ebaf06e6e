#!/usr/bin/env python3
"""right.py BUILD [LAB…]: what is right must never be called wrong. Checks labs with the reference in place of the
student's files, by the command and the limits of `./lab check`: on the machine as it is, and with eight busy loops
beside it; there only lab 02 and the step that maps very many stacks, unless `long` is set. So many `rounds`, if that is
set: `rounds=100 ./lab test --long --only right`."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from expect import end, expect, run

build, *labs = sys.argv[1:]
labs = labs or sorted(path.name for path in Path("labs").glob("[0-9][0-9]_*"))


def check(lab, where, *options):
    """It must be solved, all steps of it if it is checked alone, and nothing may have failed."""
    begin = time.monotonic()
    call = f"{build}/bin/grader check --lab labs/{lab} --program {build}/bin/lab{lab[:2]}_tests"
    answer = run(call, f"--traces {build}/traces --language en", options, limit=None)
    solved = where != "alone" or re.search(r"^The lab is solved\.$", answer.said, re.M)
    wrong = answer.status != 0 or re.search("^ *[✗–·]", answer.said, re.M)
    expect(solved and not wrong, f"{lab} {where}: called wrong")
    print(f"{lab} {where}: {time.monotonic() - begin:.0f} s", flush=True)


for lab in labs:
    check(lab, "alone")
loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
try:
    for number in range(1, int(os.environ.get("rounds") or 1) + 1):
        for lab in labs:
            if os.environ.get("long") or lab == "02_ucontext":
                check(lab, f"beside eight loops, round {number}")
            elif lab == "04_scheduler":
                check(lab, f"beside eight loops, step 4.1, round {number}", "--only", "4.1")
finally:
    for loop in loops:
        loop.kill()
end("right work is called right")
