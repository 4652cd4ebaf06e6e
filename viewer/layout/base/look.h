// Appearance: one colour, one pattern and one letter per state, the same in the whole window. The colours are those of
// Okabe and Ito, which colour-blind users can distinguish; colour is never the only sign.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "languages/say.h"
#include "traces/replay/idle.h"
#include "traces/schema/schema.h"

namespace fiberscope::viewer {

enum class Theme : std::uint8_t { dark, light };

struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;

    constexpr bool operator==(const Color&) const noexcept = default;
    constexpr Color with_alpha(int alpha) const noexcept { return {r, g, b, static_cast<std::uint8_t>(alpha)}; }
};

enum class Pattern : std::uint8_t {
    solid,
    rising,
    falling,
    level,
    upright,
    grid,
    dots,
    cross,
    dashes,
    middle,
    zigzag,
    rails,
    posts
};

struct Look {
    Color fill;  ///< of a stretch in this state
    Color ink;   ///< of text and pattern on the fill
    Pattern pattern = Pattern::solid;
    std::string_view letter;  ///< one glyph
    Text word;                ///< the state's name
    Text meaning;             ///< short description for the legend
};

/// The appearance of a state.
const Look& look(trace::State state, Theme theme) noexcept;

/// The appearance of an idle machine and of the coroutine that runs on it; `idle` must not be Idle::none.
const Look& look(trace::Idle idle, Theme theme) noexcept;
inline constexpr std::array kIdleOrder{trace::Idle::polls, trace::Idle::parked, trace::Idle::spins,
                                       trace::Idle::blocked, trace::Idle::locked};
/// The appearance of a coroutine in `state` on a machine that may be idle.
const Look& look(trace::State state, trace::Idle idle, Theme theme) noexcept;

/// The states in the order of the legend.
inline constexpr std::array kLegendOrder{trace::State::running,   trace::State::ready,    trace::State::normal,
                                         trace::State::suspended, trace::State::sleeping, trace::State::waiting,
                                         trace::State::new_,      trace::State::dead};

/// Colours that do not denote a state.
struct Palette {
    Color background, panel, lane, lane_other, line, text, dim;
    Color playhead;  ///< current time; no other use
    Color changed;   ///< a register with a new value; no other use
    Color warning;   ///< background of messages: a file that cannot be read or is truncated, a fault
    Color warning_text;
    Color live;  ///< background of messages about a file that is being recorded; no other use
    Color live_text;
    Color hazard;       ///< access to another coroutine's bytes; no other use
    Color hazard_text;  ///< text on it
    Color chosen;       ///< frame and background of the selected coroutine
    Color mixed;        ///< node of a tree without colours
    Color arrow;
    Color control, control_hot;
    Color node_red, node_black;  ///< node of a red-black tree; no other use
    Color node_ink;              ///< text on it
};
const Palette& palette(Theme theme) noexcept;

}  // namespace fiberscope::viewer
