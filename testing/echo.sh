#!/usr/bin/env bash
# Lab 05's servers as programs: each is started, loaded from another process and ended by a signal; then it must leave a
# correct recording. Then each holds 1,000 connections for 20,000 requests, of which nothing may be lost or mixed up; with
# `long` set 10,000 for a million. And somebody else's clients under the hook, where there is a redis-server.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

bin=build/default/bin out=build/echo
mkdir -p $out
passed=0 failed=0 server=0
trap '[ $server = 0 ] || kill $server 2>/dev/null' EXIT

# loaded KIND "OPTIONS OF THE SERVER" "OPTIONS OF THE LOAD": 0 if all answers were right and the server ended well.
loaded() {
  local kind=$1 log=$out/$1.log port="" status
  # shellcheck disable=SC2086  # lists of options
  $bin/lab05_demo echo --server "$kind" --port 0 --out "$out/$kind.json" $2 >"$log" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    port=$(sed -nE 's/^listening on .*:([0-9]+)$/\1/p' "$log")
    [ -n "$port" ] && break
    sleep 0.05
  done
  # shellcheck disable=SC2086
  $bin/lab05_tools echo_load --port "${port:-1}" $3
  status=$?
  kill -INT $server
  wait $server || status=1
  server=0
  cat "$log"
  return $status
}

count() {
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

for kind in per_connection pool hooked epoll; do
  echo "== $kind"
  loaded $kind "" "--connections 50 --requests 1000"
  count $?
  [ $kind = epoll ] || { $bin/fiberscope-trace check $out/$kind.json; count $?; }
done
for kind in per_connection pool hooked; do
  for backend in ucontext shared; do
    echo "== $kind on $backend"
    loaded $kind "--backend $backend" "--connections 50 --requests 1000"
    count $?
    $bin/fiberscope-trace check $out/$kind.json
    count $?
  done
done

many="1000 20000"
[ -z "${long:-}" ] || many="10000 1000000"
for kind in per_connection pool hooked; do
  echo "== $kind: ${many% *} connections, ${many#* } requests"
  loaded $kind "--record no --workers ${many% *}" "--connections ${many% *} --requests ${many#* }"
  count $?
done

if [ -x $bin/lab05_redis ]; then
  $bin/lab05_redis
  status=$?
  [ $status = 77 ] || count $status
fi
rm -f $out/*.json
echo "echo servers: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
