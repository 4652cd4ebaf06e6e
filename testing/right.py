#!/usr/bin/env python3
"""right.py BUILD [LAB…]: checks that right code is never judged wrong. Runs the reference with the command and the
limits of `./lab check`: on the idle computer, and while eight busy loops run; then, unless `long` is set, only lab 02
and the step that maps very many stacks. `rounds` in the environment repeats it:
`rounds=100 ./lab test --long --only right`."""

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
    """The lab must be solved, with all steps if run alone, and no test may have failed."""
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
                check(lab, f"with eight busy loops, round {number}")
            elif lab == "04_scheduler":
                check(lab, f"with eight busy loops, step 4.1, round {number}", "--only", "4.1")
finally:
    for loop in loops:
        loop.kill()
end("right code is judged right")
