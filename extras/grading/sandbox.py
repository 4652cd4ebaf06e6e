"""Runs a command in a sandbox: only the given files, no network except its own loopback, no process that outlives it,
the system calls of confined.py, limits on time, memory, processes, files and output, and a total limit for a
submission. Uses bubblewrap; without it there are only limits, a session, for root a separate user, and a warning."""

import contextlib
import fcntl
import functools
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from . import confined, memory
from .errors import Trouble
from .limits import Budget, Limits, Outcome, View
from .watch import INTERRUPTED, STOPPED, TOO_LONG, TOO_MUCH, Watch, descendants, end, of_user

TREE = Path(__file__).resolve().parents[2]
PLACES = "/run/fiberscope_places"
FIRST_USER = 64000  # as root each place runs as a separate user, whose processes can be counted and killed


def works():
    """Whether bubblewrap can create the namespaces that it needs."""
    if shutil.which("bwrap") is None or confined.seccomp is None:
        return False
    try:
        probe = as_user(1000) + walls(View()) + ["true"]
        return subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def user_of(place):
    return FIRST_USER + 1 + place


CLAIMED = {}  # by place: a locked file; closing it releases the place, at the latest at exit


def claim_place():
    """Claims a place, exclusively on this computer, since all processes of its user are killed as ours."""
    if os.geteuid() != 0:
        return 0  # meaningless: there is only one user
    os.makedirs(PLACES, mode=0o700, exist_ok=True)
    for place in range(1000):
        file = open(os.path.join(PLACES, str(place)), "w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            continue
        CLAIMED[place] = file
        return place
    raise Trouble("too many graders are running; their places are in %s" % PLACES)


def release_place(place):
    if place in CLAIMED:
        CLAIMED.pop(place).close()


def as_user(place):
    if os.geteuid() != 0:
        return []
    user = str(user_of(place))
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


def warden():
    """The command prefix used without a PID namespace."""
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name("warden.py"))]


def limited(limits):
    most = f"--cpu={limits.processor}:{limits.processor + 1} --nproc={limits.processes} --fsize={limits.file}"
    command = f"nice -n 5 prlimit {most} --core=0 --nofile=20000"
    return command.split()


def with_reason(outcome, limits, group):
    """The outcome, with the reason if the kernel, not the watch, enforced a limit."""
    if not outcome.why and outcome.status in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        outcome.why, outcome.slow = TOO_LONG % limits.processor, True
    elif not outcome.why and group.was_exceeded():
        outcome.why = TOO_MUCH % (limits.memory >> 20)
    return outcome


class Sandbox:
    """A place where commands run sequentially."""

    def __init__(self, place, walled, budget=None):
        self.place, self.walled, self.budget = place, walled, budget or Budget()

    def run(self, arguments, view, limits, environment=None, with_report=False):
        if STOPPED.is_set():
            raise Trouble(INTERRUPTED)
        if self.budget.spent():
            return Outcome(-signal.SIGKILL, why=self.budget.spent())
        with memory.Group(self.place, limits.memory) as group:
            outcome = self.run_in(group, arguments, view, limits, environment, with_report)
            if STOPPED.is_set():
                raise Trouble(INTERRUPTED)
            return with_reason(outcome, limits, group)

    def run_in(self, group, arguments, view, limits, environment, with_report):
        variables, handed, began = dict(environment or {}), [], time.monotonic()
        read_end, write_end = os.pipe() if with_report else (None, None)
        if with_report:
            variables["FIBERSCOPE_REPORT_FD"] = str(write_end)
            handed.append(write_end)
        with contextlib.ExitStack() as open_ones:
            inside = [open_ones.enter_context(in_memory(data)) for data in self.told_to_bubblewrap(variables)]
            process = subprocess.Popen(
                group.entering() + self.command(arguments, view, limits, [file.fileno() for file in inside]),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=handed + [file.fileno() for file in inside],
                start_new_session=True,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", **({} if self.walled else variables)},
                cwd="/" if self.walled else view.workdir,
            )
        if with_report:
            os.close(write_end)
        watch = Watch(process, read_end, self.budget.within(limits), self)
        try:
            return watch.until_end()
        finally:
            if with_report:
                os.close(read_end)
            self.end_all(process)
            self.budget.processor_used += watch.processor()
            self.budget.wall_used += time.monotonic() - began

    def told_to_bubblewrap(self, variables):
        """Passes data through files, since every process inside can read a command line in /proc/1."""
        if not self.walled:
            return []
        settings = [word for name, value in variables.items() for word in ("--setenv", name, value)]
        return [calls(), b"".join(word.encode() + b"\0" for word in settings)]

    def command(self, arguments, view, limits, inside):
        if not self.walled:
            return warden() + as_user(self.place) + limited(limits) + arguments
        files = ["--seccomp", str(inside[0]), "--args", str(inside[1])]
        return as_user(self.place) + limited(limits) + walls(view) + files + arguments

    def processes(self, root):
        """The running processes: all of this place's user, or the descendants of `root`."""
        if os.geteuid() == 0:
            return of_user(user_of(self.place))
        return descendants(root)

    def end_all(self, process):
        """Kills everything that it started, and waits for it."""
        for _ in range(500):
            left = self.processes(process.pid)
            for pid in left + [process.pid]:
                end(pid)
            process.poll()
            if not left:
                break
            time.sleep(0.01)
        else:
            raise Trouble("cannot kill processes of a submission: %s" % left)
        process.wait()
        process.stdout.close()
