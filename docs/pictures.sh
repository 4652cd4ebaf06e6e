#!/usr/bin/env bash
# Redraws the pictures of these pages and of the handouts from the samples: docs/pictures.sh [DIR], by default
# docs/pictures. Run it when the drawing of the viewer changes, and check every picture before committing it. --list
# prints a line of tab-separated words for each, from which the site makes the same places interactive.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-docs/pictures}
[ "$folder" = --list ] || mkdir -p "$folder"

# draw NAME SAMPLE… -- OPTION…
draw() {
  local name=$1 samples=() IFS=$'\t'
  [ "$folder" != --list ] || { echo "$*"; return; }
  shift
  while [ "$1" != -- ]; do samples+=("traces/samples/$1.json"); shift; done
  shift
  ./lab view "${samples[@]}" --render "$folder/$name.png" "$@"
}

small=(--size 1280x720 --theme light)
draw forgetful_switch 01_two_contexts -- --size 1280x900 --at 34 --select 3
draw owners 03_owners_1 03_owners_2 03_owners_4 -- --size 1500x1260 --side-by-side --at 62
draw story_stack 01_two_contexts -- "${small[@]}" --at 8
draw story_nested 01_nested -- "${small[@]}" --at 12
draw story_rotation 04_mixed -- "${small[@]}" --at 149
draw story_echo 05_echo_pairs -- "${small[@]}" --at 300 --sets off
draw story_wheel 06_three_stores_wheel -- "${small[@]}" --at 60 --sets on
clients=(05_clients 05_clients_libco 05_clients_sylar 05_clients_netco 05_clients_go)
mixed=(04_mixed 04_mixed_multi_state 04_mixed_sylar 04_mixed_netco 04_mixed_go)
draw systems_clients "${clients[@]}" -- --side-by-side --size 1280x1700 --theme light --at 200
draw systems_mixed "${mixed[@]}" -- --side-by-side --press G --size 1280x1100 --theme light --at 300
draw systems_cloudwu 03_interleave -- "${small[@]}" --at 40
draw viewer 04_mixed -- --size 1280x720 --at 623
draw viewer_compare 04_mixed 04_mixed_multi_state -- --side-by-side --size 1600x900 --at 300
draw viewer_present 01_nested -- --present "${small[@]}" --at 10
draw viewer_lecture 01_nested -- --press "Shift+T ] ] ] ] ]" --size 1280x720
draw viewer_zh 04_mixed -- --language zh --size 1280x720 --at 623
draw viewer_lanes 04_mixed -- --press "O O O O O H" --size 1280x720 --at 623
draw viewer_table 04_mixed -- --press J --size 1600x900 --at 623
[ "$folder" = --list ] || # not interactive: the browser version has no sources
  draw viewer_source 04_mixed -- --press E --size 1280x720 --at 623 --select 2
if [ "$folder" != --list ]; then # not from a sample: its recording is large
  ./lab run 04 scale_tree --strategy sylar --machines 16 --lock-ns 40 --out build/traces/04_scale_tree.json
  ./lab view build/traces/04_scale_tree.json --render "$folder/scale.png" --size 1280x720 --at 9000
fi

replay=(04_mixed -- --size 1000x640) # its place on the site, and its frames
[ "$folder" != --list ] || draw replay "${replay[@]}" --at 143

# The animation on the first page. Needs python3-pil for the system's python.
replay() {
  local frames at
  frames=$(mktemp -d)
  for at in $(seq 103 4 143); do
    ./lab view traces/samples/04_mixed.json --render "$frames/$at.png" "${replay[@]:2}" --at "$at"
  done
  /usr/bin/python3 -I - "$folder/replay.gif" "$frames"/*.png <<'END'
import sys
from PIL import Image

frames = [Image.open(name).convert("RGB") for name in sys.argv[2:]]
colours = frames[-1].quantize(48, dither=0)  # the same palette for all frames, to avoid flicker
first, *rest = [frame.quantize(palette=colours, dither=0) for frame in frames]
first.save(sys.argv[1], save_all=True, append_images=rest, duration=800, loop=0, optimize=True)
END
  rm -rf "$frames"
}
[ "$folder" = --list ] || replay
