#!/usr/bin/env bash
# Builds the documents as a static site with search: docs/site.sh [FOLDER], by default build/site. Needs mkdocs, a
# package of the system. The pages keep their places below one root, so every link between them holds.
set -euo pipefail
cd "$(dirname "$0")/.."
site=$(realpath -m "${1:-build/site}")
command -v mkdocs >/dev/null || { echo "mkdocs is not installed: apt-get install mkdocs" >&2; exit 1; }

pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
# Only the pages and their pictures; a README.md becomes the index of its folder.
mkdir "$pages/pages"
find README.md CONTRIBUTING.md LICENSE docs labs \
  \( -name '*.md' -o -name '*.png' -o -name '*.py' -o -path 'docs/toys/*' -o -name LICENSE \) -print0 |
  tar --null -T - -cf - | tar -xf - -C "$pages/pages"
lab_pages() {  # lab_pages FILE: a line of the contents for each lab that has this page
  local page
  for page in labs/0*/"$1"; do
    [ -f "$page" ] && printf '    - %s: %s\n' "$(sed -n 's/^# *//p' "$page" | head -1 | sed 's/: /, /; s/`//g')" "$page"
  done
  return 0
}
cat > "$pages/mkdocs.yml" <<END
site_name: fiberscope
docs_dir: pages
site_dir: $site
use_directory_urls: false
theme: readthedocs
plugins: [search]
markdown_extensions: [tables, fenced_code, toc]
nav:
  - fiberscope: README.md
  - Where to begin: docs/README.md
  - Where it runs: docs/where-it-runs.md
  - The story of a coroutine: docs/story.md
  - Labs:
$(lab_pages README.md)
  - 中文:
$(lab_pages README.zh.md)
    - 术语表: docs/glossary.zh.md
  - Systems:
    - All six: docs/systems/README.md
    - NtyCo: docs/systems/ntyco.md
    - libco: docs/systems/libco.md
    - sylar: docs/systems/sylar.md
    - netco: docs/systems/netco.md
    - cloudwu/coroutine: docs/systems/cloudwu.md
    - Go and M:G: docs/systems/go.md
  - Reference:
    - The viewer: docs/viewer.md
    - Glossary: docs/glossary.md
    - Names: docs/names.md
    - Errata: docs/errata.md
    - Benchmarks: docs/benchmarks.md
    - A million: docs/million.md
    - An interpreter's coroutine: docs/interpreter.md
    - Record your own coroutines: docs/record-your-own.md
    - Other libraries, the same work: docs/other-libraries.md
    - Every order of a race: docs/explore.md
    - Coroutines in the debugger: docs/debugging.md
  - For instructors:
    - In class: docs/instructors.md
    - A course of six weeks: docs/course.md
    - Grading a class: docs/grading.md
$(lab_pages solution/answers.md)
$(lab_pages solution/exam.md)
  - How it is built:
    - Changing it: CONTRIBUTING.md
    - Architecture: docs/architecture.md
    - Trace format: docs/trace-format.md
    - Adding a lab: docs/adding-a-lab.md
    - Style: docs/style.md
END
(cd "$pages" && mkdocs --quiet build --clean --strict)
echo "$site/index.html"
