# fiberscope_lab(01_switch_asm
#   [LINK lab01 …]    the labs it depends on, and system libraries
#   [EXPLORED]        supports ./lab explore (several machines)
#   [PEERS lab01 …])  other labs linked by its demos and its bench, for comparison
#
# Defines for lab NN: the library labNN from the student's files (exercise/ or solution/) and given/; labNN_tests from
# *_test.cpp below tests/, registered in CTest with the names of its tests and the label labNN; and from programs/, if
# the sources exist, labNN_demo (demo*.cpp), labNN_explore (the same with the explorer), labNN_tools, labNN_proof and
# labNN_bench (bench*.cpp). A lab always links the reference of the labs it depends on, so that a mistake in lab 01
# does not show up in lab 03.
set(FIBERSCOPE_CHALLENGES "beyond/*" CACHE STRING "Folders of challenges in a lab; each has the structure of a lab")
set(FIBERSCOPE_ARCH x86_64)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(FIBERSCOPE_ARCH aarch64)
endif()

# Options for a lab's own files, the same in all builds so that they share the compiler cache.
function(fiberscope_lab_compiled target)
  # Debug information for students; elsewhere line tables suffice (CMakePresets.json). Benchmarks need neither.
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Release>>:-g>)
  fiberscope_read_once(${target} standard)
endfunction()

# A program of the lab, built from FILE… and linked with LIBRARY…. ASKED: not part of the default build.
function(fiberscope_lab_program program lab)
  cmake_parse_arguments(arg "ASKED" "" "FROM;LINK" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${arg_FROM})
  if(files)
    add_library(${program}_objects OBJECT EXCLUDE_FROM_ALL ${files})
    target_link_libraries(${program}_objects PUBLIC ${arg_LINK})
    fiberscope_read_once(${program}_objects standard)
    add_executable(${program} $<TARGET_OBJECTS:${program}_objects> $<TARGET_OBJECTS:${lab}_name>)
    target_link_libraries(${program} PRIVATE ${arg_LINK})
    # The fault handler and the recorder find the names of functions with dladdr, which only sees exported symbols.
    set_target_properties(${program} PROPERTIES ENABLE_EXPORTS ON EXCLUDE_FROM_ALL ${arg_ASKED})
  endif()
endfunction()

# A program of the lab's tests, with OBJECT… and LIBRARY… instead of the lab.
function(fiberscope_lab_tests program lab)
  cmake_parse_arguments(arg "ASKED" "" "OF;LINK" ${ARGN})
  if(TARGET ${lab}_explored_objects)
    list(APPEND arg_OF $<TARGET_OBJECTS:${lab}_explored_objects>)
  endif()
  add_executable(${program} ${arg_OF} $<TARGET_OBJECTS:testing_session> $<TARGET_OBJECTS:${lab}_test_objects>
    $<TARGET_OBJECTS:kit_testing> $<TARGET_OBJECTS:${lab}_name>)
  target_link_libraries(${program} PRIVATE ${arg_LINK} kit trace_recorder trace_reader fiberscope_catch2)
  set_target_properties(${program} PROPERTIES ENABLE_EXPORTS ON EXCLUDE_FROM_ALL ${arg_ASKED})
endfunction()

# ctest asks the program for the names of its tests when it runs, not during the build.
set(FIBERSCOPE_DISCOVER [=[
if(EXISTS "@program@")
  execute_process(COMMAND "@program@" --names OUTPUT_VARIABLE names)
  string(REPLACE ";" "\\;" names "${names}")
  string(REGEX MATCHALL "[^\n]+" names "${names}")
  foreach(name IN LISTS names)
    add_test("${name}" "@program@" --one "${name}")
    set_tests_properties("${name}" PROPERTIES LABELS @lab@ TIMEOUT 120 SKIP_RETURN_CODE 78)
  endforeach()
endif()
]=])

