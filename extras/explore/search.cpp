#include "extras/explore/search.h"

#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "labs/kit/report/report.h"

namespace fiberscope::explore {

namespace {

using Clock = std::chrono::steady_clock;
using Prefix = std::vector<std::uint8_t>;

/// Maximum number of runs, and of seconds, to minimize a failure.
constexpr unsigned kShrinkingRuns = 400;
constexpr std::chrono::milliseconds kShrinkingTime{1500};
/// Random schedules whose traces are checked: the first ones.
constexpr std::uint64_t kTracedByChance = 50;

struct Found {
    std::string what;
    std::vector<Step> run;

    auto size() const { return std::tuple(preemptions(run), run.size(), switches(run)); }
};

class Search {
  public:
    Search(const Options& options, const Body& body)
        : options_(options),
          runner_(body, options.weak, *journal_, options.progress),
          begun_(Clock::now()),
          until_(begun_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds))) {
    }
    Report report();

  private:
    void search_all();
    bool search_bound(unsigned bound);
    bool search_traced(unsigned bound);
    bool search_fast(unsigned bound, Prefix from);
    bool judge_traces(unsigned bound);
    void judge_the_rest();
    void search_by_chance();
    void replay();
    std::unique_ptr<Chooser> by_chance(std::uint64_t n) const;
    bool over() const {
        const bool enough = options_.schedules != 0 && journal_->schedules >= options_.schedules;
        return Clock::now() >= until_ || (enough && !counted_);
    }
    bool judge(const Outcome& outcome);
    void stamp();
    void count_once();
    void tell(const std::string& where);
    void shrink_bound(unsigned bound);
    void shrink_deviations();
    void shrink_by_search();
    bool try_without(std::size_t from, std::size_t count);
    Failure told();
    void record_passing(Failure& failure);

    Options options_;
    SharedJournal journal_;
    Runner runner_;
    Clock::time_point begun_, until_;
    Report report_;
    std::optional<Found> found_;
    struct Counted {
        std::uint64_t schedules, points;
    };
    std::optional<Counted> counted_;  // of the tried schedules; while schedules are repeated to check their traces
    std::size_t usual_steps_ = 0;     // of the first run
};

/// Returns whether the search continues.
bool Search::judge(const Outcome& outcome) {
    if (outcome.ended == Ended::not_implemented) {
        PrefixChooser again{Prefix()};
        runner_.run(again, {}, true);
        _exit(kit::kNotImplementedStatus);
    }
    if (usual_steps_ == 0) usual_steps_ = journal_->size;
    if (outcome.ended != Ended::failed) return true;
    if (report_.schedules == 0) stamp();
    found_ = Found{outcome.what, {journal_->run().begin(), journal_->run().end()}};
    return false;
}

void Search::stamp() {
    report_.schedules = journal_->schedules;
    report_.points = journal_->points;
    report_.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
}

/// A repeated schedule is not counted again.
void Search::count_once() {
    if (!counted_) return;
    journal_->schedules = counted_->schedules;
    journal_->points = counted_->points;
}

/// Silent while a failure is minimized: those runs do not count.
void Search::tell(const std::string& where) {
    if (report_.schedules != 0 && !counted_) return;
    runner_.tell(say(options_.language, "explore: {0}: {1} schedules, {2} choice points", where, journal_->schedules,
                     journal_->points));
}

// ---- all schedules
// -----------------------------------------------------------------------------------------------------

void Search::search_all() {
    for (unsigned bound = 0; bound <= options_.preemptions; ++bound) {
        if (!search_bound(bound)) {
            if (found_) shrink_bound(bound);
            return;
        }
        report_.bound = static_cast<int>(bound);
    }
    report_.judged_all = !options_.isolated && (options_.judge_all || options_.preemptions <= 1);
    if (options_.judge_rest && !options_.isolated && !report_.judged_all) judge_the_rest();
}

// All have passed; at the largest bound all of them are repeated with traces.
void Search::judge_the_rest() {
    stamp();
    report_.traced = 0;
    report_.judged_all = judge_traces(options_.preemptions);
    if (found_) shrink_bound(options_.preemptions);
}

// All are run before the first trace is checked: running one takes microseconds, checking one milliseconds. Schedules
// with at most one preemption are few, so they are repeated with traces before the next bound.
bool Search::search_bound(unsigned bound) {
    if (options_.judge_all || options_.isolated) return search_traced(bound);
    return search_fast(bound, {}) && (bound > 1 || judge_traces(bound));
}

bool Search::judge_traces(unsigned bound) {
    counted_ = Counted{journal_->schedules, journal_->points};
    const bool passed = search_traced(bound);
    counted_.reset();
    return passed;
}

bool Search::search_traced(unsigned bound) {
    for (std::optional<Prefix> prefix = Prefix(); prefix; prefix = next_prefix(journal_->run(), bound)) {
        if (over()) return false;
        PrefixChooser chooser(*prefix);
        const Outcome outcome = options_.isolated ? runner_.run(chooser) : runner_.run_traced(chooser);
        count_once();
        if (!judge(outcome)) return false;
        report_.traced += options_.isolated ? 0 : 1;
        tell(counted_ ? say(options_.language, "{0} preemptions, {1} traces checked", bound, report_.traced)
                      : say(options_.language, "{0} preemptions", bound));
    }
    return true;
}

bool Search::search_fast(unsigned bound, Prefix from) {
    const auto next = [&]() -> std::unique_ptr<Chooser> {
        tell(say(options_.language, "{0} preemptions", bound));
        auto prefix = next_prefix(journal_->run(), bound);
        if (!prefix || over()) return nullptr;
        return std::make_unique<PrefixChooser>(std::move(*prefix));
    };
    const Outcome outcome = runner_.run_many(std::make_unique<PrefixChooser>(std::move(from)), next, until_);
    return judge(outcome) && !next_prefix(journal_->run(), bound);
}

