// Says whether the computer was quiet enough while something was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"

namespace fiberscope::testing {

/// The text in the language of the environment, with the same places for values: a format of printf.
inline const char* spoken(const char* english) { return text_of(english, language_of_environment()).data(); }
/// "ok" or "MISSED", of a bar.
inline const char* verdict_in_words(bool kept) { return kept ? spoken("ok") : spoken("MISSED"); }

struct QuietVerdict {
    bool quiet = true;
    std::string why;  ///< a clause with the figures: "others used 3 % of the processors, …"
};

/// Watches the computer from its construction on. Two things are looked at: which part of all processors other programs
/// used (Linux's /proc/stat without this process and its ended children), and how long a fixed piece of work takes
/// again and again. One thread uses it.
class QuietWatch {
  public:
    QuietWatch();

    /// Times the fixed piece of work, about 1 ms. Call it between two measurements.
    void look();

    /// Quiet: others used at most a tenth of the processors, and nine of ten looks took at most 1.2 times the shortest.
    QuietVerdict verdict() const;

  private:
    std::optional<double> others_share() const;
    double slowdown() const;

    std::vector<double> looks_;   ///< seconds each
    std::optional<double> busy_;  ///< seconds that all processors had been busy when the watch began
    double own_;                  ///< … and this process
    double began_;                ///< s
};

}  // namespace fiberscope::testing
