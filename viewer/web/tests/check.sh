#!/usr/bin/env bash
# The viewer as a page, built and shared as one file, and the site of the documents, looked at in Chromium and Firefox,
# which puppeteer drives. What the site draws is held against the pictures of the native program.
# Without emscripten, npm or a browser it is left out. The pictures are in build/web-pictures. With --strict a bar that
# is not kept fails; with --bars the bars alone are measured (./lab bench web).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit
for tool in emcmake npm fc-match; do
  command -v $tool >/dev/null || { echo "there is no $tool here: the page is not tested"; exit 77; }
done
status=0 tests=build/web-tests
./lab web && ./lab view traces/samples/01_nested.json --render build/web-tests.svg >/dev/null || exit
mkdir -p $tests
cp viewer/web/tests/* $tests/
(cd $tests && npm install --no-audit --no-fund --silent) || { echo "npm does not find puppeteer-core"; exit 1; }

under_display() { LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1700x1900x24 -noreset" "$@"; }

# in_browser KIND PROGRAM…: the first of these programs that there is.
in_browser() {
  local kind=$1 program
  shift
  program=$(for p in "$@"; do command -v "$p" && break; done)
  [ -n "$program" ] || { echo "there is no $kind here"; return; }
  under_display node $tests/page_test.mjs "$kind" "$program" build/web build/shared.html build/web-pictures || status=1
  under_display node $tests/site_test.mjs "$kind" "$program" build/site build/native-pictures build/web-pictures ||
    status=1
}
# The bars: a million events are drawn by the native viewer and by the page, on the same computer.
bars() {
  local large=build/web-tests/large.json begin took
  ninja -C build/default make_viewer_traces >/dev/null && build/default/bin/make_viewer_traces build/web-tests 1000000
  begin=$(date +%s.%N)
  build/default/bin/fiberscope-viewer $large --render build/web-tests/large.svg >/dev/null
  took=$(awk "BEGIN { print $(date +%s.%N) - $begin }")
  node $tests/bars_test.mjs "$1" build/web $large "$took" "$strict" || status=1
  rm -f $large
}
strict=${1:-}
if [ "$strict" = --bars ]; then
  command -v chromium >/dev/null || { echo "there is no chromium here"; exit 77; }
  bars "$(command -v chromium)"
  exit $status
fi
./lab share traces/samples/04_mixed.json traces/samples/04_mixed_go.json --out build/shared.html || exit
docs/site.sh build/site && docs/pictures.sh build/native-pictures >/dev/null || exit
in_browser chrome chromium chromium-browser google-chrome
! command -v chromium >/dev/null || bars "$(command -v chromium)"
in_browser firefox firefox-esr firefox
size=$(stat -c %s build/shared.html)
if [ "$size" -le 3000000 ]; then echo "the shared page, $size bytes: 1 passed, 0 failed"
else echo "the shared page has $size bytes, more than 3 MB: 0 passed, 1 failed"; status=1; fi
exit $status
