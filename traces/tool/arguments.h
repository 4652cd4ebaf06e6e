// The command line of fiberscope-trace: verb, files, options.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::trace::tool {

/// What is wrong with the command line, in one sentence; the tool then ends with status 2.
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Option {
    std::string_view name;   ///< "--at"
    std::string_view value;  ///< what stands after it, for the help: "EVENT"
    std::string_view help;
};

struct Arguments {
    std::vector<std::string> files;
    std::map<std::string, std::string, std::less<>> options;  ///< "--at" -> its value

    bool has(std::string_view option) const { return options.find(option) != options.end(); }
    /// The value of an option as a number from `least`. Throws UsageError.
    std::uint64_t number(std::string_view option, std::uint64_t least) const;
    /// The value of an option as a time: "1.2ms", "850 ns", "3s"; a number alone means nanoseconds. Throws UsageError.
    std::uint64_t time(std::string_view option) const;
};

/// Sorts words into files and options: "--at 12" or "--at=12". Throws UsageError for an option that is not in `known`,
/// one without its value, or one that is given twice.
Arguments parse_arguments(std::span<const std::string> words, std::span<const Option> known);

}  // namespace fiberscope::trace::tool
