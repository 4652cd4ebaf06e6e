#!/bin/sh
# cached.sh COMPILER ARGUMENT…: the compiler through ccache. A header that is read once (compile.cmake) is 80 MB;
# ccache would read all of it for each file that uses it, and reads the checksum beside it in its place
# (CCACHE_PCH_EXTSUM).
ccache "$@" || exit
[ -z "${CCACHE_PCH_EXTSUM:-}" ] && exit
output="" before=""
for argument in "$@"; do
  [ "$before" = -o ] && output=$argument
  before=$argument
done
case $output in
  *.gch | *.pch) sha256sum <"$output" >"$output.sum" ;;
esac
