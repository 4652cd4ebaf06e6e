# A faster linker, where there is one: hundreds of programs are linked for the tests. A release build keeps the
# compiler's own, because it is optimised across files while it is linked.
find_program(FIBERSCOPE_MOLD ld.mold)
if(FIBERSCOPE_MOLD AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  add_link_options(-fuse-ld=mold)
endif()
