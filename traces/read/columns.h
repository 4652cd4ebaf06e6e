// Compact storage of events: a fixed-size row for each, and variable-length bytes for the members that few events have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "traces/schema/schema.h"

namespace fiberscope::trace {

/// Events in insertion order. Each takes 24 bytes, and about 2 to 20 more if it has a set, a text or numbers.
class Columns {
  public:
    std::size_t size() const noexcept { return rows_.size(); }
    Event operator[](std::size_t n) const noexcept {
        const Row& row = rows_[n];
        const Shape& shape = shapes_[row.shape];
        Event e;
        e.t = row.t;
        e.co = row.co;
        e.other = row.other;
        e.m = row.m;
        e.kind = shape.kind;
        e.e1 = shape.e1;
        e.e2 = shape.e2;
        e.e3 = shape.e3;
        if (row.rest != kNone) add_rest(row.rest, e);
        return e;
    }
    std::uint64_t time(std::size_t n) const noexcept { return rows_[n].t; }
    Kind kind(std::size_t n) const noexcept { return shapes_[rows_[n].shape].kind; }

    /// Reserves memory for about that many events.
    void reserve(std::size_t events) { rows_.reserve(events); }
    /// Returns false if the variable-length bytes would exceed 4 GiB.
    [[nodiscard]] bool add(const Event& e);
    /// Marks the nodes of the `link` at n as timers.
    void mark_timers(std::size_t n);
    /// Removes the events from n on.
    void truncate(std::size_t n) { rows_.resize(std::min(n, rows_.size())); }
    /// Releases unused capacity.
    void finish();
    std::size_t memory() const noexcept;  ///< bytes

  private:
    struct Row {
        std::uint64_t t;
        std::uint32_t co, other;
        std::uint32_t rest;  ///< index of its other members in rest_; kNone if it has none
        std::uint16_t m;
        std::uint16_t shape;  ///< index into shapes_
    };
    static_assert(sizeof(Row) == 24);
    /// A kind with its words. A trace has few distinct ones, so a row stores an index.
    struct Shape {
        Kind kind;
        std::uint8_t e1, e2, e3;
        bool operator==(const Shape&) const = default;
    };
    static constexpr std::size_t kSlots = 1024;
    std::uint16_t shape_index(const Shape& shape);
    void add_rest(std::uint32_t at, Event& e) const noexcept;

    std::vector<Row> rows_;
    std::vector<Shape> shapes_;
    std::vector<std::uint16_t> slots_;  // by hash: the shape that was last looked up
    std::vector<std::uint8_t> rest_;
};

/// The line of each event, stored as exceptions: it is nearly always one more than the previous event's.
class EventLines {
  public:
    void add(std::size_t line);
    std::size_t operator[](std::size_t n) const noexcept;
    void truncate(std::size_t n) noexcept;
    std::size_t memory() const noexcept { return runs_.capacity() * sizeof(Run); }

  private:
    struct Run {
        std::uint32_t event, line;  ///< the first event of a run of consecutive lines, and its line
    };
    std::vector<Run> runs_;
    std::size_t size_ = 0;
};

}  // namespace fiberscope::trace
