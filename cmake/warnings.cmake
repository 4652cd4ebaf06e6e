# Every target of the project links this one: include root, warnings, and what the toolchain must know of our stacks.
add_library(fiberscope_options INTERFACE)
target_include_directories(fiberscope_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(fiberscope_options INTERFACE
  # Locks that must be held (labs/kit/thread_safety.h): an error, because only clang looks.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wthread-safety -Werror=thread-safety>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow>
  $<$<BOOL:${FIBERSCOPE_WERROR}>:-Werror>)
# Lazy binding takes 3 KiB of the stack of the first caller; coroutine stacks are small.
target_link_options(fiberscope_options INTERFACE -Wl,-z,now)
find_package(Threads REQUIRED)
target_link_libraries(fiberscope_options INTERFACE Threads::Threads)
