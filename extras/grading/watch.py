"""Watches a process of a submission and its descendants: resource usage and output, until they have ended."""

import contextlib
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

    def __init__(self, process, report, limits):
        self.process, self.report, self.limits = process, report, limits
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
            found = {pid: taken(pid) for pid in descendants(self.process.pid)}
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
        self.why, self.slow = why, slow
        end_all(self.process)


def end_all(process):
    """Kills the processes in bubblewrap's namespace; it ends when all of them have ended."""
    for _ in range(500):
        if process.poll() is not None:
            return
        for pid in descendants(process.pid):
            with contextlib.suppress(OSError):  # it has ended
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    process.kill()
    raise Trouble("cannot kill processes of a submission")


def stat_of(pid):
    """The words after the program's name; none when it has ended."""
    try:
        with open("/proc/%s/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()
    except OSError:
        return []


def descendants(root):
    children = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for parent in stat_of(pid)[1:2]:
            children.setdefault(int(parent), []).append(int(pid))
    found, left = [], [root]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def taken(pid):
    """(ticks of processor time, bytes resident); zeros when it has ended."""
    words = stat_of(pid)
    return (int(words[11]) + int(words[12]), int(words[21]) * os.sysconf("SC_PAGESIZE")) if words else (0, 0)
