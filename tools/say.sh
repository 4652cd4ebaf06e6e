# shellcheck shell=bash disable=SC2154
# What the commands say, in the language of the reader: the phrases of tools/words. Sourced where `root` is set.

# --language of the verb, else that of the environment.
language=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}
case $language in zh*) language=zh ;; *) language=en ;; esac
speak() {
  case ${1:-} in
    en | zh) language=$1 ;;
    *) die which_language ;;
  esac
}

# phrase NAME [FIRST [SECOND [THIRD]]]: the line NAME of tools/words/LANGUAGE.txt; {1} to {3} stand for what is given.
phrase() {
  local line text=""
  while IFS= read -r line; do
    [[ $line != "$1 "* ]] || text=${line#"$1 "}
  done <"$root/tools/words/$language.txt"
  text=${text//'{1}'/"${2:-}"}
  text=${text//'{2}'/"${3:-}"}
  echo "${text//'{3}'/"${4:-}"}"
}

# die NAME [FIRST [SECOND [THIRD]]]: says a phrase, and ends.
die() {
  phrase "$@" >&2
  exit 2
}
