// Two runs compared in a paragraph that can be read aloud, made of the figures that differ by what matters.
#pragma once

#include <string>

#include "languages/say.h"
#include "viewer/layout/trace_facts/figure_columns.h"

namespace fiberscope::viewer {

/// A run in the paragraph.
struct RunFigures {
    std::string name;
    trace::Figures figures;
    std::uint32_t machines = 1;
};

/// "mixed_go takes 260 µs, mixed 427 µs: it runs on 2 machines, mixed on 1. …". Whole sentences.
std::string verdict_of(const RunFigures& first, const RunFigures& second, Language language = Language::english);

}  // namespace fiberscope::viewer
