# Functions that define the project's targets from patterns of file names:
#   fiberscope_library(NAME FROM PATTERN… [LINK LIBRARY…] [USES LIBRARY…] [ALONE FILE…])
#   fiberscope_tests(NAME FROM PATTERN… [EXCEPT REGEX] [FIRST FILE…] [LINK LIBRARY…] [NOT_IN_CTEST])
# LINK is public, USES is private. FIRST: files and objects that are linked before the tests, so that the linker takes
# inline functions from them.
#
# A compiler spends most of its time on headers. So several files are compiled as one (unity builds):
#   fiberscope_together(TARGET)                 the files of a library, whose local names must not collide
#   fiberscope_tests_together(OUT NAME FILE…)   sets OUT to files that replace the test files FILE…; each test file is
#                                               in a separate namespace, after the includes of all
# With 1 each file is compiled alone, as in `./lab test --long`, which finds missing includes. A lab's own files are
# always compiled alone, except with sanitizers and for aarch64.
set(FIBERSCOPE_TOGETHER 8 CACHE STRING "Number of files of a library or a test program to compile as one")

function(fiberscope_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE BATCH
    UNITY_BUILD_BATCH_SIZE ${FIBERSCOPE_TOGETHER})
endfunction()

# A file with conditional includes or #defines, with a namespace of the project, or with a global operator cannot be
# combined with others.
function(fiberscope_tests_together out name)
  set(files "")
  set(batches "")
  set(count 0)
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^(#(include|if|define)|namespace fiberscope|extern \"C\"|void[*]? operator )")
    list(JOIN lines "\n" text)
    if(text MATCHES "(^|\n)[^#\n]|#(if|define).*#include" OR FIBERSCOPE_TOGETHER LESS 2)
      list(APPEND files ${file})
      continue()
    endif()
    string(REGEX REPLACE "#(if|define)[^\n]*" "" text "${text}")
    math(EXPR batch "${count} / ${FIBERSCOPE_TOGETHER} + 1")
    math(EXPR count "${count} + 1")
    string(APPEND headers_${batch} "${text}\n")
    string(APPEND bodies_${batch} "namespace test_file_${count} {\n#include \"${file}\"\n}\n")
    list(APPEND batches ${batch})
  endforeach()
  list(REMOVE_DUPLICATES batches)
  foreach(batch ${batches})
    set(together ${CMAKE_CURRENT_BINARY_DIR}/${name}_together_${batch}.cpp)
    file(CONFIGURE OUTPUT ${together} CONTENT "${headers_${batch}}${bodies_${batch}}" @ONLY)
    list(APPEND files ${together})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

function(fiberscope_library name)
  cmake_parse_arguments(arg "" "" "FROM;LINK;USES;ALONE" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${arg_FROM})
  add_library(${name} STATIC ${files})
  # Users of the installed library need not find header-only libraries.
  list(TRANSFORM arg_USES REPLACE "^fiberscope_(json|boost_headers)$" "$<BUILD_INTERFACE:fiberscope_\\1>")
  target_link_libraries(${name} PUBLIC fiberscope_options ${arg_LINK} PRIVATE ${arg_USES})
  fiberscope_read_once(${name} standard)
  fiberscope_together(${name})
  if(arg_ALONE)
    file(GLOB alone ${arg_ALONE})
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

function(fiberscope_tests name)
  cmake_parse_arguments(arg "NOT_IN_CTEST" "EXCEPT" "FROM;FIRST;LINK" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${arg_FROM})
  if(arg_EXCEPT)
    list(FILTER files EXCLUDE REGEX ${arg_EXCEPT})
  endif()
  fiberscope_tests_together(files ${name} ${files})
  add_executable(${name} ${arg_FIRST} $<TARGET_OBJECTS:testing_session> ${files} $<TARGET_OBJECTS:testing_main>)
  target_link_libraries(${name} PRIVATE ${arg_LINK} fiberscope_catch2 fiberscope_options)
  fiberscope_read_once(${name} testing)
  if(NOT arg_NOT_IN_CTEST)
    add_test(NAME ${name} COMMAND ${name})
  endif()
endfunction()

# fiberscope_name(NAME TITLE FILES): an object that gives a program the title of its lab and the list of its files.
function(fiberscope_name name title files)
  file(CONFIGURE OUTPUT ${name}_name.cpp @ONLY CONTENT
    "extern \"C\" {\nextern const char fiberscope_lab_name[], fiberscope_lab_files[];\n\
const char fiberscope_lab_name[] = \"${title}\";\nconst char fiberscope_lab_files[] = \"${files}\";\n}\n")
  add_library(${name}_name OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}_name.cpp)
endfunction()
