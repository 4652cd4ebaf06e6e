// Shared by the tests of this lab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

namespace fiberscope::lab03 {

using kit::testing::misuse_of;
using kit::testing::record;
using kit::testing::Recorded;

/// A new T that is never destroyed, since destruction may need an unsolved step.
template <class T, class... Arguments>
T& made_for_ever(Arguments&&... arguments) {
    static auto& kept = *new std::vector<std::unique_ptr<T>>;
    kept.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
    return *kept.back();
}

/// The events on shared stacks in short form: "start b", "out a", "own b", "own -", "in a", "yield a", "exit a". A
/// switch names the coroutine that it starts, resumes or leaves.
inline std::vector<std::string> moves_of(const trace::Trace& trace) {
    std::vector<std::string> moves;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const auto& e = trace[i];
        const auto name = [&](std::uint32_t co) { return co == trace::kNone ? "-" : std::string(trace.name(co)); };
        if (e.kind == trace::Kind::own) moves.push_back("own " + name(e.co));
        if (e.kind == trace::Kind::copy)
            moves.push_back(std::string(word(e.first<trace::Direction>())) + " " + name(e.co));
        if (e.kind != trace::Kind::switch_) continue;
        const auto why = e.first<trace::Why>();
        const bool entered = why == trace::Why::start || why == trace::Why::resume;
        moves.push_back(std::string(word(why)) + " " + name(entered ? e.other : e.co));
    }
    return moves;
}

inline std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
    return text;
}

/// Calls `act` with about `bytes` of stack in use below the caller; returns whether those bytes are unchanged
/// afterwards.
template <class F>
[[gnu::noinline]] bool with_depth(std::size_t bytes, F act) {
    constexpr std::size_t kPiece = 256;
    volatile unsigned char piece[kPiece];
    const auto value = static_cast<unsigned char>(bytes / kPiece * 7 + 3);
    for (auto& each : piece) each = value;
    bool intact = true;
    if (bytes > kPiece)
        intact = with_depth(bytes - kPiece, act);
    else
        act();
    for (auto& each : piece) intact = intact && each == value;
    return intact;
}

}  // namespace fiberscope::lab03
