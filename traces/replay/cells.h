// Memory of 32-bit cells that can be restored to its state after any event: every write is logged, and keyframes hold
// whole copies. Seeking costs the writes between the event and the nearest keyframe.
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

    /// Reserves memory for about that many events.
    void expect(std::size_t events);
    /// Adds `count` cells, which hold kNone, now and in the past. Only while recording.
    Address allocate(std::size_t count);

    std::uint32_t read(Address a) const noexcept { return cells_[a] - 1; }
    /// Its value before the last applied event; needs at() > 0.
    std::uint32_t read_before(Address a) const noexcept;
    /// Only while recording.
    void write(Address a, std::uint32_t value);
    /// Ends the writes of one event. Only while recording.
    void end_event();
    /// Ends recording; the memory stays at the last event.
    void end_recording();

    std::size_t at() const noexcept { return at_; }  ///< events applied
    void forward() noexcept;                         ///< not after the last event
    void backward() noexcept;                        ///< needs at() > 0
    void seek(std::size_t at) noexcept;              ///< at most as many as were recorded

  private:
    // Cells store their value plus one, so that zero means kNone and pages that do not exist yet are zero.
    static constexpr std::size_t kPageCells = 256;
    struct Page {
        std::uint64_t id;
        std::array<std::uint32_t, kPageCells> cells;
    };
    /// The memory after `at` events. Pages unchanged since the previous keyframe are shared with it.
    struct Keyframe {
        std::size_t at, log;  ///< `log`: start of the next event's writes
        std::vector<std::shared_ptr<const Page>> pages;
    };
    /// The length of an event's writes where it does not fit into a byte.
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
    std::vector<std::uint64_t> clean_;  // by page: the id of the keyframe page that it equals, or 0
    // For each write the log has the distance from the previously written cell, and the old value xor the new one, as
    // numbers of one to five bytes. Applying a write again undoes it, so one log serves both directions.
    std::vector<std::uint8_t> log_;
    std::vector<std::uint8_t> lengths_;  // by event: bytes of its writes; kLong: see long_
    std::vector<LongWrites> long_;       // by event
    Address last_cell_ = 0;              // last cell written by this event
    std::size_t begun_ = 0;              // start of the writes of the event being recorded
    std::size_t log_at_ = 0;             // start of the writes of the event after the current one
    std::vector<Keyframe> keyframes_;
    std::size_t interval_ = 8192;  // events between two keyframes
    std::size_t page_bytes_ = 0, at_ = 0;
    std::uint64_t next_page_ = 1;
};

}  // namespace fiberscope::trace
