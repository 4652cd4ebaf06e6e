// The level of detail of a trace.
#pragma once

namespace fiberscope::kit {

/// Whether a trace includes the registers of each switch, each change of a tree's links (so that a replay shows every
/// rotation), and the start of each IO call (the default), or none of these: 8 events instead of 36 for a message of an
/// echo server under load. A tree without links is recorded as a map. To be set before the first tree is used.
void record_details(bool wanted) noexcept;
bool records_details() noexcept;

}  // namespace fiberscope::kit
