#include "viewer/layout/trace_facts/verdict.h"

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
std::string in_digits(std::uint64_t n) { return trace::grouped(static_cast<std::int64_t>(n)); }

class Verdicts {
  public:
    Verdicts(const RunFigures& first, const RunFigures& second, Language language)
        : a_(first.figures), b_(second.figures), first_(first), second_(second), language_(language) {}

    std::string text() {
        look_at_times();
        look_at_costs();
        std::string out = how_long() + because();
        if (!better_.empty()) out += says(" With {0} {1}.", second_.name, joined(better_));
        if (!worse_.empty())
            out += better_.empty() ? says(" With {0} {1}.", second_.name, joined(worse_))
                                   : says(" But {0}.", joined(worse_));
        if (better_.empty() && worse_.empty()) out += says(" No other figure differs by what matters.");
        return out;
    }

  private:
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return say(language_, key, values...);
    }
    std::string joined(const std::vector<std::string>& parts) const {
        std::string text;
        for (std::size_t i = 0; i < parts.size(); ++i)
            text += (i == 0 ? "" : i + 1 == parts.size() ? says(" and ") : says(", ")) + parts[i];
        return text;
    }
    static bool apart(std::uint64_t a, std::uint64_t b) {
        return matters(static_cast<double>(a), static_cast<double>(b), FigureUnit::ns);
    }
    void add(bool better, std::string words) { (better ? better_ : worse_).push_back(std::move(words)); }
    /// The text with the second run's value and the first's; less is better.
    void add_less(Text key, std::uint64_t a, std::uint64_t b, bool times) {
        if (apart(a, b))
            add(b < a, says(key, times ? trace::in_words(b) : in_digits(b), times ? trace::in_words(a) : in_digits(a)));
    }

    std::string how_long() const {
        const std::string a = trace::in_words(a_.makespan), b = trace::in_words(b_.makespan);
        return says(apart(a_.makespan, b_.makespan) ? mark("{1} takes {3}, {0} {2}")
                                                    : mark("{0} and {1} take about as long ({2}, {3})"),
                    first_.name, second_.name, a, b);
    }
    /// What explains the times: machines, idleness, spinning.
    std::string because() const {
        std::vector<std::string> parts;
        if (first_.machines != second_.machines)
            parts.push_back(says("it runs on {1} {1:machine|machines}, {0} on {2}", first_.name, second_.machines,
                                 first_.machines));
        if (matters(100 * a_.idle, 100 * b_.idle, FigureUnit::percent))
            parts.push_back(
                says("its machines are idle for {0} of the time, not {1}", percent(b_.idle), percent(a_.idle)));
        if (matters(100 * a_.spinning, 100 * b_.spinning, FigureUnit::percent))
            parts.push_back(
                says("they look for work in vain for {0}, not {1}", percent(b_.spinning), percent(a_.spinning)));
        return parts.empty() ? says(".") : says(": {0}.", joined(parts));
    }
    void look_at_times() {
        add_less(b_.waiting.p50 < a_.waiting.p50 ? mark("a task that could run usually waits less ({0}, not {1})")
                                                 : mark("a task that could run usually waits longer ({0}, not {1})"),
                 a_.waiting.p50, b_.waiting.p50, true);
        add_less(mark("the longest wait for a turn is {0}, not {1}"), a_.waiting.max, b_.waiting.max, true);
        if (a_.overshoot.count > 0 && b_.overshoot.count > 0)
            add_less(mark("sleepers run at most {0} late, not {1}"), a_.overshoot.max, b_.overshoot.max, true);
        const bool fairer = b_.fairness > a_.fairness;
        if (matters(a_.fairness, b_.fairness, FigureUnit::index))
            add(fairer, says(fairer ? mark("tasks are treated more alike ({0}, not {1})")
                                    : mark("tasks are treated less alike ({0}, not {1})"),
                             decimals(b_.fairness), decimals(a_.fairness)));
    }
    void look_at_costs() {
        add_less(mark("it makes {0} switches, not {1}"), a_.switches, b_.switches, false);
        add_less(mark("it calls the poller {0} times, not {1}"), a_.polls, b_.polls, false);
        add_less(mark("it copies {0} bytes of stacks, not {1}"), a_.copied, b_.copied, false);
    }

    const Figures &a_, &b_;
    const RunFigures &first_, &second_;
    const Language language_;
    std::vector<std::string> better_, worse_;
};

}  // namespace

std::string verdict_of(const RunFigures& first, const RunFigures& second, Language language) {
    return Verdicts(first, second, language).text();
}

}  // namespace fiberscope::viewer
