// Functions that create or block threads.
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdarg>
#include <new>

#include "extras/record/interposed.h"
#include "extras/record/recording.h"

using namespace fiberscope::preload;

namespace {

struct Begin {
    void* (*function)(void*);
    void* argument;
};

// Nothing is destroyed at its end: cancelling the thread unwinds by the program's libgcc, which must not call this
// library's own copy.
void* run_thread(void* given) {
    const Begin begin = *static_cast<Begin*>(given);
    delete static_cast<Begin*>(given);
    thread_began(reinterpret_cast<std::uintptr_t>(begin.function));
    return begin.function(begin.argument);
}

/// Calls `function`, in which the thread may block.
template <class F, class... A>
auto blocking(const char* name, F function, A... arguments) {
    park(name);
    const auto result = function(arguments...);
    unpark();
    return result;
}

/// Whether reading from `fd` blocks now, which is to be recorded.
bool would_block(int fd) noexcept {
    if (!can_park()) return false;
    const OwnWork work;
    const Uncancelled whole;
    pollfd one{fd, POLLIN, 0};
    return original().poll(&one, 1, 0) == 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
}

template <class F, class... A>
auto reading(const char* name, F function, int fd, A... arguments) {
    return would_block(fd) ? blocking(name, function, fd, arguments...) : function(fd, arguments...);
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
    {
        const OwnWork work;
        if (work.is_nested()) return original().pthread_create(thread, attributes, function, argument);
    }
    auto* begin = new (std::nothrow) Begin{function, argument};
    if (begin == nullptr) return EAGAIN;
    const int error = original().pthread_create(thread, attributes, run_thread, begin);
    if (error != 0) delete begin;
    return error;
}

void _exit(int status) {
    end_abruptly();
    original()._exit(status);
    __builtin_unreachable();
}

void _Exit(int status) { _exit(status); }

int pthread_join(pthread_t thread, void** result) {
    return blocking("pthread_join", original().pthread_join, thread, result);
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    return blocking("pthread_cond_wait", original().pthread_cond_wait, condition, mutex);
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
    return blocking("pthread_cond_timedwait", original().pthread_cond_timedwait, condition, mutex, until);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
    return blocking("pthread_cond_clockwait", original().pthread_cond_clockwait, condition, mutex, clock, until);
}
int sem_wait(sem_t* semaphore) { return blocking("sem_wait", original().sem_wait, semaphore); }
int sem_timedwait(sem_t* semaphore, const timespec* until) {
    return blocking("sem_timedwait", original().sem_timedwait, semaphore, until);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
    return blocking("sem_clockwait", original().sem_clockwait, semaphore, clock, until);
}

// The C++ library waits for a std::atomic with it.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a[6];
    for (long& argument : a) argument = va_arg(list, long);
    va_end(list);
    const long operation = a[1] & FUTEX_CMD_MASK;
    if (number == SYS_futex && (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET))
        return blocking("futex", original().syscall, number, a[0], a[1], a[2], a[3], a[4], a[5]);
    return original().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int poll(pollfd* all, nfds_t count, int timeout) {
    if (timeout == 0) return original().poll(all, count, timeout);
    return blocking("poll", original().poll, all, count, timeout);
}
int ppoll(pollfd* all, nfds_t count, const timespec* timeout, const sigset_t* mask) {
    return blocking("ppoll", original().ppoll, all, count, timeout, mask);
}
int select(int count, fd_set* in, fd_set* out, fd_set* error, timeval* timeout) {
    if (timeout != nullptr && timeout->tv_sec == 0 && timeout->tv_usec == 0)
        return original().select(count, in, out, error, timeout);
    return blocking("select", original().select, count, in, out, error, timeout);
}
int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
    if (timeout == 0) return original().epoll_wait(epoll, events, most, timeout);
    return blocking("epoll_wait", original().epoll_wait, epoll, events, most, timeout);
}
int epoll_pwait(int epoll, epoll_event* events, int most, int timeout, const sigset_t* mask) {
    if (timeout == 0) return original().epoll_pwait(epoll, events, most, timeout, mask);
    return blocking("epoll_pwait", original().epoll_pwait, epoll, events, most, timeout, mask);
}

int nanosleep(const timespec* time, timespec* rest) { return blocking("nanosleep", original().nanosleep, time, rest); }
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
    return blocking("clock_nanosleep", original().clock_nanosleep, clock, flags, time, rest);
}
int usleep(useconds_t time) { return blocking("usleep", original().usleep, time); }
unsigned sleep(unsigned seconds) { return blocking("sleep", original().sleep, seconds); }

ssize_t read(int fd, void* buffer, std::size_t size) { return reading("read", original().read, fd, buffer, size); }
ssize_t recv(int fd, void* buffer, std::size_t size, int flags) {
    return reading("recv", original().recv, fd, buffer, size, flags);
}
ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* from, socklen_t* length) {
    return reading("recvfrom", original().recvfrom, fd, buffer, size, flags, from, length);
}
ssize_t recvmsg(int fd, msghdr* message, int flags) {
    return reading("recvmsg", original().recvmsg, fd, message, flags);
}
int accept(int fd, sockaddr* from, socklen_t* length) { return reading("accept", original().accept, fd, from, length); }
int accept4(int fd, sockaddr* from, socklen_t* length, int flags) {
    return reading("accept4", original().accept4, fd, from, length, flags);
}

}  // extern "C"
