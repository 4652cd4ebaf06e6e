"""Watches a process of a submission and its descendants: resource usage and output, until they have ended."""

import os
import select
import signal
import threading
import time

from .errors import Trouble, printable
from .limits import Outcome


TOO_LONG = "it ran longer than %d s; probably an endless loop"
TOO_MUCH = "it took more than %d MB of memory"
INTERRUPTED = "it was interrupted"
STOPPED = threading.Event()  # set when everything is stopped and nothing may be started


class Watch:
    """Reads a process's output until it ends, and kills it if it exceeds a limit."""

    def __init__(self, process, report, limits, sandbox):
        self.process, self.report, self.limits, self.sandbox = process, report, limits, sandbox
        self.kept = {process.stdout.fileno(): b""}
        if report is not None:
            self.kept[report] = b""
        self.why, self.slow, self.written, self.ticks = "", False, 0, {}
        self.ended = threading.Event()

    def until_end(self):
        deadline = time.monotonic() + self.limits.wall
        guard = threading.Thread(target=self.mind, args=(deadline,), daemon=True)
        guard.start()
        open_ends = set(self.kept)
        while open_ends and not self.gone():
            for end in select.select(list(open_ends), [], [], 0.05)[0]:
                if not self.take(end):
                    open_ends.discard(end)
        status = self.process.wait()
        self.ended.set()
        self.drain(open_ends)
        guard.join()
        texts = {end: data.decode("utf-8", "replace") for end, data in self.kept.items()}
        report = texts.get(self.report, "")
        if texts[self.process.stdout.fileno()].startswith("bwrap: "):
            raise Trouble("cannot create the sandbox: %s" % printable(texts[self.process.stdout.fileno()]))
        return Outcome(status, texts[self.process.stdout.fileno()], report, self.why, self.slow)

    def take(self, end):
        """Keeps the beginning of the output, and counts the rest."""
        data = os.read(end, 1 << 16)
        self.written += len(data)
        self.kept[end] = (self.kept[end] + data)[: self.limits.output]
        return data

    def gone(self):
        return self.process.poll() is not None

    def drain(self, open_ends):
        """Reads the output written before the end, without waiting for orphaned processes."""
        for end in open_ends:
            while select.select([end], [], [], 0)[0] and self.take(end) and self.written <= self.limits.written:
                pass

    def processor(self):
        """Processor seconds of its processes, as last measured."""
        return sum(self.ticks.values()) / os.sysconf("SC_CLK_TCK")

    def mind(self, deadline):
        while not self.gone():
            found = {pid: taken(pid) for pid in self.sandbox.processes(self.process.pid)}
            self.ticks.update({pid: ticks for pid, (ticks, _) in found.items() if ticks})
            if STOPPED.is_set():
                return self.stop(INTERRUPTED)
            if time.monotonic() > deadline:
                return self.stop("it took more than %g s" % round(self.limits.wall, 1), slow=True)
            if self.processor() > self.limits.processor:
                return self.stop(TOO_LONG % self.limits.processor, slow=True)
            if sum(size for _, size in found.values()) > self.limits.memory:
                return self.stop(TOO_MUCH % (self.limits.memory >> 20))
            if self.written > self.limits.written:
                return self.stop("it wrote more than %d MB" % (self.limits.written >> 20))
            self.ended.wait(0.02)

    def stop(self, why, slow=False):
        """Kills the processes; a warden exits by itself when it has no more children."""
        self.why, self.slow, tries = why, slow, 0
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


def taken(pid):
    """(ticks of processor time, bytes resident); zeros when it has ended."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            words = file.read().rsplit(")", 1)[1].split()
        return int(words[11]) + int(words[12]), int(words[21]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, IndexError):
        return 0, 0
