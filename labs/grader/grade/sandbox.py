"""Runs one command where it can do no harm: no file but those it is given, no network but its own loopback, no process
that outlives it, limits on time, memory, processes, files and output. With bubblewrap; without it
only limits, a session and, for root, a user of its own, and a warning."""

import fcntl
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from .errors import Trouble, printable

PLACES = "/run/fiberscope_places"
FIRST_USER = 64000  # as root each place runs as a user of its own, whose processes can be counted and ended


@dataclass
class Limits:
    processor: int = 20  # seconds
    wall: float = 60.0
    memory: int = 1 << 30  # bytes resident, of all its processes
    processes: int = 256
    file: int = 64 << 20  # bytes of one file
    output: int = 1 << 16  # bytes that are kept of its output, and of its report


@dataclass
class Outcome:
    status: int = 0  # as subprocess has it: negative for a signal
    output: str = ""
    report: str = ""
    why: str = ""  # which limit ended it; empty if none did


@dataclass
class View:
    """What the command sees besides the system's programs and libraries."""

    readable: list = field(default_factory=list)  # (place outside, place inside)
    writable: list = field(default_factory=list)
    workdir: str = "/tmp"


def works():
    """Whether bubblewrap can make the namespaces that it needs."""
    if shutil.which("bwrap") is None:
        return False
    try:
        probe = as_user(1000) + walls(View()) + ["true"]
        return subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def user_of(place):
    return FIRST_USER + 1 + place


CLAIMED = {}  # by place: an open file that is locked; a place is given back with it, at the latest when this ends


def claim_place():
    """The number of a place that no other grader on this computer has: its user's processes are ended as ours."""
    if os.geteuid() != 0:
        return 0  # of no meaning: there is one user only
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
    raise Trouble("too many graders are at work; their places are in %s" % PLACES)


def release_place(place):
    if place in CLAIMED:
        CLAIMED.pop(place).close()


def as_user(place):
    if os.geteuid() != 0:
        return []
    user = str(user_of(place))
    return ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs"]


def walls(view):
    command = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--clearenv",
        "--setenv",
        "PATH",
        "/usr/bin:/bin",
        "--setenv",
        "LC_ALL",
        "C",
        "--hostname",
        "grade",
        "--ro-bind",
        "/usr",
        "/usr",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--size",
        str(256 << 20),
        "--tmpfs",
        "/tmp",
    ]
    for place in ("/lib", "/lib64", "/bin", "/sbin"):
        if os.path.islink(place):
            command += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            command += ["--ro-bind", place, place]
    if os.path.isdir("/etc/alternatives"):
        command += ["--ro-bind", "/etc/alternatives", "/etc/alternatives"]
    for outside, inside in view.readable:
        command += ["--ro-bind", str(outside), str(inside)]
    for outside, inside in view.writable:
        command += ["--bind", str(outside), str(inside)]
    return command + ["--chdir", view.workdir]


def warden():
    """Where there is no PID namespace."""
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name("warden.py"))]


def limited(limits):
    return [
        "prlimit",
        "--cpu=%d:%d" % (limits.processor, limits.processor + 1),
        "--nproc=%d" % limits.processes,
        "--fsize=%d" % limits.file,
        "--core=0",
        "--nofile=20000",
    ]


