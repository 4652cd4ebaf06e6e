# shellcheck shell=bash disable=SC2154
# Texts of the commands in the user's language: English in the source, Chinese from the catalogues
# (languages/README.md), which are read directly. Sourced where `home` is set.

# --language of the verb, else from the environment.
language=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}
case $language in zh*) language=zh ;; *) language=en ;; esac
speak() {
  case ${1:-} in
    en | zh) language=$1 ;;
    *) die "lab: --language is en or zh" ;;
  esac
}

# in_words ROOM: translates the input, as a whole or line by line, with ROOM/zh.po.
in_words() {
  if [ "$language" = zh ]; then awk -f "$home/tools/zh.awk" "$home/$1/zh.po" lines=1 -; else cat; fi
}

# phrase ENGLISH [VALUE…]: {0}, {1} … are replaced by the values. From the tools' catalogue, unless `room` is set.
phrase() {
  local text value i=0
  text=$(echo "$1" | in_words "${room:-tools}")
  for value in "${@:2}"; do
    text=${text//"{$i}"/"$value"}
    i=$((i + 1))
  done
  echo "$text"
}

# die ENGLISH [VALUE…]: prints the message and exits.
die() {
  phrase "$@" >&2
  exit 2
}
