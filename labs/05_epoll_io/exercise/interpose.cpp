// Step 5.5, first stage: functions read and write that intercept those of the C library. The contracts are in
// ../hook.h.
//
// Write two functions outside of any namespace, with the names and types of the C library's:
//
//     extern "C" ssize_t read(int fd, void* buffer, std::size_t size)
//     extern "C" ssize_t write(int fd, const void* buffer, std::size_t size)
//
// They receive every read and write of this program and its libraries, also from outside of tasks, from other threads,
// and before main begins. HookScope::here() says whether the caller is a hooked task. If so, call hook::read or
// hook::write (hook.cpp); otherwise, the C library's function. The other names are given, written in the same way:
// ../given/hook_names.cpp.
#include <dlfcn.h>
#include <unistd.h>

#include "labs/05_epoll_io/hook.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

ReadFunction next_read() noexcept {
    // The search must begin after this program: which function would RTLD_DEFAULT find?
    kit::not_implemented("5.5", "next_read: look up the C library's read once, with dlsym");
}

WriteFunction next_write() noexcept {
    kit::not_implemented("5.5", "next_write: look up the C library's write once, with dlsym");
}

}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN  // ThreadSanitizer intercepts the same functions

// Your read and write.

#endif
