# Go itself, where it is installed.
find_program(GO_COMMAND go)
if(GO_COMMAND)
  set(peer ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/go_peer)
  add_custom_command(OUTPUT ${peer} DEPENDS beyond/channels/programs/go_peer/main.go
    COMMAND ${CMAKE_COMMAND} -E env GO111MODULE=off GOFLAGS= GOCACHE=${CMAKE_BINARY_DIR}/go_cache
      ${GO_COMMAND} build -o ${peer} ${CMAKE_CURRENT_SOURCE_DIR}/beyond/channels/programs/go_peer/main.go)
  add_custom_target(lab04_go_peer DEPENDS ${peer})
endif()

# Programs with channels, and their counterparts in Go.
fiberscope_tests(channel_programs_tests FROM beyond/channels/programs/tests/*_test.cpp LINK lab04_below trace_reader
  FIRST beyond/channels/programs/programs.cpp $<TARGET_OBJECTS:lab04_name>
  ${PROJECT_SOURCE_DIR}/labs/kit/testing/child.cpp)
if(GO_COMMAND)
  add_dependencies(channel_programs_tests lab04_go_peer)
  target_compile_definitions(channel_programs_tests PRIVATE GO_PEER="${peer}")
endif()
