"""Runs a command in a sandbox: only the given files, no network except its own loopback, no process that outlives it,
the system calls of confined.py, limits on time, memory, processes, files and output, and a total limit for a
submission. Uses bubblewrap."""

import contextlib
import functools
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from . import confined
from .errors import Trouble
from .limits import Budget, Limits, Outcome, View
from .watch import INTERRUPTED, STOPPED, TOO_LONG, Watch, end_all

TREE = Path(__file__).resolve().parents[2]
FIRST_USER = 64001  # as root each place runs as a separate user


def works():
    """Whether bubblewrap can create the namespaces that it needs."""
    if shutil.which("bwrap") is None or confined.seccomp is None:
        return False
    try:
        probe = as_user(1000) + walls(View()) + ["true"]
        return subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def as_user(place):
    if os.geteuid() != 0:
        return []
    user = str(FIRST_USER + place)
    return ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs"]


WALLS = """bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --setenv PATH /usr/bin:/bin
    --setenv LC_ALL C --hostname grade --ro-bind /usr /usr --proc /proc --dev /dev --size 268435456 --tmpfs /tmp"""
# The other in-memory file systems, which have no size limit, are read-only.
CLOSED = "--size 16777216 --tmpfs /dev/shm --remount-ro /dev --remount-ro /".split()


def walls(view):
    command = WALLS.split()
    for place in ("/lib", "/lib64", "/bin", "/sbin"):
        if os.path.islink(place):
            command += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            command += ["--ro-bind", place, place]
    if Path("/usr") in TREE.parents:  # it has the solutions
        command += ["--size", "4096", "--tmpfs", str(TREE), "--remount-ro", str(TREE)]
    if os.path.isdir("/etc/alternatives"):
        command += ["--ro-bind", "/etc/alternatives", "/etc/alternatives"]
    for outside, inside in view.readable:
        command += ["--ro-bind", str(outside), str(inside)]
    for outside, inside in view.writable:
        command += ["--bind", str(outside), str(inside)]
    return command + CLOSED + ["--chdir", view.workdir]


@functools.cache
def calls():
    return confined.filter_of_calls()


def in_memory(data):
    """An unnamed file, positioned at its beginning."""
    file = os.fdopen(os.memfd_create("grade"), "w+b")
    file.write(data)
    file.seek(0)
    return file


def limited(limits):
    most = f"--cpu={limits.processor}:{limits.processor + 1} --nproc={limits.processes} --fsize={limits.file}"
    return f"nice -n 5 prlimit {most} --core=0 --nofile=20000".split()


class Sandbox:
    """A place where commands run sequentially."""

    def __init__(self, place, budget=None):
        self.place, self.budget = place, budget or Budget()

    def run(self, arguments, view, limits, environment=None, with_report=False):
        if self.budget.spent():
            return Outcome(-signal.SIGKILL, why=self.budget.spent())
        variables, handed, began = dict(environment or {}), [], time.monotonic()
        read_end, write_end = os.pipe() if with_report else (None, None)
        if with_report:
            variables["FIBERSCOPE_REPORT_FD"] = str(write_end)
            handed.append(write_end)
        settings = [word for name, value in variables.items() for word in ("--setenv", name, value)]
        with contextlib.ExitStack() as open_ones:
            # Through files, since every process inside can read a command line in /proc/1.
            told = (calls(), b"".join(word.encode() + b"\0" for word in settings))
            rules, more = (open_ones.enter_context(in_memory(data)).fileno() for data in told)
            inside = walls(view) + ["--seccomp", str(rules), "--args", str(more)]
            process = subprocess.Popen(
                as_user(self.place) + limited(limits) + inside + arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=handed + [rules, more],
                start_new_session=True,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
                cwd="/",
            )
        if with_report:
            os.close(write_end)
        watch = Watch(process, read_end, self.budget.within(limits))
        try:
            outcome = watch.until_end()
        finally:
            if with_report:
                os.close(read_end)
            end_all(process)
            process.stdout.close()
            self.budget.processor_used += watch.processor()
            self.budget.wall_used += time.monotonic() - began
        if STOPPED.is_set():
            raise Trouble(INTERRUPTED)
        if not outcome.why and outcome.status in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
            outcome.why, outcome.slow = TOO_LONG % limits.processor, True  # the kernel, not the watch
        return outcome
