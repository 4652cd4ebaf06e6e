#include "labs/04_scheduler/given/task_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "labs/kit/memory/depot.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab04 {

namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kRoom =
    384;  // of a task on a shared stack (384 bytes), and on a private one by `_switch` (352 bytes)
constexpr std::size_t kRoomsOfThread = 256, kRoomsOfAll = 1024, kRoomsMoved = 64;

// ---- blocks ---------------------------------------------------------------------------------------------------------

/// A mebibyte, aligned to its size, divided into rooms of equal size. Returned to the system when all of them are free.
struct alignas(kCacheLine) Block {
    static constexpr std::size_t kSize = std::size_t{1} << 20U;

    static Block* make();
    static Block* of(void* room) noexcept {
        return reinterpret_cast<Block*>(reinterpret_cast<std::uintptr_t>(room) & ~(kSize - 1));
    }

    Block* before = nullptr;  ///< list of the blocks with a free room
    Block* behind = nullptr;
    void* given_back = nullptr;    ///< free list, linked by the first word of each room
    std::size_t cut = kCacheLine;  ///< bytes in use; no room after them has been allocated yet
    std::size_t used = 0;          ///< rooms
};

static_assert(sizeof(Block) <= kCacheLine);

Block* Block::make() {
    void* const at = mmap(nullptr, 2 * kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    auto* const begin = static_cast<std::byte*>(at);
    const std::size_t below = (kSize - reinterpret_cast<std::uintptr_t>(begin) % kSize) % kSize;
    if (below != 0) munmap(begin, below);
    munmap(begin + below + kSize, kSize - below);
    return new (begin + below) Block;
}

class Blocks {
  public:
    void* take() {
        const std::lock_guard lock(mutex_);
        if (open_ == nullptr) link(*Block::make());
        Block& block = *open_;
        ++block.used;
        void* room = block.given_back;
        if (room != nullptr)
            block.given_back = *static_cast<void**>(room);
        else
            room = reinterpret_cast<std::byte*>(&block) + std::exchange(block.cut, block.cut + kRoom);
        if (is_full(block)) unlink(block);
        return room;
    }
    void give(void* room) noexcept {
        const std::lock_guard lock(mutex_);
        Block& block = *Block::of(room);
        if (is_full(block)) link(block);
        *static_cast<void**>(room) = std::exchange(block.given_back, room);
        if (--block.used != 0) return;
        unlink(block);
        munmap(&block, Block::kSize);
    }

  private:
    static bool is_full(const Block& block) noexcept {
        return block.given_back == nullptr && block.cut + kRoom > Block::kSize;
    }
    void link(Block& block) noexcept {
        block.before = nullptr;
        block.behind = open_;
        if (open_ != nullptr) open_->before = &block;
        open_ = &block;
    }
    void unlink(Block& block) noexcept {
        (block.before == nullptr ? open_ : block.before->behind) = block.behind;
        if (block.behind != nullptr) block.behind->before = block.before;
    }

    std::mutex mutex_;
    Block* open_ = nullptr;  // list of the blocks with a free room
};

// ---- rooms of a thread ----------------------------------------------------------------------------------------------

constinit Blocks blocks;
constinit kit::Depot<kRoomsOfAll> rooms_of_all;

// The thread's scheduler, and Handles kept by the thread or the process, may free rooms after that.
constinit thread_local bool rooms_are_gone = false;

/// The rooms freed last by this thread.
class TaskMemory {
  public:
    TaskMemory() { free_.reserve(kRoomsOfThread); }
    ~TaskMemory() {
        rooms_are_gone = true;
        rooms_of_all.give(free_, free_.size());
        for (std::byte* room : free_) blocks.give(room);
    }
    void* take() {
        if (free_.empty()) rooms_of_all.take(free_, kRoomsMoved);
        if (free_.empty()) return blocks.take();
        std::byte* room = free_.back();
        free_.pop_back();
        return room;
    }
    void give(void* room) noexcept {
        if (free_.size() == kRoomsOfThread) rooms_of_all.give(free_, kRoomsMoved);
        if (free_.size() == kRoomsOfThread) return blocks.give(room);
        free_.push_back(static_cast<std::byte*>(room));
    }
    /// Null after their destruction.
    static TaskMemory* of_this_thread() {
        if (rooms_are_gone) return nullptr;
        thread_local TaskMemory rooms;
        return &rooms;
    }

  private:
    std::vector<std::byte*> free_;
};

// With a sanitizer each room is new, so that it detects use after free.

bool is_room(std::size_t size) noexcept { return size <= kRoom && !kit::kUnderSanitizer; }

}  // namespace

void* take_task_memory(std::size_t size) {
    if (!is_room(size)) return ::operator new(size, std::align_val_t(kCacheLine));
    TaskMemory* const mine = TaskMemory::of_this_thread();
    return mine != nullptr ? mine->take() : blocks.take();
}

void give_task_memory(void* room, std::size_t size) noexcept {
    if (!is_room(size)) return ::operator delete(room, std::align_val_t(kCacheLine));
    TaskMemory* const mine = TaskMemory::of_this_thread();
    mine != nullptr ? mine->give(room) : blocks.give(room);
}

}  // namespace fiberscope::lab04
