# Files installed by `cmake --install` and CPack: everything that a user does not edit. See docs/architecture.md.
#   bin/                      links to the lab command (as fiberscope), fiberscope-viewer and fiberscope-trace
#   ${FIBERSCOPE_HOME}/       the lab command, tools, programs, message catalogues, samples, the page
#   ${FIBERSCOPE_HOME}/labs/  per lab the objects that a student's program is linked from (student_labs.cmake)
#   ${FIBERSCOPE_HOME}/student/  the tree that `./lab start` copies
# A student's tree needs the component labs; each program is a separate component, so that a clone installs only the
# ones in use. The targets install_labs and install_bench build the files of these components.
include(GNUInstallDirs)
set(FIBERSCOPE_HOME lib/fiberscope)

# fiberscope_install_programs(TARGET… [COMPONENT NAME])
function(fiberscope_install_programs)
  cmake_parse_arguments(arg "" "COMPONENT" "" ${ARGN})
  foreach(program ${arg_UNPARSED_ARGUMENTS})
    if(TARGET ${program})
      set(component ${arg_COMPONENT})
      if(NOT component)
        set(component ${program})
      endif()
      install(TARGETS ${program} RUNTIME DESTINATION ${FIBERSCOPE_HOME}/bin COMPONENT ${component})
      set_property(GLOBAL APPEND PROPERTY FIBERSCOPE_PROGRAMS ${program})
    endif()
  endforeach()
endfunction()

# fiberscope_install_command(NAME FILE COMPONENT): bin/NAME, a link to a file of lib/fiberscope.
function(fiberscope_install_command name file component)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/commands)
  file(CREATE_LINK ../${FIBERSCOPE_HOME}/${file} ${CMAKE_BINARY_DIR}/commands/${name} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/commands/${name} DESTINATION bin COMPONENT ${component})
endfunction()

# fiberscope_install_objects(TARGET FOLDER COMPONENT [REGEX]): the objects of a target whose paths match.
function(fiberscope_install_objects target folder component)
  if(TARGET ${target})
    set(objects $<TARGET_OBJECTS:${target}>)
    if(ARGN)
      set(objects $<FILTER:${objects},INCLUDE,${ARGN}>)
    endif()
    install(FILES ${objects} DESTINATION ${FIBERSCOPE_HOME}/${folder} COMPONENT ${component})
    set_property(GLOBAL APPEND PROPERTY FIBERSCOPE_INSTALLS_${component} ${objects})
  endif()
endfunction()

# fiberscope_install_lab(NAME BELOW COMPARED LIBRARIES): see above; BELOW: the labs below it, COMPARED: further labs
# linked by its demos, LIBRARIES: system libraries. The reference has no debug information and no local symbols.
function(fiberscope_install_lab name below compared libraries)
  string(SUBSTRING ${name} 0 2 number)
  set(lab lab${number})
  set(to ${FIBERSCOPE_HOME}/labs/${name})
  set(reference ${CMAKE_CURRENT_BINARY_DIR}/reference/lib${lab}.a)
  add_custom_command(OUTPUT ${reference} DEPENDS ${lab}
    COMMAND ${CMAKE_STRIP} --strip-unneeded -o ${reference} $<TARGET_FILE:${lab}> VERBATIM)
  add_custom_target(${lab}_stripped DEPENDS ${reference})
  set_property(GLOBAL APPEND PROPERTY FIBERSCOPE_INSTALLS_labs ${lab}_stripped)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/lab.cmake CONTENT
    "set(${lab}_below \"${below}\")\nset(${lab}_compared \"${compared}\")\n\
set(${lab}_libraries \"${libraries}\")\nset(${lab}_options \"$<TARGET_PROPERTY:${lab},INTERFACE_LINK_OPTIONS>\")\n")
  install(FILES ${reference} ${CMAKE_CURRENT_BINARY_DIR}/lab.cmake DESTINATION ${to} COMPONENT labs)
  install(FILES zh.po DESTINATION ${to} COMPONENT labs)
  fiberscope_install_objects(${lab}_objects labs/${name}/given labs "_objects[.]dir/.*(given|Unity)/")
  fiberscope_install_objects(${lab}_starter labs/${name}/exercise labs "/exercise/")
  fiberscope_install_objects(${lab}_test_objects labs/${name}/tests labs)
  fiberscope_install_objects(${lab}_own_name labs/${name}/name labs)
  fiberscope_install_objects(${lab}_demo_objects labs/${name}/demo labs)
  fiberscope_install_objects(${lab}_bench_objects labs/${name}/bench bench)
  fiberscope_install_programs(${lab}_demo ${lab}_tools)
endfunction()

