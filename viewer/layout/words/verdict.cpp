#include "viewer/layout/words/verdict.h"

#include <cstdio>
#include <vector>

#include "traces/words/words.h"

namespace fiberscope::viewer {
namespace {

using trace::Figures;

std::string percent(double share) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "%.1f %%", 100 * share);
    return text.data();
}
std::string decimals(double value) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    return text.data();
}
std::string count(std::uint64_t n) { return trace::grouped(static_cast<std::int64_t>(n)); }

std::string said(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

class Verdicts {
  public:
    Verdicts(const RunFigures& first, const RunFigures& second)
        : a_(first.figures), b_(second.figures), first_(first), second_(second) {}

    std::string text() {
        look_at_times();
        look_at_costs();
        std::string out = how_long() + because();
        if (!better_.empty()) out += " With " + second_.name + " " + joined(better_) + ".";
        if (!worse_.empty()) out += (better_.empty() ? " With " + second_.name + " " : " But ") + joined(worse_) + ".";
        if (better_.empty() && worse_.empty()) out += " No other figure differs by what matters.";
        return out;
    }

  private:
    static bool apart(std::uint64_t a, std::uint64_t b) {
        return matters(static_cast<double>(a), static_cast<double>(b), FigureUnit::ns);
    }
    void add(bool better, std::string words) { (better ? better_ : worse_).push_back(std::move(words)); }

    std::string how_long() const {
        const std::string a = trace::in_words(a_.makespan), b = trace::in_words(b_.makespan);
        if (!apart(a_.makespan, b_.makespan))
            return first_.name + " and " + second_.name + " take about as long (" + a + ", " + b + ")";
        return second_.name + " takes " + b + ", " + first_.name + " " + a;
    }
    /// What explains the times: machines, idleness, spinning.
    std::string because() const {
        std::vector<std::string> parts;
        if (first_.machines != second_.machines)
            parts.push_back("it runs on " + std::to_string(second_.machines) +
                            (second_.machines == 1 ? " machine, " : " machines, ") + first_.name + " on " +
                            std::to_string(first_.machines));
        if (matters(100 * a_.idle, 100 * b_.idle, FigureUnit::percent))
            parts.push_back("its machines are idle for " + percent(b_.idle) + " of the time, not " + percent(a_.idle));
        if (matters(100 * a_.spinning, 100 * b_.spinning, FigureUnit::percent))
            parts.push_back("they look for work in vain for " + percent(b_.spinning) + ", not " + percent(a_.spinning));
        return parts.empty() ? "." : ": " + joined(parts) + ".";
    }
    void look_at_times() {
        const bool sooner = b_.ready.p50<a_.ready.p50, fairer = b_.fairness> a_.fairness;
        if (apart(a_.ready.p50, b_.ready.p50))
            add(sooner, said({"a task that is ready usually waits ", sooner ? "less (" : "longer (",
                              trace::in_words(b_.ready.p50), ", not ", trace::in_words(a_.ready.p50), ")"}));
        if (apart(a_.ready.max, b_.ready.max))
            add(b_.ready.max < a_.ready.max, "the longest wait for a turn is " + trace::in_words(b_.ready.max) +
                                                 ", not " + trace::in_words(a_.ready.max));
        if (apart(a_.overshoot.max, b_.overshoot.max))
            add(b_.overshoot.max < a_.overshoot.max, "sleepers run at most " + trace::in_words(b_.overshoot.max) +
                                                         " late, not " + trace::in_words(a_.overshoot.max));
        if (matters(a_.fairness, b_.fairness, FigureUnit::index))
            add(fairer, said({"tasks are treated ", fairer ? "more" : "less", " alike (", decimals(b_.fairness),
                              ", not ", decimals(a_.fairness), ")"}));
    }
    void look_at_costs() {
        if (apart(a_.switches, b_.switches))
            add(b_.switches < a_.switches, "it makes " + count(b_.switches) + " switches, not " + count(a_.switches));
        if (apart(a_.polls, b_.polls))
            add(b_.polls < a_.polls, "it calls the poller " + count(b_.polls) + " times, not " + count(a_.polls));
        if (apart(a_.copied, b_.copied))
            add(b_.copied < a_.copied, "it copies " + count(b_.copied) + " bytes of stacks, not " + count(a_.copied));
    }

    const Figures &a_, &b_;
    const RunFigures &first_, &second_;
    std::vector<std::string> better_, worse_;
};

}  // namespace

std::string verdict_of(const RunFigures& first, const RunFigures& second) { return Verdicts(first, second).text(); }

}  // namespace fiberscope::viewer
