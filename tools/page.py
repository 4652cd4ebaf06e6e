#!/usr/bin/env python3
"""Puts the viewer's page together out of what emscripten has compiled.

page.py BUILD OUT                     the page as a folder, with the samples of traces/
page.py BUILD OUT FILE…               one file that needs nothing else: the viewer, its fonts and these recordings

BUILD has bin/viewer.js and bin/viewer.wasm. `./lab web` and `./lab share` call this.
"""

import argparse
import base64
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "viewer" / "web" / "page"
SAMPLES, NOTES = ROOT / "traces" / "samples", ROOT / "traces" / "notes"
# As viewer/panels/fonts.cpp asks for them.
LATIN = [*range(0x20, 0x180), *range(0x370, 0x400), *range(0x2000, 0x2070), *range(0x2190, 0x2600), 0xFFFD]
FONTS = {
    "DejaVuSans.ttf": "DejaVu Sans",
    "DejaVuSans-Bold.ttf": "DejaVu Sans:bold",
    "DejaVuSansMono.ttf": "DejaVu Sans Mono",
}


class Trouble(Exception):
    """One sentence: what is wrong, and what to do."""


def font_file(pattern):
    """(file, number within it) that fontconfig has for a pattern."""
    found = subprocess.run(["fc-match", "-f", "%{file}\n%{index}", pattern], capture_output=True, text=True, check=True)
    file, index = found.stdout.splitlines()
    return file, int(index) & 0xFFFF


def font_with(pattern, characters):
    """A font that holds just these characters, as bytes."""
    file, index = font_file(pattern)
    font = TTFont(file, fontNumber=index)
    dropped = ["FFTM", "BASE", "vhea", "vmtx"]
    options = subset.Options(layout_features=[], hinting=False, drop_tables=dropped, notdef_outline=True)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    out = BytesIO()
    font.save(out)
    return out.getvalue()


def chinese_characters(texts):
    return sorted({ord(c) for text in texts for c in text if ord(c) > 0x2E7F})


def fonts(recordings):
    """The fonts by their names in the page; Chinese only where the system has one."""
    made = {name: font_with(pattern, LATIN) for name, pattern in FONTS.items()}
    texts = [(ROOT / "viewer" / "zh.po").read_text(), *(path.read_text() for path in ROOT.glob("traces/*/zh.po")),
             *(path.read_text() for path in ROOT.glob("labs/[0-9]*/zh.po"))]
    wanted = chinese_characters([*texts, *(path.read_text(errors="replace") for path in recordings)])
    has = subprocess.run(["fc-list", ":lang=zh-cn", "file"], capture_output=True, text=True, check=True).stdout
    if has.strip():
        made["chinese.otf"] = font_with("sans:lang=zh-cn", wanted)
    return made


def notes_of(recording):
    """The files of notes of a recording, beside it or among those of the samples."""
    for folder in (recording.parent, NOTES):
        if found := sorted(folder.glob(f"{recording.stem}.notes*.json")):
            return found
    return []


def shown_beside(notes, recording):
    """The recordings beside this one that its notes show."""
    places = [note.get("place", "") for note in json.loads(notes.read_text())["notes"]]
    names = {name for place in places for name in parse_qs(place).get("with", [])}
    return [path for name in sorted(names) if (path := recording.with_name(f"{name}.json")).is_file()]


def packed(data):
    """Bytes as text that the page's script reads."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def write_packed(out, name, data):
    """The file as a script, for a page that is opened from a folder: it may not fetch."""
    script = out / "packed" / f"{name}.js"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f'(window.packed ??= {{}})[{json.dumps(name)}] = "{packed(data)}";\n')


def write_page(build, out):
    out.mkdir(parents=True, exist_ok=True)
    for part in ("fonts", "samples", "packed"):
        shutil.rmtree(out / part, ignore_errors=True)
        (out / part).mkdir()
    for path in [*PAGE.iterdir(), build / "bin" / "viewer.js", build / "bin" / "viewer.wasm"]:
        shutil.copy(path, out)
    recordings, notes = sorted(SAMPLES.glob("*.json")), sorted(NOTES.glob("*.json"))
    for path in [*recordings, *notes]:
        shutil.copy(path, out / "samples")
    for name, data in fonts([*recordings, *notes]).items():
        (out / "fonts" / name).write_bytes(data)
    index = {"recordings": [path.stem for path in recordings], "notes": [path.name for path in notes]}
    (out / "samples" / "index.json").write_text(json.dumps(index))
    for path in [out / "viewer.wasm", *(out / "samples").iterdir(), *(out / "fonts").iterdir()]:
        write_packed(out, path.relative_to(out).as_posix(), path.read_bytes())


def in_page(text):
    """Text that stands within a <script>."""
    return text.replace("</", "<\\/")


def write_share(build, out, files):
    names = [path.stem for path in files]
    if twice := {name for name in names if names.count(name) > 1}:
        raise Trouble(f"two of the files are named {', '.join(sorted(twice))}.json; rename one")
    for path in files:
        if not path.is_file():
            raise Trouble(f"{path} is no file; './lab run 01 nested' records one")
    notes = [note for path in files for note in notes_of(path)]
    beside = {other for path in files for note in notes_of(path) for other in shown_beside(note, path)}
    parts = {f"samples/{path.name}": path.read_bytes() for path in [*files, *notes, *sorted(beside)]}
    parts |= {f"fonts/{name}": data for name, data in fonts([*files, *notes, *beside]).items()}
    parts["viewer.wasm"] = (build / "bin" / "viewer.wasm").read_bytes()
    files = {name: packed(data) for name, data in parts.items()}
    place = "&".join(f"{'with' if i else 'trace'}={name}" for i, name in enumerate(names))
    shared = json.dumps({"files": files, "recordings": names, "place": place})
    page = (PAGE / "index.html").read_text()
    style, script = (PAGE / "page.css").read_text(), (PAGE / "page.js").read_text()
    viewer = (build / "bin" / "viewer.js").read_text()
    page = page.replace('<link rel="stylesheet" href="page.css">', f"<style>{style}</style>")
    scripts = "".join(f"<script>{in_page(text)}</script>\n" for text in (f"window.shared = {shared};", viewer, script))
    page = re.sub(r'<script src="viewer.js"></script>\n<script src="page.js"></script>\n', lambda _: scripts, page)
    beside = out.with_name(out.name + f".{os.getpid()}.part")
    beside.write_text(page)
    beside.replace(out)


def main():
    parser = argparse.ArgumentParser(prog="page.py")
    parser.add_argument("build", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("files", type=Path, nargs="*")
    words = parser.parse_args()
    if words.files:
        write_share(words.build, words.out, words.files)
    else:
        write_page(words.build, words.out)


if __name__ == "__main__":
    try:
        main()
    except (Trouble, OSError, subprocess.CalledProcessError) as trouble:
        sys.exit(f"lab: {trouble}")
