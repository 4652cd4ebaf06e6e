"""Many wrong solutions in one program.

Compiling and linking a program for each of some seven hundred mutants took a third of the time of `./lab test`. Most of
them change a few words within one function. So a file of solution/ is written as it is, but each function that mutants
change has a body for each of them, and the right one last. Which is run is said by the name under which the program is
started, labNN_mutant_NAME. The others (in assembly, in what stands before a body, in constants) need a program of their
own.
"""

import re

from compose import definitions

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
FIXED = re.compile(r"\b(constexpr|consteval|auto)\b")  # a body that depends on nothing, or determines the type


def returns_nothing(head):
    """Whether a function whose text begins so gives no value: void, a constructor or a destructor."""
    head = re.sub(r"\[\[.*?\]\]|\b(static|inline|explicit|virtual)\b", "", head)
    words = head[: head.index("(")].split()
    return words[0] == "void" or len(words) == 1


def members(text):
    """(from, to) of the functions within classes, which begin and end one step to the right."""
    pieces, begin, inside, at = [], None, False, 0
    for line in text.splitlines(keepends=True):
        if re.match(r"(class|struct) .*\{$", line) or line.startswith("}"):
            inside, begin = not line.startswith("}"), None
        elif inside and begin is None and re.match(r" {4}[A-Za-z~].*\(", line) and not line.rstrip().endswith(";"):
            begin = at
        at += len(line)
        whole = line.rstrip().endswith("}") and text[begin or 0 : at].count("\n") == 1
        if begin is not None and (whole or line.startswith("    }")):
            pieces.append((begin, at))
            begin = None
    return pieces


def body_at(text, begin, end):
    """Where the body of a definition begins, behind its brace; None if it has none that others could stand beside."""
    brace = text.find("{\n", begin, end)
    if brace < 0:  # a one-line body
        plain = re.match(r"[^{:]*(?:::[^{:]*)*\) (?:const |noexcept |override )*(?={)", text[begin:end])
        brace = begin + plain.end() if plain else -1
    return None if brace < 0 or FIXED.search(text[begin:brace]) else brace + 1


def wrong_body(text, where, mutant):
    """The body that the mutant has in place of the right one; None if it changes more than a body."""
    begin, body, end = where
    at = text.index(mutant["find"])
    if at < begin or at + len(mutant["find"]) > end:
        return None
    head, wrong = text[begin:body], text[begin:end].replace(mutant["find"], mutant["replace"]).rstrip()
    if not wrong.startswith(head) or not wrong.endswith("}"):
        return None
    return wrong[len(head) : -1]


def place(text, mutant):
    """(from, body, to) of the function whose body the mutant's text changes; None if there is none."""
    if text.count(mutant["find"]) != 1:
        return None
    for begin, end in [piece[1:] for piece in definitions(text)] + members(text):
        body = body_at(text, begin, end)
        if body is not None and wrong_body(text, (begin, body, end), mutant) is not None:
            return begin, body, end
    return None


def bodies(text, where, mutants):
    """The mutant bodies, which precede the original one."""
    begin, body, _ = where
    line = f"\n#line {text[:body].count(chr(10)) + 1}\n"
    leave = " return; " if returns_nothing(text[begin:body]) else ""
    written = ""
    for mutant in mutants:
        wrong = wrong_body(text, where, mutant)
        written += f" if (::fiberscope_mutants::{mutant['name']}) {{{line}{wrong}{leave}}}"
    return f"{written}{line}"


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
