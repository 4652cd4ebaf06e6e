#!/usr/bin/env bash
# package.sh SUITE [FILE.deb]: builds the package on a minimal Debian (bookworm, trixie) unless FILE.deb is given,
# installs it on another minimal Debian, and runs testing/installed.sh there. The web page is built on this system,
# once. Same requirements as testing/bare.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
suite=${1:?usage: testing/package.sh SUITE [FILE.deb]} package=${2:-}
if [ -z "$package" ]; then
  out=build/packages/$suite
  rm -rf "$out"
  if [ ! -d build/page/fonts ]; then
    ./lab web
    cp -r build/web/fonts build/page/fonts
  fi
  testing/bare.sh "$suite" --with build/page/bin --with build/page/fonts --out "$out" 'tools/package.sh ~/out'
  package=$(echo "$out"/*.deb)
fi
testing/bare.sh "$suite" --package "$package" "$(cat testing/installed.sh)"
