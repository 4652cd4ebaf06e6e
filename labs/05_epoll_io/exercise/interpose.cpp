// Step 5.5, first stage: read and write of this program, in front of those of the C library. The contracts are in
// ../hook.h.
//
// Write two functions outside of any namespace, with the names and types that the C library has:
//
//     extern "C" ssize_t read(int fd, void* buffer, std::size_t size)
//     extern "C" ssize_t write(int fd, const void* buffer, std::size_t size)
//
// From then on every read and write of this program and of its libraries comes to you, also from outside of tasks, from
// other threads, and before main begins. HookScope::here() tells whether the call comes from a hooked task. If it does,
// call hook::read or hook::write (hook.cpp); if not, the function behind yours. The other names are given, after the
// same pattern: ../given/hook_names.cpp.
#include <dlfcn.h>
#include <unistd.h>

#include "labs/05_epoll_io/hook.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

ReadFunction next_read() noexcept {
    // The search must begin behind this program: what would RTLD_DEFAULT find?
    kit::not_implemented("5.5", "next_read: the C library's own read, found once, by dlsym");
}

WriteFunction next_write() noexcept {
    kit::not_implemented("5.5", "next_write: the C library's own write, found once, by dlsym");
}

}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN  // ThreadSanitizer has functions of its own there

// Your read and write.

#endif
