# CPack: a Debian package and an archive of everything that `cmake --install` installs. tools/package.sh builds the
# target package_inputs and calls cpack. Must be called after all targets are defined.

# fiberscope_list_packages(OUT NAME): converts a one-line list in cmake/packages.sh to the format of Debian's control
# files.
function(fiberscope_list_packages out name)
  file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/packages.sh line REGEX "^${name}=\"[^\"]*\"$")
  if(NOT line MATCHES "\"(.*)\"")
    message(FATAL_ERROR "cmake/packages.sh must define ${name} on one line.")
  endif()
  string(REPLACE " " ", " packages ${CMAKE_MATCH_1})
  set(${out} ${packages} PARENT_SCOPE)
endfunction()

function(fiberscope_package)
  add_custom_target(package_inputs)
  get_property(programs GLOBAL PROPERTY FIBERSCOPE_PROGRAMS)
  add_dependencies(package_inputs ${programs} install_labs install_bench fiberscope_record)

  cmake_host_system_information(RESULT system QUERY DISTRIB_VERSION_CODENAME)
  fiberscope_list_packages(labs packages_labs)
  set(CPACK_GENERATOR TGZ)
  find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
  if(DPKG_SHLIBDEPS)
    list(PREPEND CPACK_GENERATOR DEB)
  endif()
  set(CPACK_PACKAGE_NAME fiberscope)
  set(CPACK_PACKAGE_VENDOR fiberscope)
  set(CPACK_PACKAGE_CONTACT "fiberscope <fiberscope@localhost>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "labs and a viewer for stackful coroutines")
  string(JOIN "
" CPACK_PACKAGE_DESCRIPTION
    "Six labs in which students build stackful coroutines in C++20, with tests, a grader and a"
    "reference; a viewer that replays the execution of coroutines; and a recorder for the"
    "coroutines of other libraries.")
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
  set(CPACK_PACKAGE_FILE_NAME fiberscope-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
  set(CPACK_MONOLITHIC_INSTALL ON)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
  set(CPACK_DEBIAN_PACKAGE_RELEASE "${system}")  # library dependencies differ between systems
  set(CPACK_DEBIAN_PACKAGE_SECTION education)
  # For the viewer: the libraries it loads (GLFW, OpenGL), and its fonts.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, fonts-dejavu-core")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "git, ${labs}")
  string(JOIN ", " CPACK_DEBIAN_PACKAGE_SUGGESTS gdb libbenchmark-dev libboost-fiber-dev pkg-config
    python3-fonttools)
  include(CPack)
endfunction()
