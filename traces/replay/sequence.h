// A list with fast access by position and fast removal by element, for queues with insertions in the middle. Elements
// are distinct numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fiberscope::trace {

class Sequence {
  public:
    std::size_t size() const noexcept { return chunk_of_.size(); }
    /// The element at `place`, which must be less than size().
    std::uint32_t at(std::size_t place) const noexcept;
    /// Inserts before `place`; appends if `place` is past the end.
    void insert(std::size_t place, std::uint32_t element);
    void remove(std::uint32_t element);

  private:
    static constexpr std::size_t kLongest = 512;
    struct Position {
        std::size_t chunk;  // index in order_
        std::size_t place;  // within the chunk
    };
    Position find(std::size_t place) const noexcept;
    void split(std::size_t chunk);

    std::vector<std::vector<std::uint32_t>> chunks_;           // by identity
    std::vector<std::size_t> order_;                           // identities, in the order of the list
    std::unordered_map<std::uint32_t, std::size_t> chunk_of_;  // element -> identity
};

}  // namespace fiberscope::trace
