# Finds the dependencies: a system package if there is one, else a pinned download. Each becomes one target; no other
# file depends on where a library came from.
include(FetchContent)
find_package(PkgConfig QUIET)

# Cross builds (aarch64) use the header-only packages of the build machine through links, since /usr/include itself
# would shadow the target's headers.
if(CMAKE_CROSSCOMPILING)
  set(HOST_HEADERS ${CMAKE_BINARY_DIR}/host-headers)
  file(MAKE_DIRECTORY ${HOST_HEADERS})
  foreach(name catch2 nlohmann boost valijson)
    file(CREATE_LINK /usr/include/${name} ${HOST_HEADERS}/${name} SYMBOLIC)
  endforeach()
endif()

# fiberscope_headers(NAME TARGET PACKAGE VERSION… [URL url SHA256 hash]): a header-only library from the system, in one
# of these versions, or else downloaded.
function(fiberscope_headers name target package)
  cmake_parse_arguments(arg "" "URL;SHA256" "" ${ARGN})
  add_library(${name} INTERFACE)
  if(CMAKE_CROSSCOMPILING)
    target_include_directories(${name} SYSTEM INTERFACE ${HOST_HEADERS})
    return()
  endif()
  foreach(version ${arg_UNPARSED_ARGUMENTS})
    if(NOT ${package}_FOUND)
      find_package(${package} ${version} QUIET)
    endif()
  endforeach()
  if(NOT ${package}_FOUND AND arg_URL)
    FetchContent_Declare(${package} URL ${arg_URL} URL_HASH SHA256=${arg_SHA256})
    FetchContent_MakeAvailable(${package})
  endif()
  target_link_libraries(${name} INTERFACE ${target})
  set(${package}_VERSION "${${package}_VERSION}" PARENT_SCOPE)
endfunction()
fiberscope_headers(fiberscope_json nlohmann_json::nlohmann_json nlohmann_json 3.9
  URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
  SHA256 d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273)
fiberscope_headers(fiberscope_boost_headers Boost::headers Boost 1.74)
fiberscope_headers(fiberscope_catch2 Catch2::Catch2 Catch2 3 2  # testing/catch.h includes either
  URL https://github.com/catchorg/Catch2/archive/refs/tags/v2.13.10.tar.gz
  SHA256 d54a712b7b1d7708bc7a819a8e6e47b2fde9536f487b89ccbca295072a7d9943)
# Tests are compiled about as often as they are run, and each CHECK is expensive to compile. So users of Catch2 are
# compiled without optimisation, as is code that is compiled for one run (mutants, starters), but not the code under
# test.
set(FIBERSCOPE_TESTS_OPTIMISED -O0 CACHE STRING
  "How tests are compiled; ThreadSanitizer needs the switches in them inline")
target_compile_options(fiberscope_catch2 INTERFACE ${FIBERSCOPE_TESTS_OPTIMISED})

# fiberscope_peers: the libraries used by, and compared in, the benchmarks.
if(FIBERSCOPE_BENCH)
  find_package(benchmark REQUIRED)
  find_package(Boost REQUIRED COMPONENTS context fiber)
  add_library(fiberscope_peers INTERFACE)
  target_link_libraries(fiberscope_peers INTERFACE benchmark::benchmark Boost::context Boost::fiber)
endif()

# fiberscope_imgui: Dear ImGui with its GLFW and OpenGL 3 backends, for the viewer. Compiled from source for the web
# page and if the system has no library.
if(FIBERSCOPE_VIEWER)
  add_library(fiberscope_imgui INTERFACE)
  if(EMSCRIPTEN)
    add_library(glfw INTERFACE)  # emscripten's own
  else()
    find_package(OpenGL REQUIRED)
    find_package(glfw3 3.3 REQUIRED)
    if(PkgConfig_FOUND)
      pkg_check_modules(IMGUI QUIET imgui)
    endif()
    target_link_libraries(fiberscope_imgui INTERFACE glfw OpenGL::GL ${CMAKE_DL_LIBS})
  endif()
  if(IMGUI_FOUND)
    list(TRANSFORM IMGUI_INCLUDE_DIRS APPEND /backends OUTPUT_VARIABLE IMGUI_BACKEND_DIRS)
    target_include_directories(fiberscope_imgui SYSTEM INTERFACE ${IMGUI_INCLUDE_DIRS} ${IMGUI_BACKEND_DIRS})
    target_link_directories(fiberscope_imgui INTERFACE ${IMGUI_LIBRARY_DIRS})
    target_link_libraries(fiberscope_imgui INTERFACE ${IMGUI_LIBRARIES})
  else()
    set(FIBERSCOPE_IMGUI "" CACHE PATH "Dear ImGui's sources; downloaded if not given")
    if(NOT FIBERSCOPE_IMGUI)
      FetchContent_Declare(imgui URL https://github.com/ocornut/imgui/archive/refs/tags/v1.86.tar.gz
        URL_HASH SHA256=6ba6ae8425a19bc52c5e067702c48b70e4403cd339cba02073a462730a63e825)
      FetchContent_MakeAvailable(imgui)
      set(FIBERSCOPE_IMGUI ${imgui_SOURCE_DIR})
    endif()
    file(GLOB imgui ${FIBERSCOPE_IMGUI}/imgui*.cpp ${FIBERSCOPE_IMGUI}/backends/imgui_impl_glfw.cpp
      ${FIBERSCOPE_IMGUI}/backends/imgui_impl_opengl3.cpp)
    list(FILTER imgui EXCLUDE REGEX imgui_demo)
    add_library(imgui_compiled STATIC ${imgui})
    target_include_directories(imgui_compiled SYSTEM PUBLIC ${FIBERSCOPE_IMGUI} ${FIBERSCOPE_IMGUI}/backends)
    target_link_libraries(imgui_compiled PUBLIC glfw)
    target_link_libraries(fiberscope_imgui INTERFACE imgui_compiled)
  endif()
endif()

# Optional: libraries for clients of lab 05's demos, and liburing for its step 5.8.
if(PkgConfig_FOUND AND NOT CMAKE_CROSSCOMPILING)
  pkg_check_modules(LIBURING QUIET IMPORTED_TARGET liburing>=2.3)
  pkg_check_modules(HIREDIS QUIET IMPORTED_TARGET hiredis)
  pkg_check_modules(SQLITE QUIET IMPORTED_TARGET sqlite3)
  pkg_check_modules(OPENSSL QUIET IMPORTED_TARGET libcrypto)
endif()
