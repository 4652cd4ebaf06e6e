# The stubs that stand in files of exercise/, a line each: "STEP CODE". CODE is the block that the stub stands in,
# without comments and blanks: as long as it is what the lab gave, nothing is written there. Of assembly it is the whole
# file.
#   awk -f stubs.awk FILE…
FNR == 1 && NR > 1 { look_through() }
{ text = text $0 "\n" }
END { look_through() }

# skip(END): moves `at` behind the next END in the text.
function skip(end, found) {
  found = index(substr(text, at), end)
  at = found ? at + found + length(end) - 1 : length(text) + 1
}

# Appends the literal that begins at `at`, and moves there behind its end.
function take_literal(quote, from) {
  from = at++
  while (at <= length(text) && substr(text, at, 1) != quote) at += substr(text, at, 1) == "\\" ? 2 : 1
  code = code substr(text, from, ++at - from)
}

# The block that ends here: says which stubs stand in it.
function close_block(from) {
  from = begins[depth--]
  while (stubs > 0 && stands_at[stubs] >= from) print step_of[stubs--] " " substr(code, from)
}

function look_through(c, two) {
  code = ""
  at = 1
  depth = stubs = 0
  while (at <= length(text)) {
    c = substr(text, at, 1)
    two = substr(text, at, 2)
    if (two == "//") { skip("\n"); continue }
    if (two == "/*") { at += 2; skip("*/"); continue }
    if (c == "\"") {
      if (code ~ /not_implemented\($/ && match(substr(text, at + 1), /^[0-9]+\.[0-9]+/)) {
        stands_at[++stubs] = length(code)
        step_of[stubs] = substr(text, at + 1, RLENGTH)
      }
      take_literal("\"")
      continue
    }
    if (c == "'" && code !~ /[0-9A-Fa-f]$/) { take_literal("'"); continue }
    if (c !~ /[ \t\r\n]/) code = code c
    if (c == "{") begins[++depth] = length(code) + 1
    if (c == "}" && depth > 0) close_block()
    at++
  }
  if (code ~ /fiberscope_not_implemented/ && match(code, /"[0-9]+\.[0-9]+/)) {
    print substr(code, RSTART + 1, RLENGTH - 1) " " code
  }
  text = ""
}