// ---- by chance
// ---------------------------------------------------------------------------------------------------------

std::unique_ptr<Chooser> Search::by_chance(std::uint64_t n) const {
    if (options_.strategy == Strategy::random) return std::make_unique<RandomChooser>(options_.seed + n);
    return std::make_unique<PctChooser>(options_.seed + n, options_.depth, usual_steps_);
}

void Search::search_by_chance() {
    PrefixChooser usual{Prefix()};
    if (!judge(runner_.run(usual))) return;
    bool goes_on = true;
    while (goes_on && !over() && (options_.isolated || options_.judge_all || report_.traced < kTracedByChance)) {
        const auto chooser = by_chance(journal_->schedules);
        goes_on = judge(options_.isolated ? runner_.run(*chooser) : runner_.run_traced(*chooser));
        report_.traced += options_.isolated ? 0 : 1;
        tell(say(options_.language, "at random"));
    }
    if (goes_on && !over()) {
        const auto next = [&]() -> std::unique_ptr<Chooser> {
            tell(say(options_.language, "at random"));
            return over() ? nullptr : by_chance(journal_->schedules);
        };
        goes_on = judge(runner_.run_many(by_chance(journal_->schedules), next, until_));
    }
    if (goes_on) return;
    shrink_deviations();
    shrink_by_search();
}

// ---- smaller
// -----------------------------------------------------------------------------------------------------------

// No schedule with fewer preemptions fails. Of the next ones with the same number, takes the one with the fewest steps.
void Search::shrink_bound(unsigned bound) {
    const Clock::time_point until = Clock::now() + kShrinkingTime;
    std::optional<Prefix> prefix = next_prefix(found_->run, bound);
    for (unsigned n = 0; n < kShrinkingRuns && prefix && Clock::now() < until; ++n) {
        PrefixChooser chooser(*prefix);
        const Outcome outcome = runner_.run(chooser);
        Found other{outcome.what, {journal_->run().begin(), journal_->run().end()}};
        prefix = next_prefix(other.run, bound);
        if (outcome.ended == Ended::failed && other.size() < found_->size()) found_ = std::move(other);
    }
}

bool Search::try_without(std::size_t from, std::size_t count) {
    Schedule fewer = schedule_of(found_->run);
    const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(from);
    fewer.erase(first, first + static_cast<std::ptrdiff_t>(count));
    ReplayChooser chooser(fewer);
    const Outcome outcome = runner_.run(chooser);
    Found other{outcome.what, {journal_->run().begin(), journal_->run().end()}};
    if (outcome.ended != Ended::failed || schedule_of(other.run).size() > fewer.size()) return false;
    found_ = std::move(other);
    return true;
}

// As in delta debugging: larger parts of the schedule are removed first.
void Search::shrink_deviations() {
    const Clock::time_point until = Clock::now() + kShrinkingTime;
    for (std::size_t piece = std::max<std::size_t>(schedule_of(found_->run).size() / 2, 1); piece > 0; piece /= 2) {
        bool again = true;
        while (again) {
            again = false;
            for (std::size_t from = 0; from + piece <= schedule_of(found_->run).size();) {
                if (Clock::now() >= until) return;
                if (try_without(from, piece))
                    again = true;
                else
                    from += piece;
            }
        }
    }
}

// A schedule with fewer preemptions may fail differently.
void Search::shrink_by_search() {
    const Found before = *found_;
    until_ = Clock::now() + kShrinkingTime;
    options_.schedules = 0;
    for (unsigned bound = 0; bound < std::min(preemptions(before.run), options_.preemptions + 1); ++bound) {
        found_.reset();
        search_fast(bound, {});
        if (found_) return;
    }
    found_ = before;
}

// ---- the report
// --------------------------------------------------------------------------------------------------------

void Search::replay() {
    ReplayChooser chooser(options_.schedule);
    journal_->wants_words = true;
    const Outcome outcome = runner_.run(chooser, options_.trace, true);
    report_.story = story_of(*journal_);
    judge(outcome);
}

Failure Search::told() {
    Failure failure;
    failure.what = found_->what;
    failure.schedule = schedule_of(found_->run);
    failure.preemptions = preemptions(found_->run);
    failure.steps = found_->run.size();
    ReplayChooser chooser(failure.schedule);
    journal_->wants_words = true;
    runner_.run(chooser, options_.trace);
    failure.story = story_of(*journal_);
    if (!options_.trace.empty() && !failure.schedule.empty()) record_passing(failure);
    return failure;
}

void Search::record_passing(Failure& failure) {
    const std::string name = options_.trace.stem().string() + "_passing.json";
    Schedule schedule = failure.schedule;
    schedule.pop_back();
    ReplayChooser chooser(schedule);
    if (runner_.run(chooser, options_.trace.parent_path() / name).ended == Ended::passed)
        failure.passing = options_.trace.parent_path() / name;
}

Report Search::report() {
    report_.options = options_;
    switch (options_.strategy) {
    case Strategy::exhaustive: search_all(); break;
    case Strategy::replay: replay(); break;
    case Strategy::random:
    case Strategy::pct: search_by_chance(); break;
    }
    if (found_)
        report_.failure = told();
    else if (report_.schedules == 0)
        stamp();
    return std::move(report_);
}

}  // namespace

Report explore(const Options& options, const Body& body) { return Search(options, body).report(); }

}  // namespace fiberscope::explore
