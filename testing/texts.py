#!/usr/bin/env python3
"""The catalogues of what is said: ROOM/zh.po of each room, in gettext's format.

  testing/texts.py            takes every English text of the sources into the catalogue of its room; one that was
                              reworded becomes fuzzy: it is said in English until its Chinese is looked at
  testing/texts.py --check    changes nothing, and names what is missing, fuzzy, unsaid, or fills in something else

A text that a source puts together of parts is found where it stands in one call; another (composed over several
statements) is written into the catalogue by hand, and stays there as long as its parts stand in the sources."""

import ast
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from catalogue import HOLE, read_po  # noqa: E402

# What a C++ call says, and in which of its arguments.
CALLS = {"TEST_CASE": 0, "INFO": 0, "EXPECTS": 0, "not_implemented": 1, "note": 0, "spoken": 0, "say": None, "text": 0}
BEFORE = {"TEST_CASE": r"^(\{0\}|[0-9.]+) ", "not_implemented": r"^\S+: "}  # the step, the name of the function
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'|[()\[\]{},;+]|<<|[^\s"\'()\[\]{},;+<]+|<')
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\')|//[^\n]*|/\*.*?\*/', re.DOTALL)
CALL = re.compile(r"(?<![\w.])(?:\w+::)*(%s)\(" % "|".join(CALLS))
STRING = re.compile(r'std::string(?:_view)?\(("(?:[^"\\]|\\.)*")\)')


def literal(token):
    return ast.literal_eval(token)


def arguments(source, at):
    """Of the call whose arguments begin at `at`: of each the text that it says, {0}, {1} … for what is filled in."""
    said, text, depth, holes, in_hole = [], "", 0, 0, False
    for token in TOKEN.finditer(source, at):
        token = token[0]
        if token in ")]}" and depth == 0 or token == ";" and depth == 0:
            return [*said, text]
        if token == "," and depth == 0:
            said, text, holes, in_hole = [*said, text], "", 0, False
        elif token in ("<<", "+") and depth == 0:
            in_hole = False
        elif token[0] == '"' and depth == 0 and not in_hole:
            text += literal(token)
        else:
            if not text.endswith("{%d}" % (holes - 1)):
                text, holes = text + "{%d}" % holes, holes + 1
            in_hole = not re.fullmatch(r"[A-Z][A-Z_]+", token)  # a macro may be a part of a literal
            depth += (token in "([{") - (token in ")]}")
    return [*said, text]


def in_cpp(source):
    source = STRING.sub(r"\1", COMMENT.sub(lambda found: found[1] or " ", source))
    for call in CALL.finditer(source):
        given, place = arguments(source, call.end()), CALLS[call[1]]
        if place is None:
            place = next((i for i, text in enumerate(given) if not text.startswith("{")), 0)
        text = given[place] if place < len(given) else ""
        yield re.sub(BEFORE.get(call[1], "^$"), "", text)
    yield from re.findall(r'#define FIBERSCOPE_STEP\w* "[0-9.]+ ([^"]+):"', source)
    yield from re.findall(r'\{"\w+",\s*"((?:[^"\\]|\\.)*)", [\w:]+(?:,[^"]*)?\},?\n', source)  # a row of a table of demos


def in_assembly(source):
    yield from re.findall(r'\.string\s+"[0-9.]+ \S+: ([^"]*)"', source)


def in_json(source):
    read = json.loads(source)
    for step in read if isinstance(read, list) else []:
        yield step["title"]
        yield from (one["text"] for one in step.get("unseen", []))
    for hints in read.values() if isinstance(read, dict) else []:
        yield from hints


def in_python(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
            yield from (part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant))


def in_shell(source):
    for text in re.findall(r'\b(?:phrase|die|say)(?:\((?:\w+))? ("(?:[^"\\]|\\.)*")', source):
        yield literal(text)
    for block in re.findall(r"<<'END'\n(.*?)\nEND\n", source, re.DOTALL):
        yield from block.split("\n")
