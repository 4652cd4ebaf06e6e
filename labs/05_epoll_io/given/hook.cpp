// Given: which tasks are hooked, and the table of descriptors.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>

#include "labs/05_epoll_io/generations.h"
#include "labs/05_epoll_io/given/hook_numbers.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05 {

namespace {

// The value of Task::io says whether the innermost HookScope is off. Every call checks it, and HookScope itself is at
// the far end of the task's stack, perhaps in an otherwise unused page.
constexpr std::uintptr_t kOff = 1;
static_assert(alignof(HookScope) > kOff);

bool is_off(const void* io) noexcept { return (reinterpret_cast<std::uintptr_t>(io) & kOff) != 0; }
HookScope* of_mark(void* io) noexcept {
    return reinterpret_cast<HookScope*>(reinterpret_cast<std::uintptr_t>(io) & ~kOff);
}

}  // namespace

HookScope::HookScope(bool on, Environment* environment)
    : task_(lab04::running_task()), outer_(task_.io), environment_(environment) {
    if (const HookScope* outer = of_mark(outer_); environment_ == nullptr && outer != nullptr)
        environment_ = outer->environment_;
    task_.io = reinterpret_cast<std::byte*>(this) + (on ? 0 : kOff);
}

HookScope::~HookScope() { task_.io = outer_; }

HookScope* HookScope::here() noexcept {
    const kit::ThreadState& thread = kit::thread_state();
    const lab04::Machine* machine = lab04::machine_here();
    lab04::Task* task = machine == nullptr ? nullptr : machine->running;
    if (task == nullptr || thread.current != &task->core()) return nullptr;
    return is_off(task->io) ? nullptr : of_mark(task->io);
}

