// Description of a search and its findings.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "extras/explore/search.h"
#include "languages/message.h"

namespace fiberscope::explore {

namespace {

/// Maximum number of lines shown at the beginning and at the end.
constexpr std::size_t kAtTheBeginning = 12, kAtTheEnd = 70;

struct Line {
    unsigned machine;
    std::string text;
};

std::string numbered(std::size_t step, const std::string& words) {
    const std::string number = std::to_string(step);
    return std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + number + "  " + words;
}

/// A machine that was preempted is in the middle of a step, which it completes at its next turn.
class StoryWriter {
  public:
    explicit StoryWriter(const Journal& journal) : journal_(journal) {}

    std::vector<Line> lines() {
        for (std::size_t i = 0; i < journal_.size; ++i) add(journal_.steps[i], i);
        return std::move(lines_);
    }

  private:
    void add(const Step& step, std::size_t i) {
        const std::string words = journal_.words[i].data();
        const unsigned next = step.next();
        if (next == step.machine) return put(step.machine, i, words);
        if (step.stays)
            put_note(next, message("at step {0} it continues, before machine {1} {2}", i + 1, step.machine,
                                   Value::of(words)));
        if (!step.stays)
            put(step.machine, i, words);
        else
            later_[step.machine] = {i, words};
        if (later_[next].has_value()) put(next, later_[next]->first, later_[next]->second);
        later_[next].reset();
    }
    void put(unsigned machine, std::size_t step, const std::string& words) {
        if (words.empty()) return;  // a store that is visible immediately, as usual
        lines_.push_back({machine, numbered(step + 1, words)});
    }
    void put_note(unsigned machine, const std::string& words) { lines_.push_back({machine, "        > " + words}); }

    const Journal& journal_;
    std::vector<Line> lines_;
    std::array<std::optional<std::pair<std::size_t, std::string>>, kMostMachines> later_;
};

std::string with_commas(std::uint64_t n) {
    const std::string digits = std::to_string(n);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text;
}

std::string seconds(double s) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", s);
    return text;
}

std::string how(const Report& report, Language language) {
    const Options& options = report.options;
    const auto up_to = [&](auto bound) {
        return say(language, "all with at most {0} {0:preemption|preemptions}", bound);
    };
    switch (options.strategy) {
    case Strategy::random: return say(language, "at random, seed {0}", options.seed);
    case Strategy::pct: return say(language, "PCT of depth {0}, seed {1}", options.depth, options.seed);
    case Strategy::replay: return say(language, "the schedule {0}", text_of(options.schedule));
    case Strategy::exhaustive: break;
    }
    if (report.bound == static_cast<int>(options.preemptions)) return up_to(options.preemptions);
    return say(language, "{0}, and some with {1}",
               report.bound < 0 ? say(language, "not even all without a preemption") : up_to(report.bound),
               report.bound + 1);
}

/// Translates the lines: numbered steps under the names of machines.
std::string story_in(const std::string& story, Language language) {
    std::string text;
    std::istringstream lines(story);
    for (std::string line; std::getline(lines, line);) {
        std::size_t words = line.find_first_not_of(" 0123456789>");
        words = std::min(words, line.size());
        text += line.substr(0, words) + formatted(line.substr(words), language) + '\n';
    }
    return text;
}

}  // namespace

std::string story_of(const Journal& journal) {
    const std::vector<Line> lines = StoryWriter(journal).lines();
    const bool cut = lines.size() > kAtTheBeginning + kAtTheEnd;
    std::string text;
    unsigned machine = kMostMachines;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (cut && i == kAtTheBeginning) {
            i = lines.size() - kAtTheEnd;
            text += "        " + message("… {0} lines …", i - kAtTheBeginning) + '\n';
            machine = kMostMachines;
        }
        if (lines[i].machine != machine) text += message("machine {0}", machine = lines[i].machine) + '\n';
        text += lines[i].text + '\n';
    }
    return text;
}

std::string words(const Report& report) {
    const Language language = report.options.language;
    std::string text =
        say(language, "tried {0} {0:schedule|schedules} ({1}{2}), {3} {3:choice point|choice points}, in {4}",
            with_commas(report.schedules), how(report, language),
            report.options.weak ? say(language, ", with store buffers") : "", with_commas(report.points),
            seconds(report.seconds)) +
        '\n';
    if (report.traced > 0)
        text += (report.judged_all ? say(language, "checked the traces of all of them")
                                   : say(language, "checked the traces of {0} of them", with_commas(report.traced))) +
                '\n';
    if (!report.failure) return text + say(language, "found nothing") + '\n' + story_in(report.story, language);
    const Failure& failure = *report.failure;
    text += '\n' + say(language, "found: {0}", formatted(failure.what, language)) + "\n\n" +
            story_in(failure.story, language) + '\n' +
            say(language, "{0} {0:preemption|preemptions}, {1} {1:step|steps}; the same run again: --schedule {2}",
                failure.preemptions, with_commas(failure.steps), text_of(failure.schedule)) +
            '\n';
    if (failure.passing.empty()) return text;
    return text +
           say(language, "a passing run is equal up to step {0}: {1}", failure.schedule.back().step,
               failure.passing.string()) +
           '\n';
}

}  // namespace fiberscope::explore
