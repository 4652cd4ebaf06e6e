"""The sets of a scheduler: the ready queue as a list, the trees as trees."""

from .kit import Coroutine, core_of
from .values import address_of, at, in_words, linked

NEVER = (1 << 64) - 1
RED = "red"


def name_of(task):
    one = Coroutine(core_of(task))
    return "%s %s" % ("?" if one.number is None else one.number, one.name)


def queue(link_of_first, link):
    """The tasks of a kit::Queue, first to last."""
    return [task.dereference() for task in linked(link_of_first, lambda task: task.dereference()[link]["next"])]


def task_at(node):
    return at(address_of(node["member"]), "fiberscope::lab04::Task")


def tree(pointer, words, depth=0):
    """The lines of a kit::Tree from its root on: the right side above, as a tree that was turned to the left."""
    if address_of(pointer) == 0 or depth > 64:
        return []
    node = pointer.dereference()
    color = "●" if str(node["color"]).endswith(RED) else "○"
    line = "    %s%s %s" % ("      " * depth, color, words(task_at(node)))
    return tree(node["right"], words, depth + 1) + [line] + tree(node["left"], words, depth + 1)


def deadline(task):
    ns = int(task["deadline"])
    return "%s, %s" % (name_of(task), "no deadline" if ns == NEVER else "until %s" % in_words(ns))


def descriptor(task):
    return "%s, fd %d" % (name_of(task), int(task["fd"]))


def waiting_in_table(table):
    """The tasks of a kit::Table, by descriptor."""
    slots = table["slots_"]["_M_impl"]
    found, slot = [], slots["_M_start"]
    while address_of(slot) < address_of(slots["_M_finish"]):
        nodes = linked(slot.dereference()["first"], lambda node: node.dereference()["right"])
        found += ["    " + descriptor(task_at(node.dereference())) for node in nodes]
        slot = slot + 1
    return found


def waiting(wait_set):
    if bool(wait_set["by_table_"]):
        return waiting_in_table(wait_set["table_"])
    return tree(wait_set["tree_"]["header_"]["parent"], descriptor)


def section(title, lines):
    return ["  %s: %s" % (title, "empty" if not lines else len(lines))] + lines


def of(scheduler):
    """The sets of one scheduler, line by line."""
    ready = ["    " + name_of(task) for task in queue(scheduler["ready_"]["first_"], "ready_next")]
    sleeping = tree(scheduler["sleeping_"]["header_"]["parent"], deadline)
    return (
        section("ready", ready)
        + section("sleeping (● red, ○ black; the left end of the tree is below)", sleeping)
        + section("waiting", waiting(scheduler["waiting_"]))
    )
