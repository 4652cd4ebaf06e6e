#!/usr/bin/env bash
# Lab 05's servers as programs: each is started, loaded from another process and ended by a signal; then it must leave a
# correct recording. Then each holds 1,000 connections for 20,000 requests, of which nothing may be lost or mixed up;
# with `long` set 10,000 for a million. The experiment of step 5.7 runs once, with its picture. And foreign
# clients under the hook, where there is a redis-server.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

bin=build/default/bin out=build/echo
mkdir -p $out
passed=0 failed=0 server=0
limit=60 # s, of a server and of a load
[ -z "${long:-}" ] || limit=600
trap '[ $server = 0 ] || kill $server 2>/dev/null' EXIT

# begin KIND "OPTIONS": a server; its process in `server`, its port in `port`, what it says in the file `log`.
begin() {
  log=$out/$1.log port=""
  : >"$log" # of the last one: its port must not be taken for this one's
  # shellcheck disable=SC2086  # a list of options
  local server_option="--server $1"
  [[ $1 != as_* ]] || server_option="" # the system says which
  # shellcheck disable=SC2086  # a list of options
  timeout --foreground $limit $bin/lab05_demo echo $server_option --port 0 --out "$out/$1.json" $2 >"$log" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    port=$(sed -nE 's/^listening on .*:([0-9]+)$/\1/p' "$log")
    [ -n "$port" ] && break
    sleep 0.05
  done
}

# end SIGNAL: the status of that server.
end() {
  local status
  kill -"$1" $server
  wait $server
  status=$?
  server=0
  return $status
}

# loaded KIND "OPTIONS OF THE SERVER" "OPTIONS OF THE LOAD" [SIGNAL]: 0 if all answers were right and the server ended
# well.
loaded() {
  local status
  begin "$1" "$2"
  # shellcheck disable=SC2086  # a list of options
  timeout $limit $bin/lab05_tools echo_load --port "${port:-1}" $3
  status=$?
  end "${4:-INT}" || status=1
  cat "$log"
  return $status
}

# refused "OPTIONS OF THE SERVER" "WORDS": 0 if it says so in one line, ends with an error, and leaves an older
# recording alone.
refused() {
  local said
  echo old >$out/refused.json
  # shellcheck disable=SC2086
  said=$(timeout $limit $bin/lab05_demo echo --out $out/refused.json $1 2>&1) && { echo "it was taken: $1"; return 1; }
  if [[ $said != *"$2"* ]] || [ "$(wc -l <<<"$said")" != 1 ] || [ "$(cat $out/refused.json)" != old ]; then
    echo "$said"
    return 1
  fi
}

