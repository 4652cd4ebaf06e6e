#include "labs/kit/memory/stack.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/memory/depot.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/memory/valgrind.h"
#include "languages/spoken_error.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102  // Linux 6.13; newer than the headers of Debian 12
#endif

namespace fiberscope::kit {

namespace {

constexpr std::size_t kGuardPages = 4;  // a frame of up to 16 KiB cannot step over it
constexpr std::size_t kPooledAtMost = 256;
constexpr std::size_t kInDepotAtMost = 1024, kMovedAtOnce = 64;

std::atomic<std::size_t> mapped_stacks{0};

std::size_t page_size() noexcept {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}
std::size_t whole_pages(std::size_t size) noexcept { return (size + page_size() - 1) / page_size() * page_size(); }

// Adds a page if stack and guard would be an even number of pages: stacks are adjacent, and with an even distance the
// same offset in each of them would map to only a few sets of the processor's caches and TLBs.
std::size_t guard_size(std::size_t stack_size) noexcept {
    const std::size_t pages = whole_pages(stack_size) / page_size() + kGuardPages;
    return (kGuardPages + (pages % 2 == 0 ? 1 : 0)) * page_size();
}

// qemu-user returns 0 for the advice but guards nothing: only a failing read is proof. write(2) makes the kernel read,
// so that the failure is an error code and not a signal. Avoids the C library's functions, which may be hooked.
bool guards_for_real(const void* address) noexcept {
    int ends[2];
    if (syscall(SYS_pipe2, ends, 0) != 0) return false;
    const bool refused = syscall(SYS_write, ends[1], address, 1) == -1 && errno == EFAULT;
    for (const int end : ends) syscall(SYS_close, end);
    return refused;
}

bool advise_guard(std::byte* address, std::size_t size) noexcept {
    return madvise(address, size, MADV_GUARD_INSTALL) == 0;
}

// A guard by advice costs no mapping of its own; one by mprotect costs two, and vm.max_map_count limits them.
bool install_guard(std::byte* address, std::size_t size) noexcept {
    static const bool by_advice = advise_guard(address, size) && guards_for_real(address);
    if (by_advice && advise_guard(address, size)) return true;
    return mprotect(address, size, PROT_NONE) == 0;
}

constexpr Text kNotMapped = mark("cannot map a stack ({0} stacks are mapped; vm.max_map_count and memory limit them)"),
               kNotGuarded =
                   mark("cannot guard a stack ({0} stacks are mapped; vm.max_map_count and memory limit them)");

[[noreturn]] void refuse(Text what, int error = errno) {
    throw SpokenSystemError(error, message(what, mapped_stacks.load()));
}

// No system provides half of the address space, and sums with smaller sizes do not wrap around.
constexpr std::size_t kTooLarge = ~std::size_t{0} / 2;

StackBounds map_stack(std::size_t asked) {
    if (asked == 0) refuse(kNotMapped, EINVAL);
    if (asked >= kTooLarge) refuse(kNotMapped, ENOMEM);
    const std::size_t size = whole_pages(asked);
    const std::size_t guard = guard_size(size);
    const std::size_t whole = size + guard;
    void* memory =
        mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) refuse(kNotMapped);
    auto* low = static_cast<std::byte*>(memory);
    if (!install_guard(low, guard)) {
        const int error = errno;
        munmap(memory, whole);
        refuse(kNotGuarded, error);
    }
    mapped_stacks.fetch_add(1, std::memory_order_relaxed);
    scan_for_leaks(low + guard, size);
    announce_stack(low + guard, size);
    return {low + guard, size};
}

void unmap_stack(StackBounds bounds) noexcept {
    stop_scanning_for_leaks(bounds.bottom, bounds.size);
    forget_stack(bounds.bottom);
    const std::size_t guard = guard_size(bounds.size);
    munmap(bounds.bottom - guard, bounds.size + guard);
    mapped_stacks.fetch_sub(1, std::memory_order_relaxed);
}

constinit Depot<kInDepotAtMost> depot;

// A coroutine in a thread-local or static variable may release its stack after the pool is destroyed.
constinit thread_local bool pool_is_gone = false;

// The stacks of the default size that this thread has released most recently.
class Pool {
  public:
    Pool() { free_.reserve(kPooledAtMost); }
    ~Pool() {
        pool_is_gone = true;
        depot.give(free_, free_.size());
        for (auto* bottom : free_) unmap_stack({bottom, kDefaultStackSize});
    }
    std::byte* take() noexcept {
        if (free_.empty()) depot.take(free_, kMovedAtOnce);
        if (free_.empty()) return nullptr;
        auto* bottom = free_.back();
        free_.pop_back();
        return bottom;
    }
    bool keep(std::byte* bottom) noexcept {
        if (free_.size() == kPooledAtMost) depot.give(free_, kMovedAtOnce);
        if (free_.size() == kPooledAtMost) return false;
        free_.push_back(bottom);
        return true;
    }
    std::size_t size() const noexcept { return free_.size(); }

  private:
    std::vector<std::byte*> free_;
};

Pool* pool() {
    if (pool_is_gone) return nullptr;
    thread_local Pool of_this_thread;
    return &of_this_thread;
}

std::byte* take_pooled() {
    Pool* const mine = pool();
    return mine != nullptr ? mine->take() : nullptr;
}
bool keep_pooled(std::byte* bottom) {
    Pool* const mine = pool();
    return mine != nullptr && mine->keep(bottom);
}
std::size_t pooled() {
    const Pool* const mine = pool();
    return mine != nullptr ? mine->size() : 0;
}

}  // namespace

Stack::Stack(std::size_t size) : Stack({}, false, false) {
    bottom_ = size == kDefaultStackSize ? take_pooled() : nullptr;
    reused_ = bottom_ != nullptr;
    const StackBounds mapped = reused_ ? StackBounds{bottom_, size} : map_stack(size);
    bottom_ = mapped.bottom;
    size_ = mapped.size & kLargest;
    owned_ = true;
}

void Stack::release() noexcept {
    if (!owned_) return;
    owned_ = false;
    forget_frames(bottom_, size_);
    if (size_ != kDefaultStackSize || !keep_pooled(bottom_)) unmap_stack(bounds());
}

Stack Stack::for_reuse() && noexcept {
    forget_frames(bottom_, size_);
    reused_ = true;
    return std::move(*this);
}

std::size_t stacks_in_use() noexcept { return mapped_stacks.load(std::memory_order_relaxed) - depot.size() - pooled(); }

bool in_guard(const StackBounds& bounds, std::uintptr_t address) noexcept {
    const auto bottom = reinterpret_cast<std::uintptr_t>(bounds.bottom);
    return address < bottom && bottom - address <= guard_size(bounds.size);
}

}  // namespace fiberscope::kit
