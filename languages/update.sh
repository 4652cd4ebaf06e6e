#!/usr/bin/env bash
# update.sh [ROOM…]: updates each room's zh.po from its sources. New texts get an empty translation, reworded texts keep
# the old one, marked fuzzy (programs print the English until it is reviewed), and obsolete texts are removed. A room is
# a folder with a zh.po; its sources are the C++ files below it, except those in nested rooms.
set -euo pipefail
cd "$(dirname "$0")/.."
keywords=(-k -ksay:2 -ksays:1 -kspoken:1 -ktext_of:1 -kmessage:1 -kSpokenError:1 -kUsageError:1
  -kScreenError:1 -kmark:1,1t -kmark:1,2c,2t)

# sources_of ROOM: prints the files, one per line, sorted. Of the tests only those of labs have texts for students.
sources_of() {
  find "$1" -name '*.cpp' -o -name '*.h' | LC_ALL=C sort | while read -r file; do
    local room=${file%/*}
    while [ ! -f "$room/zh.po" ]; do room=${room%/*}; done
    case $file in labs/[0-9]*) ;; */tests/* | */bench/* | */fuzz/*) continue ;; esac
    [ "$room" != "$1" ] || echo "$file"
  done
}

if [ $# = 0 ]; then shopt -s nullglob; rooms=(*/zh.po */*/zh.po */*/*/zh.po); else rooms=("${@/%//zh.po}"); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "${rooms[@]}"; do
  room=${file%/zh.po}
  # Without line numbers, dates and format flags, so that a change of a text only changes its own entry.
  languages/texts.py "$room" >"$work/others.pot"
  xgettext -C --force-po --from-code=UTF-8 --no-location --no-wrap "${keywords[@]}" -o - -f <(sources_of "$room") |
    sed 's/charset=CHARSET/charset=UTF-8/' | msgcat --use-first --no-wrap - "$work/others.pot" |
    sed -E '/^"POT-Creation-Date/d; /^"Report-Msgid/d; /^#, .*c(\+\+)?-format$/d' >"$work/texts.pot"
  msgmerge -q --no-wrap --no-location --previous "$room/zh.po" "$work/texts.pot" |
    msgattrib --no-obsolete --no-wrap -o "$work/zh.po" -
  mv "$work/zh.po" "$room/zh.po"
  echo "$room: $(LC_ALL=C msgfmt --statistics -o /dev/null "$room/zh.po" 2>&1)"
done
