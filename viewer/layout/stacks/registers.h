// What a switch saved and loaded, as rows of words, and where the stack pointers lie in their stacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "traces/words/registers.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

struct RegisterRow {
    std::string name, value;
    std::string shown;     ///< the value, shortened to what a table has room for
    bool changed = false;  ///< another value than in that coroutine's last save before this switch
    std::string before;    ///< that last value, when it changed
};

/// A register that points into a stack.
struct StackMark {
    std::string name;
    std::uint64_t below_top = 0;  ///< bytes from the top
    float y = 0;                  ///< 0 at the top of the picture, 1 at its bottom
};

/// A stack, or the upper part of it in which the pointers lie, so that they can be told apart.
struct StackPicture {
    std::uint64_t size = 0;        ///< bytes of the stack; 0 if the trace does not say
    std::uint64_t shown = 0;       ///< bytes of it that the picture shows, from the top
    std::vector<StackMark> marks;  ///< the stack pointer first
};

/// One side of a switch: what was saved of `from`, or loaded into `to`; or the frames of one of them, the innermost
/// first: function and instruction, locals.
struct RegisterSide {
    std::uint32_t co = trace::kNone;
    std::string title;  ///< "saved of ping", "frames of a"
    std::string name;   ///< "ping"
    std::vector<RegisterRow> rows;
    bool compared = false;  ///< there is an earlier save to compare with
    std::optional<StackPicture> stack;
};

struct Registers {
    std::uint32_t event = trace::kNone;  ///< the switch at or before the playhead; kNone if there is none
    std::string message;                 ///< in words, why there is nothing to show; else empty
    RegisterSide saved, loaded;
};

/// A coroutine whose frames are recorded has these, as they are at the playhead. If it is `chosen`, they stand on the
/// left, whatever the switch was.
Registers layout_registers(const trace::Replay& replay, const TraceIndex& index, std::size_t playhead,
                           Language language = Language::english, std::uint32_t chosen = trace::kNone);

/// "top-0x58" -> 88; nothing if the value is no place in a stack.
std::optional<std::uint64_t> bytes_below_top(std::string_view value) noexcept;
using trace::short_value;
/// "64 KiB", "1.5 MiB", "88 bytes".
std::string bytes_in_words(std::uint64_t bytes, Language language = Language::english);

}  // namespace fiberscope::viewer
