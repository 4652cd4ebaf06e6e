// Computes everything that the viewer shows in a frame; used by tests with damaged recordings.
#pragma once

#include <algorithm>
#include <array>

#include "viewer/layout/matrix/matrix.h"
#include "viewer/layout/page/legend.h"
#include "viewer/layout/sets/sets.h"
#include "viewer/layout/stacks/registers.h"
#include "viewer/layout/stacks/shared_stacks.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/locks.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/layout/trace_facts/state_rows.h"

namespace fiberscope::viewer::fuzz {

/// Lays out `replay` at the playhead of `selection`. Returns the lanes.
inline Timeline lay_out_everything(const trace::Replay& replay, const TraceIndex& index, const Selection& selection) {
    const Rect area{0, 0, 1600, 900};
    const Metrics metrics;
    const TimelineRequest request{replay, index, selection, area, metrics};
    Timeline timeline = layout_timeline(request);
    layout_arrows(request, timeline), layout_steals(request, timeline), layout_marks(request, timeline);
    for (const Mark& mark : timeline.marks) mark_words(replay, index, mark, Language::english);
    layout_sets({replay, index, area, metrics});
    layout_shared_stacks({replay, index, area, metrics});
    layout_registers(replay, index, selection.playhead);
    locks_at(replay, index);
    sentence_at(replay, index, selection);
    set_rows(replay, 3, 8);
    for (std::size_t n = 0; n < std::min<std::size_t>(index.tree().size(), 50); ++n) state_row(replay, index, n);
    const LegendSource source{&replay.trace(), &index, true};
    layout_legend({&source, 1}, area.width(), metrics);
    const MatrixRun run = matrix_run(replay, index, "run");
    const std::array<const MatrixRun*, 2> runs{&run, &run};
    layout_matrix(runs, std::array<MatrixDifference, 2>(), 1, {}, area, metrics);
    return timeline;
}

}  // namespace fiberscope::viewer::fuzz
