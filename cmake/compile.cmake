# Compiler and linker settings of the whole tree.

# Linked by every target of the project: include root, warnings, and toolchain options for coroutine stacks.
find_package(Threads REQUIRED)
add_library(fiberscope_options INTERFACE)
target_include_directories(fiberscope_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:lib/fiberscope/include>)
target_compile_options(fiberscope_options INTERFACE
  # Checks for required locks (labs/kit/machines/thread_safety.h): an error, because only clang makes them.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wthread-safety -Werror=thread-safety>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow>
  $<BUILD_INTERFACE:$<$<BOOL:${FIBERSCOPE_WERROR}>:-Werror>>)
# Lazy binding uses 3 KiB of the first caller's stack; coroutine stacks are small.
target_link_options(fiberscope_options INTERFACE -Wl,-z,now)
target_link_libraries(fiberscope_options INTERFACE Threads::Threads)

# Uses a faster linker if the compiler finds one. Release builds use link-time optimisation: a switch goes through five
# functions in four files.
if(NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold FIBERSCOPE_LINKER_IS_MOLD)
  add_link_options($<$<BOOL:${FIBERSCOPE_LINKER_IS_MOLD}>:-fuse-ld=mold>)
endif()

# Precompiled headers: common headers are most of the compiler's input.
#   fiberscope_read_once(TARGET standard)   the standard library's headers: cmake/standard_library.h
#   fiberscope_read_once(TARGET testing)    the same, and Catch2's
# Every file still includes the headers it uses, which a test checks.
function(fiberscope_read_once target kind)
  if(NOT EMSCRIPTEN)
    target_precompile_headers(${target} REUSE_FROM ${kind}_headers)
  endif()
endfunction()
if(NOT EMSCRIPTEN)
  file(CONFIGURE OUTPUT read_once.cpp CONTENT "// carries the precompiled headers\n")
  foreach(kind standard testing)
    add_library(${kind}_headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/read_once.cpp)
    target_link_libraries(${kind}_headers PUBLIC fiberscope_options)
    target_precompile_headers(${kind}_headers PRIVATE ${PROJECT_SOURCE_DIR}/cmake/standard_library.h)
  endforeach()
  target_link_libraries(testing_headers PUBLIC fiberscope_catch2)
  target_precompile_headers(testing_headers PRIVATE ${PROJECT_SOURCE_DIR}/testing/catch.h)
endif()

# fiberscope_compiled(TARGET OPTION…): adds options, and disables precompiled headers.
function(fiberscope_compiled target)
  target_compile_options(${target} PRIVATE ${ARGN})
  set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
endfunction()
