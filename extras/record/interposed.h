// The functions that this library interposes, and their originals.
#pragma once

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

extern "C" {

/// Boost.Context's interface between its C++ and its assembler code (boost/context/detail/fcontext.hpp). A context is
/// the stack pointer of a coroutine that is not running.
struct FiberscopeTransfer {
    void* context;  ///< of the coroutine that was left
    void* data;
};
void* make_fcontext(void* stack_top, std::size_t size, void (*entry)(FiberscopeTransfer));
FiberscopeTransfer jump_fcontext(void* to, void* data);
FiberscopeTransfer ontop_fcontext(void* to, void* data, FiberscopeTransfer (*on_top)(FiberscopeTransfer));
}

namespace fiberscope::preload {

// clang-format off
#define FIBERSCOPE_INTERPOSED(X)                                                                                      \
    X(makecontext) X(swapcontext) X(setcontext) X(make_fcontext) X(jump_fcontext) X(ontop_fcontext)                   \
    X(pthread_create) X(_exit)                                                                                         \
    X(pthread_join) X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_clockwait) X(sem_wait)              \
    X(sem_timedwait) X(sem_clockwait) X(syscall)                                                                      \
    X(poll) X(ppoll) X(select) X(epoll_wait) X(epoll_pwait)                                                           \
    X(nanosleep) X(clock_nanosleep) X(usleep) X(sleep) X(read) X(recv) X(recvfrom) X(recvmsg) X(accept) X(accept4)
// clang-format on

/// The next definition of each function after this library's; null if the program has not loaded it.
struct Originals {
#define FIBERSCOPE_MEMBER(name) decltype(&::name) name;
    FIBERSCOPE_INTERPOSED(FIBERSCOPE_MEMBER)
#undef FIBERSCOPE_MEMBER
};

/// Looked up when the library is loaded, so that no coroutine's stack needs room for the dynamic linker.
const Originals& original() noexcept;

/// Looks up Boost.Context's functions for the code at `caller` in its own library and the ones that this depends on,
/// unless they are known: the program may load them at any time, and not for all its libraries.
void find_boost_context(const void* caller) noexcept;

}  // namespace fiberscope::preload
