#include "traces/replay/sequence.h"

#include <algorithm>

namespace fiberscope::trace {

Sequence::Position Sequence::find(std::size_t place) const noexcept {
    for (std::size_t chunk = 0; chunk < order_.size(); ++chunk) {
        const std::size_t size = chunks_[order_[chunk]].size();
        if (place < size) return {chunk, place};
        place -= size;
    }
    return {order_.size(), 0};
}

std::uint32_t Sequence::at(std::size_t place) const noexcept {
    const Position p = find(place);
    return chunks_[order_[p.chunk]][p.place];
}

void Sequence::insert(std::size_t place, std::uint32_t element) {
    if (order_.empty()) {
        order_.push_back(chunks_.size());
        chunks_.emplace_back();
    }
    Position p = place < size() ? find(place) : Position{order_.size() - 1, chunks_[order_.back()].size()};
    auto& chunk = chunks_[order_[p.chunk]];
    chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(p.place), element);
    chunk_of_[element] = order_[p.chunk];
    if (chunk.size() > kLongest) split(p.chunk);
}

void Sequence::split(std::size_t chunk) {
    const std::size_t added = chunks_.size();
    chunks_.emplace_back();
    auto& full = chunks_[order_[chunk]];
    chunks_[added].assign(full.begin() + kLongest / 2, full.end());
    full.resize(kLongest / 2);
    for (const std::uint32_t element : chunks_[added]) chunk_of_[element] = added;
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(chunk + 1), added);
}

void Sequence::remove(std::uint32_t element) {
    const auto found = chunk_of_.find(element);
    if (found == chunk_of_.end()) return;
    auto& chunk = chunks_[found->second];
    chunk.erase(std::find(chunk.begin(), chunk.end(), element));
    if (chunk.empty() && order_.size() > 1) order_.erase(std::find(order_.begin(), order_.end(), found->second));
    chunk_of_.erase(found);
}

}  // namespace fiberscope::trace
