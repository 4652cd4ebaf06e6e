"""The commands."""

import gdb
import gdb.printing
import gdb.unwinder

from . import frames, reasons, sets
from .kit import LISTING, RUNNING, Census, Coroutine, core_of
from .values import Refusal, address_of, printable
from .say import LANGUAGE, columns, padded, say

HELP = """Coroutines of a program on fiberscope's kit.
  info coroutines      number, name, state, why it is not running, and where it is
  coroutine N          show the frames of coroutine N (a number, a name or an address); up, down, info locals work
  coroutine off        show the thread's own frames again
  coroutine N bt       the frames of N, once
  coroutine all bt     the frames of all
  info sets            ready queue, sleep tree and wait set of each scheduler"""


def refusing(act):
    """Prints a refusal, or an error of reading a value, as one sentence."""

    def invoke(self, argument, from_tty):
        try:
            act(self, argument, from_tty)
        except Refusal as refusal:
            raise gdb.GdbError(say("{0}.", str(refusal).rstrip(".。")))
        except gdb.error as error:
            raise gdb.GdbError(say("The program's memory cannot be read: {0}.", str(error).rstrip(".")))

    return invoke


def line_of(one, census):
    """The cells of a row; the last one, which is slow, as a function."""
    number = "?" if one.number is None else one.number
    mark = "*" if one.state == RUNNING else " "
    cells = [mark, str(number), one.name, one.state_name, reasons.why(one, census)]
    return [*cells, lambda: frames.where(one, census)]


def lines_of(census):
    """The row of a coroutine, even if student code has damaged it."""
    for one in census.coroutines:
        try:
            yield line_of(one, census)
        except gdb.error as error:
            yield ["", "?", hex(one.address), say("damaged"), printable(str(error)), str]


