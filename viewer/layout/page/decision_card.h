// The decision card: for each of several files what it decides at one place of their alignment. The sets before, the
// chosen one ringed, what the other files run instead as ghosts, the rule in words, and the lines that chose.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/words/decision.h"

namespace fiberscope::viewer {

struct SourceLine {
    std::size_t number = 0;  ///< from 1; 0: the file is not at hand, and this is only what is known of it
    std::string text;
    bool chose = false;
};
/// What is told of one file.
struct CardFile {
    const trace::Trace* trace = nullptr;
    std::string name;
    DecisionFacts facts;
    std::string source;             ///< "labs/…/solution/….cpp"; empty if no lab tells of it
    std::vector<SourceLine> lines;  ///< the function that chose
};

struct CardText {
    Rect rect;
    std::string words;
};
struct CardBox {
    Rect rect;
    trace::State state = trace::State::new_;
    bool there = true;    ///< false: only a name, which this file does not have now
    std::string name;     ///< what fits
    bool chosen = false;  ///< ringed
    Rect others_rect;
    std::string others;  ///< "2 3": the files that run it instead; else empty
};
struct CardRow {
    Rect rect;
    CardText name, count;
    std::vector<CardBox> boxes;
    CardText more;  ///< "+12": members that have no room; else empty
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

/// Lays the card out in `area`; `code` measures the lines of the sources.
DecisionCard layout_decision_card(std::span<const CardFile> files, Rect area, const Metrics& metrics,
                                  const Metrics& code);
/// The height at which nothing but long functions is left out, pixels.
float wanted_card_height(std::span<const CardFile> files, float width, const Metrics& metrics);

}  // namespace fiberscope::viewer
