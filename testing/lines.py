#!/usr/bin/env python3
"""testing/lines.py [COMMIT…]: counts the lines of each area and of each kind, in these commits (default: HEAD).

Counts the text files in git, except samples, goldens, pictures and corpora. `texts` are translations. mutants.json has
few but long lines, so its size is also listed in kilobytes.
"""

import re
import subprocess
import sys

NOT_OURS = re.compile(r"(^|/)(samples|golden|pictures|data|corpus|LICENSE)(/|$)|(^|/)package-lock\.json$")
KINDS = {
    "texts": r"(zh\.po|\.zh\.(md|txt|json))$|(^|/)(words|speech)/texts/",
    "documentation": r"\.md$",
    "tests": r"(^|/)tests/|_test\.\w+$|^testing/|^labs/kit/testing/|/proof\.cpp$|mutants\.json$",
    "code": r"",
}
TARGETS = {"code": 75_000, "documentation": 10_000, "tests": 42_000}
AREAS = {
    "labs: solutions": r"labs/\d\d_.*/solution/",
    "labs: exercises": r"labs/\d\d_.*/exercise/",
    "labs: tests": r"labs/\d\d_.*/tests/",
    "labs: handouts": r"labs/\d\d_.*/README|docs/lab\d\d/",
    "labs: other": r"labs/\d\d_",
    "labs/kit": r"labs/kit/",
    "labs/grader": r"labs/grader/",
    "languages": r"languages/",
    "traces": r"traces/",
    "viewer": r"viewer/",
    "extras": r"extras/",
    "testing": r"testing/",
    "docs": r"docs/|README|CONTRIBUTING|CHANGELOG",
    "tools, cmake": r"",
}


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


def lines_of(commit):
    """{path: lines} of the text files of a commit."""
    found = (line[len(commit) + 1 :].rsplit(":", 1) for line in git("grep", "-Ic", "", commit).splitlines())
    return {path: int(count) for path, count in found if not NOT_OURS.search(path)}


def kilobytes_of_mutants(commit):
    entries = (line.split(None, 4) for line in git("ls-tree", "-rl", commit).splitlines())
    return sum(int(entry[3]) for entry in entries if entry[4].endswith("/mutants.json")) // 1000


def table(title, rows, commits):
    print(f"| {title} | " + " | ".join(commits) + " |\n|---|" + "---:|" * len(commits))
    for name, counts in rows.items():
        print(f"| {name} | " + " | ".join(f"{count:,}" for count in counts) + " |")


def first_match(patterns, path):
    return next(name for name, pattern in patterns.items() if re.search(pattern, path))


def count_by(name_of, columns, names):
    return {name: [sum(n for p, n in lines.items() if name_of(p) == name) for lines in columns] for name in names}


def main(commits):
    columns = [lines_of(commit) for commit in commits]
    kinds = count_by(lambda path: first_match(KINDS, path), columns, KINDS)
    shown = {f"{kind} (target {TARGETS[kind]:,})" if kind in TARGETS else kind: n for kind, n in kinds.items()}
    shown["**all**"] = [sum(lines.values()) for lines in columns]
    table("kind", shown | {"mutants.json, KB": [kilobytes_of_mutants(commit) for commit in commits]}, commits)
    print()
    starts = {area: f"^({pattern})" for area, pattern in AREAS.items()}
    table("area", count_by(lambda path: first_match(starts, path), columns, AREAS), commits)


main(sys.argv[1:] or ["HEAD"])
