"""The workloads mixed, fanout and pipeline of lab 04 with gevent or with greenlet alone, with the same random numbers.

workloads.py gevent|greenlet mixed|fanout|pipeline SEED [FILE]"""

import collections
import contextlib
import importlib
import sys
import time

import fiberscope_greenlet

MASK = 2**64 - 1
MICROSECOND = 1000


class Random:
    """std::mt19937_64."""

    def __init__(self, seed):
        self.state, self.next = [seed], 312
        for i in range(1, 312):
            before = self.state[-1]
            self.state.append((6364136223846793005 * (before ^ before >> 62) + i) & MASK)

    def __call__(self):
        if self.next == 312:
            for i in range(312):
                x = self.state[i] & 0xFFFFFFFF80000000 | self.state[(i + 1) % 312] & 0x7FFFFFFF
                self.state[i] = self.state[(i + 156) % 312] ^ x >> 1 ^ (x & 1) * 0xB5026F5AA96619E9
            self.next = 0
        x = self.state[self.next]
        self.next += 1
        x ^= x >> 29 & 0x5555555555555555
        x ^= x << 17 & 0x71D67FFFEDA60000
        x ^= x << 37 & 0xFFF7EEE000000000
        return x ^ x >> 43

    def between(self, low, high):
        return low + self() % (high - low + 1)


def blend(a, b):
    x = ((a ^ (b + 0x9E3779B97F4A7C15 + (a << 6) + (a >> 2)) & MASK) * 0xBF58476D1CE4E5B9) & MASK
    return x ^ x >> 31


def work(ns):
    until = time.monotonic_ns() + ns
    while time.monotonic_ns() < until:
        pass


class Places(list):
    """Results that tasks write."""

    def add(self, first):
        self.append(first)
        return len(self) - 1

    def blend(self, place, number):
        self[place] = blend(self[place], number)


class Wires:
    """Bytes that arrive for several descriptors at given times."""

    def __init__(self, library):
        self.by, self.moments, self.begin = library, [], time.monotonic_ns()
        self.bytes, self.readable = collections.Counter(), collections.defaultdict(library.Condition)

    def arrives(self, fd, at):
        self.moments.append((at, fd))

    def deliver(self):
        for at, fd in sorted(self.moments):
            self.by.sleep(max(0, at - (time.monotonic_ns() - self.begin)))
            self.bytes[fd] += 1
            self.readable[fd].notify()

    def read(self, fd, limit=None):
        while self.bytes[fd] == 0:
            if not self.readable[fd].wait(limit):
                return False
        self.bytes[fd] -= 1
        return True


def computes(library, results, place, random):
    for _ in range(4):
        work(random.between(15 * MICROSECOND, 30 * MICROSECOND))
        results.blend(place, random())
        library.yield_now()


def sleeps(library, results, place, random):
    for _ in range(5):
        library.sleep(random.between(5 * MICROSECOND, 40 * MICROSECOND))
        work(random.between(1, 3) * MICROSECOND)
        results.blend(place, random())


def reads(wires, fd, results, place, random):
    for _ in range(4):
        wires.read(fd)
        work(random.between(1, 4) * MICROSECOND)
        results.blend(place, random())


def reads_impatiently(wires, fd, results, place):
    while not wires.read(fd, 25 * MICROSECOND):
        work(MICROSECOND)
    results.blend(place, fd)


def mixed(library, seed):
    random, results, wires = Random(seed), Places(), Wires(library)
    tasks = []
    for i in range(1, 4):
        tasks.append(library.begin(f"hog {i}", computes, library, results, results.add(i), Random(random())))
    for i in range(1, 6):
        tasks.append(library.begin(f"sleeper {i}", sleeps, library, results, results.add(i), Random(random())))
    for fd in range(5, 9):
        own, at = Random(random()), 0
        for _ in range(4):
            at += own.between(10, 60) * MICROSECOND
            wires.arrives(fd, at)
        tasks.append(library.begin(f"reader of {fd}", reads, wires, fd, results, results.add(fd), own))
    wires.arrives(9, 95 * MICROSECOND)
    tasks.append(library.begin("impatient", reads_impatiently, wires, 9, results, results.add(9)))
    place = results.add(1)

    def wait_for_nothing():
        try:
            library.Condition().wait()
        except library.Cancelled:
            results[place] = 10

    patient = library.begin("waits for nothing", wait_for_nothing)

    def cancels():
        library.sleep(150 * MICROSECOND)
        library.cancel(patient)
        library.join(patient)

    tasks.append(library.begin("canceller", cancels))
    tasks.append(library.begin("wires", wires.deliver))
    for task in tasks:
        library.join(task)
    return results


def tree(library, name, number, depth):
    work((1 + number % 5) * MICROSECOND)
    below, children = [0, 0, 0], []

    def child(i):
        below[i] = tree(library, f"{name}.{i + 1}", blend(number, i), depth - 1)

    for i in range(3 if depth > 0 else 0):
        children.append(library.begin(f"{name}.{i + 1}", child, i))
    for one in children:
        library.join(one)
    for one in below:
        number = blend(number, one)
    return number


def fanout(library, seed):
    results = []
    library.join(library.begin("1", lambda: results.append(tree(library, "1", seed, 3))))
    return results


class Basket:
    """A buffer of two places between two stages."""

    def __init__(self, library):
        self.items, self.for_items, self.for_room = collections.deque(), library.Condition(), library.Condition()

    def put(self, item):
        while len(self.items) == 2:
            self.for_room.wait()
        self.items.append(item)
        self.for_items.notify()

    def take(self):
        while not self.items:
            self.for_items.wait()
        item = self.items.popleft()
        self.for_room.notify()
        return item


def pipeline(library, seed):
    items, stages = 12, 4
    baskets, random, results = [Basket(library) for _ in range(stages)], Random(seed), list(range(items)) + [0]

    def source():
        for _ in range(items):
            work(random.between(1, 4) * MICROSECOND)
            baskets[0].put(random())

    def stage(s):
        for _ in range(items):
            item = baskets[s - 1].take()
            work((1 + item % (2 * s)) * MICROSECOND)
            baskets[s].put(blend(item, s))

    def sink():
        for _ in range(items):
            results[items] = blend(results[items], baskets[-1].take())

    tasks = [library.begin("source", source)]
    tasks += [library.begin(f"stage {s}", stage, s) for s in range(1, stages)]
    tasks.append(library.begin("sink", sink))
    for task in tasks:
        library.join(task)
    return results


def main():
    library_name, workload, seed = sys.argv[1:4]
    library = importlib.import_module(f"by_{library_name}")
    recording = contextlib.nullcontext()
    if len(sys.argv) > 4:
        recording = fiberscope_greenlet.recording(sys.argv[4], workload, name=library_name)
    with recording:
        results = {"mixed": mixed, "fanout": fanout, "pipeline": pipeline}[workload](library, int(seed))
    for i, result in enumerate(results):
        print(f"{workload} {i} {result:016x}")


main()
