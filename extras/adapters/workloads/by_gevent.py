"""The library interface of the workloads, implemented with gevent."""

import gevent
import gevent.event

Cancelled = gevent.GreenletExit


def begin(name, body, *arguments):
    task = gevent.spawn(body, *arguments)
    task.fiberscope_name = name
    return task


def join(task):
    task.get()


def cancel(task):
    task.kill(block=False)


def yield_now():
    gevent.sleep(0)


def sleep(ns):
    gevent.sleep(ns / 1e9)


class Condition:
    def __init__(self):
        self.waiting = []

    def wait(self, limit=None):
        """Returns False if it was not notified within `limit` ns."""
        told = gevent.event.Event()
        self.waiting.append(told)
        if told.wait(None if limit is None else limit / 1e9):
            return True
        if told in self.waiting:
            self.waiting.remove(told)
        return False

    def notify(self):
        if self.waiting:
            self.waiting.pop(0).set()