class Sandbox:
    """One place where commands run, one after another."""

    def __init__(self, place, walled):
        self.place = place
        self.walled = walled

    def run(self, arguments, view, limits, environment=None, with_report=False, handed=()):
        """`handed`: descriptors that the program gets under their numbers."""
        variables = dict(environment or {})
        read_end, write_end = os.pipe() if with_report else (None, None)
        if with_report:
            variables["FIBERSCOPE_REPORT_FD"] = str(write_end)
        process = subprocess.Popen(
            self.command(arguments, view, limits, variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[*handed, *([write_end] if with_report else [])],
            start_new_session=True,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", **({} if self.walled else variables)},
            cwd="/" if self.walled else view.workdir,
        )
        if with_report:
            os.close(write_end)
        try:
            return Watch(process, read_end, limits, self).until_end()
        finally:
            if with_report:
                os.close(read_end)
            self.end_all(process)

    def command(self, arguments, view, limits, variables):
        if not self.walled:
            return warden() + as_user(self.place) + limited(limits) + arguments
        settings = [word for name, value in variables.items() for word in ("--setenv", name, value)]
        return as_user(self.place) + limited(limits) + walls(view) + settings + arguments

    def processes(self, root):
        """What runs in here: all of this place's user, or the descendants of `root`."""
        if os.geteuid() == 0:
            return of_user(user_of(self.place))
        return descendants(root)

    def end_all(self, process):
        """Everything that it started is dead when this returns."""
        for _ in range(500):
            left = self.processes(process.pid)
            for pid in left + [process.pid]:
                end(pid)
            process.poll()
            if not left:
                break
            time.sleep(0.01)
        else:
            raise Trouble("processes of a submission cannot be ended: %s" % left)
        process.wait()
        process.stdout.close()


class Watch:
    """Reads what a process says until it ends, and ends it when it takes too much."""

    def __init__(self, process, report, limits, sandbox):
        self.process, self.report, self.limits, self.sandbox = process, report, limits, sandbox
        self.kept = {process.stdout.fileno(): b""}
        if report is not None:
            self.kept[report] = b""
        self.why = ""
        self.ended = threading.Event()

    def until_end(self):
        deadline = time.monotonic() + self.limits.wall
        guard = threading.Thread(target=self.mind, args=(deadline,), daemon=True)
        guard.start()
        open_ends = set(self.kept)
        while open_ends and not self.gone():
            for end in select.select(list(open_ends), [], [], 0.05)[0]:
                data = os.read(end, 1 << 16)
                if not data:
                    open_ends.discard(end)
                self.kept[end] = (self.kept[end] + data)[: self.limits.output]
        status = self.process.wait()
        self.ended.set()
        self.drain(open_ends)
        guard.join()
        texts = {end: data.decode("utf-8", "replace") for end, data in self.kept.items()}
        report = texts.get(self.report, "")
        if texts[self.process.stdout.fileno()].startswith("bwrap: "):
            raise Trouble("the sandbox cannot be made: %s" % printable(texts[self.process.stdout.fileno()]))
        return Outcome(status, texts[self.process.stdout.fileno()], report, self.why)

    def gone(self):
        return self.process.poll() is not None

    def drain(self, open_ends):
        """What was written before the end; a process that outlived its parent keeps no grader waiting."""
        for end in open_ends:
            while select.select([end], [], [], 0)[0]:
                data = os.read(end, 1 << 16)
                if not data:
                    break
                self.kept[end] = (self.kept[end] + data)[: self.limits.output]
                if len(self.kept[end]) >= self.limits.output:
                    break

    def mind(self, deadline):
        while not self.gone():
            if time.monotonic() > deadline:
                return self.stop("it took more than %g s" % self.limits.wall)
            if sum(map(resident, self.sandbox.processes(self.process.pid))) > self.limits.memory:
                return self.stop("it took more than %d MB of memory" % (self.limits.memory >> 20))
            self.ended.wait(0.02)

    def stop(self, why):
        """Ends what holds it up; a warden ends by itself when nothing is left that it minds."""
        self.why, tries = why, 0
        while not self.gone():
            head = [self.process.pid] if self.sandbox.walled or tries > 500 else []
            for pid in self.sandbox.processes(self.process.pid) + head:
                end(pid)
            tries += 1
            time.sleep(0.01)


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass  # it has ended


def numbers_in_proc():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def of_user(user):
    found = []
    for pid in numbers_in_proc():
        try:
            if os.stat("/proc/%d" % pid).st_uid == user and state_of(pid) != "Z":
                found.append(pid)
        except OSError:
            pass
    return found


def state_of(pid):
    with open("/proc/%d/stat" % pid) as file:
        return file.read().rsplit(")", 1)[1].split()[0]


def descendants(root):
    children = {}
    for pid in numbers_in_proc():
        try:
            with open("/proc/%d/stat" % pid) as file:
                children.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(pid)
        except (OSError, ValueError, IndexError):
            pass
    found, left = [], [root]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def resident(pid):
    try:
        with open("/proc/%d/statm" % pid) as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, IndexError):
        return 0
