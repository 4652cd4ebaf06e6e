# fiberscope_lab(01_switch_asm
#   EXERCISE context.cpp coroutine.cpp switch_${FIBERSCOPE_ARCH}.S   what the student edits: in exercise/ and solution/
#   [GIVEN coroutine.cpp …]                                          what the lab gives: in given/
#   [LINK lab01 …]                                                   the labs that it stands on
#   [EXPLORED]                                                       it has several machines: ./lab explore
#   [PEERS lab01 …])                                                 the labs that its demos and its bench compare with
#
# declares, for lab NN: the library labNN; labNN_tests (from tests/*_test.cpp), and from programs/ labNN_demo
# (demo*.cpp), labNN_tools (tools.cpp), and labNN_bench (bench.cpp). Which files are built is chosen by LABS, or for one
# lab by LABNN: solution or exercise. A lab that stands on others stands on their reference, so that a mistake in lab 01
# is not looked for in lab 03; -DLABS_BELOW=exercise puts it on the student's own.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(FIBERSCOPE_ARCH aarch64)
else()
  set(FIBERSCOPE_ARCH x86_64)
endif()

# The variant of a lab: solution or exercise. A handout has no solution/.
function(fiberscope_lab_variant number dir out)
  set(variant ${LABS})
  if(DEFINED LAB${number})
    set(variant ${LAB${number}})
  endif()
  if(NOT variant MATCHES "^(solution|exercise)$")
    message(FATAL_ERROR "LABS and LAB${number} must be solution or exercise, not '${variant}'.")
  endif()
  if(variant STREQUAL "solution" AND NOT EXISTS ${dir}/solution)
    message(STATUS "Lab ${number} has no solution/ here: its exercise/ is built.")
    set(variant exercise)
  endif()
  set(${out} ${variant} PARENT_SCOPE)
endfunction()

# How a lab's own files are compiled, wherever they are: so the compiler cache knows those of another build.
function(fiberscope_lab_compiled target)
  # For a student's debugger; elsewhere lines are enough (CMakePresets.json). What is only measured needs neither.
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Release>>:-g>)
  fiberscope_read_once(${target} standard)
  fiberscope_debugged(${target})
endfunction()

# labNN_below: what later labs stand on.
function(fiberscope_lab_below lab variant dir edited given link)
  set(below ${lab})
  if(variant STREQUAL "exercise" AND NOT LABS_BELOW STREQUAL "exercise" AND EXISTS ${dir}/solution)
    set(below ${lab}_reference)
    list(TRANSFORM edited REPLACE "^exercise/" "solution/")
    # What is given is the same in both.
    set(same "")
    if(NOT FIBERSCOPE_TOGETHER GREATER 8)
      set(same $<FILTER:$<TARGET_OBJECTS:${lab}_objects>,EXCLUDE,[.]dir/[./]*exercise/>)
      set(given "")
    endif()
    add_library(${below} STATIC EXCLUDE_FROM_ALL ${edited} ${given} ${same})
    target_link_libraries(${below} PUBLIC kit trace_recorder fiberscope_options ${link})
    fiberscope_lab_compiled(${below})
  endif()
  add_library(${lab}_below ALIAS ${below})
endfunction()

# A mutant, a starter and a student's build replace single files of what a student edits, so those are compiled alone,
# but where they are built once (FIBERSCOPE_TOGETHER). What is given is compiled together. The hook's files are many
# definitions of the same kind, with helpers of the same names.
function(fiberscope_lab_together target edited given)
  fiberscope_together(${target})
  set(alone ${given})
  list(FILTER alone INCLUDE REGEX "/hook[^/]*$")
  if(NOT FIBERSCOPE_TOGETHER GREATER 8)
    list(APPEND alone ${edited})
  endif()
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# What every program of a lab is made with.
function(fiberscope_lab_program program lab)
  target_link_libraries(${program} PRIVATE ${lab})
  fiberscope_read_once(${program} standard)
  fiberscope_debugged(${program})
  # The fault handler and the recorder name functions by dladdr, which sees exported symbols only.
  set_target_properties(${program} PROPERTIES ENABLE_EXPORTS ON)
