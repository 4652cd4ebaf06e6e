// Maps events of a trace to the lab code behind them. Written to the head of each trace, for a viewer that knows no
// lab.
#pragma once

#include <span>
#include <string_view>

#include "traces/record/recorder.h"

namespace fiberscope::kit {

struct CodeRow {
    std::string_view of, in, step;  ///< as in trace::Code
    std::string_view file;          ///< relative to the lab's folder
    std::string_view function = {}, line = {};
    std::string_view only = {};  ///< names of programs and strategies, separated by spaces; empty: all
};

/// Selects the traces that rows apply to.
struct CodeScope {
    std::string_view only = {};  ///< as in a row
    std::string_view rule = {};  ///< the rule of the strategy, in one sentence
    bool above = false;          ///< the rows also apply to the labs above this one
    bool decides = false;        ///< it is a strategy: of all that match, the best match counts
};

/// Registers rows of a lab for the lifetime of the program: a static object beside the code that they describe.
class KnownCode {
  public:
    KnownCode(std::string_view lab, std::span<const CodeRow> rows, CodeScope scope = {}) noexcept;

    /// Adds the rows for its lab, program and strategy to `meta`. Among several rows for one thing, in ascending order
    /// of precedence: the strategy's, the program's (a prefix of its name matches), the lab's own.
    static void describe(trace::Meta& meta);

  private:
    int fit(const CodeRow& row, const trace::Meta& meta) const;

    std::string_view lab_;
    std::span<const CodeRow> rows_;
    CodeScope scope_;
    const KnownCode* next_;
};

}  // namespace fiberscope::kit