namespace {

/// Ends a child that was forked in a task and reaches the end of the task's function, as if it had been forked in a
/// thread: the other tasks are its parent's.
class EndOfChild {
  public:
    EndOfChild() noexcept : forks_(forks()), exceptions_(std::uncaught_exceptions()) {}
    ~EndOfChild() {
        if (forks() == forks_) return;
        std::fflush(nullptr);
        std::_Exit(std::uncaught_exceptions() > exceptions_ ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    EndOfChild(const EndOfChild&) = delete;
    EndOfChild& operator=(const EndOfChild&) = delete;

  private:
    std::uint32_t forks_;
    int exceptions_;
};

}  // namespace

// A static library only provides symbols that are requested, and the C library has the same names.
lab04::Handle go_hooked(lab04::Body body, std::string name) {
    names_of_the_hook();
    return lab04::go(
        [body = std::move(body)] {
            const EndOfChild end;
            const HookScope scope(true);
            body();
        },
        std::move(name));
}

// ---- descriptors ----------------------------------------------------------------------------------------------------

int option_of(int fd, int option) noexcept {
    const int error_before = last_error();
    int value = 0;
    socklen_t size = sizeof value;
    if (system_calls().getsockopt(fd, SOL_SOCKET, option, &value, &size) != 0) value = 0;
    set_last_error(error_before);
    return value;
}

namespace {

constexpr std::size_t kInChunk = 1024;
constexpr std::size_t kChunks = 1024;

std::atomic<bool> copies_exist{false};
std::atomic<std::uint32_t> changes{0};  // of flags and options, since copies exist

struct Known : HookedDescriptor {
    std::uint32_t asked_after = 0;  ///< value of `changes` at the last query
    bool up_to_date() const noexcept {
        return kind != Kind::unknown && asked_after == changes.load(std::memory_order_relaxed);
    }
};
using Chunk = std::array<Known, kInChunk>;

/// Entries by descriptor, in blocks that never move, since other threads may access theirs at the same time.
Known* place_of(int fd, bool make = true) noexcept {
    static std::array<std::atomic<Chunk*>, kChunks> chunks{};
    const auto index = static_cast<std::size_t>(fd);
    if (fd < 0 || index >= kChunks * kInChunk) return nullptr;
    std::atomic<Chunk*>& place = chunks[index / kInChunk];
    Chunk* chunk = place.load(std::memory_order_acquire);
    if (chunk == nullptr && !make) return nullptr;
    if (chunk == nullptr) {
        auto made = std::make_unique<Chunk>();
        if (place.compare_exchange_strong(chunk, made.get())) chunk = made.release();
    }
    return &(*chunk)[index % kInChunk];
}

std::uint64_t limit_of(int fd, int option) noexcept {
    timeval limit{};
    socklen_t size = sizeof limit;
    if (system_calls().getsockopt(fd, SOL_SOCKET, option, &limit, &size) != 0) return kNever;
    const std::uint64_t ns = kit::ns_of(limit);
    return ns == 0 ? kNever : ns;
}

/// Whether it is always ready, like a file. For devices only epoll can tell.
bool epoll_refuses(int fd) noexcept {
    const int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{};
    const bool refused = epoll_fd >= 0 && epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0 && last_error() == EPERM;
    if (epoll_fd >= 0) system_calls().close(epoll_fd);
    return refused;
}

/// The minimum size of a read, for special descriptors of Linux.
std::size_t least_of(int fd) noexcept {
    char path[32], name[32] = {};
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (readlink(path, name, sizeof name - 1) < 0) return 0;
    if (std::strcmp(name, "anon_inode:[signalfd]") == 0) return sizeof(signalfd_siginfo);
    const bool counts =
        std::strcmp(name, "anon_inode:[eventfd]") == 0 || std::strcmp(name, "anon_inode:[timerfd]") == 0;
    return counts ? sizeof(std::uint64_t) : 0;
}

HookedDescriptor ask_kernel(int fd) noexcept {
    HookedDescriptor known;
    struct stat status {};
    const int flags = system_calls().fcntl(fd, F_GETFL);
    known.kind = HookedDescriptor::Kind::passes;
    if (flags < 0 || fstat(fd, &status) != 0) return known;
    known.nonblocking = (flags & O_NONBLOCK) != 0;
    if (S_ISSOCK(status.st_mode)) {
        known.kind = HookedDescriptor::Kind::socket;
        known.read_limit = limit_of(fd, SO_RCVTIMEO);
        known.write_limit = limit_of(fd, SO_SNDTIMEO);
        if (option_of(fd, SO_TYPE) == SOCK_STREAM)
            known.at_least = static_cast<std::size_t>(std::max(option_of(fd, SO_RCVLOWAT), 1));
    } else if (S_ISFIFO(status.st_mode) || (!S_ISREG(status.st_mode) && !epoll_refuses(fd))) {
        known.kind = HookedDescriptor::Kind::pipe;
        known.takes_nowait = true;  // as far as known: see note_no_nowait
        if (!S_ISFIFO(status.st_mode)) known.least = least_of(fd);
    }
    return known;
}

}  // namespace

HookedDescriptor hooked_descriptor(int fd) {
    Known* place = place_of(fd);
    const int error = last_error();
    // The flags belong to the open file, so another process may have changed them.
    const bool stale = place != nullptr && place->nonblocking && (system_calls().fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
    if (place != nullptr && place->up_to_date() && !stale) return *place;
    const std::uint32_t asked_after = changes.load(std::memory_order_relaxed);
    const HookedDescriptor known = ask_kernel(fd);
    const bool is_open = known.kind != HookedDescriptor::Kind::passes || system_calls().fcntl(fd, F_GETFD) >= 0;
    if (place != nullptr && is_open) *place = {known, asked_after};
    set_last_error(error);
    return known;
}

void look_again(int fd) noexcept {
    if (Known* place = place_of(fd, false)) place->kind = HookedDescriptor::Kind::unknown;
}

void note_no_nowait(int fd) noexcept {
    if (Known* place = place_of(fd, false)) place->takes_nowait = false;
}

void look_again_at_copies(int fd) noexcept {
    look_again(fd);
    if (copies_exist.load(std::memory_order_relaxed)) changes.fetch_add(1, std::memory_order_relaxed);
}

void note_copy() noexcept { copies_exist.store(true, std::memory_order_relaxed); }

}  // namespace fiberscope::lab05
