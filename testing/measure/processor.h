// Identifies the processor, because a benchmark's figures hold for one model only.
#pragma once

#include <map>
#include <string>

namespace fiberscope::testing {

/// The first processor as /proc/cpuinfo describes it.
struct Processor {
    std::string model;                           ///< "AMD EPYC 7763"; empty if the kernel gives no name
    std::map<std::string, std::string> numbers;  /// "family", "model" and "stepping"; on aarch64 "part" and so on
    unsigned count = 0;                          ///< how many processors are online
};

/// Parses the text of a /proc/cpuinfo. `count` remains 0.
Processor processor_of(const std::string& cpuinfo);

/// The processor that this process runs on.
Processor processor_here();

/// "AMD EPYC 7763 (family 25, model 1, stepping 1), 2 processors"
std::string in_words(const Processor& processor);

}  // namespace fiberscope::testing
