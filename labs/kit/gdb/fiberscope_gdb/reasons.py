"""Why a coroutine is not running, in words."""

from .kit import DEAD, NEW, NORMAL, READY, RUNNING, SLEEPING, SUSPENDED, WAITING
from .values import address_of, in_words, printable

NEVER = (1 << 64) - 1


def limit(task):
    deadline = int(task["deadline"])
    return "" if deadline in (0, NEVER) else ", until %s at most" % in_words(deadline)


def why_waiting(task):
    if int(task["fd"]) >= 0:
        able = "readable" if str(task["want"]).endswith("read") else "writable"
        return "waits for fd %d to be %s%s" % (int(task["fd"]), able, limit(task))
    if address_of(task["reason"]) != 0:
        return "waits for %s%s" % (printable(task["reason"].string(errors="replace")), limit(task))
    return "waits until it is woken%s" % limit(task)


def why_normal(coroutine, census):
    other = census.resumed_by(coroutine)
    return "resumed %s and waits for it" % (other.name if other else "another")


def why(coroutine, census):
    """Empty for one that runs."""
    leaves = census.leaves(coroutine)
    if leaves is not None:
        return "still runs on thread %d: a switch is about to leave it" % leaves.num
    task = census.tasks.get(coroutine.address)
    state = coroutine.state
    if state == SLEEPING and task is not None:
        return "sleeps until %s" % in_words(int(task["deadline"]))
    if state == WAITING and task is not None:
        return why_waiting(task)
    if state == NORMAL:
        return why_normal(coroutine, census)
    if state == RUNNING:
        thread = census.thread_of(coroutine)
        if thread:
            return "on thread %d" % thread.num
        # A stub that knows no variables of threads (qemu's) tells of no thread what runs there.
        return "on no thread: this is a fault" if census.threads else "on a thread whose variables gdb cannot read"
    plain = {NEW: "has not started", READY: "can run", SUSPENDED: "yielded to its resumer", DEAD: "has ended"}
    return plain.get(state, "")
