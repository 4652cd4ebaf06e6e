// The command line of fiberscope-trace: files and options of a verb.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "languages/spoken_error.h"

namespace fiberscope::trace::tool {

/// A command-line error, in one sentence; the tool then exits with status 2.
class UsageError : public SpokenError {
  public:
    using SpokenError::SpokenError;
    explicit UsageError(const SpokenError& error) : SpokenError(error) {}
};

/// The arguments of a verb.
struct Arguments {
    std::vector<std::string> files;
    std::map<std::string, std::string, std::less<>> options;  ///< "--at" -> its value

    bool has(std::string_view option) const { return options.find(option) != options.end(); }
    /// The value of a numeric option, at least `least`. Throws UsageError.
    std::uint64_t number(std::string_view option, std::uint64_t least) const;
    /// The value of an option as a time: "1.2ms", "850 ns", "3s"; a plain number means nanoseconds. Throws UsageError.
    std::uint64_t time(std::string_view option) const;
    /// The value of --language, else the language of the environment. Throws UsageError.
    Language language() const;
};

}  // namespace fiberscope::trace::tool
