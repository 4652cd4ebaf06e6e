# Translates a text with a gettext catalogue: as a whole, else line by line; unknown lines are unchanged.
#   awk -f zh.awk ROOM/zh.po lines=1 -
function text(line) {
  sub(/^[a-z]* *"/, "", line)
  sub(/"$/, "", line)
  gsub(/\\n/, "\n", line)
  gsub(/\\"/, "\"", line)
  gsub(/\\\\/, "\\", line)
  return line
}
function keep() {
  if (english != "" && chinese != "" && !fuzzy) said[english] = chinese
  if (chinese != "") fuzzy = 0
  chinese = ""
}
function in_chinese(line) { return line in said ? said[line] : line }

lines { count++; line[count] = $0; whole = count == 1 ? $0 : whole "\n" $0; next }
/^#/ { keep() }
/^#,.*fuzzy/ { fuzzy = 1 }
/^msgid / { keep(); english = text($0); translated = 0 }
/^msgstr / { chinese = text($0); translated = 1 }
/^"/ { if (translated) chinese = chinese text($0); else english = english text($0) }
END {
  keep()
  if (whole in said) print said[whole]
  else for (i = 1; i <= count; i++) print in_chinese(line[i])
}
