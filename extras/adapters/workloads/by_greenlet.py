"""The library interface of the workloads, implemented with greenlet, which has no event loop, so this file has one."""

import collections
import heapq
import itertools
import time

import greenlet

ready, sleeping, order = collections.deque(), [], itertools.count()


class Cancelled(Exception):
    pass


def run():
    """The loop: runs ready tasks, then tasks whose sleep has ended."""
    while True:
        while sleeping and (sleeping[0][0] <= time.monotonic_ns() or not ready):
            until, _, task, turn = heapq.heappop(sleeping)
            if task.dead or task.turn != turn:
                continue
            while time.monotonic_ns() < until:
                pass  # time.sleep would take 50 µs more
            wake(task, False)
        if not ready:
            raise RuntimeError("deadlock: every task waits without a timeout")
        task, value = ready.popleft()
        task.switch(value)


loop = greenlet.greenlet(run)
loop.fiberscope_name = "loop"


def wake(task, value=True):
    task.turn += 1
    ready.append((task, value))


def park(until=None):
    """Returns the argument of `wake`."""
    me = greenlet.getcurrent()
    me.turn = getattr(me, "turn", 0)
    if until is not None:
        heapq.heappush(sleeping, (until, next(order), me, me.turn))
    value = loop.switch()
    if value is Cancelled:
        raise Cancelled
    return value


def begin(name, body, *arguments):
    def whole(_):
        body(*arguments)
        for one in task.joining:
            wake(one)

    task = greenlet.greenlet(whole, loop)
    task.fiberscope_name, task.joining, task.turn = name, [], 0
    ready.append((task, True))
    return task


def join(task):
    if not task.dead:
        task.joining.append(greenlet.getcurrent())
        park()


def cancel(task):
    wake(task, Cancelled)


def yield_now():
    me = greenlet.getcurrent()
    wake(me)
    park()


def sleep(ns):
    park(time.monotonic_ns() + ns)


class Condition:
    def __init__(self):
        self.waiting = collections.deque()

    def wait(self, limit=None):
        """Returns False if it was not notified within `limit` ns."""
        me = greenlet.getcurrent()
        self.waiting.append(me)
        if park(None if limit is None else time.monotonic_ns() + limit):
            return True
        if me in self.waiting:
            self.waiting.remove(me)
        return False

    def notify(self):
        if self.waiting:
            wake(self.waiting.popleft())
