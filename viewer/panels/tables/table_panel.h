// The table of all coroutines.
#pragma once

#include <memory>

#include "viewer/layout/tables/coroutine_table.h"
#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"

namespace fiberscope::viewer {

class TablePanel {
  public:
    /// A click on a title sorts, a click on a row selects.
    void draw(const Scene& scene, Rect area, Selection& selection);
    void sort_by(TableColumn column) { sort_wish_ = column; }

  private:
    void count(const Scene& scene, const Selection& selection);
    void draw_heads(const Canvas& canvas, Rect r, const std::vector<TableHead>& heads);
    void draw_row(const Scene& scene, std::size_t place, float width, const std::vector<TableHead>& heads,
                  Selection& selection);

    std::unique_ptr<CoroutineTable> table_;  ///< of span_
    Range span_;
    std::uint32_t last_chosen_ = trace::kNone;
    std::optional<TableColumn> sort_wish_;
};

}  // namespace fiberscope::viewer
