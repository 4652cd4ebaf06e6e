// All files at once: small pictures of each, and a sortable table of their figures. The active file is the reference.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "viewer/layout/matrix/matrix.h"
#include "viewer/panels/files/window_state.h"

namespace fiberscope::viewer {

class MatrixPanel {
  public:
    explicit MatrixPanel(WindowState& state) noexcept : state_(state) {}

    /// Whether any file is readable.
    bool possible() const { return !state_.files.readable().empty(); }
    /// Called when a file was opened or read again.
    void forget() noexcept { differences_.clear(); }
    /// A click on a column head sorts the files; a click on a file makes it the reference.
    void draw(Rect area);
    /// Scrolls by so many columns, if not all fit.
    void scroll(int columns) noexcept;
    /// The last drawn layout, for tests.
    const Matrix& drawn() const noexcept { return drawn_; }

  private:
    const MatrixDifference& difference(std::size_t reference, std::size_t tab);
    void take_click(const std::vector<std::size_t>& tabs);
    void take_scroll();

    WindowState& state_;
    MatrixOrder order_;
    std::size_t first_ = 0;  ///< the first shown column
    float wheel_ = 0;        ///< notches turned that are less than a column
    Matrix drawn_;
    /// By the tabs of the reference and of the other; cached.
    std::vector<std::pair<std::pair<std::size_t, std::size_t>, MatrixDifference>> differences_;
};

}  // namespace fiberscope::viewer
