// How much of a run a trace keeps.
#pragma once

namespace fiberscope::kit {

/// Whether a trace has the registers of each switch, each link of a tree that changes, so that a replay shows every
/// rotation, and the beginning of each IO call (the usual), or none of these: 8 events and no 36 for a message of an
/// echo server, while it is under load. A tree whose links are left out is a map in the trace. To be chosen before the
/// first tree is used.
void record_details(bool wanted) noexcept;
bool records_details() noexcept;

}  // namespace fiberscope::kit
