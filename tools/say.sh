# shellcheck shell=bash disable=SC2154
# What the commands say, in the language of the reader: English as it stands where it is said, Chinese from the
# catalogues (languages/README.md), which are read as they are. Sourced where `home` is set.

# --language of the verb, else that of the environment.
language=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}
case $language in zh*) language=zh ;; *) language=en ;; esac
speak() {
  case ${1:-} in
    en | zh) language=$1 ;;
    *) die "lab: --language is en or zh" ;;
  esac
}

# in_words ROOM: the text that comes in, or each line of it, as ROOM/zh.po has it.
in_words() {
  if [ "$language" = zh ]; then awk -f "$home/tools/zh.awk" "$home/$1/zh.po" lines=1 -; else cat; fi
}

# phrase ENGLISH [VALUE…]: {0}, {1} … stand for the values. Of the tools, where no other `room` is set.
phrase() {
  local text value i=0
  text=$(echo "$1" | in_words "${room:-tools}")
  for value in "${@:2}"; do
    text=${text//"{$i}"/"$value"}
    i=$((i + 1))
  done
  echo "$text"
}

# die ENGLISH [VALUE…]: says it, and ends.
die() {
  phrase "$@" >&2
  exit 2
}
