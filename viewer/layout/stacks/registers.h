// Registers saved and loaded by a switch, as text rows, and the positions of the stack pointers in their stacks.
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
    std::string shown;     ///< the value, shortened for the table
    bool changed = false;  ///< differs from this coroutine's previous save
    std::string before;    ///< the previous value, if changed
};

/// A register that points into a stack.
struct StackMark {
    std::string name;
    std::uint64_t below_top = 0;  ///< bytes from the top
    float y = 0;                  ///< 0 at the top of the picture, 1 at its bottom
};

/// A stack, or its upper part that contains the pointers, so that these can be distinguished.
struct StackPicture {
    std::uint64_t size = 0;        ///< bytes of the stack; 0 if unknown
    std::uint64_t shown = 0;       ///< bytes shown, from the top
    std::vector<StackMark> marks;  ///< the stack pointer first
};

/// One side of a switch: the registers saved of `from` or loaded into `to`; or the frames of one of them, innermost
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
    std::uint32_t event = trace::kNone;  ///< the last switch before the playhead; kNone if there is none
    std::string message;                 ///< why there is nothing to show; else empty
    RegisterSide saved, loaded;
};

/// If frames are recorded for a coroutine, shows those at the playhead; for the `chosen` one always at the left,
/// whichever the switch is.
Registers layout_registers(const trace::Replay& replay, const TraceIndex& index, std::size_t playhead,
                           Language language = Language::english, std::uint32_t chosen = trace::kNone);

/// "top-0x58" -> 88; nothing if the value is not a position in a stack.
std::optional<std::uint64_t> bytes_below_top(std::string_view value) noexcept;
using trace::short_value;
/// "64 KiB", "1.5 MiB", "88 bytes".
std::string bytes_in_words(std::uint64_t bytes, Language language = Language::english);

}  // namespace fiberscope::viewer
