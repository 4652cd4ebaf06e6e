#include "traces/read/reader.h"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>

#include "languages/say.h"
#include "traces/read/printable.h"
#include "traces/read/source.h"
#include "traces/read/trace_builder.h"

namespace fiberscope::trace {
namespace {

using Json = nlohmann::json;

/// After so many events it is guessed how many the file has, and a little more.
constexpr std::size_t kSample = 4096;
constexpr double kSpare = 1.05;

/// The document ended where more was expected. Not an error: what was read is kept.
struct Cut {
    std::string missing;
};

/// What a recorder writes beside events: all that any machine did up to its `t` stands before it in the file.
constexpr std::string_view kMark = "reached";
constexpr Text kNoTrace = mark("expected the field \"fiberscope\": this is no fiberscope trace");

/// What packs files, by how such a file begins, and what unpacks it.
struct Packer {
    std::string_view begins, name, unpacks;
};
constexpr Packer kPackers[] = {{"\x1f\x8b", "gzip", "gunzip"},
                               {"\x28\xb5\x2f\xfd", "zstd", "unzstd"},
                               {"\xfd\x37zXZ", "xz", "unxz"},
                               {"BZh", "bzip2", "bunzip2"},
                               {"PK\x03\x04", "zip", "unzip"}};

class DocumentReader {
  public:
    DocumentReader(std::istream& in, std::string name, std::uint64_t size, Progress* progress)
        : source_(in, size, progress), name_(std::move(name)) {}

    /// `recorded`: a recorder is writing the file.
    Trace read(bool recorded);

  private:
    [[noreturn]] void fail(std::size_t line, const std::string& why) const;
    [[noreturn]] void fail(const std::string& why) const { fail(source_.line(), why); }
    void read_document();
    void read_field(const std::string& key);
    std::string read_key();
    void read_version();
    void read_meta();
    void read_end();
    void read_events();
    void read_event();
    bool read_event_line();
    void add_event(std::size_t line);
    /// `where`: what is said if it is not there, with it in its place.
    void expect(char wanted, Text where);
    std::string_view whole_value(Text what);
    Json parse_value(Text what);
    [[noreturn]] void refuse_event(const RawResult& result, std::string_view text) const;
    std::string cut_in_events() const;
    void check_count();
    void refuse_packed() const;
    void add_mark();
    void settle(bool live);

