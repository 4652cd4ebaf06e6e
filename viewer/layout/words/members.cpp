#include "viewer/layout/words/members.h"

#include <array>
#include <charconv>

#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/words/sentence.h"

namespace fiberscope::viewer {
namespace {

/// exact_time without zeros at the end of its fraction.
std::string short_time(std::uint64_t ns) {
    std::string text = exact_time(ns);
    const auto point = text.find('.'), space = text.find(' ');
    if (point == std::string::npos) return text;
    auto end = space;
    while (text[end - 1] == '0') --end;
    if (end - 1 == point) --end;
    return text.erase(end, space - end);
}

}  // namespace

using trace::Kind;
using trace::kNone;

std::string_view doing_of(trace::Role role) noexcept {
    static constexpr std::array<std::string_view, trace::kWords<trace::Role>.size()> kDoing{
        "can run", "sleep", "wait", "wait for a lock", "timers", "have ended", "can be used again"};
    return kDoing[static_cast<std::size_t>(role)];
}

std::string counted(trace::Role role, std::size_t members) {
    const std::string count = trace::grouped(static_cast<std::int64_t>(members));
    if (role == trace::Role::timer) return count + (members == 1 ? " timer" : " timers");
    return count + " that " + std::string(doing_of(role));
}

std::string item_name(const trace::Trace& trace, std::uint32_t co, std::uint32_t timer) {
    return co != kNone ? trace.name(co) : "timer " + std::to_string(timer);
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
    return {};  // a number without its unit is not a time
}

const trace::Event* event_about(const trace::Replay& replay, std::uint32_t set) noexcept {
    if (replay.at() == 0) return nullptr;
    const trace::Event& e = replay.trace()[replay.at() - 1];
    const bool about = e.kind == Kind::insert || e.kind == Kind::remove || e.kind == Kind::move ||
                       e.kind == Kind::hand || e.kind == Kind::link;
    return about && e.set == set ? &e : nullptr;
}

}  // namespace fiberscope::viewer