def table(rows):
    """Prints each row as soon as its last cell is known."""
    widths = [max(columns(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [padded(cell, width) for cell, width in zip(row, widths)]
        print("  ".join(cells + [row[-1]()]).rstrip())


class InfoCoroutines(gdb.Command):
    """info coroutines: number, name, state, why it is not running, and where it is."""

    def __init__(self):
        super().__init__("info coroutines", gdb.COMMAND_STATUS)

    @refusing
    def invoke(self, argument, from_tty):
        census = require_census()
        heading = ["", *map(say, ("no", "name", "state", "why")), lambda: say("where")]
        table([heading, *lines_of(census)])
        if not census.whole:
            print(census.what_is_missing().strip())


def require_census():
    if not gdb.selected_inferior().threads():
        raise Refusal(say("no program is running: type `run`, or load a core dump"))
    census = Census()
    if not census.coroutines:
        raise Refusal(say("this program has no coroutines yet, or it does not use fiberscope's kit"))
    return census


def backtrace(one, census):
    number = "?" if one.number is None else one.number
    print(say("coroutine {0} {1}: {2}{3}", number, one.name, one.state_name, because(reasons.why(one, census))))
    thread = census.thread_of(one)
    if thread is not None:
        print(say("  it runs: see `thread {0}`, then `bt`", thread.num))
        return
    try:
        with frames.shown(one, borrow=True):
            for level, frame in enumerate(frames.all_of()):
                print("  #%-2d %s" % (level, frames.place_of(frame)))
    except (Refusal, gdb.error) as refusal:
        print("  %s" % printable(str(refusal)))


def because(words):
    return say(", {0}", words) if words else ""


class ShowCoroutine(gdb.Command):
    """coroutine N: show its frames (up, down and info locals work); coroutine off; coroutine N bt; coroutine all bt."""

    def __init__(self):
        super().__init__("coroutine", gdb.COMMAND_STACK)

    @refusing
    def invoke(self, argument, from_tty):
        words = argument.rsplit(None, 1)
        if not words:
            print(say(HELP))
        elif argument == "off":
            frames.SHOWN.hide()
            gdb.execute("frame 0")
        elif len(words) == 2 and words[1] in ("bt", "backtrace"):
            self.backtraces(words[0])
        else:
            self.select(argument)

    def backtraces(self, which):
        census = require_census()
        for one in census.coroutines if which == "all" else [census.find(which)]:
            backtrace(one, census)

    def select(self, which):
        census = require_census()
        one = census.find(which)
        frames.SHOWN.hide()
        thread = census.thread_of(one)
        if thread is not None:
            thread.switch()
            gdb.execute("frame 0")
            return
        frames.require_bytes(one)
        frames.SHOWN.show(frames.saved_registers(one))
        print(say("[{0} is shown from frame 1 on; `coroutine off` shows the thread again]", one.name))
        gdb.execute("frame 1")


class InfoSets(gdb.Command):
    """info sets: the ready queue, the sleep tree and the wait set of each scheduler."""

    def __init__(self):
        super().__init__("info sets", gdb.COMMAND_STATUS)

    @refusing
    def invoke(self, argument, from_tty):
        found = require_census().schedulers
        if not found:
            raise Refusal(say("no thread has a scheduler"))
        for number, scheduler in enumerate(found):
            print(say("scheduler {0}", number))
            print("\n".join(sets.of(scheduler)))


# ---- printers --------------------------------------------------------------------------------------------------


def in_short(address):
    one = Coroutine(address)
    return say("coroutine {0} {1}, {2}", "?" if one.number is None else one.number, one.name, one.state_name)


class CorePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return in_short(address_of(self.value.address))


class TaskPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return say("task: ") + in_short(core_of(self.value))


class HandlePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        task = self.value["task_"]
        if address_of(task) == 0:
            return say("handle on no task")
        return say("handle on ") + in_short(core_of(task.dereference()))


class QueuePrinter:
    """A kit::Queue of tasks, first to last."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return say("queue")

    def children(self):
        tasks = sets.queue(self.value["first_"], "ready_next")
        return iter([("[%d]" % i, sets.name_of(task)) for i, task in enumerate(tasks)])

    def display_hint(self):
        return "array"


def printers():
    found = gdb.printing.RegexpCollectionPrettyPrinter("fiberscope")
    found.add_printer("Core", "^fiberscope::kit::Core$", CorePrinter)
    found.add_printer("Task", "^fiberscope::lab04::Task$", TaskPrinter)
    found.add_printer("Handle", "^fiberscope::lab04::Handle$", HandlePrinter)
    found.add_printer("ReadyQueue", "^fiberscope::kit::Queue<fiberscope::lab04::Task, .*ready_next>$", QueuePrinter)
    return found


# ---- loading ---------------------------------------------------------------------------------------------------

MOVES = [
    "continue",
    "next",
    "step",
    "finish",
    "until",
    "advance",
    "stepi",
    "nexti",
    "jump",
    "run",
    "start",
    "detach",
    "kill",
]


def choose_charset():
    """Sets UTF-8: without the locale named by the environment, gdb assumes that the terminal uses ASCII."""
    if LANGUAGE == "zh" and "ANSI_X3.4" in gdb.execute("show host-charset", to_string=True):
        gdb.execute("set host-charset UTF-8")
        gdb.execute("set target-charset UTF-8")  # the encoding of the printers' output


def register():
    """Creates the commands. When the program continues, its own frames are shown again: stepping depends on them."""
    choose_charset()
    for command in (InfoCoroutines, ShowCoroutine, InfoSets):
        command.__doc__ = say(command.__doc__)  # printed by gdb's `help`
        command()
    gdb.unwinder.register_unwinder(None, frames.SHOWN, replace=True)
    gdb.printing.register_pretty_printer(None, printers(), replace=True)
    for move in MOVES:
        gdb.execute("define hook-%s\npython fiberscope_gdb.frames.SHOWN.hide()\nend" % move)
    gdb.execute("python import fiberscope_gdb.frames")
    if not gdb.selected_inferior().threads():
        gdb.execute("set environment %s 1" % LISTING)
