"""Runs a demo under the virtual clock by each strategy, on each number of machines, with each seed, and measures the
recordings by `fiberscope-trace figures`. Every run is a process of its own, and the same each time."""

import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from .say import Trouble, say

SECONDS = 300  # that a run may take


@dataclass(frozen=True)
class Demo:
    """A demo of a lab's program, and the trace tool."""

    program: Path
    trace: Path
    name: str
    lock_ns: int = 0

    def strategies(self):
        """Each strategy, and whether it runs on several machines."""
        listed = subprocess.run([self.program, self.name, "--knobs"], capture_output=True, text=True, check=True)
        knobs = {name: (choices.split(","), acts_with.split(","))
                 for name, _, _, choices, acts_with in (line.split("\t") for line in listed.stdout.splitlines())}
        if "strategy" not in knobs:
            raise Trouble(say("{0} has no strategies to choose from", self.name))
        several = knobs.get("machines", ([], []))[1]
        return {strategy: strategy in several for strategy in knobs["strategy"][0]}


@dataclass
class Row:
    """All runs by one strategy on one number of machines."""

    strategy: str
    machines: int
    runs: list = field(default_factory=list)  # of measures, by seed


def run(demo, strategy, machines, seed, out):
    """Records into `out`, and measures. `machines` is None where the strategy refuses to be given a number."""
    given = [] if machines is None else ["--machines", str(machines), "--lock-ns", str(demo.lock_ns)]
    command = [demo.program, demo.name, "--strategy", strategy, "--clock", "virtual", "--seed", str(seed)]
    try:
        call = subprocess.run(
            [*command, *given, "--out", out], capture_output=True, text=True, errors="replace", timeout=SECONDS
        )
        if call.returncode:
            raise Trouble(call.stderr.strip() or say("it ended with status {0}", call.returncode))
        measured = subprocess.run(
            [demo.trace, "figures", "--as", "json", out], capture_output=True, text=True, check=True
        )
    except subprocess.TimeoutExpired:
        raise Trouble(say("it ran for more than {0} s", SECONDS)) from None
    except subprocess.CalledProcessError as error:
        raise Trouble(error.stderr.strip()) from None
    return json.loads(measured.stdout)[0]


def sweep(demo, strategies, machines, seeds, kept, progress):
    """A Row for each of the `strategies`, as Demo.strategies() gives them, and each number of machines, in this order;
    of a strategy that has one machine, one. The recordings of the first seed are left in the folder `kept`. Calls
    progress(done, all) after each run."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        scratch = Path(folder)
        rows = [Row(s, m) for s, several in strategies.items() for m in (machines if several else [1])]

        def measure(job):
            row, seed = job
            name = f"{row.strategy}_{row.machines}.json"
            out = kept / name if seed == 1 else scratch / f"{seed}_{name}"
            given = row.machines if strategies[row.strategy] else None
            try:
                return run(demo, row.strategy, given, seed, out)
            except Trouble as trouble:
                where = (demo.name, row.strategy, row.machines, seed, trouble)
                raise Trouble(say("{0} by {1} on {2} machines with seed {3}: {4}", *where)) from None
            finally:
                if seed != 1:
                    out.unlink(missing_ok=True)

        jobs = [(row, seed) for row in rows for seed in range(1, seeds + 1)]
        try:
            for done, ((row, _), measured) in enumerate(zip(jobs, pool.map(measure, jobs)), 1):
                row.runs.append(measured)
                progress(done, len(jobs))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    add_speed_up(rows)
    return rows


def add_speed_up(rows):
    """Over one machine, by the same strategy with the same seed; None where there is no such run."""
    alone = {row.strategy: row.runs for row in rows if row.machines == 1}
    for row in rows:
        for seed, run in enumerate(row.runs):
            base = alone.get(row.strategy)
            run["speed_up"] = base[seed]["makespan"] / run["makespan"] if base and run["makespan"] else None
