"""Sourced by gdb (check.py): damages data as unfinished code may, one word at a time, runs all commands, and restores
the data. A command may print an error message, but must not raise an exception or take long."""

import random
import time

import gdb
from fiberscope_gdb import kit, sets, values

COMMANDS = ["info coroutines", "info sets", "coroutine all bt", "coroutine 3", "bt", "coroutine off"]
PATIENCE = 20  # CPU seconds for one command


class Bench:
    def __init__(self):
        self.memory, self.wrong, self.asked = gdb.selected_inferior(), [], 0

    def ask(self, what):
        for command in COMMANDS:
            began = time.process_time()
            try:
                gdb.execute(command, to_string=True)
            except gdb.error as error:
                if "Python" in str(error):
                    self.wrong.append("%s, %s: %s" % (what, command, error))
            if time.process_time() - began > PATIENCE:
                self.wrong.append("%s, %s: it took too long" % (what, command))
            self.asked += 1

    def damaged(self, what, *changes):
        """`changes`: (address, bytes)."""
        before = [(address, self.memory.read_memory(address, len(new)).tobytes()) for address, new in changes]
        for address, new in changes:
            self.memory.write_memory(address, new)
        try:
            self.ask(what)
        finally:
            for address, old in before:
                self.memory.write_memory(address, old)


def pointing(field, target):
    """A change that makes this field point to that address."""
    return values.address_of(field.address), target.to_bytes(8, "little")


def loops(bench, census):
    scheduler = census.schedulers[0]
    root = sets.root_of(sets.owned(scheduler["sleeping_"]["kept_"])["tree"])
    node, to_root = root.dereference(), values.address_of(root)
    own_child = [pointing(node[side], to_root) for side in ("left", "right")]
    bench.damaged("a tree whose root is its own child", *own_child)
    bench.damaged("a tree that leads to nowhere", pointing(node["left"], 8))
    first = scheduler["ready_"]["first_"]
    link = first.dereference()["ready_next"]["next"]
    bench.damaged("a queue that bites its tail", pointing(link, values.address_of(first)))
    oldest = scheduler["oldest_"]
    bench.damaged("tasks in a circle", pointing(oldest.dereference()["behind"], values.address_of(oldest)))
    one, two = census.coroutines[1:3]
    bench.damaged(
        "callers in a circle", pointing(one.core["caller_"], two.address), pointing(two.core["caller_"], one.address)
    )


def by_chance(bench, census, rounds, chance):
    """Sets each word of a coroutine, a task and a scheduler to arbitrary values."""
    places = [(one.address, one.core.type.sizeof + 64) for one in census.coroutines]
    places += [(values.address_of(task.address), task.type.sizeof) for task in census.tasks.values()]
    places += [(values.address_of(one.address), one.type.sizeof) for one in census.schedulers]
    for number in range(rounds):
        address, size = chance.choice(places)
        at = address + 8 * chance.randrange(size // 8)
        word = chance.choice([0, 1, 8, 2**32 - 1, 2**63, 2**64 - 1, address, at, chance.getrandbits(64)])
        bench.damaged("round %d" % number, (at, word.to_bytes(8, "little")))


bench, census = Bench(), kit.Census()
loops(bench, census)
by_chance(bench, census, 60, random.Random(1))
for one in bench.wrong:
    print("wrong: %s" % values.printable(one))
print("damaged, asked %d times, wrong %d times" % (bench.asked, len(bench.wrong)))
