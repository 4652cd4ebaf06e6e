# System packages first; a pinned download where the system has none. Each dependency becomes one target that the rest
# of the tree names, so that no other file knows where a library came from.
include(FetchContent)

# Cross builds (aarch64) use the header-only packages of the build machine: links to them, since /usr/include itself
# would shadow the target's own headers.
if(CMAKE_CROSSCOMPILING)
  set(HOST_HEADERS ${CMAKE_BINARY_DIR}/host-headers)
  file(MAKE_DIRECTORY ${HOST_HEADERS})
  foreach(name catch2 nlohmann CLI boost valijson)
    if(EXISTS /usr/include/${name})
      file(CREATE_LINK /usr/include/${name} ${HOST_HEADERS}/${name} SYMBOLIC)
    endif()
  endforeach()
endif()

# fiberscope_json: nlohmann/json
add_library(fiberscope_json INTERFACE)
if(CMAKE_CROSSCOMPILING)
  target_include_directories(fiberscope_json SYSTEM INTERFACE ${HOST_HEADERS})
else()
  find_package(nlohmann_json 3.9 QUIET)
  if(NOT nlohmann_json_FOUND)
    FetchContent_Declare(nlohmann_json URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz)
    FetchContent_MakeAvailable(nlohmann_json)
  endif()
  target_link_libraries(fiberscope_json INTERFACE nlohmann_json::nlohmann_json)
endif()

# fiberscope_cli11: the command lines of the programs. Header-only.
add_library(fiberscope_cli11 INTERFACE)
if(CMAKE_CROSSCOMPILING)
  target_include_directories(fiberscope_cli11 SYSTEM INTERFACE ${HOST_HEADERS})
