// Selection and shortening of source lines for a decision card.
#pragma once

#include "viewer/layout/page/decision_card.h"

namespace fiberscope::viewer {

/// Indices of the lines to show if `most` (at least one) fit: the first one and those around the deciding line; lines
/// with only a bracket are dropped first.
std::vector<std::size_t> lines_in_card(const CardFile& file, std::size_t most);

/// The part of a line that fits into `room` pixels; for a deciding line, the part that contains `what`.
std::string fitting_code(const Metrics& metrics, float room, const SourceLine& line, std::string_view what);

}  // namespace fiberscope::viewer
