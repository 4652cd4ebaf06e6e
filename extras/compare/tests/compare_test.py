"""./lab compare: its output agrees with the recordings and is reproducible. FIBERSCOPE_BIN contains the programs."""

import csv
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BIN = Path(os.environ.get("FIBERSCOPE_BIN", ROOT / "build/default/bin"))
BEGIN = """home=$PWD root=$PWD bin=$0 verb=compare; set -euo pipefail; . tools/say.sh; . extras/compare/verb.sh
build() { :; }; need_demo() { :; }; lab_name() { echo "$1_"; }; compare "$@" """


def call(*words):
    """Runs the verb without a build. Returns its status, standard output and standard error."""
    done = subprocess.run(["bash", "-c", BEGIN, BIN, *words], cwd=ROOT, capture_output=True, text=True,
                          env=os.environ | {"LC_ALL": "C"})  # fmt: skip
    return done.returncode, done.stdout, done.stderr


class Made(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def compare(self, folder, *words):
        """The lines of the table."""
        status, out, err = call(*words, "--out", str(self.place / folder))
        self.assertEqual((status, err), (0, ""))
        return [line for line in out.splitlines() if not re.match("medians of|the figures of|No room|Equal rows", line)]

    def runs(self, folder):
        with (self.place / folder / "runs.csv").open(encoding="utf-8") as lines:
            return list(csv.DictReader(lines))


class Mixed(Made):
    CALL = ("04", "mixed", "--strategy", "multi_state,go", "--machines", "1,2", "--seeds", "3")

    def test_the_same_command_gives_the_same_bytes(self):
        self.assertEqual(self.compare("a", *self.CALL), self.compare("b", *self.CALL))
        for name in ("runs.csv", "go_2_1.json"):
            self.assertEqual((self.place / "a" / name).read_bytes(), (self.place / "b" / name).read_bytes(), name)

    def test_a_strategy_of_one_machine_has_one_row(self):
        lines = self.compare("a", *self.CALL)
        self.assertEqual([line.split()[:2] for line in lines[1:]],
                         [["strategy", "machines"], ["multi_state", "1"], ["go", "1"], ["go", "2"]])  # fmt: skip
        self.assertTrue(all(len(line) <= 120 for line in lines), lines)
        self.assertEqual(sorted(path.name for path in (self.place / "a").glob("*.json")),
                         ["go_1_1.json", "go_2_1.json", "multi_state_1_1.json"])  # fmt: skip

    def test_the_median_is_of_seeds_that_differ(self):
        lines = self.compare("a", *self.CALL, "--measures", "makespan_ns")
        seeds = sorted(int(run["makespan_ns"]) for run in self.runs("a") if run["file"].startswith("go_2"))
        self.assertEqual(len(set(seeds)), 3)
        self.assertEqual(lines[-1].split()[2:4], ["%.3g" % (seeds[1] / 1000), "µs"])


class Wrong(Made):
    def test_a_wrong_call_is_one_sentence(self):
        for words, said in (
            (("05", "echo_pairs"), "echo_pairs has no strategies to choose from"),
            (("04", "mixed", "--strategy", "best"), "best"),
            (("04", "mixed", "--machines", "0"), "--machines"),
            (("04", "mixed", "--seeds", "x"), "--seeds needs a number from 1 to 999"),
            (("04", "mixed", "--measures", "speed", "--seeds", "1"), "--measures: there is no speed; "),
            (("04", "mixed", "--nix", "1"), "compare has no option --nix"),
        ):
            status, out, err = call(*words, "--out", str(self.place / "out"))
            self.assertEqual((status != 0, out, err.count("\n")), (True, "", 1), err)
            self.assertIn(said, err)


class Scale(Made):
    """The cost of a lock: the tables of docs/scale.md with fewer runs."""

    BLOCK = re.compile(r"^\$ \./lab compare (.*)\n((?:.+\n)+?)```", re.M)

    def test_one_lock_bounds_the_speed_up(self):
        def makespans(lock_ns):
            self.compare("a", "04", "scale_tree", "--strategy", "sylar", "--machines", "1,64", "--lock-ns", lock_ns,
                         "--seeds", "1")  # fmt: skip
            return [float(run["makespan_ns"]) for run in self.runs("a")], float(self.runs("a")[1]["locked_percent"])

        (alone, many), locked = makespans("0")
        self.assertGreater(alone / many, 50)
        self.assertEqual(locked, 0)
        (paid, bound), locked = makespans("80")
        self.assertLess(paid / bound, paid / (paid - alone))
        self.assertGreater(paid / bound, 0.6 * paid / (paid - alone))
        self.assertGreater(locked, 40)

    def test_the_tables_of_the_page_are_what_the_commands_print(self):
        page = (ROOT / "docs/scale.md").read_text(encoding="utf-8").replace("\\\n", "")
        blocks = self.BLOCK.findall(page)
        self.assertEqual(len(blocks), 2)
        for command, printed in blocks:
            known = {tuple(line.split()) for line in printed.splitlines()}
            strategies = ",".join(dict.fromkeys(line.split()[0] for line in printed.splitlines()[1:]))
            words = command.split()
            words[words.index("--machines") + 1] = "1,4,16"
            rows = [tuple(line.split()) for line in self.compare("a", *words, "--strategy", strategies)]
            self.assertGreater(len(rows), 12)
            self.assertLessEqual(set(rows), known)

    def test_a_lock_costs_virtual_time_only(self):
        command = [BIN / "lab04_demo", "mixed_go", "--lock-ns", "5", "--clock", "monotonic"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "--lock-ns is virtual time: it needs --clock virtual\n")


if __name__ == "__main__":
    unittest.main()
