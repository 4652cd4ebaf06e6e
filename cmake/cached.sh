#!/bin/sh
# cached.sh COMPILER ARGUMENT…: runs the compiler through ccache if it is installed. The cache is in build/ccache,
# because all build folders of this tree compile mostly the same files. A precompiled header has 80 MB: instead of
# reading it for each file that uses it, ccache reads a checksum in a separate file (CCACHE_PCH_EXTSUM).
command -v ccache >/dev/null || exec "$@"
root=${0%/cmake/cached.sh}
export CCACHE_DIR="${CCACHE_DIR:-$root/build/ccache}" CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1 \
  CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros
ccache "$@" || exit
output="" before=""
for argument in "$@"; do
  [ "$before" = -o ] && output=$argument
  before=$argument
done
case $output in
  *.gch | *.pch) sha256sum <"$output" >"$output.sum" ;;
esac
