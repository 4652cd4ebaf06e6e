#!/usr/bin/env bash
# The program from outside: its exit status, its sentences, its files. Arguments: the viewer, the maker of traces, a
# directory to work in.
set -u
viewer=$1 maker=$2 dir=$3
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
"$maker" traces || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect STATUS WORDS COMMAND…: the exit status, and words in what it prints
expect() {
    local status=$1 words=$2
    shift 2
    local out
    out=$("$@" 2>&1 </dev/null)
    local got=$?
    [ "$got" -eq "$status" ] || fail "$*: exit status $got instead of $status: $out"
    case $out in *"$words"*) ;; *) fail "$*: no '$words' in: $out" ;; esac
}

is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ]; }

# A program that prints nothing stands for what a machine without X has.
unset DISPLAY WAYLAND_DISPLAY
expect 0 out/picture.png "$viewer" traces/round_robin.json --render out/picture.png --size 1000x600 --at 100 --select 3
is_png out/picture.png || fail "out/picture.png is no PNG"
[ "$(ls out)" = picture.png ] || fail "something lies beside the picture: $(ls out)"
"$viewer" traces/round_robin.json --render again.png --size 1000x600 --at 100 --select 3 >/dev/null
cmp -s out/picture.png again.png || fail "the same picture differs the second time"
"$viewer" traces/round_robin.json --render end.png --size 1000x600 --at end >/dev/null
cmp -s out/picture.png end.png && fail "--at and --select change nothing"
"$viewer" traces/round_robin.json --render light.png --size 1000x600 --at end --theme light >/dev/null
cmp -s end.png light.png && fail "--theme changes nothing"
"$viewer" traces/round_robin.json --render large.png --size 1000x600 --at end --scale 1.5 >/dev/null
cmp -s end.png large.png && fail "--scale changes nothing"

"$viewer" traces/owners_1.json traces/owners_2.json --render alone.png --size 1000x600 >/dev/null
expect 0 beside.png "$viewer" traces/owners_1.json traces/owners_2.json --side-by-side --render beside.png --size \
  1000x600
cmp -s alone.png beside.png && fail "--side-by-side changes nothing"

"$viewer" traces/owners_1.json traces/owners_2.json --side-by-side --lock events --render events.png --size \
  1000x600 >/dev/null
cmp -s beside.png events.png && fail "--lock changes nothing"
"$viewer" traces/machines.json --render sets.png --size 1000x600 >/dev/null
"$viewer" traces/machines.json --sets off --render no_sets.png --size 1000x600 >/dev/null
cmp -s sets.png no_sets.png && fail "--sets changes nothing"

"$viewer" traces/machines.json --press "O o H" --render pressed.png --size 1000x600 >/dev/null
cmp -s sets.png pressed.png && fail "--press changes nothing"
expect 2 "no such key" "$viewer" traces/machines.json --press "O Hyper" --render wrong.png

# What was cut is shown with a warning; what cannot be read ends with one sentence that names it, and no picture.
expect 0 cut.png "$viewer" traces/cut.json --render cut.png --size 800x500
is_png cut.png || fail "cut.png is no PNG"
for bad in empty broken missing; do
    expect 1 "$bad.json" "$viewer" traces/$bad.json --render $bad.png --size 800x500
    [ ! -e $bad.png ] || fail "$bad.png was written"
done
expect 0 lanes.svg "$viewer" traces/round_robin.json --render lanes.svg --size 1000x600 --at 100
head -c 4 lanes.svg | grep -q '<svg' || fail "lanes.svg is no SVG"
grep -q 'worker 01' lanes.svg || fail "lanes.svg names no coroutine"
expect 1 "cannot be written" "$viewer" traces/round_robin.json --render /proc/none/lanes.svg
expect 0 sets.svg "$viewer" traces/machines.json --render sets.svg --panel sets
grep -q 'global' sets.svg || fail "sets.svg names no set"
expect 1 "write a PNG" "$viewer" traces/machines.json --render states.svg --panel states
expect 0 states.png "$viewer" traces/machines.json --render states.png --panel states --size 1000x600
is_png states.png || fail "states.png is no PNG"
[ "$(stat -c %s states.png)" -lt "$(stat -c %s sets.png)" ] || fail "--panel does not make the picture smaller"
expect 1 "is not in this window; it has sentence, lanes" "$viewer" traces/machines.json --render t.png --panel table
expect 2 "expected one of sentence" "$viewer" traces/machines.json --render t.png --panel everything
mkfifo fifo.json
expect 1 "fifo.json is no regular file" timeout 60 "$viewer" fifo.json --render fifo.png
expect 1 "/dev/zero is no regular file" timeout 60 "$viewer" /dev/zero --render zero.png
expect 1 "is a directory" "$viewer" traces --render directory.png
expect 2 "give 0 to" "$viewer" traces/round_robin.json --render at.png --at 1000000
expect 2 "coroutines; give 0 to 20" "$viewer" traces/round_robin.json --render select.png --select 21
"$viewer" traces/round_robin.json --render present.png --size 1000x600 --at end --present >/dev/null
cmp -s end.png present.png && fail "--present changes nothing"

expect 1 "--render" "$viewer" traces/round_robin.json
expect 2 "No trace" "$viewer" --render none.png
expect 2 "--size" "$viewer" traces/round_robin.json --size large
expect 0 "FILE" "$viewer" --help
expect 1 "/proc/none/x.png: the picture" "$viewer" traces/nested.json --render /proc/none/x.png --size 400x300
expect 1 "/proc/none/x.png：图片写不了" "$viewer" traces/nested.json --render /proc/none/x.png --size 400x300 \
  --language zh
expect 1 "打不开显示器" "$viewer" traces/nested.json --language zh
mkdir empty_path
PATH=$dir/empty_path expect 1 "xvfb-run is missing" "$viewer" traces/nested.json --render x.png

[ $failures -eq 0 ] && echo "all passed"
exit $failures
