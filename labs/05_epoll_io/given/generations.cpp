// Given: generations of descriptor numbers and the event sources of this process, for closes by other threads and for
// forks.
#include "labs/05_epoll_io/generations.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/machines/lock.h"

namespace fiberscope::lab05 {

namespace {

// Counters hold twice the generation, plus one while a source watches the number.
constexpr std::uint32_t kWatched = 1;
constexpr std::size_t kInChunk = 4096;
constexpr std::size_t kChunks = 256;
using Chunk = std::array<std::atomic<std::uint32_t>, kInChunk>;

/// Counters by descriptor, in blocks allocated on demand and never freed, since any thread may read them. Null for
/// numbers that are not tracked. May be called while the C library starts, so it must not need anything but memory.
std::atomic<std::uint32_t>* place_of(int fd) noexcept {
    static std::array<std::atomic<Chunk*>, kChunks> chunks{};
    const auto index = static_cast<std::size_t>(fd);
    if (fd < 0 || index >= kChunks * kInChunk) return nullptr;
    std::atomic<Chunk*>& place = chunks[index / kInChunk];
    Chunk* chunk = place.load(std::memory_order_acquire);
    if (chunk == nullptr) {
        std::unique_ptr<Chunk> made(new (std::nothrow) Chunk{});
        if (made == nullptr) return nullptr;
        if (place.compare_exchange_strong(chunk, made.get())) chunk = made.release();
    }
    return &(*chunk)[index % kInChunk];
}

/// Raises the generation. Returns whether a source watched the number.
bool raise(int fd) noexcept {
    std::atomic<std::uint32_t>* place = place_of(fd);
    if (place == nullptr) return true;
    std::uint32_t before = place->load(std::memory_order_relaxed);
    while (!place->compare_exchange_weak(before, (before | kWatched) + 1, std::memory_order_acq_rel)) {
    }
    return (before & kWatched) != 0;
}

// All live sources. The lock also guards their notifications (EpollSource::closed_).
kit::Lock sources_lock;
std::vector<EpollSource*> sources;
std::atomic<std::uint32_t> forked{0};

void before_fork() noexcept KIT_ACQUIRE(sources_lock) { sources_lock.lock(); }
void after_fork_in_parent() noexcept KIT_RELEASE(sources_lock) { sources_lock.unlock(); }

void after_fork_in_child() noexcept KIT_RELEASE(sources_lock) {
    sources_lock.unlock();
    for (EpollSource* source : sources) source->replace_after_fork();
    kit::ThreadState& thread = kit::thread_state();
    const lab04::Machine* machine = lab04::machine_here();
    if (machine == nullptr || machine->running == nullptr || thread.current != &machine->running->core()) return;
    thread.scheduler = nullptr;
    forked.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

std::uint32_t generation(int fd) noexcept {
    const std::atomic<std::uint32_t>* place = place_of(fd);
    return place == nullptr ? 0 : place->load(std::memory_order_acquire) / 2;
}

void raise_generation(int fd) noexcept { raise(fd); }

std::uint32_t watched_generation(int fd) noexcept {
    std::atomic<std::uint32_t>* place = place_of(fd);
    if (place == nullptr) return 0;
    std::uint32_t now = place->load(std::memory_order_acquire);
    if ((now & kWatched) == 0) now = place->fetch_or(kWatched, std::memory_order_acq_rel);
    return now / 2;
}

void announce_close(int fd, const EpollSource* except) noexcept {
    if (fd < 0 || !raise(fd)) return;
    const kit::Guard guard(sources_lock);
    for (EpollSource* source : sources)
        if (source != except) source->note_closed(fd);
}

std::uint32_t forks() noexcept { return forked.load(std::memory_order_relaxed); }

// ---- the sources ----------------------------------------------------------------------------------------------------

EpollSource::EpollSource(TimeBy by)
    : EventSource(&kKind), timer_(by == TimeBy::descriptor ? std::make_unique<WakeTimer>() : nullptr) {
    if (timer_ != nullptr) epoller_.add(timer_->fd(), EPOLLIN);
    epoller_.numbers_ = &numbers_;
    static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    static_cast<void>(registered);
    const kit::Guard guard(sources_lock);
    sources.push_back(this);
}

EpollSource::~EpollSource() {
    const kit::Guard guard(sources_lock);
    std::erase(sources, this);
}

void EpollSource::note_closed(int fd) noexcept {
    closed_.push_back(fd);
    any_closed_.store(true, std::memory_order_release);
    wake();
}

void EpollSource::wake_closed() {
    if (!any_closed_.load(std::memory_order_acquire)) return;
    std::vector<int> closed;
    {
        const kit::Guard guard(sources_lock);
        closed.swap(closed_);
        any_closed_.store(false, std::memory_order_relaxed);
    }
    for (const int fd : closed) forget_if_other(fd);
}

void EpollSource::forget_if_other(int fd) {
    if (fd >= 0 && at(fd).generation != watched_generation(fd)) forget_held(fd);
}

void EpollSource::replace_after_fork() noexcept {
    numbers_.loop = nullptr;
    numbers_.changed.clear();
    epoller_.replace_after_fork();
    if (timer_ != nullptr) {
        timer_->replace_after_fork();
        epoller_.add(timer_->fd(), EPOLLIN);
    }
    for (std::size_t fd = 0; fd < numbers_.all.size(); ++fd)
        if (numbers_.all[fd].armed != 0) epoller_.add(static_cast<int>(fd), numbers_.all[fd].armed);
}

// The numbers stay valid: this only closes the child's copies of the parent's descriptors.
void Epoller::replace_after_fork() noexcept {
    ahead_.found = Ahead::kNothing;
    ahead_.begun.store(false);
    ahead_.removed.clear();
    const int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    const int wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    for (const auto& [fresh, number] : {std::pair(epoll_fd, epoll_fd_), std::pair(wake_fd, wake_fd_)}) {
        if (fresh < 0) continue;
        system_calls().dup3(fresh, number, O_CLOEXEC);
        system_calls().close(fresh);
    }
    control(EPOLL_CTL_ADD, wake_fd_, EPOLLIN);
}

}  // namespace fiberscope::lab05
