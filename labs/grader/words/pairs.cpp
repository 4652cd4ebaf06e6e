#include "labs/grader/words/pairs.h"

#include <fstream>

#include "labs/grader/steps.h"

namespace fiberscope::grader {

void read_pairs(const std::filesystem::path& file,
                const std::function<void(const std::string& english, const std::string& chinese)>& learn) {
    std::ifstream in(file);
    std::string english, line;
    const auto refuse = [&] { throw GraderError(file.string() + ": \"" + english + "\" has no translation."); };
    while (std::getline(in, line)) {
        if (line.empty() || line.starts_with('#')) continue;
        if (!line.starts_with("  ")) {
            if (!english.empty()) refuse();
            english = line;
            continue;
        }
        learn(english, line.substr(2));
        english.clear();
    }
    if (!english.empty()) refuse();
}

}  // namespace fiberscope::grader
