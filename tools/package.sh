#!/usr/bin/env bash
# package.sh [--quick] OUTDIR: builds the packages of this system, a .deb and a .tar.gz, into OUTDIR. They include the
# page if it is built (build/page) or can be built, with emscripten. --quick uses the lab command's build, for trials;
# the programs then contain local directory names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=package
[ "${1:-}" != --quick ] || { preset=default; shift; }
[ $# = 1 ] || { echo "usage: tools/package.sh [--quick] OUTDIR" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
# shellcheck source=cmake/packages.sh
. cmake/packages.sh
install_for_build
# shellcheck disable=SC2086,SC2154  # a list of names
install_packages "to make packages" $packages_package
if [ ! -d build/page/fonts ]; then
  if command -v emcc >/dev/null; then
    ./lab web >&2
    cp -rT build/web/fonts build/page/fonts
  else
    echo "package.sh: emscripten is not installed, so the packages have no page" >&2
  fi
fi
cmake --preset "$preset"
cmake --build "build/$preset" --target package_inputs
rm -rf "build/$preset/packages"
cpack --config "build/$preset/CPackConfig.cmake" -B "$PWD/build/$preset/packages"
cp "build/$preset"/packages/fiberscope[-_]* "$out"
ls -l "$out"
