#include "viewer/layout/trace_facts/members.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "traces/words/transfers.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/trace_facts/sentence.h"

namespace fiberscope::viewer {
namespace {

/// exact_time without trailing zeros of the fraction.
std::string short_time(std::uint64_t ns) {
    std::string text = exact_time(ns);
    const auto point = text.find('.'), space = text.find(' ');
    if (point == std::string::npos) return text;
    auto end = space;
    while (text[end - 1] == '0') --end;
    if (end - 1 == point) --end;
    return text.erase(end, space - end);
}

/// Whether the name contains the words, not followed by another digit.
bool has_words(const std::string& name, const std::string& words) {
    const std::size_t at = name.find(words);
    if (at == std::string::npos) return false;
    const std::size_t end = at + words.size();
    return end == name.size() || name[end] < '0' || name[end] > '9';
}

}  // namespace

using trace::Kind;
using trace::kNone;

std::string counted(trace::Role role, std::size_t members, Language language) {
    static constexpr std::array<Text, trace::kWords<trace::Role>.size()> kCounted{
        mark("{0} that can run"),
        mark("{0} that {0:sleeps|sleep}"),
        mark("{0} that {0:waits|wait}"),
        mark("{0} that {0:waits|wait} for a lock"),
        mark("{0} that {0:waits|wait} for the channel"),
        mark("{0} {0:value|values}"),
        mark("{0} {0:timer|timers}"),
        mark("{0} that {0:has|have} ended"),
        mark("{0} that can be used again")};
    return say(language, kCounted[static_cast<std::size_t>(role)], trace::grouped(static_cast<std::int64_t>(members)));
}

std::string set_title(const trace::Trace& trace, std::uint32_t set, std::int64_t owner, Language language) {
    const std::string name = english_of(trace.set_name(set).bytes());
    const std::string called = trace::set_in(trace.set_name(set), language);
    if (owner == trace::kAbsent) return called;
    const std::string number = ' ' + std::to_string(owner);
    return has_words(name, "machine" + number) || has_words(name, "processor" + number)
               ? called
               : say(language, "{0}, machine {1}", called, owner);
}

std::string item_name(const trace::Trace& trace, std::uint32_t co, std::uint32_t timer, Language language) {
    return co != kNone ? trace.name(co) : say(language, "timer {0}", timer);
}

std::string key_name(std::string_view name) {
    constexpr std::string_view kUnit = ", ns";
    return std::string(name.ends_with(kUnit) ? name.substr(0, name.size() - kUnit.size()) : name);
}

std::string key_in_words(std::string_view key) {
    if (!key.ends_with(" ns")) return std::string(key);
    std::uint64_t ns = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), ns);
    return error != std::errc() || end != key.data() + key.size() - 3 ? std::string(key) : short_time(ns);
}

std::string key_that_fits(const Metrics& metrics, float width, std::string_view key) {
    const std::string words = key_in_words(key);
    const std::string whole = fitting_key(metrics, width, words);
    if (whole.empty() || whole != words.substr(0, words.find(' ')) || words == key) return whole;
    return {};  // a number without a unit is not a time
}

std::optional<JustLeft> just_left(const trace::Replay& replay, std::uint32_t set, Language language) {
    if (replay.at() == 0) return std::nullopt;
    const trace::Trace& trace = replay.trace();
    const std::size_t n = replay.at() - 1;
    if (const auto transfer = trace::transfer_around(trace, n))
        for (const std::size_t leaves : transfer->leaves)
            if (leaves <= n && trace[leaves].set == set) return JustLeft{trace[leaves], name_of(*transfer, language)};
    if (trace.kind(n) == trace::Kind::remove && trace[n].set == set) return JustLeft{trace[n], {}};
    return std::nullopt;
}

std::string just_left_in_words(const trace::Trace& trace, const JustLeft& left, Language language) {
    const std::string what = say(language, "{0} leaves", item_name(trace, left.event.co, left.event.other, language));
    return left.step.empty() ? what : say(language, "{0}: {1}", left.step, what);
}

std::optional<trace::Event> event_about(const trace::Replay& replay, std::uint32_t set) noexcept {
    if (replay.at() == 0) return std::nullopt;
    const trace::Event e = replay.trace()[replay.at() - 1];
    const bool about = e.kind == Kind::insert || e.kind == Kind::remove || e.kind == Kind::move ||
                       e.kind == Kind::hand || e.kind == Kind::link;
    return about && e.set == set ? std::optional(e) : std::nullopt;
}

}  // namespace fiberscope::viewer
