// What code in a hooked task may call, and what it must not: each row of the table in docs/lab05/limits.md, as a
// program of some twenty lines that shows it and what to do instead.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05::limits {

using kit::kMillisecond;

/// What a demo has found out, in sentences. One that does not hold fails the program.
class Findings {
  public:
    void add(std::string sentence, bool holds) { all_.push_back({std::move(sentence), holds}); }
    bool all_hold() const noexcept;
    void print() const;

  private:
    struct Finding {
        std::string sentence;
        bool holds;
    };
    std::vector<Finding> all_;
};

struct Demo {
    const char* name;
    const char* kind;  ///< the column of the table: hooked, stops the thread, shared by all tasks
    void (*show)(Findings& findings);
};

/// A scheduler on epoll, under the real clock, until all its tasks have ended. Throws if one ended by an exception.
class Stand {
  public:
    void run();

  private:
    EpollSource source_;
    lab04::Scheduler scheduler_{lab04::Settings{.strategy = "producer_consumer", .source = &source_}};
};

/// How many turns another task of the thread had while a hooked task ran `body`.
int turns_beside(const std::function<void()>& body);
/// Two hooked tasks, `first` before `second`.
void run_both(const std::function<void()>& first, const std::function<void()>& second);
/// Runs `body` on a thread of its own after 20 ms: what a call waits for must come from outside where it stops ours.
void after_20_ms(const std::function<void()>& body, const std::function<void()>& meanwhile);
/// A pipe that blocks.
struct Pipe {
    Pipe();
    ~Pipe();
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    int read_end = -1, write_end = -1;
};

std::span<const Demo> demos_of_calls();
std::span<const Demo> demos_of_what_is_shared();
/// One demo, which tries every call of the table.
std::span<const Demo> demos_of_rows();
/// Those of foreign libraries that this system has.
std::span<const Demo> demos_of_libraries();

}  // namespace fiberscope::lab05::limits
