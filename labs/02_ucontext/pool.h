// Step 2.5: netco's pools. A free list of blocks of one size, linked through the free blocks themselves, and a pool of
// objects constructed in such blocks.
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

/// Blocks added by the first growth. Each further growth adds one block more than the previous one. As in netco.
inline constexpr std::size_t kFirstGrowth = 40;

/// A pool of untyped blocks of one size. Not thread-safe.
class MemoryPool {
  public:
    /// Blocks have at least `size` bytes, aligned to `alignment`, a power of two. Allocates nothing yet. `source`
    /// provides the memory and must outlive the pool. If `checked`, every release walks the free list to detect errors;
    /// on by default in debug builds only (NDEBUG not defined). Throws std::invalid_argument if the alignment is not a
    /// power of two, and std::bad_alloc if the size rounded up to it overflows.
    MemoryPool(std::size_t size, std::size_t alignment, bool checked = kCheckPools,
               std::pmr::memory_resource* source = std::pmr::get_default_resource());
    /// Returns all memory to the source, including blocks still in use.
    ~MemoryPool();
    MemoryPool(const MemoryPool&) = delete;
    MemoryPool& operator=(const MemoryPool&) = delete;

    /// Step 2.5. Returns an uninitialised block: the most recently released one. Grows the pool first if no block is
    /// free. Propagates exceptions of the source, usually std::bad_alloc, and then changes nothing.
    void* take();
    /// Step 2.5. Frees the block. A checked pool throws std::logic_error and changes nothing if the block is already
    /// free or does not belong to this pool (require_in_use).
    void release(void* block);

    /// Given. The check of release in a checked pool; otherwise a no-op.
    void require_in_use(const void* block) const;

    std::size_t block_size() const noexcept { return block_size_; }
    std::size_t blocks() const noexcept { return blocks_; }  ///< free or in use
    std::size_t in_use() const noexcept { return in_use_; }
    std::size_t growths() const noexcept { return chunks_.size(); }

  private:
    /// The first bytes of a free block are the link; those of a block in use belong to the user.
    union Block {
        Block* next;
        std::byte data[1];
    };
    struct Chunk {
        std::byte* memory;
        std::size_t bytes;
    };

    void grow();  // 2.5: adds a chunk, with all its blocks on the free list, lowest address first
    Chunk& new_chunk(std::size_t blocks);   // given: allocates memory from the source and records it
    bool is_free(const void* block) const;  // 2.5: walks the free list
    bool is_mine(const void* block) const;  // given: whether it is the start of a block of a chunk

    std::size_t alignment_;
    std::size_t block_size_;  // a multiple of the alignment, and at least sizeof(Block)
    bool checked_;
    std::pmr::memory_resource* source_;
    Block* free_ = nullptr;
    std::size_t blocks_ = 0;
    std::size_t in_use_ = 0;
    std::vector<Chunk> chunks_;
};

/// Objects in blocks of a pool. Destroying the pool does not destroy unreleased objects. As netco's ObjPool.
template <class T>
class ObjectPool {
  public:
    explicit ObjectPool(bool checked = kCheckPools,
                        std::pmr::memory_resource* source = std::pmr::get_default_resource())
        : memory_(sizeof(T), alignof(T), checked, source) {}

    /// Returns an object constructed from `arguments`. Without arguments an object of a trivially default constructible
    /// type is left uninitialised. If the constructor throws, frees the block and rethrows.
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
    /// Destroys the object, unless its destructor is trivial, and frees its block. A checked pool throws
    /// std::logic_error for an object that is already free, before destroying it again.
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
