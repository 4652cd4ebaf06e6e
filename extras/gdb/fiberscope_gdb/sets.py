"""The sets of a scheduler: the ready queue as a list, the trees as trees."""

import gdb

from .kit import Coroutine, core_of
from .values import address_of, at, between, in_words, is_readable, linked, pointer_to
from .say import say

NEVER = (1 << 64) - 1
RED = 1  # trace::Color
DEEPEST = 64  # deeper nodes are not indented further


def name_of(task):
    one = Coroutine(core_of(task))
    return "%s %s" % ("?" if one.number is None else one.number, one.name)


def queue(link_of_first, link):
    """The tasks of a kit::Queue, first to last."""
    return [task.dereference() for task in linked(link_of_first, lambda task: task.dereference()[link]["next"])]


def task_with(node, link):
    """The task whose field `link` is this node."""
    task = gdb.lookup_type("fiberscope::lab04::Task")
    return at(int(node.address) - task[link].bitpos // 8, "fiberscope::lab04::Task")


def root_of(links):
    """The root of a kit::Tree: the parent of its header, without the flags in the lowest three bits."""
    return gdb.Value(int(links["header_"]["rest_"]) & ~7).cast(pointer_to("fiberscope::kit::TreeNode"))


def tree(links, link, words):
    """The lines of a kit::Tree, rotated to the left: the right subtree is above its parent."""
    pointer = root_of(links)
    lines, seen, path, depth = [], set(), [], 0
    while True:
        while address_of(pointer) != 0 and address_of(pointer) not in seen and is_readable(pointer):
            seen.add(address_of(pointer))
            path.append((pointer, depth))
            pointer, depth = pointer.dereference()["right"], depth + 1
        if address_of(pointer) != 0:
            lines.append("    " + "      " * min(depth, DEEPEST) + say("(a wrong link)"))
        if not path:
            return lines
        pointer, depth = path.pop()
        node = pointer.dereference()
        color = "●" if int(node["rest_"]) & 3 == RED else "○"
        lines.append("    %s%s %s" % ("      " * min(depth, DEEPEST), color, words(task_with(node, link))))
        pointer, depth = node["left"], depth + 1


def deadline(task):
    ns = int(task["deadline"])
    if ns == NEVER:
        return say("{0}, no deadline", name_of(task))
    return say("{0}, until {1}", name_of(task), in_words(ns))


def descriptor(task):
    return say("{0}, fd {1}", name_of(task), int(task["fd"]))


def in_slots(chained, link, words):
    """The tasks of a kit::Table or kit::Wheel, slot by slot."""
    slots, found = chained["slots_"]["_M_impl"], []
    for slot in between(slots["_M_start"], slots["_M_finish"]):
        nodes = linked(slot.dereference()["first"], lambda node: node.dereference()["right"])
        found += ["    " + words(task_with(node.dereference(), link)) for node in nodes]
    return found


def in_array(heap, words):
    """The tasks of a kit::Heap, in the order of its array."""
    entries = heap["entries_"]["_M_impl"]
    found = between(entries["_M_start"], entries["_M_finish"])
    return ["    " + words(entry.dereference().dereference()) for entry in found]


def owned(holder):
    """The object owned by a std::unique_ptr; None if null."""
    pointer = holder.type.strip_typedefs().template_argument(0).pointer()
    owner = holder.address.cast(pointer.pointer()).dereference()
    return None if address_of(owner) == 0 else owner.dereference()


def asleep(sleep_set):
    """The title and the lines of a SleepSet, which is a wheel, a heap or a tree."""
    kept = owned(sleep_set["kept_"])
    wheel, heap = owned(kept["wheel"]), owned(kept["heap"])
    if wheel is not None:
        return say("sleeping (a wheel, slot by slot)"), in_slots(wheel, "sleep_node", deadline)
    if heap is not None:
        return say("sleeping (a heap, in the order of its array)"), in_array(heap, deadline)
    title = say("sleeping (● red, ○ black; the left end of the tree is below)")
    return title, tree(kept["tree"], "sleep_node", deadline)


def waiting(wait_set):
    kept = owned(wait_set["kept_"])
    if bool(kept["by_table"]):
        return in_slots(kept["table"], "wait_node", descriptor)
    return tree(kept["tree"], "wait_node", descriptor)


def section(title, lines):
    return [say("  {0}: {1}", title, say("empty") if not lines else len(lines))] + lines


def of(scheduler):
    """The sets of one scheduler, line by line."""
    ready = ["    " + name_of(task) for task in queue(scheduler["ready_"]["first_"], "ready_next")]
    return (
        section(say("ready"), ready)
        + section(*asleep(scheduler["sleeping_"]))
        + section(say("waiting"), waiting(scheduler["waiting_"]))
    )
