// The JSON document of a trace, read in slices into a TraceBuilder.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "languages/say.h"
#include "traces/read/condition.h"
#include "traces/read/slices.h"
#include "traces/read/source.h"
#include "traces/read/trace_builder.h"

namespace fiberscope::trace {

class DocumentReader {
  public:
    /// `name` denotes the document in messages; `size`: its bytes, 0 if unknown; `recorded`: a recorder is writing it;
    /// `items`: the maximum number of events per slice.
    DocumentReader(std::istream& in, std::string name, std::uint64_t size, bool recorded, std::size_t items);

    /// Reads a slice: a field, or some events. Returns false at the end. Throws ReadError.
    bool step();
    double share() const noexcept;
    /// Requires that step() has returned false.
    Trace take() {
        builder_.trace.number_namesakes();
        return std::move(builder_.trace);
    }

  private:
    /// The document ended prematurely. Not an error: what was read is kept.
    struct Cut {
        std::string missing;
    };
    static constexpr Text kNoTrace = mark("expected the field \"fiberscope\": this is not a fiberscope trace");
    enum class Place { start, field, event, end };  ///< the next part to read

    [[noreturn]] void fail(std::size_t line, const std::string& why) const;
    [[noreturn]] void fail(const std::string& why) const { fail(source_.line(), why); }
    void read_slice();
    void read_start();
    void read_field();
    void end_field();
    std::string read_key();
    void read_version();
    void read_meta();
    void read_end();
    void begin_events();
    void read_events();
    void read_event();
    bool read_event_line();
    void add_event(std::size_t line);
    /// `where`: the message if it is missing, into which it is inserted.
    void expect(char wanted, Text where);
    std::string_view whole_value(Text what);
    nlohmann::json parse_value(Text what);
    [[noreturn]] void refuse_event(const RawResult& result, std::string_view text) const;
    std::string cut_in_events() const;
    void add_mark();

    // after the last byte (document_end.cpp)
    void refuse_packed() const;
    void refuse_wide() const;
    void begin_merging();
    bool is_live() const noexcept { return recorded_ && !builder_.trace.complete; }
    void judge();
    void check_count();

    Source source_;
    std::string name_;
    std::uint64_t size_;
    bool recorded_;
    std::size_t items_;
    TraceBuilder builder_;
    RawEvent raw_;
    Place place_ = Place::start;
    Slices merging_;  ///< work that is left after the last byte
    bool version_seen_ = false, any_key_ = false, events_seen_ = false;
    std::optional<std::uint64_t> announced_;  // number of events, by `end`
    std::uint64_t found_ = 0;                 // events in the file, including those of unknown kinds, which are ignored
};

}  // namespace fiberscope::trace
