// How things look: one colour, one pattern and one letter for each state, everywhere in the window. The colours are
// Okabe and Ito's, told apart by colour-blind eyes too; nothing is said by colour alone.
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
    Color ink;   ///< of text and pattern upon the fill
    Pattern pattern = Pattern::solid;
    std::string_view letter;  ///< one glyph
    Text word;                ///< the state's name
    Text meaning;             ///< in a few words, for the legend
};

/// The look of a state.
const Look& look(trace::State state, Theme theme) noexcept;

/// The look of a machine that is idle, and of the coroutine that runs on it then; not for Idle::none.
const Look& look(trace::Idle idle, Theme theme) noexcept;
inline constexpr std::array kIdleOrder{trace::Idle::polls, trace::Idle::parked, trace::Idle::spins,
                                       trace::Idle::blocked, trace::Idle::locked};
/// The look of one that is in `state` on a machine that is idle or not.
const Look& look(trace::State state, trace::Idle idle, Theme theme) noexcept;

/// The states in the order of the legend.
inline constexpr std::array kLegendOrder{trace::State::running,   trace::State::ready,    trace::State::normal,
                                         trace::State::suspended, trace::State::sleeping, trace::State::waiting,
                                         trace::State::new_,      trace::State::dead};

/// The colours that mean no state.
struct Palette {
    Color background, panel, lane, lane_other, line, text, dim;
    Color playhead;  ///< "now", and nothing else
    Color changed;   ///< a register whose value is new, and nothing else
    Color warning;   ///< ground of messages: an unreadable or cut file, a fault
    Color warning_text;
    Color live;  ///< ground of what is said about a file that is being recorded, and nothing else
    Color live_text;
    Color hazard;       ///< another's bytes are read or written, and nothing else
    Color hazard_text;  ///< ink upon it
    Color chosen;       ///< frame and ground of the chosen coroutine
    Color mixed;        ///< a node of a tree without colours
    Color arrow;
    Color control, control_hot;
    Color node_red, node_black;  ///< a node of a red-black tree, and nothing else
    Color node_ink;              ///< text upon it
};
const Palette& palette(Theme theme) noexcept;

}  // namespace fiberscope::viewer
