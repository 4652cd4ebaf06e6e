"""Waiting for a program, not counting the time in which others had the processors."""

import contextlib
import os
import time
from pathlib import Path
from subprocess import TimeoutExpired

LOOK = 0.05  # seconds from one look at a program to the next
TICK = 1 / os.sysconf("SC_CLK_TCK")


def states_of(process):
    """The state of each thread of a process ("R", "S" …), and the seconds of a processor that it has used."""
    folder = Path("/proc") / str(process)
    threads = [(task / "stat").read_text().rpartition(")")[2].split() for task in (folder / "task").iterdir()]
    used = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]  # utime, stime
    return [thread[0] for thread in threads], TICK * sum(map(int, used))


def members(session):
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(int(name)) == session:
                yield int(name)


def look(session):
    """The seconds of a processor that all processes of a session have used, and whether a thread of them runs or waits
    for a processor."""
    used, active = 0.0, False
    for process in members(session):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            states, seconds = states_of(process)
            active = active or not {"R", "D"}.isdisjoint(states)
            used += seconds
    return used, active


def output_of(child, busy, idle, longest):
    """What `child`, which leads a session, writes to its standard error. TimeoutExpired if it has used `busy` seconds
    of a processor, or then sleeps for `idle`, or after `longest` by the clock."""
    begin, slept = time.monotonic(), 0.0
    while True:
        try:
            return child.communicate(timeout=LOOK if slept else busy)[1]
        except TimeoutExpired:
            used, active = look(child.pid)
            slept += 0 if active else LOOK
            if used >= busy or slept >= idle or time.monotonic() - begin >= longest:
                raise
