// What code in a hooked task may call, and what it must not: each row of the table in docs/lab05/limits.md, as a short
// program that shows the problem and the alternative.
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

/// The results of a demo, as sentences. A result that does not hold fails the program.
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
    const char* kind;  ///< column of the table: hooked, stops the thread, shared by all tasks
    void (*show)(Findings& findings);
};

/// Runs a scheduler on epoll, under the real clock, until all its tasks have ended. Throws if one ended by an
/// exception.
class Stand {
  public:
    void run();

  private:
    EpollSource source_;
    lab04::Scheduler scheduler_{lab04::Settings{.strategy = "producer_consumer", .source = &source_}};
};

/// Returns how many turns another task of the thread had while a hooked task ran `body`.
int turns_beside(const std::function<void()>& body);
/// Runs two hooked tasks, `first` before `second`.
void run_both(const std::function<void()>& first, const std::function<void()>& second);
/// Runs `body` on another thread after 20 ms: the event must come from outside if the call blocks our thread.
void after_20_ms(const std::function<void()>& body, const std::function<void()>& meanwhile);
/// A blocking pipe.
struct Pipe {
    Pipe();
    ~Pipe();
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    int read_end = -1, write_end = -1;
};

std::span<const Demo> demos_of_calls();
std::span<const Demo> demos_of_what_is_shared();
/// A demo that tries every call of the table.
std::span<const Demo> demos_of_rows();
/// The demos of libraries that this system has.
std::span<const Demo> demos_of_libraries();

}  // namespace fiberscope::lab05::limits
