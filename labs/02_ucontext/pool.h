// Step 2.5: netco's pools. Blocks of one size come from a free list whose links lie inside the free blocks, so that the
// list takes no memory of its own; objects are built in such blocks.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace fiberscope::lab02 {

#ifdef NDEBUG
inline constexpr bool kCheckPools = false;
#else
inline constexpr bool kCheckPools = true;
#endif

/// How many blocks the first growth adds. The growth after n others adds n more. As in netco.
inline constexpr std::size_t kFirstGrowth = 40;

/// Untyped blocks of one size. For one thread at a time.
class MemoryPool {
  public:
    /// Blocks of at least `size` bytes at multiples of `alignment`, a power of two. Takes no memory yet. `source` gives
    /// the memory and must outlive the pool. With `checked` every release is checked, which takes a walk over the free
    /// list: so it is on in debug builds only (NDEBUG not defined). Throws std::invalid_argument for another alignment,
    /// and std::bad_alloc for a size that no multiple of the alignment reaches.
    MemoryPool(std::size_t size, std::size_t alignment, bool checked = kCheckPools,
               std::pmr::memory_resource* source = std::pmr::get_default_resource());
    /// Gives all memory back to the source, blocks that are still in use too.
    ~MemoryPool();
    MemoryPool(const MemoryPool&) = delete;
    MemoryPool& operator=(const MemoryPool&) = delete;

    /// Step 2.5. A block, uninitialised: the one that was released last, if any is free. With none free the pool grows
    /// first. Throws what the source throws, usually std::bad_alloc; nothing has changed then.
    void* take();
    /// Step 2.5. The block is free from now on. A checked pool throws std::logic_error if it is free already, or is no
    /// block of this pool (require_in_use); then nothing has changed.
    void release(void* block);

    /// Given. What a checked pool does first in release; nothing in another.
    void require_in_use(const void* block) const;

    std::size_t block_size() const noexcept { return block_size_; }
    std::size_t blocks() const noexcept { return blocks_; }  ///< free or in use
    std::size_t in_use() const noexcept { return in_use_; }
    std::size_t growths() const noexcept { return chunks_.size(); }

  private:
    /// While a block is free its first bytes are the link; while it is in use they are the user's.
    union Block {
        Block* next;
        std::byte data[1];
    };
    struct Chunk {
        std::byte* memory;
        std::size_t bytes;
    };

    void grow();                            // 2.5: one chunk more, all its blocks on the free list, the lowest first
    Chunk& new_chunk(std::size_t blocks);   // given: takes memory from the source and remembers it
    bool is_free(const void* block) const;  // 2.5: a walk over the free list
    bool is_mine(const void* block) const;  // given: it begins a block of one of the chunks

    std::size_t alignment_;
    std::size_t block_size_;  // a multiple of the alignment, and at least sizeof(Block)
    bool checked_;
    std::pmr::memory_resource* source_;
    Block* free_ = nullptr;
    std::size_t blocks_ = 0;
    std::size_t in_use_ = 0;
    std::vector<Chunk> chunks_;
};

/// Objects in blocks of a pool. Objects that were not released are not destroyed with the pool. As netco's ObjPool.
template <class T>
class ObjectPool {
  public:
    explicit ObjectPool(bool checked = kCheckPools,
                        std::pmr::memory_resource* source = std::pmr::get_default_resource())
        : memory_(sizeof(T), alignof(T), checked, source) {}

    /// An object built from `arguments`. Without arguments nothing is done for a type whose construction is trivial:
    /// its bytes are what they were. What the constructor throws goes through, and the block is free again.
    template <class... Arguments>
    T* acquire(Arguments&&... arguments) {
        void* block = memory_.take();
        if constexpr (sizeof...(Arguments) == 0 && std::is_trivially_default_constructible_v<T>) {
            return static_cast<T*>(block);
        } else {
            try {
                return new (block) T(std::forward<Arguments>(arguments)...);
            } catch (...) {
                memory_.release(block);
                throw;
            }
        }
    }
    /// Destroys the object, unless its destruction is trivial, and frees its block. A checked pool throws
    /// std::logic_error for one that is free already, before it is destroyed a second time.
    void release(T* object) {
        memory_.require_in_use(object);
        if constexpr (!std::is_trivially_destructible_v<T>) object->~T();
        memory_.release(object);
    }

    const MemoryPool& memory() const noexcept { return memory_; }

  private:
    MemoryPool memory_;
};

}  // namespace fiberscope::lab02
