#include <algorithm>

#include "labs/grader/steps.h"
#include "labs/grader/words/words.h"

namespace fiberscope::grader {

std::string unseen_in_words(const std::vector<Step>& steps, const std::vector<bool>& solved, bool alone) {
    const auto is_seen = [&](const std::string& by) {
        const auto step = std::ranges::find(steps, by, &Step::number);
        return step != steps.end() && solved[static_cast<std::size_t>(step - steps.begin())];
    };
    std::string all;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::string of_step;
        for (const Unseen& one : steps[i].unseen) {
            if (!solved[i] || (one.from.empty() ? !alone : is_seen(one.from))) continue;
            const std::string text = sentence_in_words(one.text);
            of_step += "  " +
                       (one.from.empty() ? says("{0} (no test sees it)", text)
                                         : says("{0} (checked from {1} on)", text, one.from)) +
                       "\n";
        }
        if (!of_step.empty())
            all += "\n" + says("What step {0} asks for and its tests cannot see:", steps[i].number) + "\n" + of_step;
    }
    return all;
}

}  // namespace fiberscope::grader
