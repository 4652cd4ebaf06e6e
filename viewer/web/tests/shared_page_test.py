#!/usr/bin/env python3
"""shared_page_test.py FOLDER: tests the pages written by tools/page.py, and their script in Chromium, with a stub of
the viewer, which would take minutes to compile. Writes to FOLDER."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import ROOT, end, expect, leave_out, run, tells  # noqa: E402

# Percent signs, '+', and characters with a meaning in URLs, in HTML, in glob patterns and in JavaScript.
NAMES = ["50%", "c++", "a&b", "%41", "#x", "a b", "what?", "it's", 'say "hi"', "<!--<script>", "a=b", "a.b", "名字",
         "u\u2028", "__proto__", "[1]*", "back\\slash", "new\nline"]  # fmt: skip
# Writes its input into the document: the recordings, and the place.
VIEWER = """const LINKS = [];
window.fiberscopeViewer = async options => {
  const files = new Map(), data = document.documentElement.dataset;
  const show = place => {
    data.place = place;
    data.files = JSON.stringify([...files.keys()].filter(path => path.startsWith('/recordings/')).sort());
  };
  const calls = {viewer_show: show, viewer_go: show, viewer_place: () => data.place ?? ''};
  return {
    FS: {mkdirTree() {}, writeFile: (path, bytes) => files.set(path, bytes),
      readFile: path => new TextDecoder().decode(files.get(path))},
    ccall: (name, returns, types, values) => calls[name]?.(...values) ?? (returns === 'string' ? '' : 0),
  };
};
document.documentElement.dataset.said = '<!-- <script> </script>';
window.addEventListener('DOMContentLoaded', async () => {  // follows LINKS one after another
  const data = document.documentElement.dataset, notice = document.getElementById('notice'), seen = [];
  const later = ms => new Promise(done => setTimeout(done, ms));
  for (const link of LINKS) {
    while (!window.fiberscope) await later(10);
    data.files = data.place = '';
    location.hash = link;
    await later(300);
    seen.push([link, data.place, data.files, notice.hidden ? '' : notice.textContent]);
  }
  data.seen = JSON.stringify(seen);
});
"""
SAMPLE = ROOT / "traces/samples/01_nested.json"
PYTHON = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable  # as ./lab


def page_of(out, *files):
    return [PYTHON, "-B", str(ROOT / "tools/page.py"), "build", out, *files]


def share(out, *files):
    tells(f"share {files}", [page_of(out, *files)], status=0)


def recording(name, folder="."):
    file = Path(folder, f"{name}.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(SAMPLE, file)
    return str(file)


def dump(file, place="", language="en"):
    """The document of a page after Chromium has run its scripts, in this language."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom"]
    options += [f"--lang={language}", f"--accept-lang={language}"]
    address = f"file://{quote(str(Path(file).resolve()))}" + (f"#{place}" if place else "")
    return subprocess.run([CHROMIUM, *options, address], capture_output=True).stdout.decode()


def told(document, key):
    found = re.search(f'<html[^>]* data-{key}="([^"]*)"', document)
    return unescape(found[1]) if found else ""


def notice(document):
    found = re.search('<div id="notice"[^>]*?(hidden="")?>([^<]*)</div>', document)
    return unescape(found[2]) if found and not found[1] else ""


def shown(document):
    return {Path(file).name[:-5] for file in json.loads(told(document, "files") or "[]")}


def shows(names, document, what):
    expect(not notice(document) and shown(document) == set(names), f"{what}: {names!r} is shown",
           f"{notice(document)} {told(document, 'files')}")  # fmt: skip


def broken_notes():
    """With an invalid notes file there is an error message and no page."""
    lists = "5", "[5]", '[{"place": 7}]', '[{"place": "with=../../secret"}]'
    for bad in ["{", "[]", "7", "", "\xff", "[" * 100000, *('{"notes": %s}' % notes for notes in lists)]:
        Path("annotated.notes.json").write_text(bad, "latin-1")
        said = r"^lab: the notes in annotated\.notes\.json are broken \(.*\); correct or remove the file$"
        tells(f"notes {bad[:40]!r}", [page_of("annotated.html", TOLD)], said, never="Traceback", status=1)
        expect(not Path("annotated.html").exists(), f"notes {bad[:40]!r}: no page")
    Path("annotated.notes.json").unlink()


def wrong_files():
    tells("no file", [page_of("no.html", "nosuch.json")], "nosuch.json is not a file", never="Traceback", status=1)
    twice = recording("annotated", "other")
    tells("equal names", [page_of("no.html", TOLD, twice)], "two of the files are named annotated;", status=1)
    Path("unnamed").mkdir()
    shutil.copy(SAMPLE, b"unnamed/\xff.json")
    command = [*page_of("no.html"), b"unnamed/\xff.json"]
    said = subprocess.run(command, stderr=subprocess.PIPE, check=False).stderr.decode()
    expect("is not UTF-8" in said and "Traceback" not in said, "a name that is not UTF-8", said)


