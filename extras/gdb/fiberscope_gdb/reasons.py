"""Descriptions of why a coroutine is not running."""

from .kit import DEAD, NEW, NORMAL, READY, RUNNING, SLEEPING, SUSPENDED, WAITING
from .values import address_of, in_words, printable
from .say import say

NEVER = (1 << 64) - 1


def limit(task):
    deadline = int(task["deadline"])
    return "" if deadline in (0, NEVER) else say(", until {0} at most", in_words(deadline))


def why_waiting(task):
    if int(task["fd"]) >= 0:
        readable = str(task["want"]).endswith("read")
        text = "fd {0} to be readable" if readable else "fd {0} to be writable"
        return say("waits for {0}{1}", say(text, int(task["fd"])), limit(task))
    if address_of(task["reason"]) != 0:
        text, *values = task["reason"].string(errors="replace").split("\t")  # languages/message.h
        return say("waits for {0}{1}", printable(say(text, *values)), limit(task))
    return say("waits until it is woken{0}", limit(task))


def why_normal(coroutine, census):
    other = census.resumed_by(coroutine)
    return say("resumed {0} and waits for it", other.name if other else say("another"))


def why(coroutine, census):
    """Empty for a running coroutine."""
    leaves = census.leaves(coroutine)
    if leaves is not None:
        return say("still runs on thread {0}: a switch is about to leave it", leaves.num)
    task = census.tasks.get(coroutine.address)
    state = coroutine.state
    if state == SLEEPING and task is not None:
        return say("sleeps until {0}", in_words(int(task["deadline"])))
    if state == WAITING and task is not None:
        return why_waiting(task)
    if state == NORMAL:
        return why_normal(coroutine, census)
    if state == RUNNING:
        thread = census.thread_of(coroutine)
        if thread:
            return say("on thread {0}", thread.num)
        # A stub without thread-local variables (qemu's) does not report what runs on a thread.
        return say("on no thread: this is a fault" if census.threads else "on a thread whose variables gdb cannot read")
    plain = {NEW: "has not started", READY: "can run", SUSPENDED: "yielded to its resumer", DEAD: "has ended"}
    return say(plain[state]) if state in plain else ""
