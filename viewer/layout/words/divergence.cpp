#include "viewer/layout/words/divergence.h"

#include <algorithm>
#include <unordered_map>

#include "traces/read/printable.h"
#include "traces/words/chosen.h"
#include "traces/words/words.h"

namespace fiberscope::viewer {
namespace {

/// So far ahead of a difference the same decisions are looked for; so many in a row must be the same.
constexpr std::size_t kAhead = 400, kInARow = 3;

struct Decision {
    std::uint32_t event;
    std::uint32_t name;
};
using Decisions = std::vector<Decision>;
using Numbers = std::unordered_map<std::string, std::uint32_t>;

bool is_task(const Run& run, std::uint32_t co) {
    const std::uint32_t spawn = run.index.spawn(co);
    return spawn == trace::kNone || run.replay.trace()[spawn].first<trace::CoKind>() == trace::CoKind::task;
}

Decisions decisions_of(const Run& run, Numbers& numbers) {
    const trace::Trace& trace = run.replay.trace();
    std::vector<std::uint32_t> names(run.index.coroutines());
    for (std::uint32_t co = 0; co < names.size(); ++co)
        names[co] = numbers.try_emplace(trace.name(co), static_cast<std::uint32_t>(numbers.size())).first->second;
    Decisions all;
    for (const std::uint32_t n : run.index.switches())
        if (trace::is_decision(trace, n) && is_task(run, trace[n].other)) all.push_back({n, names[trace[n].other]});
    return all;
}

/// The choices of an explorer: its two runs are the same up to the first that differs.
Decisions choices_of(const Run& run, Numbers& numbers) {
    Decisions all;
    for (const std::uint32_t n : run.index.choices()) {
        const trace::Event& e = run.replay.trace()[n];
        const std::string name =
            std::to_string(e.other) + (e.first<trace::Turn>() == trace::Turn::seen_later ? "…" : "");
        all.push_back({n, numbers.try_emplace(name, static_cast<std::uint32_t>(numbers.size())).first->second});
    }
    return all;
}

bool same_from(const Decisions& a, std::size_t i, const Decisions& b, std::size_t j) {
    for (std::size_t k = 0; k < kInARow; ++k) {
        if (i + k >= a.size() && j + k >= b.size()) return k > 0;
        if (i + k >= a.size() || j + k >= b.size() || a[i + k].name != b[j + k].name) return false;
    }
    return true;
}

/// The nearest places after i and j from which on both go the same way again; false if there are none.
bool meet_again(const Decisions& a, std::size_t& i, const Decisions& b, std::size_t& j) {
    for (std::size_t apart = 1; apart <= kAhead; ++apart)
        for (std::size_t x = 0; x <= apart; ++x)
            if (i + x <= a.size() && j + apart - x <= b.size() && same_from(a, i + x, b, j + apart - x)) {
                i += x;
                j += apart - x;
                return true;
            }
    return false;
}

std::size_t event_at(const Run& run, const Decisions& all, std::size_t i) {
    return i < all.size() ? all[i].event : run.replay.size();
}

std::string half(const Run& run, std::size_t event, Language language) {
    const trace::Trace& trace = run.replay.trace();
    const std::string name = "`" + run_name(trace) + "`";
    if (event >= trace.size()) return say(language, DrawnText::no_decision_left, name);
    if (trace[event].kind == trace::Kind::choice)  // both have the same name
        return say(language, DrawnText::in_run, trace::printable(trace.file.stem().string()),
                   trace::describe(trace, event, language));
    const bool first = trace[event].first<trace::Why>() == trace::Why::start;
    return say(language, first ? DrawnText::decides_enter : DrawnText::decides_resume, name,
               trace.name(trace[event].other), trace::chosen_in_short(trace::choice_at(run.replay, event), language));
}

}  // namespace

std::vector<Divergence> divergences(const Run& first, const Run& second, std::size_t most) {
    Numbers numbers;
    const bool explored = !first.index.choices().empty() && !second.index.choices().empty();
    const Decisions a = explored ? choices_of(first, numbers) : decisions_of(first, numbers);
    const Decisions b = explored ? choices_of(second, numbers) : decisions_of(second, numbers);
    std::vector<Divergence> found;
    std::size_t i = 0, j = 0;
    while (found.size() < most && (i < a.size() || j < b.size())) {
        if (i < a.size() && j < b.size() && a[i].name == b[j].name) {
            ++i;
            ++j;
            continue;
        }
        found.push_back({event_at(first, a, i), event_at(second, b, j), i});
        if (!meet_again(a, i, b, j)) break;
    }
    return found;
}

std::string run_name(const trace::Trace& trace) {
    return trace.head.program.empty() ? trace::printable(trace.file.stem().string())
                                      : trace::printable(trace.head.program);
}

std::string divergence_in_words(const Run& first, const Run& second, const Divergence& place, Language language) {
    return say(language, DrawnText::diverge, half(first, place.first, language), half(second, place.second, language));
}

}  // namespace fiberscope::viewer
