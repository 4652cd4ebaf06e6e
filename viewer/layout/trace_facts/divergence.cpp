#include "viewer/layout/trace_facts/divergence.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "traces/read/printable.h"
#include "traces/words/words.h"
#include "viewer/layout/trace_facts/alignment.h"

namespace fiberscope::viewer {
namespace {

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

/// The choices of an explorer; its two runs are equal up to the first difference.
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

std::vector<std::uint32_t> names_of(const Decisions& all) {
    std::vector<std::uint32_t> names;
    names.reserve(all.size());
    for (const Decision& decision : all) names.push_back(decision.name);
    return names;
}

DifferentStretch stretch_of(const Run& run, const Decisions& all, std::size_t begin, std::size_t end) {
    const auto time = [&](std::size_t i) {
        return static_cast<double>(i < all.size() ? run.replay.trace().time(all[i].event) : run.index.duration());
    };
    return {begin < all.size() ? all[begin].event : run.replay.size(), end - begin, {time(begin), time(end)}};
}

std::string name_of(const trace::Trace& trace, trace::Foreign name) {
    return name.empty() ? trace::printable(trace.file.stem().string()) : trace::printable(name);
}

}  // namespace

Divergences divergences(const Run& first, const Run& second) {
    Numbers numbers;
    const bool explored = !first.index.choices().empty() && !second.index.choices().empty();
    const Decisions a = explored ? choices_of(first, numbers) : decisions_of(first, numbers);
    const Decisions b = explored ? choices_of(second, numbers) : decisions_of(second, numbers);
    const Alignment aligned = align(names_of(a), names_of(b));
    Divergences out{{}, aligned.agree, a.size(), b.size(), aligned.longest};
    for (const Gap& gap : aligned.gaps)
        out.places.push_back({stretch_of(first, a, gap.first_begin, gap.first_end),
                              stretch_of(second, b, gap.second_begin, gap.second_end), gap.first_begin});
    return out;
}

std::size_t counterpart(const Run& first, const Run& second, const Divergences& all, std::size_t decision) {
    Numbers numbers;
    const bool explored = !first.index.choices().empty() && !second.index.choices().empty();
    const Decisions its = explored ? choices_of(second, numbers) : decisions_of(second, numbers);
    std::ptrdiff_t ahead = 0;  // surplus of the second run's decisions before this position
    for (const Divergence& place : all.places) {
        if (decision < place.decision) break;
        const std::size_t within = decision - place.decision;
        const std::size_t alone = place.first.decisions, instead = place.second.decisions;
        if (within < alone || (within == 0 && alone == 0)) {
            ahead -= static_cast<std::ptrdiff_t>(within - std::min(within, instead));
            break;
        }
        ahead += static_cast<std::ptrdiff_t>(instead) - static_cast<std::ptrdiff_t>(alone);
    }
    const auto at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(decision) + ahead);
    return at < its.size() ? its[at].event : second.replay.size();
}

std::vector<std::string> run_names(std::span<const trace::Trace* const> traces) {
    std::vector<std::string> names;
    const auto differ = [&] { return std::set<std::string>(names.begin(), names.end()).size() == names.size(); };
    for (const trace::Trace* trace : traces) names.push_back(name_of(*trace, trace->head.program));
    if (differ()) return names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = name_of(*traces[i], {});
    if (differ()) return names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::to_string(i + 1) + " " + names[i];
    return names;
}

std::array<std::string, 2> run_names(const trace::Trace& first, const trace::Trace& second) {
    const std::array traces{&first, &second};
    std::vector<std::string> names = run_names(std::span<const trace::Trace* const>(traces.data(), traces.size()));
    return {std::move(names[0]), std::move(names[1])};
}

std::string divergences_in_words(const Run& first, const Run& second, const Divergences& all, Language language) {
    const auto names = run_names(first.replay.trace(), second.replay.trace());
    if (all.places.empty())
        return say(language, "{0} and {1} run the same tasks in the same order.", names[0], names[1]);
    const auto digits = [](std::size_t n) { return trace::grouped(static_cast<std::int64_t>(n)); };
    return say(language,
               all.longest ? mark("{0} of {1} decisions agree ({2} makes {3})")
                           : mark("At least {0} of {1} decisions agree ({2} makes {3})"),
               digits(all.agree), digits(all.first), names[1], digits(all.second)) +
           say(language, "; {0} {0:stretch differs|stretches differ} (X, or a click on ≠).", digits(all.places.size()));
}

}  // namespace fiberscope::viewer
