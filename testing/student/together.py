"""Builds many wrong solutions into one program.

Compiling and linking a program for each of some seven hundred mutants took a third of the time of `./lab test`. Most
mutants change a few words within one function. So a function that mutants change gets a body for each of them, followed
by the right one; the name of the program, labNN_mutant_NAME, selects the body. Other mutants (in assembly, in a
function's signature, in constants) need a separate program.
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
    """Whether a function returns no value, by the beginning of its text: void, a constructor or a destructor."""
    head = re.sub(r"\[\[.*?\]\]|\b(static|inline|explicit|virtual)\b", "", head)
    words = head[: head.index("(")].split()
    return words[0] == "void" or len(words) == 1


def members(text):
    """(from, to) of the functions within classes, which are indented by one level."""
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
    """The position after the opening brace of a body; None if it cannot hold further bodies."""
    brace = text.find("{\n", begin, end)
    if brace < 0:  # a one-line body
        plain = re.match(r"[^{:]*(?:::[^{:]*)*\) (?:const |noexcept |override )*(?={)", text[begin:end])
        brace = begin + plain.end() if plain else -1
    return None if brace < 0 or FIXED.search(text[begin:brace]) else brace + 1


def wrong_body(text, where, mutant):
    """The mutant's body; None if it changes more than a body."""
    begin, body, end = where
    at = text.index(mutant["find"])
    if at < begin or at + len(mutant["find"]) > end:
        return None
    head, wrong = text[begin:body], text[begin:end].replace(mutant["find"], mutant["replace"]).rstrip()
    if not wrong.startswith(head) or not wrong.endswith("}"):
        return None
    return wrong[len(head) : -1]


def place(text, mutant):
    """(from, body, to) of the function whose body the mutant changes; None if there is none."""
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
    """The text of a file with as many of these mutants as possible, and those that it includes."""
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
