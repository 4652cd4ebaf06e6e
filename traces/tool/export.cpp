// Chrome's trace format: a track for each machine with slices of what ran there, arrows along switches and wake-ups,
// and an asynchronous track for each coroutine with its states.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/replay/replay.h"
#include "traces/tool/output_file.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

constexpr int kProcess = 1;

/// What is ours, or was made printable, as a string of JSON. Not called as std::quoted is, which would be found first.
std::string json_text(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Nanoseconds as microseconds, exactly.
std::string microseconds(std::uint64_t ns) {
    const std::string fraction = std::to_string(1000 + ns % 1000).substr(1);
    return std::to_string(ns / 1000) + "." + fraction;
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
    static std::uint32_t track(std::uint32_t machine) { return machine + 1; }
    void collect_slices();
    const Slice* slice_at(std::uint32_t machine, std::uint64_t t) const;
    const Slice* slice_before(std::uint32_t machine, std::uint64_t t) const;
    void begin(const char* phase, std::string_view name, std::uint32_t machine, std::uint64_t t);
    void end() { out_ << '}'; }
    void write_names();
    void write_slices();
    void write_flow(const char* category, std::string_view name, std::uint32_t from, std::uint64_t from_t,
                    std::uint32_t to, std::uint64_t to_t);
    void write_flows();
    void write_wake(std::size_t n);
    void write_states(std::uint32_t co);
    void write_async(const char* phase, std::string_view name, std::uint32_t co, std::uint32_t machine,
                     std::uint64_t t);
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
        // A broken trace may let two run at once; slices of one track must not overlap.
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

// The slice that ends at t, if it has any width.
const Slice* ChromeWriter::slice_before(std::uint32_t machine, std::uint64_t t) const {
    return t == 0 ? nullptr : slice_at(machine, t - 1);
}

void ChromeWriter::begin(const char* phase, std::string_view name, std::uint32_t machine, std::uint64_t t) {
    out_ << (first_ ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\",\"name\":" << json_text(name)
         << ",\"pid\":" << kProcess << ",\"tid\":" << track(machine) << ",\"ts\":" << microseconds(t);
    first_ = false;
}

void ChromeWriter::write_names() {
    std::string process = trace_.head.program.empty() ? "fiberscope" : printable(trace_.head.program);
    if (!trace_.head.lab.empty()) process = printable(trace_.head.lab) + " " + process;
    begin("M", "process_name", 0, 0);
    out_ << ",\"args\":{\"name\":" << json_text(process) << '}';
    end();
    for (std::uint32_t m = 0; m < trace_.machines(); ++m) {
        begin("M", "thread_name", m, 0);
        out_ << ",\"args\":{\"name\":\"machine " << m << "\"}";
        end();
    }
}

void ChromeWriter::write_slices() {
    for (std::uint32_t m = 0; m < slices_.size(); ++m)
        for (const Slice& s : slices_[m]) {
            begin("X", trace_.name(s.co), m, s.from);
            out_ << ",\"dur\":" << microseconds(s.to - s.from)
                 << ",\"cat\":\"running\",\"args\":{\"coroutine\":" << s.co << ",\"event\":" << s.event + 1
                 << ",\"why\":" << json_text(describe(trace_, s.event)) << '}';
            end();
        }
}

void ChromeWriter::write_flow(const char* category, std::string_view name, std::uint32_t from, std::uint64_t from_t,
                              std::uint32_t to, std::uint64_t to_t) {
    const std::uint64_t id = next_flow_++;
    begin("s", name, from, from_t);
    out_ << ",\"cat\":\"" << category << "\",\"id\":" << id << ",\"bp\":\"e\"";
    end();
    begin("f", name, to, to_t);
    out_ << ",\"cat\":\"" << category << "\",\"id\":" << id << ",\"bp\":\"e\"";
    end();
}

// From what made a coroutine ready to where it runs next.
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

void ChromeWriter::write_async(const char* phase, std::string_view name, std::uint32_t co, std::uint32_t machine,
                               std::uint64_t t) {
    begin(phase, name, machine, t);
    out_ << ",\"cat\":\"coroutine\",\"id\":" << co;
    end();
}

void ChromeWriter::write_states(std::uint32_t co) {
    const auto stretches = replay_.stretches(co);
    if (stretches.empty()) return;
    const std::uint32_t machine = trace_[stretches.front().event].m;
    const bool ended = stretches.back().state == State::dead;
    const std::uint64_t last = ended ? stretches.back().from : stretches.back().to;
    const std::string name = trace_.name(co);
    write_async("b", name, co, machine, stretches.front().from);
    for (const Replay::Stretch& s : stretches) {
        if (s.state == State::dead) continue;
        write_async("b", word(s.state), co, machine, s.from);
        write_async("e", word(s.state), co, machine, s.to);
    }
    write_async("e", name, co, machine, last);
}

void ChromeWriter::write_notes() {
    for (std::size_t n = 0; n < trace_.size(); ++n) {
        const Event& e = trace_[n];
        if (e.kind != Kind::note && e.kind != Kind::fault) continue;
        begin("i", printable(trace_.text(e.text)), e.m, e.t);
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
    OutputFile file(arguments.options.at("--out"));
    write_chrome(trace, file.stream());
    file.commit();
    out << arguments.options.at("--out") << '\n';
    return 0;
}

}  // namespace fiberscope::trace::tool
