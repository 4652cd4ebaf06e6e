#!/usr/bin/env python3
"""Which tests of an area notice small mistakes in its code?

mutations.py BUILD AREA… [--count N] [--seed N] [--out FILE.json]

AREA is one of those below. Works in a copy of the tree below BUILD. A mistake is a negated condition, a dropped call, a
number that is off by one or a negated result; all of them are compiled into one program, and the environment chooses
which one is made. Each of N mistakes, chosen at random, is made in runs of all the area's tests. Prints the rate of
detection, the mistakes that no test notices and the tests that are neither the first nor the second to notice any.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AREAS = {  # folders of code, and the programs that test them
    "viewer": (["viewer/layout", "viewer/model", "viewer/panels"], ["viewer_tests"]),
    "traces": (["traces/read", "traces/replay", "traces/words", "traces/check", "traces/tool"], ["trace_tests"]),
    "recorder": (["traces/record"], ["recorder_tests"]),
    "kit": (["labs/kit"], ["kit_tests"]),
    "languages": (["languages"], ["languages_tests"]),
}
HEADER = """#pragma once
#include <cstdlib>
inline const int fs_chosen_mistake = [] { const char* n = std::getenv("FS_MISTAKE"); return n ? std::atoi(n) : 0; }();
#define FS_MISTAKE(n) (fs_chosen_mistake == (n))
"""
SKIPPED = re.compile(r"^\s*(//|#)|constexpr|consteval|static_assert|noexcept\(|template|operator|__|asm|\bif \(.*[;]")
SECONDS = 120


def balanced(text):
    depth = 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth < 0:
            return False
    return depth == 0


def condition(line):
    """`if (c)` with c negated."""
    begin = line.find("if (")
    if begin < 0 or not re.match(r"\s*(\} )?(else )?if \(", line):
        return None
    depth = 0
    for at in range(begin + 3, len(line)):
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        if depth == 0:
            inside = line[begin + 4 : at]
            if re.search(r"[^=!<>]=[^=]", inside):
                return None
            return f"{line[:begin]}if (FS_MISTAKE(%d) != static_cast<bool>({inside})){line[at + 1:]}"
    return None


def call(line):
    match = re.match(r"(\s+)((?:[a-z_]\w*(?:\.|->|::))*[a-z_]\w*\(.*\);)\s*$", line)
    if not match or not balanced(match[2]) or match[2].startswith(("return", "assert", "throw")):
        return None
    return f"{match[1]}if (!FS_MISTAKE(%d)) {match[2]}\n"


def result(line):
    match = re.match(r"(\s+(?:if \(.*\) )?)return (.*(?: == | != | < | > | <= | >= |&&|\|\|).*);\s*$", line)
    if not match or "?" in match[2] or not balanced(match[2]):
        return None
    return f"{match[1]}return FS_MISTAKE(%d) != static_cast<bool>({match[2]});\n"


def by_one(line):
    match = re.search(r" ([+-]) 1(?=[;,) ])", line)
    if not match or '"' in line:
        return None
    other = "2" if match[1] == "+" else "0"
    return f"{line[:match.start()]} {match[1]} (FS_MISTAKE(%d) ? {other} : 1){line[match.end():]}"


KINDS = (condition, call, result, by_one)


def mistakes_in(text):
    """[(line, text of the line with a place for the number)]"""
    found = []
    for at, line in enumerate(text.splitlines(keepends=True)):
        if SKIPPED.search(line) or line.count('"') % 2:
            continue
        changed = next(filter(None, (kind(line) for kind in KINDS)), None)
        if changed:
            found.append((at, changed.replace("%", "%%").replace("%%d", "%d")))
    return found


class Area:
    def __init__(self, name, build, jobs):
        self.name, (folders, self.programs) = name, AREAS[name]
        self.tree, self.jobs = build / "mutations" / name, jobs
        self.copy()
        self.mistakes = []  # (file, line, changed, original)
        for folder in folders:
            for path in sorted((self.tree / folder).rglob("*.cpp")):
                if "/tests/" not in str(path):
                    lines = path.read_text().splitlines(keepends=True)
                    self.mistakes += [(path, at, changed, lines[at]) for at, changed in mistakes_in(path.read_text())]

    def copy(self):
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, files.split("\0")):
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_file():
                shutil.copy2(ROOT / name, target)
        (self.tree / "build").mkdir(exist_ok=True)
        (self.tree / "build/mistake.h").write_text(HEADER)

    def write(self):
        by_file = {}
        for number, (path, at, changed, _) in enumerate(self.mistakes, 1):
            by_file.setdefault(path, {})[at] = changed % number if "%d" in changed else changed
        for path, changes in by_file.items():
            lines = (ROOT / path.relative_to(self.tree)).read_text().splitlines(keepends=True)
            text = "".join(changes.get(at, line) for at, line in enumerate(lines))
            if path.read_text() != text:
                path.write_text(text)

    def compile(self):
        """Until it compiles, without the mistakes that do not."""
        folder = self.tree / "build/default"
        flags = f"-include {self.tree}/build/mistake.h -w"
        options = ["-DFIBERSCOPE_WERROR=OFF", f"-DCMAKE_CXX_FLAGS={flags}"]
        subprocess.run(["cmake", "--preset", "default", *options], cwd=self.tree, check=True, stdout=subprocess.DEVNULL)
        while True:
            self.write()
            done = subprocess.run(["ninja", "-C", folder, "-k", "0", *self.programs], capture_output=True, text=True)
            if done.returncode == 0:
                return
            wrong = set(re.findall(r"([\w/.-]+\.cpp):(\d+):\d+: (?:fatal )?error", done.stdout))
            wrong = {(os.path.basename(path), int(line) - 1) for path, line in wrong}
            kept = [one for one in self.mistakes if (one[0].name, one[1]) not in wrong]
            if len(kept) == len(self.mistakes):  # an error elsewhere that a mistake causes, as in a constant expression
                files = set(re.findall(r"([\w.-]+\.cpp):\d+:\d+:", done.stdout))
                kept = [one for one in self.mistakes if one[0].name not in files]
            if len(kept) == len(self.mistakes):
                sys.exit(done.stdout[-3000:])
            dropped = {one[0] for one in self.mistakes} - {one[0] for one in kept}
            for path in dropped:
                shutil.copy2(ROOT / path.relative_to(self.tree), path)
            self.mistakes = kept

    def failing(self, number):
        """The tests that fail with this mistake; a program that crashes or hangs fails as a whole."""
        names = set()
        for program in self.programs:
            call = [self.tree / "build/default/bin" / program, "-r", "xml"]
            try:
                done = subprocess.run(call, env=os.environ | {"FS_MISTAKE": str(number)}, cwd=self.tree,
                                      capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)  # fmt: skip
                text = done.stdout.decode(errors="replace")
                cases = xml.fromstring(text).iter("TestCase")
                names |= {one.get("name") for one in cases if one.find("OverallResult").get("success") != "true"}
                if not names and done.returncode != 0:
                    names.add(f"{program} as a whole")
            except (subprocess.TimeoutExpired, xml.ParseError, AttributeError):
                names.add(f"{program} as a whole")
        return names

    def tests(self):
        names = []
        for program in self.programs:
            done = subprocess.run([self.tree / "build/default/bin" / program, "--list-test-names-only"],
                                  capture_output=True, text=True, cwd=self.tree)  # fmt: skip
            names += [line.strip() for line in done.stdout.splitlines() if line.strip()]
        return names

    def run(self, count, seed):
        self.compile()
        if self.failing(0):
            sys.exit(f"{self.name}: these fail without a mistake: {self.failing(0)}")
        chosen = random.Random(seed).sample(range(1, len(self.mistakes) + 1), min(count, len(self.mistakes)))
        with ThreadPoolExecutor(self.jobs) as pool:
            return dict(zip(chosen, pool.map(self.failing, chosen)))

    def describe(self, number):
        path, at, _, original = self.mistakes[number - 1]
        return f"{path.relative_to(self.tree)}:{at + 1}: {original.strip()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("area", nargs="+", choices=AREAS)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    written = {}
    for name in options.area:
        area = Area(name, options.build.resolve(), options.jobs)
        found = area.run(options.count, options.seed)
        caught = sum(bool(tests) for tests in found.values())
        print(f"{name}: {caught} of {len(found)} mistakes noticed, {100 * caught // max(1, len(found))} %; "
              f"{len(area.mistakes)} to choose from, {len(area.tests())} tests")
        for number, tests in found.items():
            if not tests:
                print(f"  not noticed: {area.describe(number)}")
        noticing = set().union(*found.values()) if found else set()
        for test in area.tests():
            if test not in noticing:
                print(f"  noticed none: {test}")
        written[name] = {area.describe(number): sorted(tests) for number, tests in found.items()}
    if options.out:
        options.out.write_text(json.dumps(written, indent=1))


main()