# Must be called after all targets are defined.
function(fiberscope_install_home)
  set(config ${CMAKE_INSTALL_LIBDIR}/cmake/fiberscope)
  # The libraries, and the configuration files for find_package().
  if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
    set(FIBERSCOPE_CATCH2 Catch2::Catch2)  # a library; version 2 is header-only
  endif()
  include(CMakePackageConfigHelpers)
  configure_package_config_file(cmake/fiberscopeConfig.cmake.in fiberscopeConfig.cmake INSTALL_DESTINATION ${config}
    PATH_VARS FIBERSCOPE_HOME)
  write_basic_package_version_file(fiberscopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  foreach(component labs record)
    install(FILES ${CMAKE_BINARY_DIR}/fiberscopeConfig.cmake ${CMAKE_BINARY_DIR}/fiberscopeConfigVersion.cmake
      DESTINATION ${config} COMPONENT ${component})
  endforeach()
  install(TARGETS kit kit_report kit_demo trace_recorder trace_reader languages fiberscope_options
    EXPORT fiberscope_labs ARCHIVE DESTINATION ${FIBERSCOPE_HOME}/lib COMPONENT labs)
  install(EXPORT fiberscope_labs NAMESPACE fiberscope:: FILE fiberscopeLabs.cmake DESTINATION ${config} COMPONENT labs)
  foreach(folder labs traces languages)  # a student's tree contains the labs' headers
    install(DIRECTORY ${folder} DESTINATION ${FIBERSCOPE_HOME}/include COMPONENT labs FILES_MATCHING PATTERN *.h
      REGEX "/(labs/[0-9g][^/]*|tests|bench|samples|tool|fuzz|notes)$" EXCLUDE)
  endforeach()

  # The lab command and its data.
  fiberscope_install_objects(testing_session testing labs)
  fiberscope_install_objects(kit_testing testing labs)
  fiberscope_install_programs(grader fiberscope-trace COMPONENT labs)
  fiberscope_install_programs(fiberscope-viewer)
  fiberscope_install_command(fiberscope lab labs)
  fiberscope_install_command(fiberscope-trace bin/fiberscope-trace labs)
  fiberscope_install_command(fiberscope-viewer bin/fiberscope-viewer fiberscope-viewer)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fiberscope RENAME copyright COMPONENT labs)
  install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fiberscope COMPONENT labs)
  install(PROGRAMS lab DESTINATION ${FIBERSCOPE_HOME} COMPONENT labs)
  install(FILES cmake/packages.sh cmake/student_labs.cmake DESTINATION ${FIBERSCOPE_HOME}/cmake COMPONENT labs)
  install(FILES VERSION DESTINATION ${FIBERSCOPE_HOME} COMPONENT labs)
  install(DIRECTORY tools DESTINATION ${FIBERSCOPE_HOME} COMPONENT labs USE_SOURCE_PERMISSIONS
    PATTERN student EXCLUDE PATTERN package.sh EXCLUDE PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY extras/gdb extras/compare DESTINATION ${FIBERSCOPE_HOME}/extras COMPONENT labs
    PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE)
  install(FILES extras/record/verb.sh DESTINATION ${FIBERSCOPE_HOME}/extras/record COMPONENT labs)
  install(DIRECTORY traces/samples traces/notes DESTINATION ${FIBERSCOPE_HOME}/traces COMPONENT labs)
  file(GLOB catalogues RELATIVE ${PROJECT_SOURCE_DIR} viewer/zh.po traces/*/zh.po labs/kit/zh.po)
  foreach(catalogue ${catalogues})
    cmake_path(GET catalogue PARENT_PATH room)
    install(FILES ${catalogue} DESTINATION ${FIBERSCOPE_HOME}/${room} COMPONENT labs)
  endforeach()
  # The web page, if ./lab web has built it.
  install(DIRECTORY viewer/web/page DESTINATION ${FIBERSCOPE_HOME}/viewer/web COMPONENT labs)
  install(FILES build/page/bin/viewer.js build/page/bin/viewer.wasm DESTINATION ${FIBERSCOPE_HOME}/page/bin
    COMPONENT page OPTIONAL)
  install(DIRECTORY build/page/fonts DESTINATION ${FIBERSCOPE_HOME}/page COMPONENT page OPTIONAL)
  # The tree that ./lab start copies, from the last commit. In the sources it is build/template.
  install(CODE "execute_process(COMMAND python3 ${PROJECT_SOURCE_DIR}/tools/student_tree.py ${PROJECT_SOURCE_DIR}
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${FIBERSCOPE_HOME}/student\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT tree)

  # Builds everything that these components install.
  foreach(component labs bench)
    get_property(built GLOBAL PROPERTY FIBERSCOPE_INSTALLS_${component})
    add_custom_command(OUTPUT ${component}.stamp COMMAND ${CMAKE_COMMAND} -E touch ${component}.stamp
      DEPENDS ${built} kit kit_demo trace_reader grader fiberscope-trace)
    add_custom_target(install_${component} DEPENDS ${component}.stamp)
  endforeach()
  if(TARGET testing_ratios)
    install(FILES $<TARGET_FILE:testing_ratios> DESTINATION ${FIBERSCOPE_HOME}/lib COMPONENT bench)
    add_dependencies(install_bench testing_ratios)
  endif()
endfunction()
