// The decision card: the decision of each of several files at one position of their alignment. It shows the sets before
// the decision, the chosen coroutine (ringed), the choices of the other files as ghosts, the rule in words, and the
// deciding source lines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/trace_facts/decision.h"

namespace fiberscope::viewer {

struct SourceLine {
    std::size_t number = 0;  ///< from 1; 0: the file is unavailable, and only the recorded facts are shown
    std::string text;
    bool chose = false;
};
/// Input for one file.
struct CardFile {
    const trace::Trace* trace = nullptr;
    std::string name;
    DecisionFacts facts;
    std::string source;             ///< "labs/…/solution/….cpp"; empty if no lab describes it
    std::vector<SourceLine> lines;  ///< the function that decided
};

struct CardText {
    Rect rect;
    std::string words;
};
struct CardBox {
    Rect rect;
    trace::State state = trace::State::new_;
    bool there = true;    ///< false: only a name, which this file does not have at this time
    std::string name;     ///< shortened to fit
    bool chosen = false;  ///< ringed
    Rect others_rect;
    std::string others;  ///< "2 3": the files that run it instead; else empty
};
struct CardRow {
    Rect rect;
    CardText name, count;
    std::vector<CardBox> boxes;
    CardText more;  ///< "+12": members that do not fit; else empty
};
struct CardLine {
    Rect rect;
    std::string number, text;
    float text_x = 0;
    bool chose = false;
};
struct CardCell {
    Rect rect;
    CardText title;  ///< "2  mixed_go"
    CardText more;   ///< "2 more sets"; else empty
    std::vector<CardRow> rows;
    std::vector<CardText> rule;
    CardText source;
    std::vector<CardLine> lines;
};
struct DecisionCard {
    Rect rect;
    std::vector<CardCell> cells;  ///< by file
    CardText caption;
};

/// Lays the card out in `area`; `code` measures source lines.
DecisionCard layout_decision_card(std::span<const CardFile> files, Rect area, const Metrics& metrics,
                                  const Metrics& code);
/// Height at which only long functions are shortened, pixels.
float wanted_card_height(std::span<const CardFile> files, float width, const Metrics& metrics);

}  // namespace fiberscope::viewer
