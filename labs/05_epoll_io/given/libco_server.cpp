#include "labs/05_epoll_io/given/libco_server.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"
#include "traces/record/recorder.h"

namespace fiberscope::lab05 {

// ---- the condition variable -----------------------------------------------------------------------------------------

namespace {

void record_line(const char* name, trace::LockOp op) {
    if (trace::recording())
        trace::record(kit::now(), trace::lock_event(kit::this_thread().current->id(), op, trace::LockMode::cond), name);
}

/// In the line as long as it is not woken; out of it, however its wait ends.
class Place {
  public:
    explicit Place(std::deque<lab04::Task*>& tasks) : tasks_(tasks), self_(&lab04::running_task()) {
        tasks_.push_back(self_);
    }
    ~Place() { std::erase(tasks_, self_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

  private:
    std::deque<lab04::Task*>& tasks_;
    lab04::Task* self_;
};

}  // namespace

lab04::Wake Line::wait(std::uint64_t limit) {
    const Place place(tasks_);
    record_line(name_, trace::LockOp::wait);
    const lab04::Wake woken = lab04::park_for(name_, limit);
    if (woken == lab04::Wake::timeout) record_line(name_, trace::LockOp::timeout);
    return woken;
}

bool Line::wake_first() {
    while (!tasks_.empty()) {
        const lab04::Handle first(*tasks_.front());
        tasks_.pop_front();
        if (lab04::wake(first)) return true;  // not one that has been woken otherwise
    }
    return false;
}

bool Line::signal() {
    record_line(name_, trace::LockOp::signal);
    return wake_first();
}

std::size_t Line::broadcast() {
    record_line(name_, trace::LockOp::broadcast);
    std::size_t woken = 0;
    while (wake_first()) ++woken;
    return woken;
}

// ---- the server -----------------------------------------------------------------------------------------------------

void LibcoPool::begin_workers() {
    for (std::size_t i = 0; i < workers_; ++i) lab04::go([this] { work(); }, "worker");
}

void LibcoPool::accept_from(int listener) {
    while (!server_.stopping()) {
        if (taken_ >= workers_) {
            server_.wait_for_worker();
            continue;
        }
        const int connection = io::accept(listener, nullptr, nullptr);
        if (connection < 0 && !server_.goes_on_after(last_error())) return;
        if (connection < 0 || !server_.opened(connection)) continue;
        ++taken_;
        accepted_.push_back(connection);
        connections_.signal();
    }
}

void LibcoPool::work() {
    for (;;) {
        while (accepted_.empty()) {
            if (server_.stopping()) return;
            connections_.wait();
        }
        const int fd = accepted_.front();
        accepted_.pop_front();
        serve(fd);
        --taken_;
    }
}

// Each message costs an item in the loop's time-out store, and two calls of epoll_ctl: co_poll adds the descriptor,
// waits a second at most, and takes it out again.
void LibcoPool::serve(int fd) {
    constexpr int kSecondInMs = 1000;
    char buffer[16 * 1024];
    for (;;) {
        pollfd readable{fd, POLLIN | POLLERR | POLLHUP, 0};
        if (io::poll(&readable, 1, kSecondInMs) == 0) continue;
        const ssize_t got = perform({"recv", fd, Want::read}, [&] {
            return system_calls().recvfrom(fd, buffer, sizeof buffer, MSG_DONTWAIT, nullptr, nullptr);
        });
        if (got <= 0) break;
        const auto size = static_cast<std::size_t>(got);
        server_.work(fd, size);
        if (io::send(fd, buffer, size, 0) != got) break;
    }
    server_.close(fd);
}

}  // namespace fiberscope::lab05
