# shellcheck shell=bash disable=SC2154
# The verb web, which builds the viewer's page. Sourced by `lab`, whose root, die and phrase they use.

# imgui_sources: prints the directory of Dear ImGui's sources, which emscripten compiles: those of the system's source
# package, in build/imgui. Prints nothing if there is none; CMake then downloads a fixed version.
imgui_sources() {
  local folder=$home/build/imgui lists=/etc/apt file
  compgen -G "$folder/imgui-*/imgui.cpp" >/dev/null || {
    command -v dpkg-source >/dev/null || return 0
    mkdir -p "$folder/lists/partial"
    for file in $lists/sources.list $lists/sources.list.d/*.list; do # both formats: "deb …" and "Types: deb"
      [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$folder/${file##*/}"
    done
    for file in $lists/sources.list.d/*.sources; do
      [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$folder/${file##*/}"
    done
    local apt=(apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder"
      -o "Dir::State::Lists=$folder/lists" -o APT::Sandbox::User=root)
    # A repository without sources fails the update, not the download.
    (cd "$folder" && { "${apt[@]}" update; "${apt[@]}" source --only-source imgui; }) >&2 </dev/null || return 0
  }
  dirname "$(compgen -G "$folder/imgui-*/imgui.cpp" | head -n 1)"
}

# build_page: builds the viewer as WebAssembly and sets `built` to its directory; an installed page is used if present.
build_page() {
  built=$home/build/page
  local prefix
  for prefix in "$home" "$kit" /usr/lib/fiberscope /usr/local/lib/fiberscope; do
    [ ! -f "$built/build.ninja" ] && [ -f "$prefix/page/bin/viewer.js" ] &&
      cmp -s "$home/VERSION" "$prefix/VERSION" && built=$prefix/page && return
  done
  [ -z "$is_installed" ] || die "lab: {0} is not installed" "$built"
  local log=$home/build/logs/build-page.log imgui
  # shellcheck disable=SC2086  # a list of names
  install_packages "$(phrase "to build the page")" $packages_page || exit 1
  command -v emcmake >/dev/null ||
    die "lab: the page needs emscripten (Debian and Ubuntu: apt install emscripten node-acorn)"
  mkdir -p "$home/build/logs"
  export NODE_PATH=${NODE_PATH:-/usr/share/nodejs} # Debian's directory of acorn
  if [ ! -f "$home/build/page/build.ninja" ]; then
    phrase "lab: fetching Dear ImGui's sources (the system's source package; else version 1.86 from its repository)" >&2
    imgui=$(imgui_sources 2>"$log")
    (cd "$home" && emcmake cmake --preset page -DFIBERSCOPE_IMGUI="$imgui") >"$log" 2>&1 ||
      { tail -n 30 "$log" >&2; die "lab: cmake failed; full output: {0}" "$log"; }
  fi
  phrase "lab: building the page (the first time takes some minutes)" >&2
  build_quietly "$home/build/page" "$log" viewer ||
    { tail -n 40 "$log" >&2; die "lab: the build failed; full output: {0}" "$log"; }
}

page() { (python_program "$home/tools/page.py" "$@"); }

# web [--serve [PORT]]: the page with all samples, in build/web. web FILE… --out PAGE: a single file with these
# recordings, for offline use.
web() {
  local port="" out="" files=()
  while [ $# -gt 0 ]; do
    case $1 in
      --serve)
        port=8000
        if [[ ${2:-} =~ ^[0-9]{1,5}$ ]]; then port=$2; shift; fi
        ;;
      --out) [ $# -gt 1 ] || die "lab: --out needs a file"; out=$2; shift ;;
      -*) die "lab: {1} has no option {0}; ./lab {1} --help lists them" "$1" web ;;
      *) files+=("$1") ;;
    esac
    shift
  done
  if [ -n "$out" ] || [ ${#files[@]} -gt 0 ]; then
    [ -n "$out" ] && [ ${#files[@]} -gt 0 ] ||
      die "lab: a page in one file needs recordings and --out: ./lab web 01_nested --out class.html"
    find_files "${files[@]}"
    build_page
    page "$built" "$out" "${found[@]}" || exit
    phrase "{0} is ready. Open it in a browser; it needs no network." "$out"
    return
  fi
  build_page
  page "$built" "$root/build/web" || exit
  if [ -z "$port" ]; then
    phrase "The page is in {0}. './lab web --serve' shows it; any web server can serve the folder." \
      build/web
    return
  fi
  phrase "Open {0} in a browser. Ctrl-C ends it." "http://127.0.0.1:$port/"
  system_python -m http.server --bind 127.0.0.1 --directory "$root/build/web" "$port"
}
