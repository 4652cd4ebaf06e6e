// Puts playheads where a test wants them.
#pragma once

#include "testing/catch.h"
#include "viewer/model/document.h"

namespace fiberscope::viewer::tests {

inline void put_playhead(Document& document, std::size_t playhead) {
    document.selection().playhead = playhead;
    document.sync();
}

/// The playhead after the n-th event (from 0) for which `wanted` holds.
template <class F>
std::size_t after(const Document& document, F wanted, std::size_t n = 0) {
    const trace::Trace& trace = document.replay().trace();
    for (std::size_t i = 0; i < trace.size(); ++i)
        if (wanted(trace[i]) && n-- == 0) return i + 1;
    FAIL("there is no such event");
    return 0;
}

}  // namespace fiberscope::viewer::tests