else()
  find_package(CLI11 2.1 QUIET)
  if(NOT CLI11_FOUND)
    FetchContent_Declare(CLI11 URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.1.2.tar.gz)
    FetchContent_MakeAvailable(CLI11)
  endif()
  get_target_property(cli11_headers CLI11::CLI11 INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(fiberscope_cli11 SYSTEM INTERFACE ${cli11_headers})
endif()

# fiberscope_reads_command_line(FILE…): files with CLI11's templates, which take long to optimise; nothing depends on
# their speed.
function(fiberscope_reads_command_line)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-O0;-g0" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# fiberscope_catch2: Catch2 v2 or v3 (testing/catch.h hides the difference)
add_library(fiberscope_catch2 INTERFACE)
if(CMAKE_CROSSCOMPILING)
  target_include_directories(fiberscope_catch2 SYSTEM INTERFACE ${HOST_HEADERS})
else()
  find_package(Catch2 3 QUIET)
  if(NOT Catch2_FOUND)
    find_package(Catch2 2 QUIET)
  endif()
  if(NOT Catch2_FOUND)
    FetchContent_Declare(Catch2 URL https://github.com/catchorg/Catch2/archive/refs/tags/v2.13.10.tar.gz)
    FetchContent_MakeAvailable(Catch2)
  endif()
  target_link_libraries(fiberscope_catch2 INTERFACE Catch2::Catch2)
endif()
# What uses Catch2 is a test: it is compiled as often as it is run, and takes a compiler long, because each CHECK does.
# So it is not optimised, and neither is what is linked with it and compiled for one run (mutants, starters). What it
# tests is optimised as ever.
set(FIBERSCOPE_TESTS_OPTIMISED -O0 CACHE STRING
  "How tests are compiled; ThreadSanitizer needs the switches in them inline")
target_compile_options(fiberscope_catch2 INTERFACE ${FIBERSCOPE_TESTS_OPTIMISED})

# fiberscope_boost_headers: Boost's header-only libraries (Boost.Intrusive)
add_library(fiberscope_boost_headers INTERFACE)
if(CMAKE_CROSSCOMPILING)
  target_include_directories(fiberscope_boost_headers SYSTEM INTERFACE ${HOST_HEADERS})
else()
  find_package(Boost REQUIRED)
  target_link_libraries(fiberscope_boost_headers INTERFACE Boost::headers)
endif()

# fiberscope_benchmark (Google Benchmark), fiberscope_fcontext (Boost.Context), fiberscope_fiber (Boost.Fiber),
# fiberscope_libevent and fiberscope_libuv: benchmarks only
if(FIBERSCOPE_BENCH)
  find_package(benchmark REQUIRED)
  find_package(Boost REQUIRED COMPONENTS context fiber)
  add_library(fiberscope_benchmark INTERFACE)
  target_link_libraries(fiberscope_benchmark INTERFACE benchmark::benchmark)
  add_library(fiberscope_fcontext INTERFACE)
  target_link_libraries(fiberscope_fcontext INTERFACE Boost::context)
  add_library(fiberscope_fiber INTERFACE)
  target_link_libraries(fiberscope_fiber INTERFACE Boost::fiber)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(libevent_core REQUIRED IMPORTED_TARGET libevent_core)
  add_library(fiberscope_libevent INTERFACE)
  target_link_libraries(fiberscope_libevent INTERFACE PkgConfig::libevent_core)
  pkg_check_modules(libuv REQUIRED IMPORTED_TARGET libuv)
  add_library(fiberscope_libuv INTERFACE)
  target_link_libraries(fiberscope_libuv INTERFACE PkgConfig::libuv)
endif()

# fiberscope_imgui (Dear ImGui with its GLFW and OpenGL 3 backends): the viewer only
if(FIBERSCOPE_VIEWER)
  find_package(OpenGL REQUIRED)
  find_package(glfw3 3.3 QUIET)
  if(NOT glfw3_FOUND)
    FetchContent_Declare(glfw URL https://github.com/glfw/glfw/archive/refs/tags/3.3.8.tar.gz)
    FetchContent_MakeAvailable(glfw)
  endif()
  add_library(fiberscope_imgui INTERFACE)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(IMGUI QUIET imgui)
  endif()
  if(IMGUI_FOUND)
    list(TRANSFORM IMGUI_INCLUDE_DIRS APPEND /backends OUTPUT_VARIABLE IMGUI_BACKEND_DIRS)
    target_include_directories(fiberscope_imgui SYSTEM INTERFACE ${IMGUI_INCLUDE_DIRS} ${IMGUI_BACKEND_DIRS})
    target_link_directories(fiberscope_imgui INTERFACE ${IMGUI_LIBRARY_DIRS})
    target_link_libraries(fiberscope_imgui INTERFACE ${IMGUI_LIBRARIES})
  else()
    FetchContent_Declare(imgui URL https://github.com/ocornut/imgui/archive/refs/tags/v1.86.tar.gz)
    FetchContent_MakeAvailable(imgui)
    add_library(imgui_fetched STATIC
      ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
      ${imgui_SOURCE_DIR}/imgui_widgets.cpp ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
      ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
    target_include_directories(imgui_fetched SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends)
    target_link_libraries(imgui_fetched PUBLIC glfw OpenGL::GL)
    target_link_libraries(fiberscope_imgui INTERFACE imgui_fetched)
  endif()
  target_link_libraries(fiberscope_imgui INTERFACE glfw OpenGL::GL ${CMAKE_DL_LIBS})
endif()

# fiberscope_hiredis: a client of lab 05's tests, which are left out without it
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT CMAKE_CROSSCOMPILING)
  pkg_check_modules(HIREDIS QUIET IMPORTED_TARGET hiredis)
  if(HIREDIS_FOUND)
    add_library(fiberscope_hiredis INTERFACE)
    target_link_libraries(fiberscope_hiredis INTERFACE PkgConfig::HIREDIS)
  endif()
  # Two more of lab 05's demos.
  pkg_check_modules(SQLITE QUIET IMPORTED_TARGET sqlite3)
  pkg_check_modules(OPENSSL QUIET IMPORTED_TARGET libcrypto)
endif()
