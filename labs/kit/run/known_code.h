// Where a lab's code does what a trace shows. The head of each trace says it, for a viewer that knows no lab.
#pragma once

#include <span>
#include <string_view>

#include "traces/record/recorder.h"

namespace fiberscope::kit {

struct CodeRow {
    std::string_view of, in, step;  ///< as trace::Code has them
    std::string_view file;          ///< below the lab's folder
    std::string_view function = {}, line = {};
    std::string_view only = {};  ///< names of programs and strategies, a space between each two; empty: of all
};

/// Of which traces rows are.
struct CodeScope {
    std::string_view only = {};  ///< as of a row
    std::string_view rule = {};  ///< by which the strategy decides, in one sentence
    bool above = false;          ///< the rows also count in the labs above this one
    bool decides = false;        ///< it is a strategy: of all that fit, the one that fits best counts
};

/// Rows of a lab, known as long as the program runs: an object of static storage beside the code that they describe.
class KnownCode {
  public:
    KnownCode(std::string_view lab, std::span<const CodeRow> rows, CodeScope scope = {}) noexcept;

    /// Adds to `meta` what belongs to its lab, program and strategy. Of several rows for one thing the lab's own
    /// counts, then that for the program (a name begins its name), then that for the strategy.
    static void describe(trace::Meta& meta);

  private:
    int fit(const CodeRow& row, const trace::Meta& meta) const;

    std::string_view lab_;
    std::span<const CodeRow> rows_;
    CodeScope scope_;
    const KnownCode* next_;
};

}  // namespace fiberscope::kit
