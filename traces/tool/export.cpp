// Chrome's trace format: a track for each machine with slices of what ran there and arrows along switches and wake-ups,
// one for each coroutine with its states, and counters: the length of each set, and how many tasks wait for a machine.
// The fields are documented in docs/trace-format.md.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "traces/read/notes.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/replay/ready.h"
#include "traces/tool/output_file.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

/// A track: a thread of a process, in the terms of the format. Perfetto identifies a thread by its number alone, so
/// track numbers are unique.
struct Track {
    int process;
    std::uint32_t thread;
};
constexpr int kMachines = 1, kCoroutines = 2;

/// Nanoseconds as microseconds, or `least` if that is larger but still the same nanosecond. Perfetto multiplies by 1000
/// and truncates, so a value that would be read as one nanosecond less is replaced by the next larger number.
double microseconds(std::uint64_t ns, double least = 0) {
    const auto read = [](double us) { return static_cast<std::uint64_t>(us * 1000.0); };
    double us = static_cast<double>(ns) / 1000.0;
    while (read(us) < ns) us = std::nextafter(us, std::numeric_limits<double>::max());
    return us < least && read(least) == ns ? least : us;
}

/// The shortest text that parses to this number.
std::string digits(double us) {
    std::array<char, 32> text{};  // 2^64 ns take 17 digits before the point, or after it
    const auto end = std::to_chars(text.data(), text.data() + text.size(), us, std::chars_format::fixed).ptr;
    return {text.data(), end};
}

/// A stretch of a machine's time in which one coroutine ran.
struct Slice {
    std::uint64_t from, to;
    std::uint32_t co, event;
};

class ChromeWriter {
  public:
    ChromeWriter(const Trace& trace, std::ostream& out) : trace_(trace), replay_(trace), out_(out) { collect_slices(); }
    void write();

  private:
    static Track machine(std::uint32_t m) { return {kMachines, m + 1}; }
    // The names and the counters belong to machine 0, even in a trace without events of it.
    Track coroutine(std::uint32_t co) const { return {kCoroutines, trace_.machines() + 2 + co}; }
    void collect_slices();
    const Slice* slice_at(std::uint32_t machine, std::uint64_t t) const;
    const Slice* slice_before(std::uint32_t machine, std::uint64_t t) const;
    void begin(char phase, std::string_view name, Track track, double us);
    void begin(char phase, std::string_view name, Track track, std::uint64_t t) {
        begin(phase, name, track, microseconds(t));
    }
    double begin_slice(std::string_view name, Track track, std::uint64_t from, std::uint64_t to, double last_end);
    void end() { out_ << '}'; }
    void write_name(const char* of, Track track, std::string_view name);
    void write_names();
    void write_slices();
    void write_flow(const char* category, std::string_view name, std::uint32_t from, std::uint64_t from_t,
                    std::uint32_t to, std::uint64_t to_t);
    void write_flows();
    void write_wake(std::size_t n);
    void write_states(std::uint32_t co);
    void write_length(std::string_view name, std::uint64_t t, std::uint32_t length);
    void write_sets();
    void write_waiting();
    void write_notes();

    const Trace& trace_;
    Replay replay_;
    std::ostream& out_;
    std::vector<std::vector<Slice>> slices_;  // by machine, in order of time
    bool first_ = true;
    std::uint64_t next_flow_ = 1;
};

void ChromeWriter::collect_slices() {
    slices_.resize(trace_.machines());
    for (std::uint32_t co = 0; co < replay_.coroutines(); ++co)
        for (const Replay::Stretch& s : replay_.stretches(co))
            if (s.state == State::running && s.machine < slices_.size())
                slices_[s.machine].push_back({s.from, s.to, co, s.event});
    for (auto& slices : slices_) {
        std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.event < b.event; });
        // An invalid trace may run two coroutines at once; slices of one track must not overlap.
        for (std::size_t i = 0; i + 1 < slices.size(); ++i) {
            slices[i + 1].from = std::max(slices[i + 1].from, slices[i].from);
            slices[i + 1].to = std::max(slices[i + 1].to, slices[i + 1].from);
            slices[i].to = std::min(slices[i].to, slices[i + 1].from);
        }
    }
}

