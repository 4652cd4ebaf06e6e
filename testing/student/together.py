#!/usr/bin/env python3
"""Many wrong solutions in one program.

together.py LAB DIR

Compiling and linking a program for each of some four hundred mutants took a third of the time of `./lab test`. Most of
them change a few words within one function. So this writes DIR/FILE for each file of solution/: what it is, but each
function that mutants change has a body for each of them, and the right one last. Which is run is said by the name under
which the program is started, labNN_mutant_NAME. Prints a line for each mutant that is in: NAME FILE. The others (in
assembly, in a class, in what stands before a function's body) need a program of their own.
"""

import json
import re
import sys
from pathlib import Path

from compose import ROOT, definitions

HEADER = """#include <cstring>
#include <errno.h>
namespace fiberscope_mutants {{
/// Whether the program was started as this mutant.
static bool is(const char* name) {{
    static const char* const chosen = [] {{
        const char* after = std::strstr(program_invocation_short_name, "_mutant_");
        return after == nullptr ? "" : after + 8;
    }}();
    return std::strcmp(chosen, name) == 0;
}}
{flags}}}  // namespace fiberscope_mutants
#line 1
"""
FIXED = re.compile(r"\b(constexpr|consteval|auto)\b")  # a body of which depends on nothing, or says the type


def returns_nothing(head):
    """Whether a function whose text begins so gives no value: void, a constructor or a destructor."""
    words = re.sub(r"\[\[.*?\]\]|\b(static|inline)\b", "", head)[: head.index("(")].split()
    return words[0] == "void" or len(words) == 1


def body_at(text, begin, end):
    """Where the body of a definition begins, behind its brace; None if it has none that others could stand beside."""
    brace = text.find("{\n", begin, end)
    if brace < 0 or FIXED.search(text[begin:brace]):
        return None
    return brace + 2


def place(text, mutant):
    """(from, body, to) of the function within whose body the mutant's text stands; None if there is none."""
    at = text.index(mutant["find"])
    for _, begin, end in definitions(text):
        body = body_at(text, begin, end)
        if body is not None and body <= at and at + len(mutant["find"]) < end - 1:
            return begin, body, end
    return None


def bodies(text, where, mutants):
    """The bodies that stand before the right one."""
    begin, body, end = where
    line = text[:body].count("\n") + 1
    leave = " return; " if returns_nothing(text[begin:body]) else ""
    written = ""
    for mutant in mutants:
        wrong = text[body:end].rstrip().removesuffix("}").replace(mutant["find"], mutant["replace"], 1)
        written += f"if (::fiberscope_mutants::{mutant['name']}) {{\n#line {line}\n{wrong}{leave}}}\n"
    return f"{written}#line {line}\n"


def together(text, mutants):
    """The text of a file with these mutants, and those of them that are in it."""
    by_function = {}
    for mutant in mutants:
        where = place(text, mutant)
        if where is not None:
            by_function.setdefault(where, []).append(mutant)
    held = [mutant for group in by_function.values() for mutant in group]
    flags = "".join(f'static const bool {m["name"]} = is("{m["name"]}");\n' for m in held)
    result, at = HEADER.format(flags=flags), 0
    for where in sorted(by_function):
        result += text[at : where[1]] + bodies(text, where, by_function[where])
        at = where[1]
    return result + text[at:], held


def main(name, folder):
    lab, folder = ROOT / "labs" / name, Path(folder)
    by_file = {}
    for mutant in json.loads((lab / "mutants.json").read_text()):
        by_file.setdefault(Path(mutant["file"]).name, []).append(mutant)
    for file, mutants in by_file.items():
        if not file.endswith(".cpp"):
            continue
        text, held = together((lab / "solution" / file).read_text(), mutants)
        if not held:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        written = folder / file
        if not written.exists() or written.read_text() != text:
            written.write_text(text)
        for mutant in held:
            print(mutant["name"], file)


if __name__ == "__main__":
    main(*sys.argv[1:])
