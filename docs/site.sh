#!/usr/bin/env bash
# Builds the documentation site: docs/site.sh [--still] [DIR], by default build/site. A click on a picture of the viewer
# turns it into the viewer (./lab web); with --still they remain pictures. All links within the site are relative, so it
# works under any URL, and from the directory itself. Needs mkdocs-material, a system package.
set -euo pipefail
cd "$(dirname "$0")/.."
still=""
[ "${1:-}" != --still ] || { still=yes; shift; }
site=$(realpath -m "${1:-build/site}")
command -v mkdocs >/dev/null || { echo "mkdocs is not installed: apt-get install mkdocs-material" >&2; exit 1; }

pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
./lab view traces/samples/01_nested.json --render "$pages/viewer.png" >&2 # builds it if necessary
[ -n "$still" ] || { ./lab web >&2; export FIBERSCOPE_LIVE=yes; }
# Only the pages and their pictures; a README.md becomes the index of its directory.
cp -r docs/site/. "$pages"
mkdir "$pages/pages"
cp -r docs/site/live "$pages/pages"
find README.md README.zh.md CONTRIBUTING.md LICENSE docs labs languages extras/gdb/fiberscope_gdb/frames.py \
  \( -name '*.md' -o -name '*.png' -o -name '*.gif' -o -name '*.py' -o -name LICENSE \) \
  -print0 |
  tar --null -T - -cf - | tar -xf - -C "$pages/pages"
export FIBERSCOPE_ROOT=$PWD
(cd "$pages" && mkdocs --quiet build --clean --strict --site-dir "$site")
[ -n "$still" ] || cp -r build/web "$site/viewer"
echo "$site/index.html"
