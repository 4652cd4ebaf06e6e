// A search and its findings in words.
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "labs/explore/search.h"

namespace fiberscope::explore {

namespace {

/// Lines of a story that are shown: at its beginning, and at its end.
constexpr std::size_t kAtTheBeginning = 12, kAtTheEnd = 70;

struct Line {
    unsigned machine;
    std::string text;
};

std::string numbered(std::size_t step, const std::string& words) {
    const std::string number = std::to_string(step);
    return std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + number + "  " + words;
}

/// A machine that is not the one that goes on is in the middle of something: it does that when its turn comes back.
class Teller {
  public:
    explicit Teller(const Journal& journal) : journal_(journal) {}

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
            put_note(next, "at step " + std::to_string(i + 1) + " it goes on, before machine " +
                               std::to_string(step.machine) + " " + words);
        if (!step.stays)
            put(step.machine, i, words);
        else
            later_[step.machine] = {i, words};
        if (later_[next].has_value()) put(next, later_[next]->first, later_[next]->second);
        later_[next].reset();
    }
    void put(unsigned machine, std::size_t step, const std::string& words) {
        if (words.empty()) return;  // a store that is seen at once, as any other
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

std::string counted(std::uint64_t n, const char* what) { return with_commas(n) + " " + what + (n == 1 ? "" : "s"); }

std::string seconds(double s) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", s);
    return text;
}

std::string how(const Report& report) {
    const Options& options = report.options;
    switch (options.strategy) {
    case Strategy::random: return "by chance, seed " + std::to_string(options.seed);
    case Strategy::pct:
        return "by PCT of depth " + std::to_string(options.depth) + ", seed " + std::to_string(options.seed);
    case Strategy::replay: return "the schedule " + text_of(options.schedule);
    case Strategy::exhaustive: break;
    }
    if (report.bound == static_cast<int>(options.preemptions))
        return "all with at most " + counted(options.preemptions, "preemption");
    const std::string reached =
        report.bound < 0 ? "not even all without a preemption"
                         : "all with at most " + counted(static_cast<std::uint64_t>(report.bound), "preemption");
    return reached + ", and some with " + std::to_string(report.bound + 1);
}

}  // namespace

std::string story_of(const Journal& journal) {
    const std::vector<Line> lines = Teller(journal).lines();
    const bool cut = lines.size() > kAtTheBeginning + kAtTheEnd;
    std::string text;
    unsigned machine = kMostMachines;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (cut && i == kAtTheBeginning) {
            i = lines.size() - kAtTheEnd;
            text += "        … " + std::to_string(i - kAtTheBeginning) + " lines …\n";
            machine = kMostMachines;
        }
        if (lines[i].machine != machine) text += "machine " + std::to_string(machine = lines[i].machine) + '\n';
        text += lines[i].text + '\n';
    }
    return text;
}

std::string words(const Report& report) {
    std::string text = "tried " + counted(report.schedules, "schedule") + " (" + how(report) +
                       (report.options.weak ? ", with store buffers" : "") + "), " +
                       counted(report.points, "choice point") + ", in " + seconds(report.seconds) + '\n';
    if (report.traced > 0)
        text += "judged the traces of " + (report.judged_all ? "all" : with_commas(report.traced)) + " of them\n";
    if (!report.failure) return text + "found nothing\n" + report.story;
    const Failure& failure = *report.failure;
    return text + "\nfound: " + failure.what + "\n\n" + failure.story + "\n" +
           counted(failure.preemptions, "preemption") + ", " + counted(failure.steps, "step") +
           "; the same run again: --schedule " + text_of(failure.schedule) + '\n' +
           (failure.passing.empty()
                ? ""
                : "a run that passes is the same up to step " + std::to_string(failure.schedule.back().step) + ": " +
                      failure.passing.string() + '\n');
}

}  // namespace fiberscope::explore
