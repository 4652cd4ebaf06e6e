"""./lab compare: what it says is what the recordings say, the same each time. FIBERSCOPE_BIN has the programs."""

import csv
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "extras"))
os.environ["LC_ALL"] = "C"

from compare import measures, sweep, table  # noqa: E402
from compare.__main__ import main  # noqa: E402

BIN = Path(os.environ.get("FIBERSCOPE_BIN", ROOT / "build/default/bin"))

PROGRESS = re.compile(r"compare: \d+ of \d+ runs")  # on a busy machine


def call(*words):
    """(status, standard output, standard error)"""
    out, err, status = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main([*words])
        except SystemExit as end:
            status = end.code
            if isinstance(status, str):
                err.write(status)
                status = 1
    return status, out.getvalue(), err.getvalue()


class Made(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def rows(self, folder, file="summary.csv"):
        with (self.place / folder / file).open(encoding="utf-8") as lines:
            return list(csv.DictReader(lines))

    def compare(self, folder, *words):
        status, out, err = call(*words, "--out", str(self.place / folder))
        complaints = [line for line in err.splitlines() if not PROGRESS.fullmatch(line)]
        self.assertEqual((status, complaints), (0, []))
        return out


class Mixed(Made):
    CALL = ("04", "mixed", "--strategy", "multi_state,go", "--machines", "2,1", "--seeds", "3")

    def test_the_same_command_gives_the_same_bytes(self):
        first, second = self.compare("a", *self.CALL), self.compare("b", *self.CALL)
        self.assertEqual(first.replace("/a/", "/b/"), second)
        for name in ("index.html", "summary.csv", "runs.csv", "recordings/go_2.json"):
            self.assertEqual((self.place / "a" / name).read_bytes(), (self.place / "b" / name).read_bytes(), name)

    def test_a_strategy_of_one_machine_has_one_row(self):
        out = self.compare("a", *self.CALL)
        got = [(row["strategy"], row["machines"], row["seeds"]) for row in self.rows("a")]
        self.assertEqual(got, [("multi_state", "1", "3"), ("go", "1", "3"), ("go", "2", "3")])
        self.assertEqual(len(out.splitlines()), 1 + 3 + 2)
        self.assertTrue(all(len(line) <= 120 for line in out.splitlines()[:-1]), out)

    def test_figures_are_those_of_the_recordings_and_seeds_differ(self):
        self.compare("a", *self.CALL)
        runs = self.rows("a", "runs.csv")
        self.assertEqual(len(runs), 9)
        self.assertGreater(len({run["makespan_ns"] for run in runs if run["strategy"] == "multi_state"}), 1)
        kept = subprocess.run([BIN / "fiberscope-trace", "figures", "--as", "json",
                               self.place / "a/recordings/go_2.json"], capture_output=True, text=True)  # fmt: skip
        self.assertIn('"makespan": %s,' % runs[6]["makespan_ns"], kept.stdout)
        self.assertEqual((runs[6]["machines"], runs[6]["seed"], runs[6]["answer_p50_ns"]), ("2", "1", ""))

    def test_the_page_needs_nothing_else_and_is_well_formed(self):
        self.compare("a", *self.CALL)
        page = (self.place / "a/index.html").read_text(encoding="utf-8")
        self.assertFalse(re.search(r"(src|href)=|url\(|@import|fetch|https?:", page))
        self.assertNotIn("$", page)
        for tag in ("table", "tr", "td", "th", "svg", "figure", "text", "b", "button"):
            self.assertEqual(len(re.findall(f"<{tag}[ >]", page)), page.count(f"</{tag}>"), tag)
        self.assertTrue("In no run: answer p50, answer p99, answer max, " in page)


class Clients(Made):
    def test_answers_are_measured_by_the_clients(self):
        self.compare("a", "05", "clients", "--strategy", "ntyco,go", "--machines", "2", "--seeds", "2")
        ntyco, go = self.rows("a")
        sample = [float(of["answer_p99_ns"]) for of in self.rows("a", "runs.csv")][0]
        self.assertEqual(sample, 90200)
        self.assertEqual((ntyco["machines"], go["machines"]), ("1", "2"))
        self.assertNotEqual(ntyco["answer_p50_ns_least"], ntyco["answer_p50_ns_most"])


class Wrong(Made):
    def test_a_wrong_call_is_one_sentence(self):
        for words, said in (
            (("05", "echo_pairs"), "compare: echo_pairs has no strategies to choose from"),
            (("04", "mixed", "--strategy", "best"), "--strategy: there is no best; there are: producer_consumer"),
            (("04", "mixed", "--machines", "0"), "--machines: 0 is no number from 1 to 64"),
            (("04", "mixed", "--seeds", "x"), "--seeds: x is no number from 1 to 1000"),
            (("04", "mixed", "--lock-ns", "-1"), "--lock-ns: -1 is no number from 0 to 1000000"),
            (("04", "mixed", "--measures", "speed"), "--measures: there is no speed; there are: makespan_ns, speed_up"),
        ):
            status, out, err = call(*words, "--out", str(self.place / "out"))
            self.assertEqual((status, out), (1, ""))
            self.assertIn(said, err)
        self.assertEqual(call("04", "mixed", "--nix", "1")[0], 2)

    def test_a_run_that_fails_is_named(self):
        program = self.place / "demo"
        lists = "[ $2 = --knobs ] && exec printf 'strategy\\tchoice\\tone\\tone\\t\\n'"
        program.write_text(f"#!/bin/sh\n{lists}\necho broken >&2\nexit 1\n")
        program.chmod(0o755)
        demo = sweep.Demo(program, BIN / "fiberscope-trace", "d")
        self.assertEqual(demo.strategies(), {"one": False})
        with self.assertRaisesRegex(sweep.Trouble, "d by one on 1 machines with seed 1: broken"):
            sweep.sweep(demo, {"one": False}, [1], 1, self.place, lambda *_: None)


class Scale(Made):
    """What a lock costs. The tables of docs/scale.md, in small."""

    BLOCK = re.compile(r"^\$ \./lab compare (.*)\n((?:.+\n)+?)```", re.M)

    def figures(self, strategy, machines, lock_ns):
        self.compare("a", "04", "scale_tree", "--strategy", strategy, "--machines", f"1,{machines}",
                     "--lock-ns", str(lock_ns), "--seeds", "1")  # fmt: skip
        return [{key: float(value or 0) for key, value in row.items() if key not in ("demo", "strategy")}
                for row in self.rows("a", "runs.csv")]  # fmt: skip

    def test_one_lock_bounds_the_speed_up(self):
        alone, free = self.figures("sylar", 64, 0)
        self.assertGreater(free["speed_up"], 50)
        self.assertEqual(free["locked_percent"], 0)
        paid, bound = self.figures("sylar", 64, 80)
        limit = paid["makespan_ns"] / (paid["makespan_ns"] - alone["makespan_ns"])
        self.assertLess(bound["speed_up"], limit)
        self.assertGreater(bound["speed_up"], 0.6 * limit)
        self.assertGreater(bound["locked_percent"], 40)

    def test_the_tables_of_the_page_are_what_the_commands_print(self):
        page = (ROOT / "docs/scale.md").read_text(encoding="utf-8").replace("\\\n", "")
        blocks = self.BLOCK.findall(page)
        self.assertEqual(len(blocks), 4)
        for command, printed in blocks:
            known = {tuple(line.split()) for line in printed.splitlines()}
            strategies = ",".join(dict.fromkeys(line.split()[0] for line in printed.splitlines()[1:]))
            words = command.split()
            words[words.index("--machines") + 1] = "1,4,16"
            out = self.compare("a", *words, "--strategy", strategies)
            rows = [tuple(line.split()) for line in out.splitlines()[:-1]]
            self.assertGreater(len(rows), 12)
            self.assertLessEqual(set(rows), known)

    def test_a_lock_costs_virtual_time_only(self):
        command = [BIN / "lab04_demo", "mixed_go", "--lock-ns", "5", "--clock", "monotonic"]
        call = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((call.returncode, call.stdout), (2, ""))
        self.assertEqual(call.stderr, "--lock-ns is virtual time: it needs --clock virtual\n")


class Figures(unittest.TestCase):
    def test_medians_and_quartiles(self):
        of = measures.summary([5, None, 1, 3, 2, 4])
        self.assertEqual((of.median, of.least, of.low, of.high, of.most, of.spread), (3, 1, 2, 4, 5, 1))
        self.assertIsNone(measures.summary([None]).median)
        self.assertEqual(measures.summary([7]).most, 7)

    def test_times_in_words(self):
        said = [measures.in_words(ns) for ns in (0, 950, 33800, 427130, 1.5e6, 2e9)]
        self.assertEqual(said, ["0 ns", "950 ns", "33.8 µs", "427 µs", "1.5 ms", "2 s"])

    def test_what_never_happened_is_a_dash(self):
        answer = next(m for m in measures.measures() if m.key == "answer_p50_ns")
        self.assertEqual(table.told(answer, measures.summary([None])), "–")


if __name__ == "__main__":
    unittest.main()
