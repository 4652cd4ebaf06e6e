#!/usr/bin/env python3
"""check.py [--strict | --bars]: tests the browser version of the viewer, a single-file page, and the documentation
site in Chromium and Firefox with puppeteer. The drawing in the site is compared with the pictures of the native
program. Skipped without emscripten, npm or a browser. Screenshots are saved in build/web-pictures. With --strict an
exceeded limit is a failure; with --bars only the limits are measured (./lab bench web)."""

import os
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import ROOT, end, expect, leave_out  # noqa: E402

TESTS, OPTION = "build/web-tests", "".join(sys.argv[1:])


def must(command):
    """Runs a command that all tests need; exits if it fails."""
    if os.system(command) != 0:
        sys.exit(1)


def in_browser(kind, *programs):
    """Runs the tests in the first of these programs that is installed."""
    program = next(filter(shutil.which, programs), None)
    if not program:
        return print(f"{kind} is not installed")
    native, tasks = "site build/native-pictures", "web docs/instructors.md"
    for test, pages in ("page", "web build/shared.html"), ("site", native), ("tasks", tasks):
        screen = "LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s '-screen 0 1700x1900x24 -noreset'"
        node = f"{screen} node {TESTS}/{test}_test.mjs {kind} $(command -v {program})"
        expect(os.system(f"{node} build/{pages} build/web-pictures") == 0, f"the {test} in {kind}")


def bars():
    """Draws a million events in the native viewer and in the page, on the same computer."""
    must(f"ninja -C build/default make_viewer_traces >&2 && build/default/bin/make_viewer_traces {TESTS} 1000000")
    begin, large = time.monotonic(), f"{TESTS}/large.json"
    must(f"build/default/bin/fiberscope-viewer {large} --render {TESTS}/large.png >&2")
    figures = f"build/web {large} {time.monotonic() - begin} {OPTION}"
    expect(os.system(f"node {TESTS}/bars_test.mjs $(command -v chromium) {figures}") == 0, "the limits")
    os.remove(large)


os.chdir(ROOT)
for tool in "emcmake", "npm", "fc-match", *["chromium"] * (OPTION == "--bars"):
    if not shutil.which(tool):
        leave_out(f"{tool} is not installed: the page is not tested")
must("./lab web && ./lab view traces/samples/01_nested.json --render build/web-tests.png >&2")
must(f"mkdir -p {TESTS} && cp viewer/web/tests/* {TESTS} && cd {TESTS} && npm install --no-audit --no-fund --silent")
if OPTION != "--bars":
    named = f"'{TESTS}/50% c++&<!--<script>.json'"
    must(f"cp traces/samples/04_mixed_go.json {named}")
    must(f"./lab web traces/samples/04_mixed.json {named} --out build/shared.html")
    must("docs/site.sh build/site && docs/pictures.sh build/native-pictures >&2")
    in_browser("chrome", "chromium", "chromium-browser", "google-chrome")
    in_browser("firefox", "firefox-esr", "firefox")
    size = os.path.getsize("build/shared.html")
    expect(size <= 3000000, f"the shared page has {size} bytes, at most 3,000,000")
if shutil.which("chromium"):
    bars()
end("the page")
