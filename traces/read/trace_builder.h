// Collects the events of a file into a Trace: interns texts, stores registers as deltas, merges the machines.
#pragma once

#include <functional>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "languages/message.h"
#include "traces/read/event_fields.h"
#include "traces/read/slices.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

class TraceBuilder {
  public:
    Trace trace;

    /// Reserves memory for about that many events.
    void expect(std::size_t events) { trace.events_.reserve(events); }
    /// Adds one event. `registers` are the saved and loaded registers of a switch.
    void add(Event event, const EventTexts& texts, const RawEvent& registers, std::size_t line);
    std::size_t size() const noexcept { return trace.events_.size(); }
    /// Adds to `slices`, which must have no other parts: merges the machines and computes what needs the whole trace;
    /// omits events later than `until`. The slices throw FieldError, with the line in error_line(), if the number of a
    /// coroutine, timer or shared stack is out of proportion to the file.
    void finish(Slices& slices, std::int64_t until);
    std::size_t error_line() const noexcept { return error_line_; }
    /// Maximum bytes of a name, and of other text, rounded down to a whole character.
    static constexpr std::size_t kMostName = 256, kMostText = 8 * 1024;
    static std::string shortened(std::string_view text, std::size_t most);

  private:
    struct Interner {
        std::vector<std::uint32_t> slots;  // index of a string + 1; 0 is free
    };
    struct Largest {
        std::uint32_t number = 0;  // one more than the largest one
        std::size_t line = 0;
    };
    struct Last {
        std::uint32_t snapshot = kNone, chain = 0;
        std::vector<std::uint32_t> values;
    };
    std::uint32_t intern(std::string_view text);
    std::uint32_t intern_name(std::string_view text);
    void grow_interner();
    std::uint32_t set_index(const std::string& name);
    std::uint32_t shape_index(const RawEvent::Pairs& registers);
    std::uint32_t add_snapshot(std::uint32_t co, const RawEvent::Pairs& registers);
    void add_registers(const Event& event, const RawEvent& raw);
    static void note_number(Largest& largest, std::int64_t number, std::size_t line);
    void note_numbers(const Event& event, std::size_t line);
    void check(const Largest& largest, Text what);
    // The parts of finish().
    void merge_machines(Slices& slices);
    void queue_for_merge(std::size_t n);
    void merge_next();
    void take_merged();
    void leave_out_after(Slices& slices, std::int64_t t);
    void note_declaration(std::size_t n);
    void mark_link(std::size_t n);
    void count_numbers();
    void note_name_and_address(std::size_t n);
    void give_back_room();

    /// The machines' events while they are merged: a queue for each machine, in file order.
    struct Merge {
        using Head = std::pair<std::uint64_t, std::uint32_t>;
        std::vector<std::uint64_t> keys;  // by event: its time, or the latest earlier time of its machine
        std::vector<std::uint32_t> next;  // by event: the next one of its machine, or kNone
        std::vector<std::uint32_t> last;  // by machine: its last queued event, or kNone
        // Heap of keys and events: the first of each queue, the earliest on top.
        std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
        Columns events;
        EventLines lines;
        std::vector<Trace::SwitchRegisters> switches;
    };
    Interner interner_;
    std::unordered_map<std::string, std::uint32_t> set_indices_;
    std::unordered_map<std::uint32_t, Last> last_registers_;
    std::uint32_t machines_ = 0;
    std::uint64_t last_time_ = 0;  // of the event added last, and its machine
    std::uint16_t last_machine_ = 0;
    bool in_order_ = true;
    Merge merge_;
    bool has_links_ = false;
    std::vector<bool> timer_sets_;                                                 // by set: its items are timers
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> first_users_;  // by stack and offset
    Largest coroutine_, timer_, stack_;
    std::size_t error_line_ = 0;
};

}  // namespace fiberscope::trace
