#include "traces/replay/cells.h"

#include <algorithm>
#include <cstring>

namespace fiberscope::trace {
namespace {

/// Maximum size of all keyframes in addition to the size of the log; beyond it every second one is dropped.
constexpr std::size_t kKeyframeBytes = std::size_t{64} << 20;
/// Estimated log bytes per event, for reserving memory.
constexpr std::size_t kUsualBytes = 32;
constexpr std::uint8_t kLong = 255;

/// Zigzag encoding of distances between cells: 0, -1, 1, -2, 2 …
std::uint32_t folded(std::uint32_t distance) noexcept { return (distance << 1) ^ (0 - (distance >> 31)); }
std::uint32_t unfolded(std::uint32_t number) noexcept { return (number >> 1) ^ (0 - (number & 1)); }

std::uint32_t next_number(const std::uint8_t*& at) noexcept {
    std::uint32_t number = *at & 127U;
    for (unsigned shift = 7; *at++ >= 128; shift += 7) number |= (*at & 127U) << shift;
    return number;
}

}  // namespace

Cells::Address Cells::allocate(std::size_t count) {
    const auto first = static_cast<Address>(cells_.size());
    cells_.resize(cells_.size() + count, 0);
    clean_.resize((cells_.size() + kPageCells - 1) / kPageCells, 0);
    return first;
}

void Cells::expect(std::size_t events) {
    lengths_.reserve(events);
    log_.reserve(events * kUsualBytes);
}

void Cells::append(std::uint32_t number) {
    for (; number >= 128; number >>= 7) log_.push_back(static_cast<std::uint8_t>(number | 128U));
    log_.push_back(static_cast<std::uint8_t>(number));
}

void Cells::write(Address a, std::uint32_t value) {
    const std::uint32_t change = cells_[a] ^ (value + 1);
    if (change == 0) return;
    append(folded(a - last_cell_));
    append(change);
    last_cell_ = a;
    cells_[a] ^= change;
    clean_[a / kPageCells] = 0;
}

void Cells::end_event() {
    const std::size_t length = log_.size() - begun_;
    if (length >= kLong) long_.push_back({at_, length});
    lengths_.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(length, kLong)));
    begun_ = log_at_ = log_.size();
    last_cell_ = 0;
    ++at_;
    if (at_ % interval_ == 0) take_keyframe();
}

void Cells::end_recording() {
    if (log_.size() * 2 < log_.capacity()) log_.shrink_to_fit();
    if (!keyframes_.empty() && at_ % interval_ > interval_ / 2) take_keyframe();
}

void Cells::take_keyframe() {
    Keyframe keyframe{at_, log_at_, {}};
    keyframe.pages.reserve(clean_.size());
    for (std::size_t p = 0; p < clean_.size(); ++p) {
        if (clean_[p] != 0) {
            keyframe.pages.push_back(keyframes_.back().pages[p]);
            continue;
        }
        auto page = std::make_shared<Page>();
        page->id = clean_[p] = next_page_++;
        const std::size_t first = p * kPageCells;
        std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(first), std::min(kPageCells, cells_.size() - first),
                    page->cells.begin());
        keyframe.pages.push_back(std::move(page));
        page_bytes_ += sizeof(Page);
    }
    page_bytes_ += keyframe.pages.size() * sizeof(keyframe.pages[0]);
    keyframes_.push_back(std::move(keyframe));
    if (page_bytes_ > kKeyframeBytes + log_.size()) thin_keyframes();
}

// The last keyframe is kept: the currently clean pages belong to it.
void Cells::thin_keyframes() {
    interval_ *= 2;
    const std::size_t last = at_;
    std::erase_if(keyframes_, [&](const Keyframe& k) { return k.at % interval_ != 0 && k.at != last; });
    std::vector<std::uint64_t> ids;
    page_bytes_ = 0;
    for (const Keyframe& k : keyframes_) {
        page_bytes_ += k.pages.size() * sizeof(k.pages[0]);
        for (const auto& page : k.pages) ids.push_back(page->id);
    }
    std::sort(ids.begin(), ids.end());
    page_bytes_ += static_cast<std::size_t>(std::unique(ids.begin(), ids.end()) - ids.begin()) * sizeof(Page);
}

void Cells::restore(const Keyframe& keyframe) noexcept {
    for (std::size_t p = 0; p < clean_.size(); ++p) {
        const Page* page = p < keyframe.pages.size() ? keyframe.pages[p].get() : nullptr;
        if (page && page->id == clean_[p]) continue;
        const std::size_t first = p * kPageCells;
        const std::size_t bytes = std::min(kPageCells, cells_.size() - first) * sizeof(cells_[0]);
        if (page)
            std::memcpy(&cells_[first], page->cells.data(), bytes);
        else
            std::memset(&cells_[first], 0, bytes);
        clean_[p] = page ? page->id : 0;
    }
    at_ = keyframe.at;
    log_at_ = keyframe.log;
}

std::size_t Cells::length_of(std::size_t event) const noexcept {
    if (lengths_[event] != kLong) return lengths_[event];
    return std::lower_bound(long_.begin(), long_.end(), event,
                            [](const LongWrites& l, std::size_t n) { return l.event < n; })
        ->length;
}

void Cells::apply(std::size_t begin, std::size_t end) noexcept {
    const std::uint8_t *at = log_.data() + begin, *const last = log_.data() + end;
    for (Address cell = 0; at != last;) {
        cell += unfolded(next_number(at));
        cells_[cell] ^= next_number(at);
        clean_[cell / kPageCells] = 0;
    }
}

std::uint32_t Cells::read_before(Address a) const noexcept {
    const std::uint8_t *const last = log_.data() + log_at_, *at = last - length_of(at_ - 1);
    std::uint32_t value = cells_[a];
    for (Address cell = 0; at != last;) {
        cell += unfolded(next_number(at));
        const std::uint32_t change = next_number(at);
        if (cell == a) value ^= change;
    }
    return value - 1;
}

void Cells::forward() noexcept {
    const std::size_t begin = log_at_;
    log_at_ += length_of(at_);
    apply(begin, log_at_);
    ++at_;
}

void Cells::backward() noexcept {
    --at_;
    const std::size_t end = log_at_;
    log_at_ -= length_of(at_);
    apply(log_at_, end);
}

const Cells::Keyframe* Cells::nearest(std::size_t at) const noexcept {
    const auto after = std::lower_bound(keyframes_.begin(), keyframes_.end(), at,
                                        [](const Keyframe& k, std::size_t n) { return k.at < n; });
    if (after == keyframes_.begin()) return after == keyframes_.end() ? nullptr : &*after;
    if (after == keyframes_.end()) return &*(after - 1);
    return after->at - at < at - (after - 1)->at ? &*after : &*(after - 1);
}

void Cells::seek(std::size_t at) noexcept {
    const auto distance = [at](std::size_t from) { return from < at ? at - from : from - at; };
    static const Keyframe kStart{0, 0, {}};
    const Keyframe* target = nearest(at);
    if (!target || distance(0) < distance(target->at)) target = &kStart;
    if (distance(target->at) + interval_ / 4 < distance(at_)) restore(*target);
    while (at_ < at) forward();
    while (at_ > at) backward();
}

}  // namespace fiberscope::trace
