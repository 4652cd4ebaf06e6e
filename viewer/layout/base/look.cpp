#include "viewer/layout/base/look.h"

namespace fiberscope::viewer {
namespace {

using trace::State;

constexpr std::size_t kStates = trace::kWords<State>.size();
using Looks = std::array<Look, kStates>;

constexpr Color kBlack{16, 16, 16};
constexpr Color kWhite{255, 255, 255};

/// In the order of State.
constexpr Looks make_looks(Color new_fill, Color new_ink, Color dead_fill, Color dead_ink, Color suspended) {
    return {{
        {new_fill, new_ink, Pattern::dots, "·", mark("new", "state"), mark("created, not entered yet")},
        {{86, 180, 233}, kBlack, Pattern::upright, "Q", mark("ready", "state"), mark("can run, waits for its turn")},
        {{0, 158, 115}, kWhite, Pattern::solid, "R", mark("running", "state"), mark("on the processor")},
        {{240, 228, 66}, kBlack, Pattern::rising, "N", mark("normal", "state"), mark("resumed another, waits for it")},
        {suspended, kBlack, Pattern::falling, "S", mark("suspended", "state"), mark("yielded")},
        {{0, 114, 178}, kWhite, Pattern::level, "Z", mark("sleeping", "state"), mark("until a time")},
        {{230, 159, 0}, kBlack, Pattern::grid, "W", mark("waiting", "state"), mark("for an event")},
        {dead_fill, dead_ink, Pattern::cross, "D", mark("dead", "state"), mark("ended")},
    }};
}

constexpr Looks kDark = make_looks({58, 62, 70}, {220, 222, 226}, {38, 40, 45}, {150, 154, 160}, {150, 152, 156});
constexpr Looks kLookLight = make_looks({250, 250, 250}, {60, 60, 60}, {228, 228, 228}, {90, 90, 90}, {178, 180, 184});

/// In the order of Idle; idle is drawn pale, spinning strong.
constexpr std::array<Look, 6> make_idle(Color polls, Color parked, Color ink) {
    return {{Look{{}, {}, {}, {}, Text(), Text()},
             {polls, ink, Pattern::dashes, "P", mark("polls"), mark("waits in the poller")},
             {parked, ink, Pattern::middle, "K", mark("parked"), mark("sleeps until another machine wakes it")},
             {{150, 60, 140}, kWhite, Pattern::zigzag, "O", mark("spins"), mark("keeps looking for work")},
             {{120, 84, 60}, kWhite, Pattern::rails, "B", mark("blocked"), mark("its task is in a blocking call")},
             {{176, 58, 46},
              kWhite,
              Pattern::posts,
              "L",
              mark("locked"),
              mark("waits for a lock held by another machine")}}};
}

constexpr auto kDarkIdle = make_idle({30, 72, 62}, {20, 32, 34}, {214, 232, 226});
constexpr auto kLightIdle = make_idle({200, 232, 220}, {226, 236, 234}, {20, 50, 42});

constexpr Palette kDarkPalette{.background = {24, 26, 30},
                               .panel = {32, 35, 40},
                               .lane = {36, 39, 45},
                               .lane_other = {42, 46, 53},
                               .line = {78, 84, 94},
                               .text = {240, 241, 243},
                               .dim = {176, 181, 190},
                               .playhead = {255, 110, 48},
                               .changed = {224, 150, 192},
                               .warning = {92, 32, 20},
                               .warning_text = {255, 226, 214},
                               .live = {16, 84, 44},
                               .live_text = {232, 255, 240},
                               .hazard = {226, 26, 60},
                               .hazard_text = {255, 255, 255},
                               .chosen = {255, 255, 255},
                               .mixed = {92, 98, 108},
                               .arrow = {226, 229, 234},
                               .control = {62, 67, 76},
                               .control_hot = {88, 95, 107},
                               .node_red = {158, 22, 22},
                               .node_black = {0, 0, 0},
                               .node_ink = {255, 255, 255}};

constexpr Palette kLightPalette{.background = {238, 239, 241},
                                .panel = {252, 252, 252},
                                .lane = {246, 246, 247},
                                .lane_other = {236, 237, 239},
                                .line = {178, 182, 188},
                                .text = {22, 23, 26},
                                .dim = {84, 88, 95},
                                .playhead = {213, 78, 0},
                                .changed = {158, 48, 112},
                                .warning = {255, 222, 208},
                                .warning_text = {110, 24, 0},
                                .live = {200, 238, 212},
                                .live_text = {0, 66, 30},
                                .hazard = {196, 0, 44},
                                .hazard_text = {255, 255, 255},
                                .chosen = {0, 0, 0},
                                .mixed = {204, 207, 212},
                                .arrow = {52, 55, 60},
                                .control = {218, 221, 226},
                                .control_hot = {196, 200, 208},
                                .node_red = {158, 22, 22},
                                .node_black = {0, 0, 0},
                                .node_ink = {255, 255, 255}};

}  // namespace

const Look& look(State state, Theme theme) noexcept {
    const Looks& looks = theme == Theme::dark ? kDark : kLookLight;
    return looks[static_cast<std::size_t>(state)];
}

const Look& look(trace::Idle idle, Theme theme) noexcept {
    return (theme == Theme::dark ? kDarkIdle : kLightIdle)[static_cast<std::size_t>(idle)];
}

const Look& look(State state, trace::Idle idle, Theme theme) noexcept {
    return idle == trace::Idle::none ? look(state, theme) : look(idle, theme);
}

const Palette& palette(Theme theme) noexcept { return theme == Theme::dark ? kDarkPalette : kLightPalette; }

}  // namespace fiberscope::viewer
