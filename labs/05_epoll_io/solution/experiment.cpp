#include "labs/05_epoll_io/experiment.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "labs/05_epoll_io/servers.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05 {

namespace {

/// Common part of both loops: an epoll descriptor, and the connections.
class Plain {
  public:
    explicit Plain(const PlainServer& server) : server_(server), poller_(epoll_create1(EPOLL_CLOEXEC)) {
        watch(server.stop, EPOLLIN);
        for (const int listener : server.listeners) watch(listener, EPOLLIN);
    }
    ~Plain() {
        for (const int fd : connections_) ::close(fd);
        ::close(poller_);
    }
    Plain(const Plain&) = delete;
    Plain& operator=(const Plain&) = delete;

    /// Calls `readable(fd)` for each readable connection; connections are registered for `events`.
    template <class Readable>
    void run(std::uint32_t events, Readable readable) {
        std::vector<epoll_event> found(1024);
        for (;;) {
            const int count = epoll_wait(poller_, found.data(), static_cast<int>(found.size()), limit());
            if (count == 0) look_again();
            for (int i = 0; i < count; ++i) {
                const int fd = found[static_cast<std::size_t>(i)].data.fd;
                if (fd == server_.stop) return;
                if (std::find(server_.listeners.begin(), server_.listeners.end(), fd) == server_.listeners.end())
                    readable(fd);
                else
                    accept_all(fd, events);
            }
        }
    }
    void watch(int fd, std::uint32_t events, int operation = EPOLL_CTL_ADD) const {
        epoll_event event{};
        event.events = events;
        event.data.fd = fd;
        epoll_ctl(poller_, operation, fd, &event);
    }
    void close(int fd) {
        const std::lock_guard lock(mutex_);
        connections_.erase(fd);
        ::close(fd);
        if (resting_) rest(false);
    }

  private:
    // Under the lock, so that no close comes between the failed accept and the rest.
    void accept_all(int listener, std::uint32_t events) {
        const std::lock_guard lock(mutex_);
        for (int fd; (fd = accept_plainly(listener)) >= 0;) {
            connections_.insert(fd);
            watch(fd, events);
        }
        if (out_of_descriptors(errno)) rest(true);
    }
    /// Listeners that cannot be served stay readable, so they are unregistered until a descriptor is free.
    void rest(bool resting) {
        resting_ = resting;
        for (const int listener : server_.listeners)
            watch(listener, resting ? 0U : std::uint32_t{EPOLLIN}, EPOLL_CTL_MOD);
    }
    /// In ms. While the listeners are unregistered, other code may close descriptors without notice.
    int limit() const { return resting_ ? kit::ms_of(kUntilDescriptorsAreFree) : -1; }
    void look_again() {
        const std::lock_guard lock(mutex_);
        rest(false);
    }

    const PlainServer& server_;
    int poller_;
    std::mutex mutex_;  // the pool's threads close connections
    std::set<int> connections_;
    std::atomic<bool> resting_{false};
};

/// Queue of readable descriptors from the loop to the threads.
class Handover {
  public:
    void push(int fd) {
        {
            const std::lock_guard lock(mutex_);
            waiting_.push_back(fd);
        }
        changed_.notify_one();
    }
    /// -1: the queue is closed.
    int pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
        if (waiting_.empty()) return -1;
        const int fd = waiting_.front();
        waiting_.pop_front();
        return fd;
    }
    void end() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<int> waiting_;
    bool over_ = false;
};

}  // namespace

void serve_in_the_loop(const PlainServer& server) {
    Plain plain(server);
    plain.run(EPOLLIN, [&](int fd) {
        if (!serve_once(fd, server)) plain.close(fd);
    });
}

void serve_in_a_pool(const PlainServer& server) {
    constexpr std::uint32_t kOnce = EPOLLIN | EPOLLONESHOT;
    Plain plain(server);
    Handover handover;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < server.threads; ++i)
        threads.emplace_back([&] {
            for (int fd; (fd = handover.pop()) >= 0;) {
                if (serve_once(fd, server))
                    plain.watch(fd, kOnce, EPOLL_CTL_MOD);
                else
                    plain.close(fd);
            }
        });
    plain.run(kOnce, [&](int fd) { handover.push(fd); });
    handover.end();
    for (std::thread& thread : threads) thread.join();
}

}  // namespace fiberscope::lab05