endfunction()

# labNN_starter: the lab's test binary with the files of exercise/ as a student gets them. Only these are compiled; the
# rest are the objects of labNN_tests.
function(fiberscope_lab_starter lab edited link)
  list(TRANSFORM edited PREPEND exercise/)
  add_executable(${lab}_starter EXCLUDE_FROM_ALL ${edited} ${FIBERSCOPE_TESTS_BEGIN}
    $<TARGET_OBJECTS:${lab}_test_objects> $<TARGET_OBJECTS:kit_testing> $<TARGET_OBJECTS:${lab}_name>
    $<FILTER:$<TARGET_OBJECTS:${lab}_objects>,EXCLUDE,[.]dir/[./]*solution/>)
  set_target_properties(${lab}_starter PROPERTIES ENABLE_EXPORTS ON)
  target_link_libraries(${lab}_starter PRIVATE kit trace_recorder trace_reader $<LINK_ONLY:testing_session>
    fiberscope_options ${link})
  fiberscope_read_once(${lab}_starter testing)
endfunction()

# labNN_stand_in: the lab's test binary with the student's files of this lab alone. What is below are the
# libraries that ./lab start left in build/reference; lab 01's is made of Boost.Context. ./lab check runs a failed test
# there.
function(fiberscope_lab_stand_in number explore)
  set(lab lab${number})
  file(GLOB all ${PROJECT_SOURCE_DIR}/build/reference/liblab[0-9][0-9].a)
  set(below "")
  set(options "")
  foreach(library IN LISTS all)
    get_filename_component(name ${library} NAME_WE)
    if("${name}" STRLESS "lib${lab}")
      list(APPEND below ${library})
      string(SUBSTRING ${name} 3 -1 name)
      list(APPEND options $<TARGET_PROPERTY:${name},INTERFACE_LINK_OPTIONS>)
    endif()
  endforeach()
  if(below STREQUAL "" OR NOT TARGET fiberscope_fcontext)
    return()
  endif()
  add_executable(${lab}_stand_in EXCLUDE_FROM_ALL ${FIBERSCOPE_TESTS_BEGIN} $<TARGET_OBJECTS:${lab}_test_objects>
    $<TARGET_OBJECTS:kit_testing> $<TARGET_OBJECTS:${lab}_name> $<TARGET_OBJECTS:${lab}_objects>)
  set_target_properties(${lab}_stand_in PROPERTIES ENABLE_EXPORTS ON)
  target_link_options(${lab}_stand_in PRIVATE ${options})
  target_link_libraries(${lab}_stand_in PRIVATE -Wl,--start-group ${below} -Wl,--end-group kit trace_recorder
    trace_reader testing_session fiberscope_options fiberscope_fcontext ${explore})
endfunction()

