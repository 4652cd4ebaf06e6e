#include <algorithm>
#include <array>
#include <iomanip>
#include <ostream>

#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/replay/replay.h"
#include "traces/tool/table.h"
#include "traces/tool/verbs.h"
#include "traces/words/translated.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

constexpr std::size_t kStates = kWords<State>.size();

struct Figures {
    std::uint32_t co = 0;
    std::uint64_t switches_in = 0, first = 0, last = 0;
    std::array<std::uint64_t, kStates> time{};
};

Figures figures_of(const Replay& replay, std::uint32_t co) {
    Figures f;
    f.co = co;
    f.switches_in = replay.coroutine(co).switches_in;
    const auto events = replay.events_of(co);
    f.first = replay.trace()[events.front()].t;
    f.last = replay.trace()[events.back()].t;
    for (const Replay::Stretch& s : replay.stretches(co)) f.time[static_cast<std::size_t>(s.state)] += s.to - s.from;
    return f;
}

void print_head(const Trace& trace, const std::vector<Figures>& all, Language language, std::ostream& out) {
    std::uint64_t switches = 0, last = 0;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        switches += trace[n].kind == Kind::switch_ ? 1U : 0U;
        last = std::max(last, trace[n].t);
    }
    out << printable(trace.head.lab) << (trace.head.lab.empty() ? "" : ", ") << printable(trace.head.program)
        << (trace.head.workload.empty() ? "" : " " + printable(trace.head.workload))
        << (trace.head.program.empty() ? "" : ": ")
        << say(language, "{0} {0:event|events}, {1} switches, {2} coroutines, {3} {3:machine|machines}, {4}",
               trace.size(), switches, all.size(), trace.machines(), in_words(last));
    if (!trace.head.clock.empty()) out << say(language, " of the {0} clock", printable(trace.head.clock));
    out << '\n';
    if (!trace.missing.empty()) out << say(language, "Note: {0}.", translated(trace.missing, language)) << '\n';
    if (trace.dropped > 0)
        out << say(language, "Note: {0}.", say(language, "the recorder dropped {0} {0:event|events}", trace.dropped))
            << '\n';
}

}  // namespace

int print_stats(const Arguments& arguments, std::ostream& out) {
    const Language language = arguments.language();
    const Trace trace = read_events_of(std::filesystem::path(arguments.files[0]));
    Replay replay(trace);
    replay.seek(replay.size());
    std::vector<Figures> all;
    std::array<std::uint64_t, kStates> sum{};
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        if (replay.events_of(co).empty()) continue;
        all.push_back(figures_of(replay, co));
        for (std::size_t s = 0; s < kStates; ++s) sum[s] += all.back().time[s];
    }
    print_head(trace, all, language, out);
    Table table(1);
    std::vector<std::string> head = {"co", say(language, "name"), say(language, "entered")};
    for (std::size_t s = 0; s < kStates; ++s)
        if (sum[s] > 0 && static_cast<State>(s) != State::dead)
            head.push_back(state_called(trace, static_cast<State>(s), language));
    head.insert(head.end(), {say(language, "first"), say(language, "last")});
    table.add(std::move(head));
    for (const Figures& f : all) {
        std::vector<std::string> row = {std::to_string(f.co), name_in(trace, f.co, language),
                                        std::to_string(f.switches_in)};
        for (std::size_t s = 0; s < kStates; ++s)
            if (sum[s] > 0 && static_cast<State>(s) != State::dead) row.push_back(in_words(f.time[s]));
        row.insert(row.end(), {in_words(f.first), in_words(f.last)});
        table.add(std::move(row));
    }
    table.print(out);
    return 0;
}

}  // namespace fiberscope::trace::tool
