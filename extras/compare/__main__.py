"""./lab compare: a demo by several strategies, on several numbers of machines, with several seeds.

    compare [NN] DEMO [--strategy all|NAME[,NAME…]] [--machines N[,N…]] [--lock-ns N] [--seeds N]
                      [--measures NAME[,NAME…]] [--out DIR]
"""

import argparse
import os
import sys
import time
from pathlib import Path

from . import measures, page, sweep, table
from .say import Trouble, say, translated

ROOT = Path(__file__).resolve().parents[2]
MOST_MACHINES, MOST_SEEDS, LONGEST_LOCK = 64, 1000, 1_000_000  # ns


class Formatter(argparse.HelpFormatter):
    def add_usage(self, usage, actions, groups, prefix=None):
        super().add_usage(usage, actions, groups, say("usage: "))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, say("compare: {0}", translated(message)) + "\n")


def number(text, most, option, least=1):
    if not text.isdecimal() or not least <= int(text) <= most:
        raise Trouble(say("{0}: {1} is no number from {2} to {3}", option, text, least, most))
    return int(text)


def options(arguments):
    about = say("A demo under the virtual clock by several strategies: how well each did, in one table.")
    parser = Parser(prog="./lab compare [NN]", description=about, add_help=False, formatter_class=Formatter)
    given, more = parser.add_argument_group(say("what is given")), parser.add_argument_group(say("options"))
    given.add_argument("demo", help=say("its name, as in mixed"))
    more.add_argument("--strategy", default="all", metavar="NAME,…", help=say("which; default: all"))
    more.add_argument("--machines", default="1,2,4,8", metavar="N,…", help=say("how many machines; default: 1,2,4,8"))
    more.add_argument("--lock-ns", default="0", metavar="N",
                      help=say("how long a machine holds a lock, each time, in virtual time; default: 0"))
    more.add_argument("--seeds", default="20", metavar="N", help=say("how many seeds, from 1; default: 20"))
    more.add_argument("--measures", metavar="NAME,…", help=say("which are printed, as the tables name them"))
    more.add_argument("--out", metavar="DIR", help=say("where the page, the tables and recordings go"))
    more.add_argument("--help", "-h", action="help", help=say("print this help and exit"))
    return parser.parse_args(arguments)


def chosen(given, there_are, option):
    names = there_are if given == "all" else list(dict.fromkeys(given.split(",")))
    for name in names:
        if name not in there_are:
            raise Trouble(say("{0}: there is no {1}; there are: {2}", option, name, ", ".join(there_are)))
    return names


class Progress:
    """A line on stderr: in place where a person watches, else every ten seconds."""

    def __init__(self):
        self.watched = sys.stderr.isatty()
        self.last = time.monotonic()

    def __call__(self, done, all_runs):
        if self.watched:
            end = "\n" if done == all_runs else ""
            print("\r" + say("compare: {0} of {1} runs", done, all_runs), end=end, file=sys.stderr, flush=True)
        elif time.monotonic() - self.last >= 10 and done < all_runs:
            print(say("compare: {0} of {1} runs", done, all_runs), file=sys.stderr, flush=True)
            self.last = time.monotonic()


def compare(lab, given):
    seeds = number(given.seeds, MOST_SEEDS, "--seeds")
    machines = sorted({number(text, MOST_MACHINES, "--machines") for text in given.machines.split(",")})
    binaries = Path(os.environ.get("FIBERSCOPE_BIN", ROOT / "build/default/bin"))
    lock_ns = number(given.lock_ns, LONGEST_LOCK, "--lock-ns", 0)
    keys = [measure.key for measure in measures.measures()]
    shown = given.measures and chosen(given.measures, keys, "--measures")
    demo = sweep.Demo(binaries / f"lab{lab}_demo", binaries / "fiberscope-trace", given.demo, lock_ns)
    there_are = demo.strategies()
    strategies = {name: there_are[name] for name in chosen(given.strategy, list(there_are), "--strategy")}
    build = Path(os.environ.get("FIBERSCOPE_BUILD", ROOT / "build"))
    out = Path(given.out or build / "compare" / f"{lab}_{given.demo}")
    kept = out / "recordings"
    kept.mkdir(parents=True, exist_ok=True)
    rows = sweep.sweep(demo, strategies, machines, seeds, kept, Progress())
    table.write_summary(out / "summary.csv", given.demo, rows)
    table.write_runs(out / "runs.csv", given.demo, rows)
    (out / "index.html").write_text(page.page(given.demo, rows, seeds, lock_ns), encoding="utf-8")
    print("\n".join(table.text(rows, shown)))
    if seeds > 1:
        print(say("medians of {0} seeds; ±: half of the distance between the quartiles, of the median", seeds))
    print(say("tables, plots and the recordings of seed 1: {0}", out / "index.html"))


def main(arguments):
    lab, given = arguments[0], options(arguments[1:])
    try:
        compare(lab, given)
    except (Trouble, OSError) as trouble:
        sys.exit(say("compare: {0}", trouble))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1:])
