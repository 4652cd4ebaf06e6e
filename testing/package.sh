#!/usr/bin/env bash
# package.sh SUITE [FILE.deb]: builds the package for a minimal Debian (bookworm, trixie) on one, unless it is given, and
# installs it on another one, where testing/installed.sh says what works. The page is in it if it is built here:
# ./lab web. Needs what testing/bare.sh does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
suite=${1:?usage: testing/package.sh SUITE [FILE.deb]} package=${2:-}
if [ -z "$package" ]; then
  out=build/packages/$suite
  rm -rf "$out"
  mkdir -p build/page/{bin,fonts}
  testing/bare.sh "$suite" --with build/page/bin --with build/page/fonts --out "$out" 'tools/package.sh ~/out'
  package=$(echo "$out"/*.deb)
fi
testing/bare.sh "$suite" --package "$package" "$(cat testing/installed.sh)"
