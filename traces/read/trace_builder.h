// Collects the events of a file into a Trace: interns texts, keeps registers aside as changes, merges the machines.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "languages/say.h"
#include "traces/read/event_fields.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

class TraceBuilder {
  public:
    Trace trace;

    /// About so many events are going to be added.
    void expect(std::size_t events) { trace.events_.reserve(events); }
    /// Adds one event. `registers` gives the saved and loaded registers of a switch.
    void add(Event event, const EventTexts& texts, const RawEvent& registers, std::size_t line);
    std::size_t size() const noexcept { return trace.events_.size(); }
    /// Merges the machines and computes what needs the whole trace; leaves out what is later than `until`. Throws
    /// FieldError, with the line in error_line(), if the events name a coroutine, timer or shared stack whose number is
    /// out of proportion to the file.
    void finish(std::int64_t until = INT64_MAX);
    std::size_t error_line() const noexcept { return error_line_; }
    /// So much of `text` is kept of a name, and so much of a longer text, up to a whole character.
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
    void merge_machines();
    void leave_out_after(std::int64_t t);
    void mark_links();
    void name_coroutines();
    void note_addresses();

    Interner interner_;
    std::unordered_map<std::string, std::uint32_t> set_indices_;
    std::unordered_map<std::uint32_t, Last> last_registers_;
    std::vector<std::uint64_t> last_times_;  // by machine
    std::uint64_t last_time_ = 0;            // of the event that was added last, and its machine
    std::uint16_t last_machine_ = 0;
    bool in_order_ = true;
    Largest coroutine_, timer_, stack_;
    std::size_t error_line_ = 0;
};

}  // namespace fiberscope::trace
