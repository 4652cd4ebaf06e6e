# A faster linker, where the compiler finds one (a cross compiler looks for its own): hundreds of programs are linked
# for the tests. A release build keeps the compiler's own, because it is optimised across files while it is linked.
include(CheckLinkerFlag)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  check_linker_flag(CXX -fuse-ld=mold FIBERSCOPE_LINKER_IS_MOLD)
  if(FIBERSCOPE_LINKER_IS_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
