"""Helpers for tests of programs: run a command, check its output, and count the checks."""

import os
import re
import shlex
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Answer = namedtuple("Answer", "status said used")  # used: CPU seconds
results, last, shown = [], Answer(0, "", 0), None  # last: the result of the last command


def run(*words, cwd=None, limit=600, **environment):
    """Runs a command without standard input and display; its output includes standard error. A string is split into
    words; a path or an element of a list is one word. The status is 124 if the command is killed after `limit` seconds,
    and 127 if it cannot be run."""
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
    """Returns the output of a command; exits if it fails."""
    answer = run(*words, **settings)
    if answer.status != 0:
        sys.exit(f"{words}: status {answer.status}\n{answer.said}")
    return answer.said


def expect(holds, what, said=None):
    """Counts a check. If it fails, prints `said` (default: the last command's output), but not the same text twice."""
    global shown
    results.append(bool(holds))
    if not holds:
        said = last.said if said is None else said
        lines = [] if said == shown else said.splitlines()[-60:]
        print(f"✗ {what}", *lines, sep="\n    | ", flush=True)
        shown = said
    return holds


def tells(what, command, *patterns, never="", status=None, most=None, **settings):
    """Runs a command (one argument of run() or a list of them). Expects a line matching each pattern and none matching
    `never`, this exit status, and at most `most` CPU seconds."""
    answer = run(*([command] if isinstance(command, str) else command), **settings)
    for pattern in patterns:
        expect(re.search(pattern, answer.said, re.M), f"{what}: a line like: {pattern}")
    if never:
        expect(not re.search(never, answer.said, re.M), f"{what}: no line like: {never}")
    if status is not None:
        expect(answer.status == status, f"{what}: status {status}, not {answer.status}")
    if most is not None:
        expect(answer.used <= most, f"{what}: at most {most} CPU seconds, not {answer.used:.1f}")
    return answer


def lab(words, *patterns, **expected):
    """Runs ./lab in the current folder's tree, and prints the CPU seconds used."""
    answer = tells(f"./lab {words}", ["./lab", words], *patterns, **expected)
    print(f"./lab {words}: status {answer.status}, {answer.used:.1f} CPU seconds", flush=True)
    return answer


def works(what, *words, **settings):
    return tells(what, words, status=0, **settings).status == 0


def end(title):
    """Prints the totals and exits."""
    print(f"{title}: {results.count(True)} passed, {results.count(False)} failed")
    sys.exit(not results or not all(results))


def leave_out(why):
    """Skips a test that cannot run here."""
    print(why)
    sys.exit(77)
