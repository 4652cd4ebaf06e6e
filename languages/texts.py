#!/usr/bin/env python3
"""texts.py ROOM: prints the texts of a room that xgettext does not find, as untranslated entries of a catalogue: names
of tests and steps, hints, sentences with inserted values (INFO("machine " << i) is "machine {0}"), and the texts of
Python and shell programs.

A text composed by several statements must be added to zh.po by hand, with the comment "# made of parts"; it is kept
while its parts occur in the sources. An entry with another comment ("# of the C library") is always kept."""

import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from catalogue import text_in  # noqa: E402

# {C++ call: (index of the argument with the text, pattern of the text's prefix: the step, the name of a function)}
CALLS = {"TEST_CASE": (0, r"^(\{0\}|[0-9.]+) "), "not_implemented": (1, r"^\S+: "),
         **dict.fromkeys(("INFO", "EXPECTS", "note"), (0, "^$"))}  # fmt: skip

CALL = re.compile(r"(?<![\w.])(%s)\(" % "|".join(CALLS))
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'|[()\[\]{},;+]|<<|[^\s"\'()\[\]{},;+<]+|<')
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\')|//[^\n]*|/\*.*?\*/', re.DOTALL)
STRING = re.compile(r'std::string(?:_view)?\(("(?:[^"\\]|\\.)*")\)')
ROW_OF_DEMO = re.compile(r'\{(?:\.name = )?"\w+",\s*(?:\.description = )?((?:"(?:[^"\\]|\\.)*"\s*)+),')
NOTE = "note\4"  # a context: separates texts of recordings from those of programs
HOLE = re.compile(r"\{\d[^{}]*\}")


def has_words(text):
    return any(c.isalpha() for c in HOLE.sub("", text))


def arguments(source, at):
    """The literals among the arguments of a call that begin at `at`, with {0}, {1} … for inserted values."""
    said, text, depth, holes, in_hole = [], "", 0, 0, False
    for token in TOKEN.finditer(source, at):
        token = token[0]
        if depth == 0 and token in ")};":
            break
        if depth == 0 and token == ",":
            said, text, holes, in_hole = [*said, text], "", 0, False
        elif depth == 0 and token in ("<<", "+"):
            in_hole = False
        elif depth == 0 and token[0] == '"' and not in_hole:
            text += ast.literal_eval(token)
        else:
            if not re.search(r"\{%d[^{}]*\}$" % (holes - 1), text):
                text, holes = text + "{%d}" % holes, holes + 1
            in_hole = not re.fullmatch(r"[A-Z][A-Z_]+", token)  # a macro may be a part of a literal
            depth += (token in "([{") - (token in ")]}")
    return [*said, text]


def in_cpp(source):
    source = STRING.sub(r"\1", COMMENT.sub(lambda found: found[1] or " ", source))
    for call in CALL.finditer(source):
        place, before = CALLS[call[1]]
        given = [*arguments(source, call.end()), ""]
        text = re.sub(before, "", given[place])
        if has_words(text):
            yield NOTE + text if call[1] == "note" else text
    yield from re.findall(r'#define FIBERSCOPE_STEP\w* "[0-9.]+ ([^"]+):"', source)
    for table in re.findall(r"kit::(?:Demo k\w*\[\] = |MoreDemos \w+\()\{(.*?)\n\}\)?;", source, re.DOTALL):
        for row in ROW_OF_DEMO.finditer(table):
            yield "".join(ast.literal_eval(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', row[1]))


def in_assembly(source):
    return re.findall(r'\.string\s+"[0-9.]+ \S+: ([^"]*)"', source)


def in_json(source):
    """The titles of the steps, and the requirements that no test checks; or the hints."""
    read = json.loads(source)
    if isinstance(read, dict):
        return [hint for hints in read.values() for hint in hints]
    return [text for step in read for text in (step["title"], *(one["text"] for one in step.get("unseen", [])))]


SAYING = ("say", "Refused", "Trouble", "stop", "phrase", "die", "tell_each")


def in_python(source):
    """The arguments of `say`, and texts of exceptions and verdicts with a format."""
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and node.args):
        if getattr(call.func, "id", getattr(call.func, "attr", "")) not in SAYING:
            continue
        given = call.args[0]
        for part in (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,):
            text = part.left if isinstance(part, ast.BinOp) else part
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                pieces = re.split("%[sdg]", text.value)
                yield pieces[0] + "".join("{%d}%s" % (i, piece) for i, piece in enumerate(pieces[1:]))


def in_shell(source):
    source = source.replace("\\\n", "")  # continued lines
    for text in re.findall(r'\b(?:phrase|die)\s*("(?:[^"\\$]|\\.)*")', source):
        yield json.loads(text)
    for block in re.findall(r"<<'END'\n(.*?)\nEND\n", source, re.DOTALL):
        yield from block.split("\n")


READERS = {".cpp": in_cpp, ".h": in_cpp, ".S": in_assembly, ".json": in_json, ".py": in_python, ".sh": in_shell}


def sources(room):
    """The sources of the room, without nested rooms. Only a lab's `tests` print for students."""
    folder = ROOT / room
    if room == "testing":  # only `spoken` is translated: the rest is for maintainers
        return
    rooms = [po.parent for po in folder.glob("*/**/zh.po")]
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        parts = parts[2:] if parts[0] == "beyond" and len(parts) > 2 else parts  # a challenge is like a lab
        is_test = "tests" in parts[1:] or (parts[0] == "tests" and not (folder / "steps.json").exists())
        is_read = file.suffix in READERS if file.suffix != ".json" else file.name in ("steps.json", "hints.json")
        is_verb = file.name == "verb.sh"  # of ./lab
        if is_read and not is_test and not is_verb and not any(inner in file.parents for inner in rooms):
            yield file
    if room == "tools":
        yield from (ROOT / name for name in ("lab", "cmake/packages.sh"))
        yield from sorted(ROOT.glob("extras/*/verb.sh"))


def by_hand(catalogue, read):
    """The texts of the catalogue with a comment, which are composed in the sources."""
    words = re.sub(r'(?<!\\)"\s*"', "", "\n".join(read))
    entry = re.compile(r'^# (.*)\n(?:msgctxt "(.*)"\n)?msgid ((?:".*"\n)+)', re.MULTILINE)
    for comment, context, english in entry.findall(catalogue):
        text = text_in(english)
        longest = json.dumps(max(HOLE.split(text), key=len), ensure_ascii=False)[1:-1].strip(" .,:;()'")
        if not comment.startswith("made ") or longest in words:
            yield (context + "\4" if context else "") + text


def entry(text):
    context, _, english = text.rpartition("\4")
    before = 'msgctxt "%s"\n' % context if context else ""
    return before + 'msgid %s\nmsgstr ""\n' % json.dumps(english, ensure_ascii=False)


def texts(room):
    read = {file: file.read_text(encoding="utf-8") for file in sources(room)}
    said = [text for file, source in read.items() for text in READERS.get(file.suffix, in_shell)(source)]
    catalogue = (ROOT / room / "zh.po").read_text(encoding="utf-8")
    return [text for text in dict.fromkeys([*said, *by_hand(catalogue, read.values())]) if text.strip()]


if __name__ == "__main__":
    print('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n')
    for text in texts(sys.argv[1]):
        print(entry(text))