    Source source_;
    std::string name_;
    TraceBuilder builder_;
    RawEvent raw_;
    bool version_seen_ = false, any_key_ = false, events_seen_ = false;
    std::optional<std::uint64_t> announced_;  // number of events, by `end`
    std::uint64_t found_ = 0;                 // events in the file, with those of kinds that are ignored
};

void DocumentReader::fail(std::size_t line, const std::string& why) const {
    throw ReadError(printable(in_english("{0:file}: the file is broken at line {1:number}: {2}.", name_, line, why)));
}

std::string DocumentReader::cut_in_events() const {
    return in_english(
        "the file was cut short at line {0:number}: {1:number} whole events were read, what came after them and the "
        "end are missing",
        source_.line(), builder_.size());
}

void DocumentReader::expect(char wanted, Text where) {
    const int c = source_.peek();
    if (c == Source::kEnd) throw Cut{cut_in_events()};
    if (c != wanted) fail(in_english(where, std::string(1, wanted)));
    source_.skip();
}

std::string_view DocumentReader::whole_value(Text what) {
    if (source_.peek() == Source::kEnd) throw Cut{in_english("the file was cut short before {0}", what.english)};
    const Source::Value value = source_.value();
    if (value.text.size() > Source::kLongestValue) fail(in_english("expected {0} of at most 1 MiB", what.english));
    if (!value.whole) throw Cut{in_english("the file was cut short in {0}", what.english)};
    return value.text;
}

Json DocumentReader::parse_value(Text what) {
    const std::string_view text = whole_value(what);
    if (nests_deeper(text, kDeepest))
        fail(in_english("expected {0} nested at most {1:number} deep", what.english, kDeepest));
    Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded()) fail(in_english("expected {0} to be valid JSON", what.english));
    source_.consume(text);
    return json;
}

std::string DocumentReader::read_key() {
    if (source_.peek() == Source::kEnd) throw Cut{cut_in_events()};
    const std::size_t line = source_.line();
    const Json key = parse_value(mark("the name of a field"));
    if (!key.is_string()) fail(line, in_english("expected the name of a field, a string"));
    return key.get<std::string>();
}

void DocumentReader::read_version() {
    const std::size_t line = source_.line();
    const Json version = parse_value(mark("the version of the format"));
    if (!version.is_number_integer()) fail(line, in_english("expected the version of the trace format, an integer"));
    if (version != kFormatVersion)
        fail(line, in_english("this is trace format version {0}, and this program reads version {1:number} only: "
                              "record the trace again, or use a program of its version",
                              version.dump(), kFormatVersion));
    version_seen_ = true;
}

void DocumentReader::read_meta() {
    const std::size_t line = source_.line();
    const Json meta = parse_value("\"meta\"");
    if (!meta.is_object()) fail(line, in_english("expected an object in \"{0}\"", "meta"));
    Head& head = builder_.trace.head;
    const auto take = [&](const char* key, ForeignText& to) {
        const auto found = meta.find(key);
        if (found != meta.end() && !found->is_null())
            to = ForeignText(TraceBuilder::shortened(found->is_string() ? found->get<std::string>() : found->dump(),
                                                     TraceBuilder::kMostName));
    };
    take("lab", head.lab);
    take("program", head.program);
    take("strategy", head.strategy);
    take("clock", head.clock);
    take("arch", head.arch);
    take("files", head.files);
    take("seed", head.seed);
    const auto names = meta.find("names");
    if (names == meta.end() || !names->is_object()) return;
    for (const auto& [key, value] : names->items())
        if (const auto state = value.is_string() ? from_word<State>(value.get<std::string>()) : std::nullopt)
            head.names[ForeignText(TraceBuilder::shortened(key, TraceBuilder::kMostName))] = *state;
}

void DocumentReader::read_end() {
    const std::size_t line = source_.line();
    const Json end = parse_value("\"end\"");
    if (!end.is_object()) fail(line, in_english("expected an object in \"{0}\"", "end"));
    const auto number = [&](const char* key) -> std::optional<std::uint64_t> {
        const auto found = end.find(key);
        if (found == end.end()) return std::nullopt;
        if (!found->is_number_unsigned())
            fail(line, in_english("expected an integer from 0 in \"{0:word}\" of \"end\"", key));
        return found->get<std::uint64_t>();
    };
    announced_ = number("events");
    builder_.trace.dropped = number("dropped").value_or(0);
    builder_.trace.complete = true;
}

void DocumentReader::refuse_event(const RawResult& result, std::string_view text) const {
    const auto newlines = std::count(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(result.error_at, text.size())), '\n');
    fail(source_.line() + static_cast<std::size_t>(newlines),
         in_english("an event is not what it should be: {0}", result.error));
}

void DocumentReader::add_event(std::size_t line) {
    Event event;
    EventTexts texts;
    if (builder_.size() == kSample)
        builder_.expect(static_cast<std::size_t>(kSpare * static_cast<double>(kSample) * source_.whole()));
    try {
        ++found_;
        if (convert(raw_, event, texts))
            builder_.add(event, texts, raw_, line);
        else
            add_mark();
    } catch (const FieldError& error) {
        fail(line, error.what());
    }
}

void DocumentReader::add_mark() {
    const RawField& t = raw_[field("t")];
    if (raw_[field("ev")].text == kMark && raw_.has(field("t")) && t.type == RawType::integer)
        builder_.trace.reached = std::max(builder_.trace.reached, t.number);
}

// The layout that the recorder writes: a line is an event. Anything else falls back to read_event.
bool DocumentReader::read_event_line() {
    const std::string_view line = source_.object_line();
    if (line.empty() || !(parse_flat(line, raw_) || parse_raw(line, raw_).ok)) return false;
    add_event(source_.line());
    source_.consume(line);
    return true;
}

void DocumentReader::read_event() {
    const Source::Value value = source_.value();
    if (value.text.empty() || value.text[0] != '{') fail(in_english("expected an event, an object"));
    const RawResult result = parse_raw(value.text, raw_);
    if (!value.whole && value.text.size() <= Source::kLongestValue && (result.ok || result.at_end))
        throw Cut{
            in_english("the file was cut short in the event at line {0:number}: {1:number} whole events were read; "
                       "that one, what came after it and the end are missing",
                       source_.line(), builder_.size())};
    if (!result.ok) {
        if (!value.whole && result.at_end) fail(in_english("expected {0} of at most 1 MiB", mark("an event").english));
        refuse_event(result, value.text);
    }
    const std::size_t line = source_.line();
    source_.consume(value.text);
    add_event(line);
}

