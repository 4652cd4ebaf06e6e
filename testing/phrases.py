#!/usr/bin/env python3
"""Counts phrases that docs/style.md advises against, in the comments and strings of the sources and in the pages.
Chinese texts, samples and style.md are left out. Many uses are fine ("there is no …"), so no count reaches 0."""

import re
import subprocess

PHRASES = {
    "stand, stands, stood": r"\b(stands?|stood)\b",
    "one that, those that": r"\b(one|those) that\b",
    "told": r"\btold\b",
    "what is": r"\bwhat is\b",
    "comments that begin with What": r"(//+|#|\*) What\b",
    "behind": r"\bbehind\b",
    "lies": r"\blies\b",
    "is no": r"\bis no\b(?! longer)",
    "goes on": r"\bgoes on\b",
    "anew": r"\banew\b",
}
LEFT_OUT = re.compile(r"\.zh\.|\.po$|^traces/(samples|tests/data)/|^docs/style\.md$|phrases\.py$")
CODE = {  # comments and strings
    ".cpp .h .S": r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"',
    ".py .mjs": r'#[^\n]*|//[^\n]*|""".*?"""|"[^"\n]*"',
}


def text(path):
    with open(path, encoding="utf-8", errors="ignore") as file:
        read = file.read()
    for kinds, pattern in CODE.items():
        if path.endswith(tuple(kinds.split())):
            return "\n".join(re.findall(pattern, read, re.S))
    return read


files = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
whole = "\n".join(text(path) for path in files if not LEFT_OUT.search(path))
counts = {name: len(re.findall(pattern, whole, re.I)) for name, pattern in PHRASES.items()}
for name, count in {**counts, "in all": sum(counts.values())}.items():
    print(f"{count:6,}  {name}")
