# What nearly every file includes is most of what a compiler reads, so it is read once for all files (precompiled):
#   fiberscope_read_once(TARGET standard)   the standard library's headers: cmake/standard_library.h
#   fiberscope_read_once(TARGET testing)    those, and Catch2's
# Every file still includes what it uses: a test of the tree looks (testing/tests/includes_test.py).
option(FIBERSCOPE_READ_ONCE "Precompile the headers that nearly every file includes" ON)

function(fiberscope_headers_to_read_once kind)
  file(CONFIGURE OUTPUT ${kind}_headers.cpp CONTENT "// carries what is read once\n")
  add_library(${kind}_headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${kind}_headers.cpp)
  target_link_libraries(${kind}_headers PUBLIC fiberscope_options)
  target_precompile_headers(${kind}_headers PRIVATE ${ARGN})
endfunction()

if(FIBERSCOPE_READ_ONCE)
  fiberscope_headers_to_read_once(standard ${PROJECT_SOURCE_DIR}/cmake/standard_library.h)
  fiberscope_headers_to_read_once(testing ${PROJECT_SOURCE_DIR}/cmake/standard_library.h
    ${PROJECT_SOURCE_DIR}/testing/catch.h)
  target_link_libraries(testing_headers PUBLIC fiberscope_catch2)
endif()

function(fiberscope_read_once target kind)
  if(FIBERSCOPE_READ_ONCE)
    target_precompile_headers(${target} REUSE_FROM ${kind}_headers)
  endif()
endfunction()

# fiberscope_debugged(TARGET): what one steps through in gdb. The preset debug compiles it anew, with every variable and
# with asserts, and so without what others read once; all else is as in the other builds, so that a cache knows it.
set(FIBERSCOPE_DEBUGGED "" CACHE STRING "How labs, their tests and the kit are compiled for gdb")
function(fiberscope_debugged target)
  if(FIBERSCOPE_DEBUGGED)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${FIBERSCOPE_DEBUGGED}>)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