const Slice* ChromeWriter::slice_at(std::uint32_t machine, std::uint64_t t) const {
    const auto& slices = slices_[machine];
    const auto after =
        std::upper_bound(slices.begin(), slices.end(), t, [](std::uint64_t at, const Slice& s) { return at < s.from; });
    return after != slices.begin() && t < (after - 1)->to ? &*(after - 1) : nullptr;
}

// Ends a slice at t, unless its duration is 0.
const Slice* ChromeWriter::slice_before(std::uint32_t machine, std::uint64_t t) const {
    return t == 0 ? nullptr : slice_at(machine, t - 1);
}

void ChromeWriter::begin(char phase, std::string_view name, Track track, double us) {
    out_ << (first_ ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\",\"pid\":" << track.process
         << ",\"tid\":" << track.thread << ",\"ts\":" << digits(us) << ",\"name\":" << json_text(name);
    first_ = false;
}

// The end as computed by a reader that adds in floating point, such as speedscope: a slice that begins before the
// previous end would be nested in that slice.
double ChromeWriter::begin_slice(std::string_view name, Track track, std::uint64_t from, std::uint64_t to,
                                 double last_end) {
    const double begins = microseconds(from, last_end), takes = microseconds(to - from);
    begin('X', name, track, begins);
    out_ << ",\"dur\":" << digits(takes);
    return begins + takes;
}

void ChromeWriter::write_name(const char* of, Track track, std::string_view name) {
    begin('M', of, track, 0.0);
    out_ << ",\"args\":{\"name\":" << json_text(name) << '}';
    end();
}

void ChromeWriter::write_names() {
    std::string process = trace_.head.program.empty() ? "fiberscope" : printable(trace_.head.program);
    if (!trace_.head.lab.empty()) process = printable(trace_.head.lab) + " " + process;
    write_name("process_name", machine(0), process);
    write_name("process_name", coroutine(0), "coroutines");
    for (std::uint32_t m = 0; m < trace_.machines(); ++m)
        write_name("thread_name", machine(m), "machine " + std::to_string(m));
}

void ChromeWriter::write_slices() {
    for (std::uint32_t m = 0; m < slices_.size(); ++m) {
        double last_end = 0;
        for (const Slice& s : slices_[m]) {
            last_end = begin_slice(trace_.name(s.co), machine(m), s.from, s.to, last_end);
            out_ << ",\"args\":{\"co\":" << s.co << ",\"event\":" << s.event + 1
                 << ",\"why\":" << json_text(describe(trace_, s.event)) << '}';
            end();
        }
    }
}

// The slices of an arrow are found by time. At its end that must be requested ("bp").
void ChromeWriter::write_flow(const char* category, std::string_view name, std::uint32_t from, std::uint64_t from_t,
                              std::uint32_t to, std::uint64_t to_t) {
    const std::uint64_t id = next_flow_++;
    begin('s', name, machine(from), from_t);
    out_ << ",\"cat\":\"" << category << "\",\"id\":" << id;
    end();
    begin('f', name, machine(to), to_t);
    out_ << ",\"cat\":\"" << category << "\",\"id\":" << id << ",\"bp\":\"e\"";
    end();
}

// From the event that made a coroutine ready to its next run.
void ChromeWriter::write_wake(std::size_t n) {
    const Event& e = trace_[n];
    const Slice* waker = slice_at(e.m, e.t);
    if (!waker) return;
    const auto stretches = replay_.stretches(e.co);
    auto next = std::upper_bound(stretches.begin(), stretches.end(), n,
                                 [](std::size_t event, const Replay::Stretch& s) { return event < s.event; });
    if (next == stretches.end() || next->state != State::running || next->machine == kNone || next->to == next->from)
        return;
    write_flow("wake", "wakes " + trace_.name(e.co), e.m, e.t, next->machine, next->from);
}

void ChromeWriter::write_flows() {
    for (std::size_t n = 0; n < trace_.size(); ++n) {
        const Event& e = trace_[n];
        if (e.kind == Kind::state && e.second<State>() == State::ready) write_wake(n);
        if (e.kind != Kind::switch_) continue;
        const Slice* left = slice_before(e.m, e.t);
        const Slice* entered = slice_at(e.m, e.t);
        if (e.co != e.other && left && entered && left->co == e.co && entered->co == e.other)
            write_flow("switch", word(e.first<Why>()), e.m, e.t - 1, e.m, e.t);
    }
}

void ChromeWriter::write_states(std::uint32_t co) {
    const auto stretches = replay_.stretches(co);
    if (stretches.empty()) return;
    write_name("thread_name", coroutine(co), trace_.name(co));
    double last_end = 0;
    for (const Replay::Stretch& s : stretches) {
        if (s.state == State::dead) continue;
        last_end = begin_slice(word(s.state), coroutine(co), s.from, s.to, last_end);
        end();
    }
}

void ChromeWriter::write_length(std::string_view name, std::uint64_t t, std::uint32_t length) {
    begin('C', name, machine(0), t);
    out_ << ",\"args\":{\"length\":" << length << '}';
    end();
}

// One value for each time at which a set changed: the last one. A member that leaves a set without having entered it
// (in a trace that lacks events) is not counted.
void ChromeWriter::write_sets() {
    struct Length {
        std::uint32_t now = 0;
        bool changed = false;
    };
    std::vector<Length> lengths(trace_.sets());
    std::vector<std::uint32_t> changed;
    for (std::size_t n = 0; n < trace_.size(); ++n) {
        const Kind kind = trace_.kind(n);
        if (kind == Kind::set || kind == Kind::insert || kind == Kind::remove) {
            const std::uint32_t set = trace_[n].set;
            Length& length = lengths[set];
            if (kind == Kind::insert) ++length.now;
            if (kind == Kind::remove && length.now > 0) --length.now;
            if (!std::exchange(length.changed, true)) changed.push_back(set);
        }
        if (n + 1 < trace_.size() && trace_.time(n + 1) == trace_.time(n)) continue;
        for (const std::uint32_t set : changed) {
            write_length(printable(english_of(trace_.set_name(set).bytes())), trace_.time(n), lengths[set].now);
            lengths[set].changed = false;
        }
        changed.clear();
    }
}

void ChromeWriter::write_waiting() {
    const ReadyLength waiting(replay_);
    for (const ReadyLength::Step& step : waiting.steps())
        write_length("tasks that wait for a machine", step.t, step.length);
}

void ChromeWriter::write_notes() {
    for (std::size_t n = 0; n < trace_.size(); ++n) {
        const Event& e = trace_[n];
        if (e.kind != Kind::note && e.kind != Kind::fault) continue;
        begin('i', printable(trace_.text(e.text)), machine(e.m), e.t);
        out_ << ",\"s\":\"t\",\"cat\":\"" << word(e.kind) << '"';
        end();
    }
}

void ChromeWriter::write() {
    out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    write_names();
    write_slices();
    write_flows();
    for (std::uint32_t co = 0; co < replay_.coroutines(); ++co) write_states(co);
    write_sets();
    write_waiting();
    write_notes();
    out_ << "\n]}\n";
}

}  // namespace

void write_chrome(const Trace& trace, std::ostream& out) { ChromeWriter(trace, out).write(); }

int export_chrome(const Arguments& arguments, std::ostream& out) {
    const Trace trace = read_events_of(std::filesystem::path(arguments.files[0]));
    if (!arguments.has("--out")) {
        write_chrome(trace, out);
        return 0;
    }
    const std::filesystem::path target = arguments.options.at("--out");
    OutputFile file(target);
    write_chrome(trace, file.stream());
    file.commit();
    out << target.string() << '\n';
    return 0;
}

}  // namespace fiberscope::trace::tool
