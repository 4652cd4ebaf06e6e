#include "labs/05_epoll_io/given/libco_server.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab05 {

// ---- the condition variable -----------------------------------------------------------------------------------------

/// Keeps a task in the queue until it is woken, and removes it however its wait ends.
class Line::Place {
  public:
    explicit Place(Line& line) : line_(line), self_(lab04::running_task()) {
        line_.recorded_.did(trace::LockOp::wait, trace::LockMode::cond, self_.core());
        line_.tasks_.push_back(&self_);
    }
    ~Place() {
        if (std::erase(line_.tasks_, &self_) > 0)
            line_.recorded_.did(trace::LockOp::timeout, trace::LockMode::cond, self_.core());
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

  private:
    Line& line_;
    lab04::Task& self_;
};

lab04::Wake Line::wait(std::uint64_t limit) {
    const Place place(*this);
    return lab04::park_for(name_, limit);
}

/// Removes and returns the first waiting task; empty if there is none. Also removes tasks that were woken for another
/// reason and have not run since: they must not consume a signal.
lab04::Handle Line::pop_waiting() {
    while (!tasks_.empty()) {
        lab04::Task& first = *tasks_.front();
        tasks_.pop_front();
        if (first.status() == lab04::State::waiting) return lab04::Handle(first);
        recorded_.did(trace::LockOp::timeout, trace::LockMode::cond, first.core());
    }
    return {};
}

bool Line::signal() {
    const lab04::Handle first = pop_waiting();
    recorded_.did(trace::LockOp::signal, trace::LockMode::cond);
    return first && lab04::wake(first);
}

std::size_t Line::broadcast() {
    std::erase_if(tasks_, [this](const lab04::Task* one) {
        if (one->status() == lab04::State::waiting) return false;
        recorded_.did(trace::LockOp::timeout, trace::LockMode::cond, one->core());
        return true;
    });
    recorded_.did(trace::LockOp::broadcast, trace::LockMode::cond);
    std::size_t woken = 0;
    while (const lab04::Handle next = pop_waiting()) woken += lab04::wake(next) ? 1U : 0U;
    return woken;
}

// ---- the server -----------------------------------------------------------------------------------------------------

namespace {
std::string awaited_here() {
    const unsigned machine = kit::thread_state().machine;
    return machine == 0 ? "a connection" : "a connection, machine " + std::to_string(machine);
}
}  // namespace

LibcoPool::LibcoPool(EchoServer& server, std::size_t workers)
    : server_(server), workers_(workers), awaited_(awaited_here()) {}

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

// Each message costs an item in the loop's timer store and two epoll_ctl calls: co_poll adds the descriptor, waits for
// at most a second, and removes it.
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
