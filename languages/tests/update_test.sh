#!/usr/bin/env bash
# update_test.sh ROOT: every text of the tree has a translation that was looked at; and rewording a text breaks nothing:
# the old translation is fuzzy, and the program says the English until a person has looked at it.
set -euo pipefail
root=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
fail() { echo "update_test: $*" >&2; exit 1; }

# ---- the tree as it is
(cd "$root" && find lab cmake extras languages traces viewer labs tools testing -type f ! -path '*/build/*' \
  \( -name lab -o -name '*.cpp' -o -name '*.[hS]' -o -name '*.po' -o -name '*.py' -o -name '*.sh' -o -name '*.json' \
  -o -name '*.cmake' \) -print0 | tar c --null -T -) |
  tar x -C "$copy"
"$copy/languages/update.sh" >"$copy/said" || fail "update.sh failed"
! grep -E 'fuzzy|untranslated' "$copy/said" || fail "write these translations: languages/update.sh, then the zh.po"
(cd "$copy" && find . -name zh.po) | while read -r file; do
  diff -u "$root/$file" "$copy/$file" || fail "$file is not what the sources say; type languages/update.sh"
done

# ---- a text is reworded, one is new, one is gone
mkdir "$copy/room"
head -8 "$copy/languages/zh.po" | sed -n '1,/^$/p' >"$copy/room/zh.po"
cat >>"$copy/room/zh.po" <<'PO'
msgid "the moon is full tonight"
msgstr "今晚是满月"

msgid "gone"
msgstr "没有了"
PO
sentence() {
  echo "void f(int machine) { INFO(\"machine \" << machine << \"$1\"); }" >"$copy/labs/01_switch_asm/tests/a.h"
}
sentence " has found nothing in its own queue"
"$copy/languages/update.sh" labs/01_switch_asm >/dev/null
sed -i '/^msgid "machine {0} has found/{n;s/""/"机器{0}在自己的队列里什么也没找到"/}' "$copy/labs/01_switch_asm/zh.po"
sentence " has found nothing in its queue"
"$copy/languages/update.sh" labs/01_switch_asm >"$copy/said"
grep -q '1 fuzzy translation' "$copy/said" || fail "a sentence of a test: $(cat "$copy/said")"
grep -A2 '^#, fuzzy' "$copy/labs/01_switch_asm/zh.po" | grep -qx 'msgid "machine {0} has found nothing in its queue"' ||
  fail "a sentence of a test with a value is not found"
echo 'auto a = say(language, "the moon is quite full tonight"); auto b = mark("new");' >"$copy/room/a.cpp"
"$copy/languages/update.sh" room >"$copy/said"
grep -q '1 fuzzy translation, 1 untranslated' "$copy/said" || fail "reworded: $(cat "$copy/said")"
grep -qx '#, fuzzy' "$copy/room/zh.po" || fail "a reworded text is not marked"
grep -qx 'msgstr "今晚是满月"' "$copy/room/zh.po" || fail "a reworded text has lost its translation"
! grep -q '没有了' "$copy/room/zh.po" || fail "a text that is gone is still there"
cmake -DMSGFMT=msgfmt -DROOT="$copy" -DTRANSLATIONS="$copy/room/zh.po" -DOUT="$copy/embedded.cpp" \
  -P "$root/languages/embed.cmake" || fail "a reworded text breaks the build"
! msgfmt -o - "$copy/room/zh.po" | grep -q moon || fail "a fuzzy translation is said"
