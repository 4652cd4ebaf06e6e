// Formatting of times.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>

namespace fiberscope::kit {

/// Formats a time exactly: "850 ns", "12 µs", "1.25 ms". Uses the largest unit that gives at least 1.
inline std::string exactly(std::uint64_t ns) {
    constexpr const char* kUnits[] = {" ns", " µs", " ms", " s"};
    std::uint64_t unit = 1;
    std::size_t u = 0;
    for (; u + 1 < std::size(kUnits) && ns >= unit * 1000; ++u) unit *= 1000;
    std::string words = std::to_string(ns / unit);
    if (ns % unit != 0) {
        std::string rest = std::to_string(ns % unit + unit).substr(1);
        rest.erase(rest.find_last_not_of('0') + 1);
        words += '.' + rest;
    }
    return words + kUnits[u];
}

}  // namespace fiberscope::kit
