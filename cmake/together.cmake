# Most of what a compiler does for a file it does for the headers. So several files are compiled as one.
#   fiberscope_together(TARGET)                 the files of a library; two of them may not use one name for two things
#   fiberscope_tests_together(OUT NAME FILE…)   sets OUT to the test files to compile in place of FILE…: each in a
#                                               namespace of its own, behind all includes of all of them
# With 1 each file is compiled alone, which finds a file that forgets an include: `./lab test --long` does so. A lab's
# own files are always compiled alone, but under the sanitizers and for aarch64, where they are built once.
set(FIBERSCOPE_TOGETHER 8 CACHE STRING "How many files of a library or of a program's tests are compiled as one")

# A student's tree has no solutions. There a library is built once, for the first answer, so all of it at once.
file(GLOB FIBERSCOPE_SOLUTIONS ${PROJECT_SOURCE_DIR}/labs/*/solution)

function(fiberscope_together target)
  set(size ${FIBERSCOPE_TOGETHER})
  if(FIBERSCOPE_SOLUTIONS STREQUAL "")
    set(size 0)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# Sets `out` to the includes of a file; to "alone" if it cannot share a file with others: it chooses by #define or #if
# what it includes, opens a namespace of the project, or defines an operator of the whole program.
function(fiberscope_includes_of file out)
  file(STRINGS ${file} lines REGEX "^(#(include|if|define)|namespace fiberscope|extern \"C\"|void[*]? operator )")
  set(includes "")
  set(chosen FALSE)
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^#")
      set(includes alone)
      break()
    elseif(NOT line MATCHES "^#include")
      set(chosen TRUE)
    elseif(chosen)
      set(includes alone)
      break()
    else()
      string(APPEND includes "${line}\n")
    endif()
  endforeach()
  set(${out} "${includes}" PARENT_SCOPE)
endfunction()

# Writes file `number` of those that are compiled together, and appends it to `out`.
function(fiberscope_write_together out name number headers bodies)
  set(together ${CMAKE_CURRENT_BINARY_DIR}/${name}_together_${number}.cpp)
  file(CONFIGURE OUTPUT ${together} CONTENT "${headers}${bodies}" @ONLY)
  set(${out} ${${out}} ${together} PARENT_SCOPE)
endfunction()

function(fiberscope_tests_together out name)
  set(files "")
  set(headers "")
  set(bodies "")
  set(count 0)
  set(number 1)
  foreach(file ${ARGN})
    get_filename_component(file ${file} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    fiberscope_includes_of(${file} includes)
    if(includes STREQUAL "alone" OR FIBERSCOPE_TOGETHER LESS 2)
      list(APPEND files ${file})
      continue()
    endif()
    if(count EQUAL FIBERSCOPE_TOGETHER)
      fiberscope_write_together(files ${name} ${number} "${headers}" "${bodies}")
      math(EXPR number "${number} + 1")
      set(count 0)
      set(headers "")
      set(bodies "")
    endif()
    math(EXPR count "${count} + 1")
    string(APPEND headers "${includes}")
    string(APPEND bodies "namespace test_file_${count} {\n#include \"${file}\"\n}\n")
  endforeach()
  if(count GREATER 0)
    fiberscope_write_together(files ${name} ${number} "${headers}" "${bodies}")
  endif()
  set(${out} ${files} PARENT_SCOPE)
endfunction()
