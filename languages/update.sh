#!/usr/bin/env bash
# update.sh [ROOM…]: brings each zh.po up to date with the sources of its room: what is new gets an empty translation,
# what was reworded keeps its old one, marked fuzzy (and is said in English until a person has looked at it), what is
# gone goes. Its rooms are all folders with a zh.po; a room's sources are the C++ files in it that lie in no other room.
set -euo pipefail
cd "$(dirname "$0")/.."
keywords=(-k -ksay:2 -ksays:1 -kspoken:1 -ktext_of:1 -kmessage:1 -kSpokenError:1 -kUsageError:1
  -kScreenError:1 -kmark:1,1t -kmark:1,2c,2t)

# sources_of ROOM: one file a line, in order of their names. Of the tests only those of a lab say something to a person.
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
  # No lines of sources, no date, no guesses about formats: a change of a text changes the lines of this text only.
  languages/texts.py "$room" >"$work/others.pot"
  xgettext -C --force-po --from-code=UTF-8 --no-location --no-wrap "${keywords[@]}" -o - -f <(sources_of "$room") |
    sed 's/charset=CHARSET/charset=UTF-8/' | msgcat --use-first --no-wrap - "$work/others.pot" |
    sed -E '/^"POT-Creation-Date/d; /^"Report-Msgid/d; /^#, .*c(\+\+)?-format$/d' >"$work/texts.pot"
  msgmerge -q --no-wrap --no-location --previous "$room/zh.po" "$work/texts.pot" |
    msgattrib --no-obsolete --no-wrap -o "$work/zh.po" -
  mv "$work/zh.po" "$room/zh.po"
  echo "$room: $(LC_ALL=C msgfmt --statistics -o /dev/null "$room/zh.po" 2>&1)"
done