function(fiberscope_lab name)
  cmake_parse_arguments(arg "EXPLORED" "" "EXERCISE;GIVEN;LINK;PEERS" ${ARGN})
  set(explore "")
  set(explore_main "")
  if(arg_EXPLORED)
    set(explore explore)
    set(explore_main explore_main)
  endif()
  string(SUBSTRING ${name} 0 2 number)
  set(lab lab${number})
  set(dir ${PROJECT_SOURCE_DIR}/labs/${name})
  fiberscope_lab_variant(${number} ${dir} variant)
  list(TRANSFORM arg_EXERCISE PREPEND ${variant}/ OUTPUT_VARIABLE edited)
  list(TRANSFORM arg_GIVEN PREPEND given/)
  list(TRANSFORM arg_LINK APPEND _below)
  list(TRANSFORM arg_PEERS APPEND _below)

  file(CONFIGURE OUTPUT ${lab}_name.cpp @ONLY CONTENT
    "extern \"C\" {\nextern const char fiberscope_lab_name[], fiberscope_lab_files[];\n\
const char fiberscope_lab_name[] = \"${name}\";\nconst char fiberscope_lab_files[] = \"${variant}\";\n}\n")
  add_library(${lab}_name OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${lab}_name.cpp)

  add_library(${lab}_objects OBJECT ${edited} ${arg_GIVEN})
  target_link_libraries(${lab}_objects PUBLIC kit trace_recorder fiberscope_options ${arg_LINK})
  fiberscope_lab_compiled(${lab}_objects)
  fiberscope_lab_together(${lab}_objects "${edited}" "${arg_GIVEN}")
  add_library(${lab} STATIC $<TARGET_OBJECTS:${lab}_objects>)
  target_link_libraries(${lab} PUBLIC kit trace_recorder fiberscope_options ${arg_LINK})
  fiberscope_lab_below(${lab} ${variant} ${dir} "${edited}" "${arg_GIVEN}" "${arg_LINK}")

  file(GLOB tests CONFIGURE_DEPENDS ${dir}/tests/*_test.cpp)
  if(tests)
    fiberscope_tests_together(tests ${lab} ${tests})
    add_library(${lab}_test_objects OBJECT ${tests})
    target_link_libraries(${lab}_test_objects PUBLIC kit trace_reader fiberscope_catch2 fiberscope_options ${arg_LINK}
      ${explore})
    fiberscope_read_once(${lab}_test_objects testing)
    fiberscope_debugged(${lab}_test_objects)
    add_executable(${lab}_tests ${FIBERSCOPE_TESTS_BEGIN} $<TARGET_OBJECTS:${lab}_test_objects>
      $<TARGET_OBJECTS:kit_testing> $<TARGET_OBJECTS:${lab}_name>)
    fiberscope_lab_program(${lab}_tests ${lab})
    target_link_libraries(${lab}_tests PRIVATE trace_reader testing_session ${explore} ${explore_main})
    if(variant STREQUAL "exercise" AND arg_LINK)
      fiberscope_lab_stand_in(${number} "${explore};${explore_main}")
    endif()
    if(variant STREQUAL "solution")
      fiberscope_lab_starter(${lab} "${arg_EXERCISE}" "${arg_LINK};${explore}")
    endif()
  endif()
  if(EXISTS ${dir}/programs/demo.cpp)
    file(GLOB demos CONFIGURE_DEPENDS ${dir}/programs/demo*.cpp)
    add_executable(${lab}_demo ${demos} $<TARGET_OBJECTS:${lab}_name>)
    fiberscope_lab_program(${lab}_demo ${lab})
    target_link_libraries(${lab}_demo PRIVATE kit_demo ${arg_PEERS} ${explore_main})
  endif()
  if(EXISTS ${dir}/programs/tools.cpp)
    add_executable(${lab}_tools ${dir}/programs/tools.cpp $<TARGET_OBJECTS:${lab}_name>)
    fiberscope_reads_command_line(${dir}/programs/tools.cpp)
    fiberscope_lab_program(${lab}_tools ${lab})
  endif()
  if(EXISTS ${dir}/programs/proof.cpp)  # what the grader asks: built by ./lab grade
    foreach(kind proof proof_reference)
      add_executable(${lab}_${kind} EXCLUDE_FROM_ALL ${dir}/programs/proof.cpp $<TARGET_OBJECTS:${lab}_name>)
    endforeach()
    fiberscope_lab_program(${lab}_proof ${lab})
    fiberscope_lab_program(${lab}_proof_reference ${lab}_below)
  endif()
  if(FIBERSCOPE_BENCH AND EXISTS ${dir}/programs/bench.cpp)
    file(GLOB assembly CONFIGURE_DEPENDS ${dir}/programs/bench_*_${FIBERSCOPE_ARCH}.S)
    add_executable(${lab}_bench EXCLUDE_FROM_ALL ${dir}/programs/bench.cpp ${assembly} $<TARGET_OBJECTS:${lab}_name>)
    fiberscope_lab_program(${lab}_bench ${lab})
    target_link_libraries(${lab}_bench PRIVATE testing_ratios fiberscope_fcontext ${arg_PEERS})
  endif()
endfunction()
