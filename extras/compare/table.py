"""The rows of a sweep as a table on a terminal, and as CSV."""

import csv

from .measures import measures, summary
from .say import columns, say


def text(rows, keys=None):
    """Lines: medians, and how far the middle half of the seeds lies around each. Of the measures with these keys."""
    runs = [run for row in rows for run in row.runs]
    by_key = {m.key: m for m in measures()}
    usual = [m for m in by_key.values() if m.on_terminal and any(m.value(run) is not None for run in runs)]
    shown = [by_key[key] for key in keys] if keys else usual
    lines = [[say("strategy"), say("machines"), *(m.title for m in shown)]]
    for row in rows:
        cells = [told(m, summary([m.value(run) for run in row.runs])) for m in shown]
        lines.append([row.strategy, str(row.machines), *cells])
    widths = [max(map(columns, column)) for column in zip(*lines)]
    return [aligned(line, widths) for line in lines]


def aligned(line, widths):
    cells = [" " * (width - columns(cell)) + cell for cell, width in zip(line, widths)]
    cells[0] = cells[0].strip() + " " * (widths[0] - columns(cells[0].strip()))
    return "  ".join(cells).rstrip()


def told(measure, of):
    value = measure.told(of.median)
    part = round(100 * of.spread / of.median) if of.median else 0
    return value if not part else "%s ±%d%%" % (value, part)


def plain(value):
    """As CSV has it: nothing where there is none; no more digits than mean something."""
    return "" if value is None else "%.10g" % value


def write_summary(path, name, rows):
    """A line for each strategy and number of machines."""
    parts = ("median", "low", "high", "least", "most")
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        keys = [f"{m.key}_{part}" for m in measures() for part in parts]
        out.writerow(["demo", "strategy", "machines", "seeds", *keys])
        for row in rows:
            of = [summary([m.value(run) for run in row.runs]) for m in measures()]
            cells = [plain(getattr(one, part)) for one in of for part in parts]
            out.writerow([name, row.strategy, row.machines, len(row.runs), *cells])


def write_runs(path, name, rows):
    """A line for each run."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["demo", "strategy", "machines", "seed", *(m.key for m in measures())])
        for row in rows:
            for seed, run in enumerate(row.runs, 1):
                out.writerow([name, row.strategy, row.machines, seed, *(plain(m.value(run)) for m in measures())])
