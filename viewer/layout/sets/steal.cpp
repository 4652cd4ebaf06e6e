#include "viewer/layout/sets/sets.h"

namespace fiberscope::viewer {

using trace::kNone;

std::uint32_t steal_at(const trace::Replay& replay) {
    constexpr std::size_t kFar = 64;
    const trace::Trace& trace = replay.trace();
    const std::size_t at = replay.at();
    if (at == 0) return kNone;
    const std::uint16_t machine = trace[at - 1].m;
    const auto is_steal = [&](std::size_t n) {
        return trace[n].kind == trace::Kind::machine && trace[n].first<trace::MachineOp>() == trace::MachineOp::steal;
    };
    const auto moves = [&](std::size_t n) {
        return trace[n].kind == trace::Kind::insert || trace[n].kind == trace::Kind::remove;
    };
    if (is_steal(at - 1)) return static_cast<std::uint32_t>(at - 1);
    if (!moves(at - 1)) return kNone;
    for (std::size_t n = at; n < std::min(trace.size(), at + kFar); ++n) {
        if (trace[n].m != machine) continue;
        if (is_steal(n)) return static_cast<std::uint32_t>(n);
        if (!moves(n)) break;
    }
    for (std::size_t n = at - 1; n-- > 0 && n + kFar > at;) {
        if (trace[n].m != machine) continue;
        if (is_steal(n)) return static_cast<std::uint32_t>(n);
        if (!moves(n)) break;
    }
    return kNone;
}

}  // namespace fiberscope::viewer
