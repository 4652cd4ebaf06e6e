// The workloads by State Threads. Its clock counts microseconds.
#include <fiberscope/state_threads.h>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace library {

using Thread = st_thread_t;

inline Thread begin(const std::string& name, std::function<void()> body) {
    const auto run = [](void* given) -> void* {
        const std::unique_ptr<std::function<void()>> own(static_cast<std::function<void()>*>(given));
        (*own)();
        return nullptr;
    };
    auto* own = new std::function<void()>(std::move(body));
    if (!fiberscope_recording()) return st_thread_create(run, own, 1, 64 * 1024);
    return fiberscope_st_create(name.c_str(), run, own, 1, 64 * 1024);
}
inline void join(Thread& thread) { st_thread_join(std::exchange(thread, nullptr), nullptr); }
inline void yield() { st_usleep(0); }
inline void sleep(std::uint64_t ns) { st_usleep(ns / 1000); }

class Condition {
  public:
    Condition() = default;
    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;
    ~Condition() { st_cond_destroy(changed_); }
    void wait() { st_cond_wait(changed_); }
    bool wait_for(std::uint64_t ns) { return st_cond_timedwait(changed_, ns / 1000) == 0; }
    void notify() { st_cond_signal(changed_); }
    bool wait_is_interrupted() { return st_cond_wait(changed_) != 0 && errno == EINTR; }

  private:
    st_cond_t changed_ = st_cond_new();
};

inline bool waits_in_vain(Condition& never) { return never.wait_is_interrupted(); }
inline void cancel(Thread& thread, Condition&) { st_thread_interrupt(thread); }

}  // namespace library

#include "workloads.hpp"

int main(int argc, char** argv) {
    const workloads::Arguments given = workloads::arguments(argc, argv);
    st_init();
    workloads::record(given, "State Threads");
    if (given.file != nullptr && fiberscope_st_begin() != 0) return 2;
    const auto run = given.workload == "mixed"    ? workloads::mixed
                     : given.workload == "fanout" ? workloads::fanout
                                                  : workloads::pipeline;
    return workloads::finish(given, run(given.seed));
}
