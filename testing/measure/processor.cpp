#include "testing/measure/processor.h"

#include <array>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "testing/measure/quiet.h"

namespace fiberscope::testing {

namespace {

constexpr std::array<std::pair<const char*, const char*>, 6> kNumbers{{{"cpu family", "family"},
                                                                       {"model", "model"},
                                                                       {"stepping", "stepping"},
                                                                       {"CPU implementer", "implementer"},
                                                                       {"CPU part", "part"},
                                                                       {"CPU variant", "variant"}}};

std::string trimmed(const std::string& text) {
    const auto from = text.find_first_not_of(" \t");
    return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

}  // namespace

Processor processor_of(const std::string& cpuinfo) {
    Processor found;
    std::istringstream lines(cpuinfo);
    for (std::string line; std::getline(lines, line) && !line.empty();) {
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::string key = trimmed(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
        if (key == "model name") found.model = value;
        for (const auto& [theirs, ours] : kNumbers)
            if (key == theirs) found.numbers[ours] = value;
    }
    return found;
}

Processor processor_here() {
    std::ostringstream text;
    text << std::ifstream("/proc/cpuinfo").rdbuf();
    Processor here = processor_of(text.str());
    here.count = std::thread::hardware_concurrency();
    return here;
}

std::string in_words(const Processor& processor) {
    std::string numbers;
    for (const auto& [theirs, ours] : kNumbers)
        if (const auto found = processor.numbers.find(ours); found != processor.numbers.end())
            numbers += (numbers.empty() ? "" : ", ") + found->first + " " + found->second;
    const std::string name = processor.model.empty() ? spoken("unknown model") : processor.model;
    return name + (numbers.empty() ? "" : " (" + numbers + ")") + ", " + std::to_string(processor.count) +
           spoken(" processors");
}

}  // namespace fiberscope::testing