void DocumentReader::read_events() {
    if (events_seen_) fail(in_english("expected \"events\" only once"));
    events_seen_ = true;
    expect('[', mark("expected '{0}' at the beginning of \"events\""));
    if (source_.peek() == ']') return source_.skip();
    for (;;) {
        if (source_.peek() == Source::kEnd) throw Cut{cut_in_events()};
        if (!read_event_line()) read_event();
        const int c = source_.peek();
        if (c == Source::kEnd) throw Cut{cut_in_events()};
        if (c != ',' && c != ']') fail(in_english("expected ',' or ']' after an event"));
        source_.skip();
        if (c == ']') return;
    }
}

void DocumentReader::read_field(const std::string& key) {
    if (key == "fiberscope") return read_version();
    if (key == "meta") return read_meta();
    if (key == "events") return read_events();
    if (key == "end") return read_end();
    parse_value(mark("a field that this version does not know"));
}

void DocumentReader::read_document() {
    expect('{', mark("expected '{0}' at the beginning: this is no fiberscope trace"));
    if (source_.peek() == '}') fail(in_english(kNoTrace));
    for (;;) {
        const std::string key = read_key();
        any_key_ = any_key_ || key != "fiberscope";
        expect(':', mark("expected '{0}' after the name of a field"));
        read_field(key);
        const int c = source_.peek();
        if (c == Source::kEnd)
            throw Cut{builder_.trace.complete ? in_english("the file was cut short before its last brace")
                                              : cut_in_events()};
        if (c != ',' && c != '}') fail(in_english("expected ',' or '{0}' after a field of the trace", "}"));
        source_.skip();
        if (c == '}') break;
    }
    if (source_.peek() != Source::kEnd) fail(in_english("expected nothing after the end of the trace"));
}

void DocumentReader::check_count() {
    Trace& trace = builder_.trace;
    if (!trace.missing.empty()) return;
    if (!trace.complete)
        trace.missing =
            in_english("the file was cut short before its \"end\": what came after the last event may be missing");
    else if (announced_ && *announced_ != found_)
        fail(in_english("expected {0:number} events, as the end of the file announces, but found {1:number}",
                        *announced_, found_));
}

void DocumentReader::refuse_packed() const {
    for (const Packer& packer : kPackers)
        if (source_.begins_with(packer.begins))
            throw ReadError(printable(in_english(
                "{0:file}: the file is broken: it is compressed by {1:word}, so unpack it first, by {2:word}.", name_,
                packer.name, packer.unpacks)));
}

// Each machine's part of a live file comes in pieces of its own. Where the recorder has not said yet how far all of
// them reach, machines may be there of which nothing is known.
void DocumentReader::settle(bool live) {
    Trace& trace = builder_.trace;
    const bool marked = trace.reached != kAbsent;
    try {
        builder_.finish(!live ? INT64_MAX : marked ? trace.reached : -1);
    } catch (const FieldError& error) {
        fail(builder_.error_line(), error.what());
    }
    if (!live) return check_count();
    trace.condition = Condition::live;
    trace.missing = trace.size() == 0
                        ? in_english("the file is being recorded: no event of it can be shown yet")
                        : in_english("the file is being recorded: {0:number} events so far", trace.size());
}

Trace DocumentReader::read(bool recorded) {
    if (source_.peek() == Source::kEnd && !recorded)
        throw ReadError(nothing_read(printable(name_), in_english("the file is empty: no trace was written into it")),
                        Condition::empty);
    refuse_packed();
    try {
        read_document();
    } catch (const Cut& cut) {
        builder_.trace.missing = cut.missing;
    }
    // A file that was cut in its first field may still be the beginning of a trace; one with other fields is not.
    const bool could_be_a_trace = version_seen_ || (!any_key_ && !builder_.trace.missing.empty());
    if (!could_be_a_trace) fail(1, in_english(kNoTrace));
    settle(!builder_.trace.complete && recorded);
    if (!builder_.trace.missing.empty() && builder_.trace.condition == Condition::whole)
        builder_.trace.condition = Condition::cut;
    return std::move(builder_.trace);
}

}  // namespace

Trace read(std::istream& in, const std::string& name, std::uint64_t size, Progress* progress, bool recorded) {
    Trace trace = DocumentReader(in, name, size, progress).read(recorded);
    trace.file = name;
    return trace;
}

}  // namespace fiberscope::trace
