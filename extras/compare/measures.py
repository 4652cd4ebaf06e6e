"""What is measured of a recording, in the order in which it is shown, and how it is said."""

import statistics
from dataclasses import dataclass
from typing import Callable

from .say import say


def of_time(spread, part):
    return lambda run: None if run[spread] is None else run[spread][part]


def of(name, times=1):
    return lambda run: None if run[name] is None else run[name] * times


@dataclass(frozen=True)
class Measure:
    key: str  # of the CSV; ends with the unit where there is one
    title: str
    unit: str  # ns, percent, index, count or mean
    value: Callable
    meaning: str
    on_terminal: bool = False

    def told(self, value):
        """ "427.1 µs"; a dash for what never happened."""
        if value is None:
            return "–"
        if self.unit == "ns":
            return in_words(value)
        return {"percent": "%.1f %%", "index": "%.3f", "mean": "%.2f", "count": "%.0f"}[self.unit] % value


def in_words(ns):
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= size:
            return ("%.3g %s" if ns < 999.5 * size else "%.0f %s") % (ns / size, unit)
    return "%.0f ns" % ns


def measures():
    """In the language of the reader."""
    whole = say("from the beginning to the last event")
    waits = say("how long tasks waited for a machine, each time: ready, or due and not yet noticed")
    answers = say("how long clients waited for their answers, from the request")
    return [
        Measure("makespan_ns", say("makespan"), "ns", of("makespan"), whole, True),
        Measure("speed_up", say("speed-up"), "mean", of("speed_up"), say("how many times as fast as on one machine")),
        Measure("waiting_p50_ns", say("waiting p50"), "ns", of_time("waiting", "p50"), waits, True),
        Measure("waiting_p99_ns", say("waiting p99"), "ns", of_time("waiting", "p99"), waits, True),
        Measure("waiting_max_ns", say("waiting max"), "ns", of_time("waiting", "max"), waits),
        Measure("answer_p50_ns", say("answer p50"), "ns", of_time("answer", "p50"), answers, True),
        Measure("answer_p99_ns", say("answer p99"), "ns", of_time("answer", "p99"), answers, True),
        Measure("answer_max_ns", say("answer max"), "ns", of_time("answer", "max"), answers),
        Measure(
            "fairness", say("fairness"), "index", of("fairness"),
            say("Jain's index of what each task got of the time in which it could run: 1 if all are alike"), True,
        ),
        Measure("switches", say("switches"), "count", of("switches"), say("from one coroutine to another")),
        Measure(
            "idle_percent", say("idle"), "percent", of("idle", 100),
            say("the share of the machines' time in which they waited in the poller or were parked"), True,
        ),
        Measure(
            "spinning_percent", say("spinning"), "percent", of("spinning", 100),
            say("the share in which they looked for work again and again"),
        ),
        Measure(
            "locked_percent", say("at locks"), "percent", of("locked", 100),
            say("the share in which they waited for a lock that another machine held"),
        ),
        Measure("steals", say("steals"), "count", of("steals"), say("how often a machine took tasks from another")),
        Measure("moved", say("moved"), "count", of("moved"), say("tasks that were stolen")),
        Measure("wakes", say("wakes"), "count", of("wakes"), say("how often a parked machine was woken")),
        Measure(
            "calls", say("system calls"), "count", of("calls"),
            say("calls for input and output that tasks made, each once however often it was tried, and to the poller"),
        ),
        Measure(
            "queue_mean", say("queue"), "mean", of("queue"),
            say("tasks that waited for a machine, on the average"),
        ),
        Measure("queue_max", say("queue max"), "count", of("queue_most"), say("the most that did at once")),
    ]  # fmt: skip


@dataclass(frozen=True)
class Summary:
    """A measure over the seeds; all None where no run has it."""

    median: float = None
    least: float = None
    low: float = None  # the quartiles
    high: float = None
    most: float = None

    @property
    def spread(self):
        """Half of the distance between the quartiles."""
        return None if self.median is None else (self.high - self.low) / 2


def summary(values):
    values = sorted(value for value in values if value is not None)
    if not values:
        return Summary()
    low, median, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return Summary(median, values[0], low, high, values[-1])