def every_script_is_whole():
    """For an HTML parser, only the tags of the page's scripts begin or end a script."""
    text = Path("all.html").read_text("utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    expect(len(scripts) == 4, f"the page has {len(scripts)} scripts")
    expect(not any(re.search("<!--|</?script", script, re.I) for script in scripts), "no script contains a tag")


def first_pictures():
    document = dump("all.html")
    shows(NAMES, document, "all")
    expect(told(document, "said") == "<!-- <script> </script>", "strings of a script are unchanged")
    offered = [unescape(name) for name in re.findall('<option value="([^"]*)">', document)]
    expect(offered[: len(NAMES)] == NAMES, "all recordings are offered", str(offered))
    shows(["anything"], dump("anything.html"), "a file with another extension")
    shows(["a&b", "annotated", "annotated.notes"], dump("beside.html"), "files named by notes")
    expect("malformed at “%zz”" in notice(dump("all.html", "%zz")), "a malformed link is reported")


def every_link():
    """Follows all links in one page."""
    good = {f"trace={quote(name, safe='')}": name for name in NAMES} | {"trace=c++": "c++", "trace=a=b": "a=b"}
    malformed = "trace=50%", "trace=%zz", "trace=%ff", "trace=%", "nonsense", "%41"
    unknown = {"trace=nosuch": "This page has no recording named nosuch.",
               "trace=nosuch&lang=zh": "这个页面没有名为 nosuch 的 trace"}  # fmt: skip
    Path("links.html").write_text(Path("all.html").read_text("utf-8").replace(
        "const LINKS = []", f"const LINKS = {json.dumps([*good, *malformed, *unknown])}"), "utf-8")  # fmt: skip
    seen = json.loads(told(dump("links.html"), "seen") or "[]")
    for link, place, files, said in seen:
        if link in good:
            recordings = {Path(file).name for file in json.loads(files or "[]")}
            holds = f"{good[link]}.json" in recordings and place == link.replace(" ", "%20") and not said
        else:
            holds = not place and (unknown.get(link) or f"malformed at “{link}”") in said
        expect(holds, f"the link #{link}", f"{place} {files} {said}")
    expect(len(seen) == len(good) + len(malformed) + len(unknown), "every link was followed")


def folder_runs_no_other_file():
    """A link to a page in a folder only loads recordings of its index, no other script."""
    tells("the folder", [page_of("site/page")], status=0)
    Path("site/x.js").write_text("document.documentElement.dataset.attacked = 'yes';")
    shutil.copy("site/x.js", "site/page/packed/x.js")
    expect("01_nested" in shown(dump("site/page/index.html", "trace=01_nested")), "a sample is shown")
    for place in "trace=../../../x.js%3F", "trace=01_nested&with=..%2Fx.js%23":
        document = dump("site/page/index.html", place)
        expect(not told(document, "attacked"), f"{place}: no other file is executed")
        expect("This page has no recording named .." in notice(document), f"{place}: reported", notice(document))


def languages():
    """The language is from the link, else from the environment that made the page, else from the browser if a font has
    the characters."""
    share("english.html", TOLD)
    tells("share in Chinese", [["env", "LC_ALL=zh_CN.UTF-8", *page_of("chinese.html", TOLD)]], status=0)
    drawn = "zh" if '"fonts/chinese.otf"' in Path("english.html").read_text("utf-8") else "en"
    for page, place, browser, language in (
        ("english", "", "en", "en"),
        ("english", "lang=zh", "en", "zh"),
        ("english", "trace=annotated", "zh-CN", drawn),
        ("english", "lang=en", "zh-CN", "en"),
        ("chinese", "", "en", "zh"),
        ("chinese", "lang=en", "zh-CN", "en"),
    ):
        document = dump(f"{page}.html", place, browser)
        seen = [re.search('<html[^>]* lang="(..)', document)[1], "zh" if "lang=zh" in told(document, "place") else "en"]
        expect(seen == [language] * 2, f"{page}.html#{place} is in {language} for {browser}", str(seen))
        expect("annotated" in shown(document), f"{page}.html#{place} shows its recording", notice(document))


folder = Path(sys.argv[1]).resolve()
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if not shutil.which("fc-match") or run(PYTHON, ["-c", "import fontTools"]).status != 0:
    leave_out("the page needs fontTools and fontconfig (Debian: apt install python3-fonttools fontconfig)")
shutil.rmtree(folder, ignore_errors=True)
(folder / "build/bin").mkdir(parents=True)
os.chdir(folder)
Path("build/bin/viewer.js").write_text(VIEWER)
Path("build/bin/viewer.wasm").write_bytes(b"\0asm")
TOLD = recording("annotated")
broken_notes()
wrong_files()
share("all.html", *map(recording, NAMES))
shutil.copy(SAMPLE, "anything.txt")
share("anything.html", "anything.txt")
place = f"with={quote('a&b', safe='')}&view=0..100"
Path("annotated.notes.json").write_text(json.dumps({"notes": [{"event": 1, "place": place, "text": "</script>"}]}))
share("beside.html", TOLD)
every_script_is_whole()
if CHROMIUM:
    first_pictures()
    every_link()
    folder_runs_no_other_file()
    languages()
else:
    print("Chromium is not installed: the scripts of pages are not tested")
end("shared pages")
