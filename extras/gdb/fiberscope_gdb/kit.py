"""The kit's records of coroutines: threads, callers, schedulers, and the list of all (labs/kit/run/registry.h)."""

import functools

import gdb

from .values import (
    Refusal,
    address_of,
    address_of_owned,
    at,
    at_symbol,
    linked,
    text_of,
    type_named,
    variable,
)
from .say import say

NONE = 0xFFFFFFFF
STATES = ["new", "ready", "running", "normal", "suspended", "sleeping", "waiting", "dead"]
NEW, READY, RUNNING, NORMAL, SUSPENDED, SLEEPING, WAITING, DEAD = range(8)
KINDS = ["thread", "scheduler", "idle", "task"]
LISTING = "FIBERSCOPE_LIST_COROUTINES"


class Coroutine:
    """A kit::Core at an address. Its fields are read on access."""

    def __init__(self, address):
        self.address = address
        self.core = at(address, "fiberscope::kit::Core")

    @property
    def number(self):
        number = int(self.core["id_"])
        return None if number == NONE else number

    @property
    def name(self):
        cold = address_of_owned(self.core["cold_state_"])
        given = text_of(at(cold, "fiberscope::kit::Core::ColdState")["name"]) if cold != 0 else ""
        return given or say("coroutine {0}", "?" if self.number is None else self.number)

    @property
    def state(self):
        return int(self.core["status_"]) & 0xFF

    @property
    def state_name(self):
        return say(STATES[self.state] if self.state < len(STATES) else "damaged")

    @property
    def is_thread(self):
        return int(self.core["kind_"]) & 0xFF == KINDS.index("thread")

    @property
    def caller(self):
        """The address of the coroutine that resumed it; 0 if none."""
        return address_of(self.core["caller_"])

    def stack(self):
        """The addresses [bottom, top) of its stack."""
        stack = self.core["stack_"]
        bottom = address_of(stack["bottom_"])
        return bottom, bottom + int(stack["size_"])


def thread_states():
    """(thread, ThreadState and stack pointer) of each thread that the kit knows. Preserves the selected thread and
    frame."""
    selected, frame = gdb.selected_thread(), selected_frame()
    found = []
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.num):
        thread.switch()
        state = variable("fiberscope::kit::fiberscope_thread_state")
        if state is not None and address_of(state["own"]) != 0:
            found.append((thread, {name: state[name] for name in ("own", "current", "callers", "scheduler")}))
            for value in found[-1][1].values():
                value.fetch_lazy()
            found[-1][1]["stack pointer"] = int(gdb.newest_frame().read_register("sp"))
    if selected is not None and selected.is_valid():
        selected.switch()
        if frame is not None and frame.is_valid():
            frame.select()
    return found


def selected_frame():
    try:
        return gdb.selected_frame()
    except gdb.error:
        return None


def schedulers(states):
    """The schedulers of all threads, without duplicates."""
    found = {}
    for _, state in states:
        if address_of(state["scheduler"]) == 0 or type_named("fiberscope::lab04::Machine") is None:
            continue
        machine = at(address_of(state["scheduler"]), "fiberscope::lab04::Machine")
        scheduler = machine["sched"]
        if address_of(scheduler) != 0:
            found[address_of(scheduler)] = scheduler.dereference()
    return list(found.values())


def tasks_of(scheduler):
    """The live tasks, in order of creation."""
    return [one.dereference() for one in linked(scheduler["oldest_"], lambda one: one.dereference()["behind"])]


def core_of(task):
    """The address of a task's coroutine, which directly follows it."""
    return address_of(task.address) + task.type.sizeof


def listed():
    """The addresses in the kit's own list; None if the program keeps none."""
    registry = variable("fiberscope::kit::fiberscope_registry")
    if registry is None:
        registry = at_symbol("fiberscope_registry", "fiberscope::kit::Registry")
    if registry is None or int(registry["enabled"]) == 0:
        return None
    nodes = linked(registry["first"], lambda node: node.dereference()["next"])
    return [address_of(node.dereference()["core"]) for node in nodes]


class Census:
    """All coroutines that can be found, ordered by number."""

    def __init__(self):
        self.threads = thread_states()
        self.schedulers = schedulers(self.threads)
        self.tasks = {core_of(task): task for scheduler in self.schedulers for task in tasks_of(scheduler)}
        in_list = listed()
        self.whole = in_list is not None  # none is missing
        addresses = set(in_list or []) | set(self.tasks)
        for _, state in self.threads:
            addresses |= {address_of(state["own"]), address_of(state["current"])}
            callers = linked(state["callers"]["top_"], lambda one: one.dereference()["caller_"])
            addresses |= {address_of(one) for one in callers}
        found = [Coroutine(address) for address in addresses if address != 0]
        self.coroutines = sorted(found, key=lambda one: (one.number is None, one.number or 0, one.address))

    def thread_of(self, coroutine):
        """The thread on which it runs, or None."""
        for thread, state in self.threads:
            if address_of(state["current"]) == coroutine.address:
                return thread
        return self.leaves(coroutine)

    def leaves(self, coroutine):
        """The thread on which it still runs just before a switch leaves it, or None. The kit notes the step before the
        registers are saved. A shared stack may be occupied by another coroutine."""
        if coroutine.state in (NEW, RUNNING, DEAD) or str(coroutine.core["backend_"]).endswith("shared"):
            return None
        bottom, top = coroutine.stack()
        for thread, state in self.threads:
            if bottom <= state["stack pointer"] < top:
                return thread
        return None

    @functools.cached_property
    def resumed(self):
        """{address of a resumer: the coroutine that it has resumed}."""
        return {one.caller: one for one in reversed(self.coroutines) if one.state in (RUNNING, NORMAL)}

    def resumed_by(self, coroutine):
        """The coroutine that it has resumed, or None."""
        return self.resumed.get(coroutine.address)

    def find(self, word):
        """Finds a coroutine by number, address (0x…) or name."""
        for one in self.coroutines:
            if word in (str(one.number), hex(one.address)) or word == one.name:
                return one
        raise Refusal(say("there is no coroutine {0}; `info coroutines` lists them.{1}", word, self.what_is_missing()))

    def what_is_missing(self):
        if self.whole:
            return ""
        return say(
            " (Only threads, callers and tasks of schedulers are known: the program was started without {0}=1.)",
            LISTING,
        )
