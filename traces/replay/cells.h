// Memory of 32-bit cells that can be set to its state after any event: every write is logged, and keyframes hold whole
// copies. Going to an event costs the writes between it and the nearest keyframe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "traces/schema/schema.h"

namespace fiberscope::trace {

class Cells {
  public:
    /// Index of a cell.
    using Address = std::uint32_t;

    /// About so many events are going to be recorded.
    void expect(std::size_t events);
    /// Adds `count` cells, which hold kNone, now and before. Only while recording.
    Address allocate(std::size_t count);

    std::uint32_t read(Address a) const noexcept { return cells_[a] - 1; }
    /// Only while recording.
    void write(Address a, std::uint32_t value);
    /// Ends the writes of one event. Only while recording.
    void end_event();
    /// The history is whole; the memory stays after the last event.
    void end_recording();

    std::size_t at() const noexcept { return at_; }  ///< events applied
    void forward() noexcept;                         ///< not after the last event
    void backward() noexcept;                        ///< needs at() > 0
    void seek(std::size_t at) noexcept;              ///< at most as many as were recorded

  private:
    // Cells hold their value and one, so that zero means kNone and memory that is not there yet is zero.
    static constexpr std::size_t kPageCells = 256;
    struct Page {
        std::uint64_t id;
        std::array<std::uint32_t, kPageCells> cells;
    };
    /// The memory after `at` events. Pages that did not change since the keyframe before are shared with it.
    struct Keyframe {
        std::size_t at, log;  ///< `log`: where the writes of the event after it begin
        std::vector<std::shared_ptr<const Page>> pages;
    };
    /// The length of an event's writes where a byte is too small for it.
    struct LongWrites {
        std::size_t event, length;
    };
    std::size_t length_of(std::size_t event) const noexcept;
    void append(std::uint32_t number);
    void apply(std::size_t begin, std::size_t end) noexcept;
    void take_keyframe();
    void thin_keyframes();
    void restore(const Keyframe& keyframe) noexcept;
    const Keyframe* nearest(std::size_t at) const noexcept;

    std::vector<std::uint32_t> cells_;
    std::vector<std::uint64_t> clean_;  // by page: the id of the page of a keyframe that it equals, or 0
    // The log has for each write the distance from the cell written before, and the old value xor the new one, as
    // numbers of one to five bytes. Applied once more, a write is undone; so one log serves both directions.
    std::vector<std::uint8_t> log_;
    std::vector<std::uint8_t> lengths_;  // by event: bytes of its writes; kLong: see long_
    std::vector<LongWrites> long_;       // by event
    Address last_cell_ = 0;              // that was written last of this event
    std::size_t begun_ = 0;              // where the writes of the event that is recorded begin
    std::size_t log_at_ = 0;             // where the writes of the event after the present one begin
    std::vector<Keyframe> keyframes_;
    std::size_t interval_ = 8192;  // events between two keyframes
    std::size_t page_bytes_ = 0, at_ = 0;
    std::uint64_t next_page_ = 1;
};

}  // namespace fiberscope::trace
