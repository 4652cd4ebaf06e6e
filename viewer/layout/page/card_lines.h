// The lines of a source in a decision card: which of them, and what of them.
#pragma once

#include "viewer/layout/page/decision_card.h"

namespace fiberscope::viewer {

/// Which of its lines have room, if so many have (one at least): the first, and those around what chose; without those
/// that are only a bracket, if not all have.
std::vector<std::size_t> lines_in_card(const CardFile& file, std::size_t most);

/// As much of a line as fits into `room` pixels; of one that chose the part with `what`.
std::string fitting_code(const Metrics& metrics, float room, const SourceLine& line, std::string_view what);

}  // namespace fiberscope::viewer
