#include "traces/read/document_reader.h"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>

#include "languages/message.h"
#include "traces/read/printable.h"

namespace fiberscope::trace {
namespace {

using Json = nlohmann::json;

/// After this many events the total is extrapolated from the file's size; some more are reserved.
constexpr std::size_t kSample = 4096;
constexpr double kSpare = 1.05;

/// A slice of events also ends after this many bytes.
constexpr std::uint64_t kSliceBytes = std::uint64_t{1} << 18;
/// The share of the loading time spent before the last byte is read.
constexpr double kUntilEnd = 0.8;

/// The maximum number of places in the code.
constexpr std::size_t kMostCode = 256;

/// A mark of the recorder: the file contains everything that any machine did up to its `t`.
constexpr std::string_view kMark = "reached";
}  // namespace

DocumentReader::DocumentReader(std::istream& in, std::string name, std::uint64_t size, bool recorded, std::size_t items)
    : source_(in, size), name_(std::move(name)), size_(size), recorded_(recorded), items_(items), merging_(items) {}

double DocumentReader::share() const noexcept {
    if (size_ == 0) return 0;
    const double read = std::min(1.0, static_cast<double>(source_.consumed()) / static_cast<double>(size_));
    return kUntilEnd * read + (1 - kUntilEnd) * merging_.share();
}

bool DocumentReader::step() {
    if (place_ == Place::end) try {
            return merging_.step();
        } catch (const FieldError& error) {
            fail(builder_.error_line(), error.message());
        }
    try {
        read_slice();
    } catch (const Cut& cut) {
        builder_.trace.missing = cut.missing;
        place_ = Place::end;
    }
    if (place_ == Place::end) begin_merging();
    return true;
}

void DocumentReader::read_slice() {
    switch (place_) {
    case Place::start: return read_start();
    case Place::field: return read_field();
    case Place::event: return read_events();
    case Place::end: return;
    }
}

void DocumentReader::fail(std::size_t line, const std::string& why) const {
    throw ReadError(message("{0}: the file is broken at line {1}: {2}.", printable(name_), line, Value::of(why)));
}

std::string DocumentReader::cut_in_events() const {
    return message(
        "the file was cut short at line {0}: {1} whole events were read, what came after them and the "
        "end are missing",
        source_.line(), builder_.size());
}

void DocumentReader::expect(char wanted, Text where) {
    const int c = source_.peek();
    if (c == Source::kEnd) throw Cut{cut_in_events()};
    if (c != wanted) fail(message(where, std::string(1, wanted)));
    source_.skip();
}

std::string_view DocumentReader::whole_value(Text what) {
    if (source_.peek() == Source::kEnd) throw Cut{message("the file was cut short before {0}", what)};
    const Source::Value value = source_.value();
    if (value.text.size() > Source::kLongestValue) fail(message("expected {0} of at most 1 MiB", what));
    if (!value.whole) throw Cut{message("the file was cut short in {0}", what)};
    return value.text;
}

Json DocumentReader::parse_value(Text what) {
    const std::string_view text = whole_value(what);
    if (nests_deeper(text, kDeepest)) fail(message("expected {0} nested at most {1} deep", what, kDeepest));
    Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded()) fail(message("expected {0} to be valid JSON", what));
    source_.consume(text);
    return json;
}

std::string DocumentReader::read_key() {
    if (source_.peek() == Source::kEnd) throw Cut{cut_in_events()};
    const std::size_t line = source_.line();
    const Json key = parse_value(mark("the name of a field"));
    if (!key.is_string()) fail(line, message("expected the name of a field, a string"));
    return key.get<std::string>();
}

void DocumentReader::read_version() {
    const std::size_t line = source_.line();
    const Json version = parse_value(mark("the version of the format"));
    if (!version.is_number_integer()) fail(line, message("expected the version of the trace format, an integer"));
    if (version < 1 || version > kFormatVersion)
        fail(line, message("this is trace format version {0}, and this program reads versions up to {1}: "
                           "record the trace again, or use a program of its version",
                           printable(version.dump()), kFormatVersion));
    version_seen_ = true;
}

void DocumentReader::read_meta() {
    const std::size_t line = source_.line();
    const Json meta = parse_value("\"meta\"");
    if (!meta.is_object()) fail(line, message("expected an object in \"{0}\"", "meta"));
    Head& head = builder_.trace.head;
    const auto take_of = [](const Json& from, const char* key, ForeignText& to) {
        const auto found = from.find(key);
        if (found != from.end() && !found->is_null())
            to = ForeignText(TraceBuilder::shortened(found->is_string() ? found->get<std::string>() : found->dump(),
                                                     TraceBuilder::kMostName));
    };
    const auto take = [&](const char* key, ForeignText& to) { take_of(meta, key, to); };
    take("lab", head.lab);
    take("program", head.program);
    take("strategy", head.strategy);
    take("clock", head.clock);
    take("arch", head.arch);
    take("files", head.files);
    take("workload", head.workload);
    take("seed", head.seed);
    take("rule", head.rule);
    if (const auto code = meta.find("code"); code != meta.end() && code->is_array())
        for (const Json& row : *code) {
            if (!row.is_object() || head.code.size() == kMostCode) continue;
            CodePlace& one = head.code.emplace_back();
            for (const auto& [key, to] : {std::pair("of", &one.of),
                                          {"in", &one.in},
                                          {"step", &one.step},
                                          {"handout", &one.handout},
                                          {"file", &one.file},
                                          {"function", &one.function},
                                          {"line", &one.line}})
                take_of(row, key, *to);
        }
    const auto names = meta.find("names");
    if (names == meta.end() || !names->is_object()) return;
    for (const auto& [key, value] : names->items())
        if (const auto state = value.is_string() ? from_word<State>(value.get<std::string>()) : std::nullopt)
            head.names[ForeignText(TraceBuilder::shortened(key, TraceBuilder::kMostName))] = *state;
}

