#include "viewer/layout/trace_facts/mechanism.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "traces/read/printable.h"
#include "traces/words/registers.h"

namespace fiberscope::viewer {
namespace {

using trace::Chosen;
using trace::State;

/// A path from an untrusted file must not lead out of the labs' tree.
bool stays_inside(std::string_view path) {
    return !path.starts_with('/') && ("/" + std::string(path) + "/").find("/../") == std::string::npos;
}

std::optional<Mechanism> mechanism(const trace::CodePlace& place) {
    using trace::printable;
    if (!stays_inside(place.handout.bytes()) || !stays_inside(place.file.bytes())) return std::nullopt;
    return Mechanism{printable(place.step), printable(place.handout), printable(place.file), printable(place.function),
                     printable(place.line)};
}

/// The first place for `of` whose `in` is a prefix of this one, else the place for any.
std::optional<Mechanism> find(const trace::Head& head, std::string_view of, std::string_view in = {}) {
    const trace::CodePlace* any = nullptr;
    for (const trace::CodePlace& one : head.code) {
        if (one.of != of) continue;
        if (one.in.empty()) any = &one;
        if (!one.in.empty() && in.starts_with(one.in.bytes())) return mechanism(one);
    }
    return any == nullptr ? std::nullopt : mechanism(*any);
}

/// Maximum number of events searched before a decision.
constexpr std::size_t kNear = 10'000;

/// Whether the machine of event n has stolen since it left its last task; it then runs the first stolen task at once.
bool took_by_theft(const trace::Trace& trace, std::size_t n) noexcept {
    for (std::size_t i = n; i-- > 0 && n - i <= kNear;) {
        const trace::Event e = trace[i];
        if (e.m != trace[n].m) continue;
        if (e.kind == trace::Kind::switch_) return false;
        if (e.kind == trace::Kind::machine && e.first<trace::MachineOp>() == trace::MachineOp::steal) return true;
    }
    return false;
}

}  // namespace

std::optional<Mechanism> handout_of(const trace::Head& head) { return find(head, "program"); }

std::optional<Mechanism> line_that_chose(const trace::Replay& replay, std::size_t event) {
    const trace::Trace& trace = replay.trace();
    const trace::Choice choice = trace::choice_at(replay, event);
    const trace::Event e = trace[event];
    if (choice.why == Chosen::back) return mechanism_of(trace, e.second<State>(), e.text);
    if (trace::sends_to_unwind(trace, event)) return std::nullopt;
    if (choice.why == Chosen::idle || choice.why == Chosen::loop)
        if (auto entered = find(trace.head, choice.why == Chosen::idle ? "idle" : "loop")) return entered;
    if (choice.set != trace::kNone) {
        const std::string_view set = trace.set_name(choice.set).bytes();
        std::optional<Mechanism> taken;
        if (took_by_theft(trace, event)) taken = find(trace.head, "stolen", set);
        if (!taken && replay.coroutine(choice.by).kind == trace::CoKind::task) taken = find(trace.head, "handed", set);
        if (!taken) taken = find(trace.head, "taken", set);
        if (taken) return taken;
    }
    return find(trace.head, "named");
}

std::optional<Mechanism> mechanism_of(const trace::Trace& trace, State state, std::uint32_t reason) {
    if (state == State::new_ || state == State::running) return std::nullopt;
    return find(trace.head, state == State::normal ? "named" : trace::word(state), trace.text(reason).bytes());
}

std::optional<std::uint32_t> switch_before(const trace::Trace& trace, std::span<const std::uint32_t> switches,
                                           std::size_t at) {
    for (auto next = std::lower_bound(switches.begin(), switches.end(), at); next != switches.begin();)
        if (trace[*--next].m == trace[at - 1].m) return *next;
    return std::nullopt;
}

std::optional<Mechanism> line_before(const trace::Replay& replay, std::span<const std::uint32_t> switches,
                                     std::size_t at) {
    const auto found = switch_before(replay.trace(), switches, at);
    return found ? line_that_chose(replay, *found) : std::nullopt;
}

std::string title_of(const Mechanism& mechanism, Language language) {
    return say(language, "step {0}", mechanism.step);
}

std::string handout_in(const Mechanism& mechanism, Language language) {
    constexpr std::string_view kEnd = ".md";
    std::string out = mechanism.handout;
    if (language == Language::chinese && out.ends_with(kEnd)) out.insert(out.size() - kEnd.size(), ".zh");
    return out;
}

}  // namespace fiberscope::viewer
