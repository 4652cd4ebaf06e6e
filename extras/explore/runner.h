// Runs the explored program: once in a new process, or repeatedly in one, until a run fails.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "extras/explore/chooser.h"
#include "extras/explore/journal.h"

namespace fiberscope::explore {

/// The explored code: creates its objects, runs on several machines, and throws if the result is wrong.
using Body = std::function<void()>;

enum class Ended : std::uint8_t {
    passed,
    failed,          ///< `what` has the reason
    not_implemented  ///< it called a function that the student has not written yet
};

struct Outcome {
    Ended ended = Ended::passed;
    std::string what;
};

class Runner {
  public:
    /// `progress`: a descriptor for progress messages; -1: none.
    Runner(Body body, bool weak, Journal& journal, int progress);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    /// One run. `trace`: file for its recording; empty: none. `loud`: shows its output. The steps are in the journal.
    Outcome run(Chooser& chooser, const std::filesystem::path& trace = {}, bool loud = false);
    /// The same with a recording, which is then checked for invariants and removed.
    Outcome run_traced(Chooser& chooser);
    /// Runs in one process, first with `chooser`, and then with the results of `next` (null: no more), until a run
    /// fails or the time is `until`. The journal has the last run.
    Outcome run_many(std::unique_ptr<Chooser> chooser, const std::function<std::unique_ptr<Chooser>()>& next,
                     std::chrono::steady_clock::time_point until);

    /// Prints a progress message, at most once per second.
    void tell(const std::string& line);

  private:
    [[noreturn]] void be_many(std::unique_ptr<Chooser> chooser, const std::function<std::unique_ptr<Chooser>()>& next,
                              std::chrono::steady_clock::time_point until);
    void run_here(Chooser& chooser);
    Outcome wait_for(int child);

    Body body_;
    bool weak_;
    Journal& journal_;
    int progress_;
    std::chrono::steady_clock::time_point told_;
    std::filesystem::path scratch_;
};

}  // namespace fiberscope::explore