void DocumentReader::read_end() {
    const std::size_t line = source_.line();
    const Json end = parse_value("\"end\"");
    if (!end.is_object()) fail(line, message("expected an object in \"{0}\"", "end"));
    const auto number = [&](const char* key) -> std::optional<std::uint64_t> {
        const auto found = end.find(key);
        if (found == end.end()) return std::nullopt;
        if (!found->is_number_unsigned())
            fail(line, message("expected a non-negative integer for \"{0}\" in \"end\"", key));
        return found->get<std::uint64_t>();
    };
    announced_ = number("events");
    builder_.trace.dropped = number("dropped").value_or(0);
    builder_.trace.complete = true;
}

void DocumentReader::refuse_event(const RawResult& result, std::string_view text) const {
    const auto newlines = std::count(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(result.error_at, text.size())), '\n');
    fail(source_.line() + static_cast<std::size_t>(newlines), message("invalid event: {0}", Value::of(result.error)));
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
        fail(line, error.message());
    }
}

void DocumentReader::add_mark() {
    const RawField& t = raw_[field("t")];
    if (raw_[field("ev")].text == kMark && raw_.has(field("t")) && t.type == RawType::integer)
        builder_.trace.reached = std::max(builder_.trace.reached, t.number);
}

// The layout that the recorder writes: one event per line. Anything else falls back to read_event.
bool DocumentReader::read_event_line() {
    const std::string_view line = source_.object_line();
    if (line.empty() || !(parse_flat(line, raw_) || parse_raw(line, raw_).ok)) return false;
    add_event(source_.line());
    source_.consume(line);
    return true;
}

void DocumentReader::read_event() {
    const Source::Value value = source_.value();
    if (value.text.empty() || value.text[0] != '{') fail(message("expected an event, an object"));
    const RawResult result = parse_raw(value.text, raw_);
    if (!value.whole && value.text.size() <= Source::kLongestValue && (result.ok || result.at_end))
        throw Cut{
            message("the file was cut short in the event at line {0}: {1} whole events were read; "
                    "that one, what came after it and the end are missing",
                    source_.line(), builder_.size())};
    if (!result.ok) {
        if (!value.whole && result.at_end) fail(message("expected {0} of at most 1 MiB", mark("an event")));
        refuse_event(result, value.text);
    }
    const std::size_t line = source_.line();
    source_.consume(value.text);
    add_event(line);
}

void DocumentReader::begin_events() {
    if (events_seen_) fail(message("expected \"events\" only once"));
    events_seen_ = true;
    expect('[', mark("expected '{0}' at the beginning of \"events\""));
    place_ = Place::event;
    if (source_.peek() != ']') return;
    source_.skip();
    end_field();
}

void DocumentReader::read_events() {
    const std::uint64_t end = source_.consumed() + kSliceBytes;
    for (std::size_t n = 0; n < items_ && source_.consumed() < end; ++n) {
        if (source_.peek() == Source::kEnd) throw Cut{cut_in_events()};
        if (!read_event_line()) read_event();
        const int c = source_.peek();
        if (c == Source::kEnd) throw Cut{cut_in_events()};
        if (c != ',' && c != ']') fail(message("expected ',' or ']' after an event"));
        source_.skip();
        if (c == ']') return end_field();
    }
}

void DocumentReader::read_start() {
    if (source_.peek() == Source::kEnd && !recorded_)
        throw ReadError(nothing_read(printable(name_), message("the file is empty: no trace was written into it")),
                        Condition::empty);
    refuse_packed();
    refuse_wide();
    expect('{', mark("expected '{0}' at the beginning: this is not a fiberscope trace"));
    if (source_.peek() == '}') fail(message(kNoTrace));
    place_ = Place::field;
}

void DocumentReader::read_field() {
    const std::string key = read_key();
    any_key_ = any_key_ || key != "fiberscope";
    expect(':', mark("expected '{0}' after the name of a field"));
    if (key == "events") return begin_events();
    if (key == "fiberscope")
        read_version();
    else if (key == "meta")
        read_meta();
    else if (key == "end")
        read_end();
    else
        parse_value(mark("a field that this version does not know"));
    end_field();
}

void DocumentReader::end_field() {
    const int c = source_.peek();
    if (c == Source::kEnd)
        throw Cut{builder_.trace.complete ? message("the file was cut short before its last brace") : cut_in_events()};
    if (c != ',' && c != '}') fail(message("expected ',' or '{0}' after a field of the trace", "}"));
    source_.skip();
    place_ = Place::field;
    if (c == ',') return;
    if (source_.peek() != Source::kEnd) fail(message("expected nothing after the end of the trace"));
    place_ = Place::end;
}

}  // namespace fiberscope::trace
