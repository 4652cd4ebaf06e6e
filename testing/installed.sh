# shellcheck shell=bash
# Checks a system on which only the package is installed; testing/package.sh runs it in an empty home. Prints a line
# for each check, and the totals at the end.
passed=0 failed=0

# works WHAT COMMAND…: the command exits with status 0.
works() {
  local what=$1
  shift
  if "$@" >said 2>&1; then
    passed=$((passed + 1))
    echo "works: $what"
  else
    echo "FAILED: $what (status $?)"
    failed=$((failed + 1))
    tail -n 20 said
  fi
}
says() { "${@:2}" 2>&1 | tee words | grep -qE -- "$1" || { cat words; return 1; }; }
is_picture() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ]; }

version=$(cat /usr/lib/fiberscope/VERSION)
for program in fiberscope fiberscope-viewer fiberscope-trace /usr/lib/fiberscope/bin/grader; do
  works "$program --version" says "^$(basename "$program") $version\$" "$program" --version
done
works "fiberscope lists its commands" says "fiberscope|./lab start DIR" fiberscope
works "no symbolic link of the package is dangling" \
  test -z "$(find /usr/lib/fiberscope /usr/bin/fiberscope* -xtype l)"

works "a sample is drawn" fiberscope view 01_nested --render x.png
works "the picture is a PNG" is_picture x.png
works "a sample is valid" fiberscope trace check 04_mixed
works "a page in one file" fiberscope web 01_nested --out one.html

fiberscope web --serve 8123 >web.log 2>&1 &
server=$!
fetch() {
  python3 - "$1" <<'END'
import sys, time, urllib.request
for _ in range(100):
    try:
        sys.exit(len(urllib.request.urlopen("http://127.0.0.1:8123/" + sys.argv[1]).read()) < 100)
    except OSError as error:
        last = error
        time.sleep(0.2)
sys.exit(str(last))
END
}
for file in index.html viewer.wasm viewer.js samples/01_nested.json fonts/DejaVuSans.ttf; do
  works "the page has $file" fetch "$file"
done
kill $server

works "a student's tree" fiberscope start my-labs
cd my-labs || exit
works "the new tree has a git history" git log -1
before=$SECONDS
./lab check >check.log 2>&1
status=$?
works "the first check names the next step (after $((SECONDS - before)) s)" grep -q "1\.1" check.log
works "its status is 1, because nothing is written yet" test $status = 1
works "nothing was installed for it" says '^0$' grep -c "installing" check.log
sed -i /kit::not_implemented/d labs/01_switch_asm/exercise/context.cpp
before=$SECONDS
./lab check 1.1 >check.log 2>&1
status=$?
works "the first written step is compiled and judged (after $((SECONDS - before)) s)" \
  grep -q "0 of 5 tests pass" check.log
works "its status is 1, because the code is wrong" test $status = 1
works "failed tests name files in the tree" grep -q " labs/01_switch_asm/tests/context_test.cpp:" check.log
works "unwritten code comes from the reference" says "lab 0[1-9]|Lab 04" ./lab check 04
works "a demo runs on the reference" says nested ./lab run 01
works "progress" ./lab progress
works "a hint" ./lab hint 1.1
works "pictures of the demos" ./lab demo 01
works "the strategies of a demo compared" ./lab compare mixed --machines 1 --seeds 1
cd ..
judge_in() { (cd "$1" && sed -i /kit::not_implemented/d labs/01_switch_asm/exercise/context.cpp && ./lab check 1.1); }
works "a tree for a class, with fiberscope in it" fiberscope start class --with-kit
works "it uses its own grader" says "0 of 5 tests pass" judge_in class
works "it was configured with its own kit" grep -q "fiberscope_DIR:PATH=$HOME/class/" class/build/mine/CMakeCache.txt

works "pkg-config and a linker can be installed" sudo apt-get -qq install -y --no-install-recommends pkg-config
cat >example.c <<'END'
#include <fiberscope/record.h>
int main(void) {
    if (fiberscope_open("mine.json", 0) != 0) return 1;
    fiberscope_note(fiberscope_thread("main"), "here");
    return fiberscope_close();
}
END
# shellcheck disable=SC2046
works "a program of the recorder compiles" gcc example.c $(pkg-config --cflags --libs fiberscope) -o example
works "it records" ./example
works "the recording is valid" fiberscope trace check mine.json
mkdir -p user && cp example.c user
cat >user/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(user C CXX)
find_package(fiberscope 0.2 REQUIRED)
foreach(library fiberscope_record fiberscope_record_static)
  add_executable(with_${library} example.c)
  target_link_libraries(with_${library} fiberscope::${library})
  set_target_properties(with_${library} PROPERTIES LINKER_LANGUAGE CXX)
endforeach()
END
works "CMake finds the package" cmake -S user -B user/build
works "programs link with its libraries" cmake --build user/build
works "a program with the shared library records" user/build/with_fiberscope_record
works "a program with the static library records" user/build/with_fiberscope_record_static
sed -i 's/fiberscope 0.2/fiberscope 0.3/' user/CMakeLists.txt
works "another version is refused" says 'version "0.3"|0\.3' cmake -S user -B user/refused
echo "package: $passed passed, $failed failed"
[ $failed = 0 ]
