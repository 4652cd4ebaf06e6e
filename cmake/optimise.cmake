# fiberscope_mostly_waits(TARGET): for files and for other programs. It is compiled in three quarters of the time.
function(fiberscope_mostly_waits target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()
# A release build is optimised across files: a switch goes through five functions of four of them.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  include(CheckIPOSupported)
  check_ipo_supported(RESULT FIBERSCOPE_IPO LANGUAGES CXX OUTPUT why_not)
  if(FIBERSCOPE_IPO)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
    # What g++ says of the standard library's own code when it sees all of it at once.
    add_link_options($<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  else()
    message(STATUS "No optimisation across files: ${why_not}")
  endif()
endif()
