#include "traces/read/columns.h"

#include <algorithm>

namespace fiberscope::trace {
namespace {

// Members outside the row, in this order, preceded by a byte with one bit per member that is present.
constexpr unsigned kX = 1, kY = 2, kSet = 4, kText = 8;

void put_number(std::vector<std::uint8_t>& out, std::uint64_t number) {
    for (; number >= 128; number >>= 7) out.push_back(static_cast<std::uint8_t>(number | 128U));
    out.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t take_number(const std::uint8_t*& at) noexcept {
    std::uint64_t number = *at & 127U;
    for (unsigned shift = 7; *at++ >= 128; shift += 7) number |= std::uint64_t{*at & 127U} << shift;
    return number;
}

/// Zigzag encoding of signed numbers: 0, -1, 1, -2, 2 …
std::uint64_t folded(std::int64_t number) noexcept {
    const auto bits = static_cast<std::uint64_t>(number);
    return (bits << 1) ^ (0 - (bits >> 63));
}
std::int64_t unfolded(std::uint64_t number) noexcept {
    return static_cast<std::int64_t>((number >> 1) ^ (0 - (number & 1)));
}

}  // namespace

std::uint16_t Columns::shape_index(const Shape& shape) {
    if (slots_.empty()) slots_.resize(kSlots);
    const std::size_t hash = static_cast<std::size_t>(shape.kind) * 37 + shape.e1 * 11U + shape.e2 * 5U + shape.e3;
    std::uint16_t& slot = slots_[hash % kSlots];
    if (slot < shapes_.size() && shapes_[slot] == shape) return slot;
    const auto found = std::find(shapes_.begin(), shapes_.end(), shape);
    slot = static_cast<std::uint16_t>(found - shapes_.begin());
    if (found == shapes_.end()) shapes_.push_back(shape);
    return slot;
}

bool Columns::add(const Event& e) {
    Row row{e.t, e.co, e.other, kNone, e.m, shape_index({e.kind, e.e1, e.e2, e.e3})};
    const unsigned has = (e.x != kAbsent ? kX : 0) | (e.y != kAbsent ? kY : 0) | (e.set != kNone ? kSet : 0) |
                         (e.text != kNone ? kText : 0);
    if (has != 0) {
        if (rest_.size() >= kNone) return false;
        row.rest = static_cast<std::uint32_t>(rest_.size());
        rest_.push_back(static_cast<std::uint8_t>(has));
        if (has & kX) put_number(rest_, folded(e.x));
        if (has & kY) put_number(rest_, folded(e.y));
        if (has & kSet) put_number(rest_, e.set);
        if (has & kText) put_number(rest_, e.text);
    }
    rows_.push_back(row);
    return true;
}

void Columns::add_rest(std::uint32_t at, Event& e) const noexcept {
    const std::uint8_t* byte = rest_.data() + at;
    const unsigned has = *byte++;
    if (has & kX) e.x = unfolded(take_number(byte));
    if (has & kY) e.y = unfolded(take_number(byte));
    if (has & kSet) e.set = static_cast<std::uint32_t>(take_number(byte));
    if (has & kText) e.text = static_cast<std::uint32_t>(take_number(byte));
}

void Columns::mark_timers(std::size_t n) {
    Shape shape = shapes_[rows_[n].shape];
    shape.e3 = 1;
    rows_[n].shape = shape_index(shape);
}

void Columns::finish() {
    // Reserved pages that were never written use no memory; reallocating to release a few is not worth it.
    if (rows_.capacity() > rows_.size() + rows_.size() / 4) rows_.shrink_to_fit();
    if (rest_.capacity() > rest_.size() + rest_.size() / 4) rest_.shrink_to_fit();
    slots_ = {};
}

std::size_t Columns::memory() const noexcept {
    return rows_.capacity() * sizeof(Row) + shapes_.capacity() * sizeof(Shape) + rest_.capacity();
}

void EventLines::add(std::size_t line) {
    const auto at = static_cast<std::uint32_t>(std::min<std::size_t>(line, kNone));
    const auto n = static_cast<std::uint32_t>(size_++);
    if (runs_.empty() || at != runs_.back().line + (n - runs_.back().event)) runs_.push_back({n, at});
}

std::size_t EventLines::operator[](std::size_t n) const noexcept {
    const auto after = std::partition_point(runs_.begin(), runs_.end(), [n](const Run& run) { return run.event <= n; });
    return (after - 1)->line + (n - (after - 1)->event);
}

void EventLines::truncate(std::size_t n) noexcept {
    size_ = std::min(size_, n);
    while (!runs_.empty() && runs_.back().event >= size_) runs_.pop_back();
}

}  // namespace fiberscope::trace