count() {
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
try() { "$@"; count $?; }

for kind in per_connection pool hooked epoll; do
  signal=INT
  [ $kind = per_connection ] || signal=TERM
  echo "== $kind, ended by SIG$signal"
  try loaded $kind "" "--connections 50 --requests 1000" $signal
  [ $kind = epoll ] || try $bin/fiberscope-trace check $out/$kind.json
done
echo "== per_connection with the wait tree, recorded whole"
try loaded per_connection "--wait-by tree --record whole" "--connections 50 --requests 200"
try $bin/fiberscope-trace check $out/per_connection.json
for kind in per_connection pool hooked; do
  for backend in ucontext shared; do
    echo "== $kind on $backend"
    try loaded $kind "--backend $backend" "--connections 50 --requests 1000"
    try $bin/fiberscope-trace check $out/$kind.json
  done
done

for system in ntyco libco sylar netco go; do
  for connections in 100 1000; do
    echo "== as $system has it, on two machines, $connections connections"
    options="--machines 2"
    [ $system != libco ] || options+=" --workers $connections"
    try loaded as_$system "--as $system $options" "--connections $connections --requests 5000"
    try [ "$(grep -c '^machine [01]: ' "$log")" = 2 ]
    try $bin/fiberscope-trace check $out/as_$system.json
  done
done

echo "== the same clients, served as each of five systems does: the table of docs/instructors.md"
rows=$($bin/lab05_demo clients --strategy all --out $out/five | grep '^|')
try [ "$(wc -l <<<"$rows")" = 7 ]
while IFS= read -r row; do
  grep -qxF "$row" docs/instructors.md || { echo "docs/instructors.md has no row: $row"; false; }
  count $?
done <<<"$rows"
for system in ntyco libco sylar netco go; do
  timeout $limit $bin/lab05_demo clients --strategy $system --clock monotonic --out $out/real_$system.json &&
    $bin/fiberscope-trace check $out/real_$system.json
  count $?
done

many="1000 20000"
[ -z "${long:-}" ] || many="10000 1000000"
for kind in per_connection pool hooked; do
  echo "== $kind: ${many% *} connections, ${many#* } requests"
  workers=""
  [ $kind = pool ] && workers="--workers ${many% *}"
  try loaded $kind "--record no $workers" "--connections ${many% *} --requests ${many#* }"
done

echo "== options that cannot be"
try refused "--server none" "--server takes one of per_connection, pool, hooked, epoll, not 'none'"
try refused "--as none" "--as takes one of ntyco, libco, sylar, netco, go, not 'none'"
try refused "--as sylar --server pool" "--server pool needs one machine"
try refused "--backend none" "--backend takes one of asm, ucontext, shared, not 'none'"
try refused "--wait-by none" "--wait-by takes one of table, tree, not 'none'"
try refused "--record none" "--record takes one of whole, brief, no, not 'none'"
try refused "--server pool --workers none" "--workers takes a whole number from 1 to 100000, not 'none'"
try refused "--server pool --workers 100000000" "--workers takes a whole number from 1 to 100000, not '100000000'"
try refused "--workers 5" "--workers: only --server pool and --as libco have workers"
try refused "--server epoll --machines 2" "--machines: this server runs on one thread"
try refused "--clock virtual" "--clock virtual: a server deals with the world outside"
try refused "--server epoll --backend asm" "--backend: --server epoll is a bare loop"
try refused "--port 9123,9123" "--port names 9123 twice"
try refused "--ip localhost" "localhost"
try refused "--port 99999" "--port takes numbers up to 65535"

echo "== options that a load cannot take"
for options in "echo_load" "echo_load --port 99999" "echo_load --port 1 --nothing 2" "experiment --cores 5000" ""; do
  # shellcheck disable=SC2086
  said=$($bin/lab05_tools $options 2>&1)
  status=$?
  [[ $status = 2 && -n $said ]] || { echo "it was taken: $options"; false; }
  count $?
done

echo "== a port in use"
begin epoll ""
try refused "--port $port" "cannot listen on 127.0.0.1:$port: another program has this port"
try end INT

echo "== what a server says at its end, with each kind"
for kind in per_connection pool hooked epoll; do
  said=$(loaded $kind "--ip 127.0.0.2" "--ip 127.0.0.2 --connections 7 --requests 70 --size 100")
  [[ $said == *"7 accepted, 7 closed, 0 refused, 0 times exhausted; "*" messages, 7000 bytes"* ]] ||
    { echo "$said"; false; }
  count $?
done

echo "== a connection without messages is ended"
begin per_connection "--idle-limit 1"
timeout 5 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; read -r -u 3 line; [ -z \"\$line\" ]"
count $?
try end INT

echo "== a recording that reaches its limit ends, and the server goes on"
said=$(loaded per_connection "--record-limit 1" "--connections 50 --requests 60000")
status=$?
[[ $status = 0 && $said == *"the recording has reached its limit of 1 MB"* ]] || { echo "$said"; false; }
count $?
try $bin/fiberscope-trace check $out/per_connection.json

echo "== the experiment"
timeout $limit $bin/lab05_tools experiment --rounds 1 --cores 1 --work 0 --threads 3 --picture $out/experiment.svg &&
  [ "$(grep -c "<rect" $out/experiment.svg)" = 4 ]
count $?

echo "== what hooked code may call, and what it must not"
timeout $limit $bin/lab05_limits
status=$?
if [ $status = 77 ]; then echo "left out: no hook"; else count $status; fi
timeout $limit $bin/lab05_limits no_such_demo 2>/dev/null
try [ $? = 1 ]

echo "== redis"
if [ -x $bin/lab05_redis ]; then
  timeout $limit $bin/lab05_redis
  status=$?
  if [ $status = 77 ]; then echo "left out: no redis-server, or no hook"; else count $status; fi
else
  echo "left out: built without hiredis"
fi
rm -rf $out/five $out/*.json $out/*.svg
echo "echo servers: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
