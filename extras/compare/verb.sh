# shellcheck shell=bash disable=SC2154
# The verb compare. Sourced by `lab`, whose home, root, bin, build and die it uses.

# labs_with DEMO: the numbers of the labs that have a demo of that name.
labs_with() {
  local number
  for number in $(lab_numbers); do
    ! names_of_demos "$(lab_name "$number")" | grep -qx "$1" || echo "$number"
  done | grep .
}

# compare [NN] DEMO [OPTION VALUE…]: records the demo with each strategy, number of machines and seed, and prints the
# medians. NN is required if several labs have such a demo.
compare() {
  local number="" demo program words=() rows=() complaint knobs all several strategy machines seed
  local -A given=([--strategy]=all [--machines]=1,2,4,8 [--lock-ns]=0 [--seeds]=20 [--measures]="" [--out]="")
  while [ $# -gt 0 ]; do
    case $1 in
      -*)
        [ -n "${given[$1]+set}" ] || die "lab: {1} has no option {0}; ./lab {1} --help lists them" "$1" compare
        [ $# -gt 1 ] || die "lab: {0} needs a value; ./lab {1} --help lists the options" "$1" compare
        given[$1]=$2
        shift
        ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  if [[ ${words[0]:-} =~ ^[0-9]+$ ]]; then
    number=$(lab_name "${words[0]}") && number=${number:0:2}
    words=("${words[@]:1}")
  fi
  demo=${words[0]:-}
  [[ $demo =~ ^[a-z_]+$ ]] || die "lab: missing DEMO (usage: ./lab compare {0})" mixed
  [[ ${given[--seeds]} =~ ^[1-9][0-9]{0,2}$ ]] || die "lab: --seeds needs a number from 1 to 999"
  [ -n "$number" ] || number=$(labs_with "$demo") ||
    die "lab: no lab has a demo \"{0}\"; ./lab run 04 lists those of lab 04" "$demo"
  [[ $number != *$'\n'* ]] ||
    die "lab: several labs have it; give a number, as in: ./lab compare {0} {1}" "${number%%$'\n'*}" "$demo"
  need_demo "$(lab_name "$number")" "$demo"
  build default fiberscope-trace "lab${number}_demo"
  program=$bin/lab${number}_demo
  knobs=$("$program" "$demo" --knobs)
  all=$(awk -F '\t' '$1 == "strategy" { print $4 }' <<<"$knobs")
  several=$(awk -F '\t' '$1 == "machines" { print $5 }' <<<"$knobs")
  [ -n "$all" ] || die "lab: {0} has no strategies to choose from" "$demo"
  [ "${given[--strategy]}" = all ] || all=${given[--strategy]}
  mkdir -p "${given[--out]:=$root/build/compare/${number}_$demo}"
  cd "${given[--out]}"
  for strategy in ${all//,/ }; do
    machines=1
    [[ ,$several, != *,$strategy,* ]] || machines=${given[--machines]}
    for machines in ${machines//,/ }; do
      for seed in $(seq "${given[--seeds]}"); do rows+=("${strategy}_${machines}_$seed"); done
    done
  done
  complaint=$(for row in "${rows[@]}"; do
    [[ $row =~ ^(.*)_(.*)_(.*)$ ]] && strategy=${BASH_REMATCH[1]}
    echo "--strategy $strategy --seed ${BASH_REMATCH[3]} --out $row.json" \
      $([[ ,$several, != *,$strategy,* ]] || echo "--machines ${BASH_REMATCH[2]} --lock-ns ${given[--lock-ns]}")
  done | xargs -P "$(nproc)" -L 1 "$program" "$demo" --clock virtual 2>&1 >/dev/null) || {
    echo "${complaint%%$'\n'*}" >&2
    return 1
  }
  "$bin/fiberscope-trace" figures --as csv "${rows[@]/%/.json}" >runs.csv
  "$bin/fiberscope-trace" figures --as medians ${given[--measures]:+--measures "${given[--measures]}"} \
    "${rows[@]/%/.json}"
  [ "${given[--seeds]}" = 1 ] ||
    phrase "medians of {0} seeds; ±: half the interquartile range, relative to the median" "${given[--seeds]}"
  find . -maxdepth 1 -name '*_*_*.json' ! -name '*_1.json' -delete
  phrase "the figures of each run (runs.csv) and the recordings of seed 1: {0}" "${given[--out]}"
}
