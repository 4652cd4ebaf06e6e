// Runs the explored program: once in a process of its own, or again and again in one, until a run fails.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "extras/explore/chooser.h"
#include "extras/explore/journal.h"

namespace fiberscope::explore {

/// What is explored: makes all that it needs, runs it on several machines, and throws if what came of it is wrong.
using Body = std::function<void()>;

enum class Ended : std::uint8_t {
    passed,
    failed,          ///< `what` says why
    not_implemented  ///< it came to a function that the student has not written yet
};

struct Outcome {
    Ended ended = Ended::passed;
    std::string what;
};

class Runner {
  public:
    /// `progress`: a descriptor that lines about the search go to; -1: none.
    Runner(Body body, bool weak, Journal& journal, int progress);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    /// One run. `trace`: its recording; empty: none. `loud`: what it prints is shown. The journal has what it did.
    Outcome run(Chooser& chooser, const std::filesystem::path& trace = {}, bool loud = false);
    /// The same with a recording, which is then judged by the rules of traces and removed.
    Outcome run_traced(Chooser& chooser);
    /// Runs in one process, by `chooser`, and then by what `next` returns (null: that was the last one), until one
    /// fails or `until` has come. The journal has the last run.
    Outcome run_many(std::unique_ptr<Chooser> chooser, const std::function<std::unique_ptr<Chooser>()>& next,
                     std::chrono::steady_clock::time_point until);

    /// A line about the search, at most once in a second.
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
