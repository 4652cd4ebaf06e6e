#!/usr/bin/env python3
"""Assembles the viewer's page from the output of emscripten.

page.py BUILD OUT                     the page as a directory, with the samples of traces/
page.py BUILD OUT FILE…               a single file with the viewer, its fonts and these recordings

BUILD has bin/viewer.js and bin/viewer.wasm, and in a package fonts/, which is used if fontTools is not installed: it
has only the Chinese characters of the catalogues and samples. Called by `./lab web`.
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
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from urllib.parse import quote, unquote

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from catalogue import LANGUAGE, Catalogue  # noqa: E402

say = Catalogue("tools").say
PAGE = ROOT / "viewer" / "web" / "page"
SAMPLES, NOTES = ROOT / "traces" / "samples", ROOT / "traces" / "notes"
# As in viewer/panels/fonts.cpp.
LATIN = [*range(0x20, 0x180), *range(0x370, 0x400), *range(0x2000, 0x2070), *range(0x2190, 0x2600), 0xFFFD]
FONTS = {
    "DejaVuSans.ttf": "DejaVu Sans",
    "DejaVuSans-Bold.ttf": "DejaVu Sans:bold",
    "DejaVuSansMono.ttf": "DejaVu Sans Mono",
}


class Trouble(Exception):
    """An error with a one-sentence message and a remedy."""


def font_file(pattern):
    """(file, index within it) of fontconfig's match for a pattern."""
    found = subprocess.run(["fc-match", "-f", "%{file}\n%{index}", pattern], capture_output=True, text=True, check=True)
    file, index = found.stdout.splitlines()
    return file, int(index) & 0xFFFF


def font_with(pattern, characters):
    """A font subset with just these characters, as bytes."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

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


def fonts(build, recordings):
    """The fonts by their names in the page; Chinese only if the system has one."""
    if find_spec("fontTools") is None and (build / "fonts").is_dir():
        return {path.name: path.read_bytes() for path in sorted((build / "fonts").iterdir())}
    made = {name: font_with(pattern, LATIN) for name, pattern in FONTS.items()}
    catalogues = [ROOT / "viewer" / "zh.po", *ROOT.glob("traces/*/zh.po"), *ROOT.glob("labs/[0-9]*/zh.po")]
    wanted = chinese_characters(path.read_text("utf-8", "replace") for path in [*catalogues, *recordings])
    has = subprocess.run(["fc-list", ":lang=zh-cn", "file"], capture_output=True, text=True, check=True).stdout
    if has.strip():
        made["chinese.otf"] = font_with("sans:lang=zh-cn", wanted)
    return made


def notes_of(recording):
    """The note files of a recording, beside it or among those of the samples."""
    for folder in (recording.parent, NOTES):
        files = (folder / f"{recording.stem}.notes{language}.json" for language in ("", ".zh"))
        if found := [file for file in files if file.is_file()]:
            return found
    return []


def shown_beside(notes, recording):
    """The recordings in the same folder that its notes show."""
    try:
        places = [note.get("place", "") for note in json.loads(notes.read_bytes())["notes"]]
        names = {unquote(part[5:]) for place in places for part in place.split("&") if part.startswith("with=")}
        return [path for name in sorted(names) if (path := recording.with_name(f"{name}.json")).is_file()]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        why = f"{type(error).__name__}: {error}"
        raise Trouble(say("lab: the notes in {0} are broken ({1}); correct or remove the file", notes, why)) from error


def packed(data):
    """Bytes encoded as text for the page's script."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def write_packed(out, name, data):
    """Writes the file as a script, for a page opened by file://, which cannot fetch."""
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
    for name, data in fonts(build, [*recordings, *notes]).items():
        (out / "fonts" / name).write_bytes(data)
    index = {"recordings": [path.stem for path in recordings], "notes": [path.name for path in notes]}
    (out / "samples" / "index.json").write_text(json.dumps(index))
    handouts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in ROOT.glob("labs/**/README*.md")}
    (out / "handouts.json").write_text(json.dumps(handouts))
    for path in [out / "viewer.wasm", out / "handouts.json", *(out / "samples").iterdir(), *(out / "fonts").iterdir()]:
        write_packed(out, path.relative_to(out).as_posix(), path.read_bytes())


def script(text):
    """An element with this JavaScript. As the HTML Standard recommends, text that begins or ends a script or a comment
    is escaped; in JavaScript it occurs within strings, templates and regular expressions only."""
    return "<script>" + re.sub("<(?=!--|/?script)", r"\\x3C", text, flags=re.IGNORECASE) + "</script>"


def require_names(files):
    """Rejects files with duplicate or invalid names."""
    names = [path.stem for path in files]
    for path in files:
        if not path.is_file():
            raise Trouble(say("lab: {0} is not a file; './lab run 01 nested' records one", path))
        if names.count(path.stem) > 1:
            raise Trouble(say("lab: two of the files are named {0}; rename one", path.stem))
        if any("\udc80" <= c <= "\udcff" for c in path.stem):  # bytes that Python could not decode
            raise Trouble(say("lab: the name of {0} is not UTF-8; rename it", ascii(path.name)))


def shared_files(build, recordings):
    """The files of a self-contained page, by their names in the page."""
    notes = {note: path for path in recordings for note in notes_of(path)}
    beside = {other for note, path in notes.items() for other in shown_beside(note, path)}
    files = {f"samples/{path.stem}.json": path for path in [*sorted(beside), *recordings]}
    files |= {f"samples/{path.name}": path for path in notes}
    return {
        **{name: path.read_bytes() for name, path in files.items()},
        **{f"fonts/{name}": data for name, data in fonts(build, files.values()).items()},
        "viewer.wasm": (build / "bin" / "viewer.wasm").read_bytes(),
    }


def shared_page(build, shared):
    """The page with inlined style and scripts, and with `shared` defined before them."""

    def read(name):
        return ((build / "bin" if name == "viewer.js" else PAGE) / name).read_text("utf-8")

    page = read("index.html").replace('<link rel="stylesheet" href="page.css">', f"<style>{read('page.css')}</style>")
    before, *names = re.split(r'<script src="([\w.]+)"></script>\n', page)
    scripts = [f"window.shared = {json.dumps(shared)};", *map(read, names[::2])]
    return before + "\n".join([*map(script, scripts), names[-1]])


def write_share(build, out, files):
    require_names(files)
    names = [path.stem for path in files]
    packed_files = {name: packed(data) for name, data in shared_files(build, files).items()}
    place = "&".join(f"trace={quote(name, safe='')}" for name in names)
    place += "&lang=zh" * (LANGUAGE == "zh")
    part = out.with_name(out.name + f".{os.getpid()}.part")
    part.write_text(shared_page(build, {"files": packed_files, "recordings": names, "place": place}), "utf-8")
    part.replace(out)


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
        sys.exit(str(trouble) if isinstance(trouble, Trouble) else f"lab: {trouble}")
