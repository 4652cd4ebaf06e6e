"""How far a class is, on stderr: a bar on a terminal, elsewhere a line for every tenth of it."""

import sys
import threading
import time

from .say import say

WIDTH = 30


class Progress:
    """Of `total` submissions. May be told by several threads."""

    def __init__(self, total, out=None, clock=time.monotonic):
        self.total, self.out, self.clock = total, out or sys.stderr, clock
        self.done = self.recalled = 0
        self.began, self.lock = clock(), threading.Lock()

    def one_more(self, recalled=False):
        """`recalled`: it was graded before an interruption, which says nothing about the time that others take."""
        with self.lock:
            self.done += 1
            self.recalled += recalled
            self.show()

    def show(self):
        if self.out.isatty():
            self.out.write("\r\x1b[K%s" % self.line())
            self.out.flush()
        elif self.done * 10 // self.total != (self.done - 1) * 10 // self.total:
            self.out.write(self.line() + "\n")

    def line(self):
        full = WIDTH * self.done // self.total
        bar = "█" * full + "·" * (WIDTH - full)
        return say("grade: {0} {1} of {2}{3}", bar, self.done, self.total, self.time_left())

    def time_left(self):
        graded = self.done - self.recalled
        if graded == 0 or self.done == self.total:
            return ""
        seconds = int((self.clock() - self.began) / graded * (self.total - self.done))
        return say(", about {0} left", "%d:%02d" % divmod(seconds, 60))

    def end(self):
        if self.out.isatty():
            self.out.write("\n")
        self.out.write(say("grade: {0} graded{1}", self.done, self.from_before()) + "\n")

    def from_before(self):
        return say(", {0} of them before the interruption", self.recalled) if self.recalled else ""