function(fiberscope_lab name)
  cmake_parse_arguments(arg "EXPLORED" "" "LINK;PEERS" ${ARGN})
  set(labs_below ${arg_LINK})
  list(FILTER labs_below INCLUDE REGEX "^lab[0-9]")
  set(labs_compared ${arg_PEERS})
  set(libraries ${arg_LINK})
  list(FILTER libraries EXCLUDE REGEX "^lab[0-9]")
  list(TRANSFORM arg_LINK APPEND _below REGEX "^lab[0-9]")
  list(TRANSFORM arg_PEERS APPEND _below)
  string(SUBSTRING ${name} 0 2 number)
  set(lab lab${number})
  set(variant ${LABS})
  file(GLOB exercise CONFIGURE_DEPENDS exercise/*.cpp exercise/*_${FIBERSCOPE_ARCH}.S
    ${FIBERSCOPE_CHALLENGES}/exercise/*.cpp)
  string(REPLACE "/exercise/" "/solution/" solution "${exercise}")
  file(GLOB given CONFIGURE_DEPENDS given/*.cpp given/*_${FIBERSCOPE_ARCH}.S ${FIBERSCOPE_CHALLENGES}/given/*.cpp)
  fiberscope_name(${lab} ${name} ${variant})

  set(links kit trace_recorder fiberscope_options ${arg_LINK})
  add_library(${lab}_objects OBJECT ${${variant}} ${given})
  target_link_libraries(${lab}_objects PUBLIC ${links})
  fiberscope_lab_compiled(${lab}_objects)
  fiberscope_together(${lab}_objects)
  # Mutants, starters and students' builds replace single files, so each file that a student edits is compiled alone,
  # except in builds without these. The hook's files are combined: they have similar definitions and common helpers.
  set(alone ${given})
  list(FILTER alone INCLUDE REGEX "/hook[^/]*$")
  if(NOT FIBERSCOPE_TOGETHER GREATER 8)
    list(APPEND alone ${${variant}})
  endif()
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_library(${lab} STATIC $<TARGET_OBJECTS:${lab}_objects>)
  target_link_libraries(${lab} PUBLIC ${links})
  set(below ${lab})  # linked by higher labs
  if(variant STREQUAL "exercise")
    set(below ${lab}_reference)
    add_library(${below} STATIC EXCLUDE_FROM_ALL ${solution}  # given/ is the same in both
      $<FILTER:$<TARGET_OBJECTS:${lab}_objects>,EXCLUDE,_objects[.]dir/.*exercise/>)
    target_link_libraries(${below} PUBLIC ${links})
    fiberscope_lab_compiled(${below})
  endif()
  add_library(${lab}_below ALIAS ${below})

  if(arg_EXPLORED)
    set(explore explore)
    set(explore_main explore_main)
  endif()
  file(GLOB tests CONFIGURE_DEPENDS tests/*_test.cpp tests/*/*_test.cpp ${FIBERSCOPE_CHALLENGES}/tests/*_test.cpp)
  set(explored ${tests})  # need extras/explore, which is not installed
  list(FILTER explored INCLUDE REGEX "/explored[^/]*$")
  list(FILTER tests EXCLUDE REGEX "/explored[^/]*$")
  fiberscope_tests_together(tests ${lab} ${tests})
  add_library(${lab}_test_objects OBJECT ${tests})
  target_link_libraries(${lab}_test_objects PUBLIC ${links} trace_reader fiberscope_catch2)
  fiberscope_read_once(${lab}_test_objects testing)
  if(explored)
    add_library(${lab}_explored_objects OBJECT ${explored})
    target_link_libraries(${lab}_explored_objects PUBLIC ${lab}_test_objects explore)
    fiberscope_read_once(${lab}_explored_objects testing)
  endif()
  fiberscope_lab_tests(${lab}_tests ${lab} LINK ${lab} ${explore} ${explore_main})
  set(program ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${lab}_tests)
  file(CONFIGURE OUTPUT ${lab}_ctest.cmake CONTENT "${FIBERSCOPE_DISCOVER}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${lab}_ctest.cmake)
  if(variant STREQUAL "solution")
    # labNN_starter: the tests with the unmodified files of exercise/; only these are compiled.
    set(given $<FILTER:$<TARGET_OBJECTS:${lab}_objects>,EXCLUDE,_objects[.]dir/.*solution/>)
    fiberscope_lab_tests(${lab}_starter ${lab} ASKED LINK ${arg_LINK} ${explore} OF ${exercise} ${given})
    fiberscope_read_once(${lab}_starter testing)
  endif()

  fiberscope_lab_program(${lab}_demo ${lab} LINK ${lab} kit_demo ${arg_PEERS}
    FROM programs/demo*.cpp ${FIBERSCOPE_CHALLENGES}/programs/demo*.cpp)
  if(explore)
    add_executable(${lab}_explore EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${lab}_demo_objects> $<TARGET_OBJECTS:${lab}_name>)
    target_link_libraries(${lab}_explore PRIVATE ${lab} kit_demo ${arg_PEERS} explore_main)
    set_target_properties(${lab}_explore PROPERTIES ENABLE_EXPORTS ON)
  endif()
  fiberscope_lab_program(${lab}_tools ${lab} LINK ${lab} kit_demo
    FROM programs/tools*.cpp ${FIBERSCOPE_CHALLENGES}/programs/tools*.cpp)
  # Built on demand by ./lab grade.
  fiberscope_lab_program(${lab}_proof ${lab} ASKED FROM programs/proof.cpp LINK ${lab})
  fiberscope_lab_program(${lab}_proof_reference ${lab} ASKED FROM programs/proof.cpp LINK ${lab}_below)
  if(FIBERSCOPE_BENCH)
    fiberscope_lab_program(${lab}_bench ${lab} ASKED LINK ${lab} testing_ratios ${arg_PEERS}
      FROM programs/bench*.cpp programs/bench_*_${FIBERSCOPE_ARCH}.S)
  endif()
  if(variant STREQUAL "solution")
    fiberscope_name(${lab}_own ${name} exercise)
    fiberscope_install_lab(${name} "${labs_below}" "${labs_compared}" "${libraries}")
  endif()
  file(GLOB challenges CONFIGURE_DEPENDS ${FIBERSCOPE_CHALLENGES}/challenge.cmake)
  foreach(challenge ${challenges})
    include(${challenge})
  endforeach()
endfunction()
