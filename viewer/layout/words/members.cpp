#include "viewer/layout/words/members.h"

#include <array>
#include <charconv>

#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {

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

std::string key_that_fits(const Metrics& metrics, float width, std::string_view key) {
    const std::string whole = fitting_key(metrics, width, key);
    if (!whole.empty() || !key.ends_with(" ns")) return whole;
    std::uint64_t ns = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), ns);
    if (error != std::errc() || end != key.data() + key.size() - 3) return "";
    return fitting_whole(metrics, width, trace::in_words(ns));
}

const trace::Event* event_about(const trace::Replay& replay, std::uint32_t set) noexcept {
    if (replay.at() == 0) return nullptr;
    const trace::Event& e = replay.trace()[replay.at() - 1];
    const bool about = e.kind == Kind::insert || e.kind == Kind::remove || e.kind == Kind::move ||
                       e.kind == Kind::hand || e.kind == Kind::link;
    return about && e.set == set ? &e : nullptr;
}

}  // namespace fiberscope::viewer
