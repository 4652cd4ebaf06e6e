"""Helpers for tests of programs: run a command, check its output, and count the checks."""

import os
import re
import shlex
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Answer = namedtuple("Answer", "status said used")  # used: seconds of the processor
results, last, shown = [], Answer(0, "", 0), None  # last: the answer of the last command


def run(*words, cwd=None, limit=600, **environment):
    """A command without standard input and display, and its answer: both outputs as one. A string is several words, a
    path is one, and so is each of a list. After `limit` seconds it is ended, with status 124; what
    cannot be run has 127."""
    global last
    command = [shlex.split(word) if isinstance(word, str) else word for word in words]
    command = [str(one) for part in command for one in (part if isinstance(part, (list, tuple)) else [part])]
    hidden = {"DISPLAY": None, "WAYLAND_DISPLAY": None}
    settings = {name: value for name, value in {**os.environ, **hidden, **environment}.items() if value is not None}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    before = os.times()
    try:
        call = subprocess.run(command, cwd=cwd, env=settings, timeout=limit, **pipes)
        status, said = call.returncode, call.stdout
    except subprocess.TimeoutExpired as late:
        status, said = 124, late.stdout or b""
    except OSError as error:
        status, said = 127, str(error).encode()
    last = Answer(status, said.decode(errors="replace"), sum(os.times()[2:4]) - sum(before[2:4]))
    return last


def output(*words, **settings):
    """The output of a command that must succeed for the tests to run."""
    answer = run(*words, **settings)
    if answer.status != 0:
        sys.exit(f"{words}: status {answer.status}\n{answer.said}")
    return answer.said


def expect(holds, what, said=None):
    """Counts a check; if it fails, prints the output, by default the last one, and each only once."""
    global shown
    results.append(bool(holds))
    if not holds:
        said = last.said if said is None else said
        lines = [] if said == shown else said.splitlines()[-60:]
        print(f"✗ {what}", *lines, sep="\n    | ", flush=True)
        shown = said
    return holds


def tells(what, command, *patterns, never="", status=None, most=None, **settings):
    """Runs a command, one word for run() or a list of them. What it says has a line like each pattern, and none like
    `never`; it ends with this status, and uses at most so many seconds of the processor."""
    answer = run(*([command] if isinstance(command, str) else command), **settings)
    for pattern in patterns:
        expect(re.search(pattern, answer.said, re.M), f"{what}: a line like: {pattern}")
    if never:
        expect(not re.search(never, answer.said, re.M), f"{what}: no line like: {never}")
    if status is not None:
        expect(answer.status == status, f"{what}: status {status}, not {answer.status}")
    if most is not None:
        expect(answer.used <= most, f"{what}: at most {most} s of a processor, not {answer.used:.1f}")
    return answer


def lab(words, *patterns, **expected):
    """./lab in the tree that is the current folder; prints what it cost."""
    answer = tells(f"./lab {words}", ["./lab", words], *patterns, **expected)
    print(f"./lab {words}: status {answer.status}, {answer.used:.1f} s of the processor", flush=True)
    return answer


def works(what, *words, **settings):
    return tells(what, words, status=0, **settings).status == 0


def end(title):
    """Prints the sum, and ends."""
    print(f"{title}: {results.count(True)} passed, {results.count(False)} failed")
    sys.exit(not results or not all(results))


def leave_out(why):
    """Ends a test that cannot run here."""
    print(why)
    sys.exit(77)
