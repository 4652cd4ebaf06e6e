#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>

#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/system_calls.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab05 {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// A histogram of times in steps of about 3 %, from 1 ns to hours.
class Histogram {
  public:
    void add(std::uint64_t ns) noexcept {
        ++count_;
        ++steps_[place(ns)];
    }
    /// Returns the quantile `part` in µs.
    double percentile(double part) const noexcept {
        auto left = static_cast<std::int64_t>(part * static_cast<double>(count_));
        for (std::size_t i = 0; i < kSteps; ++i) {
            left -= static_cast<std::int64_t>(steps_[i]);
            if (left < 0) return static_cast<double>(value(i)) / 1000;
        }
        return 0;
    }

  private:
    static constexpr unsigned kFine = 5;
    static constexpr std::size_t kSteps = 64U << kFine;

    static std::size_t place(std::uint64_t ns) noexcept {
        const unsigned size = 63U - static_cast<unsigned>(__builtin_clzll(ns | 1U));
        if (size < kFine) return ns;
        return (std::size_t{size - kFine + 1} << kFine) + ((ns >> (size - kFine)) & ((1U << kFine) - 1U));
    }
    static std::uint64_t value(std::size_t place) noexcept {
        const std::size_t size = place >> kFine;
        if (size == 0) return place;
        return ((1ULL << kFine) + (place & ((1U << kFine) - 1U))) << (size - 1);
    }

    std::uint64_t count_ = 0;
    std::vector<std::uint64_t> steps_ = std::vector<std::uint64_t>(kSteps);
};

struct Connection {
    int fd = -1;
    bool waits_to_send = false;
    bool unanswered = false;   ///< its message has been sent
    std::uint64_t number = 0;  ///< of the message
    std::size_t sent = 0, got = 0;
    Clock::time_point since;
};

class Load {
  public:
    explicit Load(const LoadOptions& options)
        : options_(options), poller_(epoll_create1(EPOLL_CLOEXEC)), message_(options.size), answer_(64 * 1024) {
        if (poller_ < 0) throw std::system_error(errno, std::generic_category(), "cannot create an epoll descriptor");
    }
    ~Load() {
        for (const Connection& one : connections_)
            if (one.fd >= 0) system_calls().close(one.fd);
        system_calls().close(poller_);
    }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    LoadResult run() {
        const auto begin = Clock::now();
        connections_.resize(options_.connections);
        for (std::size_t i = 0; i < connections_.size(); ++i) connect(connections_[i], i);
        result_.connecting = seconds_since(begin);
        begin_ = last_ = Clock::now();
        for (Connection& one : connections_)
            if (one.fd >= 0) next_message(one);
        exchange();
        result_.seconds = std::chrono::duration<double>(last_ - begin_).count();
        result_.p50 = times_.percentile(0.50);
        result_.p99 = times_.percentile(0.99);
        return result_;
    }

  private:
    /// Runs until every message is answered, or nothing has happened for too long.
    void exchange() {
        std::vector<epoll_event> events(1024);
        const auto patience = static_cast<int>(options_.patience);
        while (unanswered_ > 0) {
            const int found = epoll_wait(poller_, events.data(), static_cast<int>(events.size()), patience);
            if (found == 0) return give_up();
            for (int i = 0; i < found; ++i) handle(events[static_cast<std::size_t>(i)]);
        }
    }
    void give_up() {
        for (Connection& one : connections_)
            if (one.unanswered) fail(one, message("no answer, and nothing else for {0} ms", options_.patience));
    }
    /// Whether the last message has been sent by `now`.
    bool all_begun(Clock::time_point now) const noexcept {
        if (options_.requests > 0) return begun_ >= options_.warm_up + options_.requests;
        return !is_warming_up() && now - begin_ >= std::chrono::seconds(options_.seconds);
    }
    bool is_warming_up() const noexcept { return warm_ < options_.warm_up; }

    void answered(Connection& one) {
        one.unanswered = false;
        --unanswered_;
        last_ = Clock::now();
        if (!is_warming_up()) {
            ++result_.requests;
            times_.add(static_cast<std::uint64_t>((last_ - one.since).count()));
        } else if (++warm_ == options_.warm_up) {
            begin_ = last_;
        }
    }

    void fail(Connection& one, const std::string& why) {
        ++result_.errors;
        if (result_.first_error.empty()) result_.first_error = why;
        if (one.unanswered) --unanswered_;
        one.unanswered = false;
        if (one.fd >= 0) system_calls().close(one.fd);
        one.fd = -1;
    }
    void fail_by_errno(Connection& one, const std::string& what) {
        fail(one, message("{0}: {1}", Value::of(what), Value::of(std::strerror(errno))));
    }

    void connect(Connection& one, std::size_t index) {
        const std::uint16_t port = options_.ports[index % options_.ports.size()];
        const sockaddr_in address = address_of(options_.ip, port);
        one.fd = system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (one.fd < 0) return fail_by_errno(one, "cannot create a socket");
        if (system_calls().connect(one.fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
            return fail_by_errno(one, message("cannot connect to port {0}", port));
        tcp_info info{};
        socklen_t size = sizeof info;
        if (system_calls().getsockopt(one.fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_total_retrans > 0)
            ++result_.knocked_again;
        const int on = 1;
        system_calls().setsockopt(one.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        system_calls().fcntl(one.fd, F_SETFL, O_NONBLOCK);
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = index;
        epoll_ctl(poller_, EPOLL_CTL_ADD, one.fd, &event);
    }

    /// Byte `i` of a message: different for each connection, message and position.
    void write_message(std::size_t index, std::uint64_t number) {
        std::uint64_t word = index * 0x9e3779b97f4a7c15U + number * 0xbf58476d1ce4e5b9U;
        for (std::size_t i = 0; i < message_.size(); i += sizeof word) {
            word = word * 6364136223846793005U + 1442695040888963407U;
            std::memcpy(message_.data() + i, &word, std::min(sizeof word, message_.size() - i));
        }
    }
    std::size_t index_of(const Connection& one) const { return static_cast<std::size_t>(&one - connections_.data()); }

    void next_message(Connection& one) {
        const auto now = Clock::now();
        if (all_begun(now)) return;
        ++begun_;
        ++unanswered_;
        ++one.number;
        one.unanswered = true;
        one.sent = one.got = 0;
        one.since = now;
        send(one);
    }

    void send(Connection& one) {
        write_message(index_of(one), one.number);
        while (one.sent < message_.size()) {
            const ssize_t n = system_calls().sendto(one.fd, message_.data() + one.sent, message_.size() - one.sent,
                                                    MSG_NOSIGNAL, nullptr, 0);
            if (n < 0 && errno == EAGAIN) break;
            if (n < 0) return fail_by_errno(one, "cannot send");
            one.sent += static_cast<std::size_t>(n);
        }
        const bool waits = one.sent < message_.size();
        if (waits == one.waits_to_send) return;
        one.waits_to_send = waits;
        epoll_event event{};
        event.events = waits ? EPOLLIN | EPOLLOUT : EPOLLIN;
        event.data.u64 = index_of(one);
        epoll_ctl(poller_, EPOLL_CTL_MOD, one.fd, &event);
    }

    void handle(const epoll_event& event) {
        Connection& one = connections_[event.data.u64];
        if (one.fd >= 0 && (event.events & EPOLLOUT) != 0) send(one);
        if (one.fd >= 0 && (event.events & ~std::uint32_t{EPOLLOUT}) != 0) receive(one);
    }

    void receive(Connection& one) {
        const std::size_t missing = one.unanswered ? message_.size() - one.got : 0;
        const std::size_t room = std::min(answer_.size(), missing + 1);  // one more, to detect excess bytes
        const ssize_t n = system_calls().recvfrom(one.fd, answer_.data(), room, 0, nullptr, nullptr);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (n < 0) return fail_by_errno(one, "cannot receive");
        if (n == 0) return fail(one, "the server has closed a connection");
        if (static_cast<std::size_t>(n) > missing) return fail(one, "more bytes came back than were sent");
        write_message(index_of(one), one.number);
        if (std::memcmp(answer_.data(), message_.data() + one.got, static_cast<std::size_t>(n)) != 0)
            return fail(one, "different bytes came back than were sent");
        one.got += static_cast<std::size_t>(n);
        if (one.got < message_.size()) return;
        answered(one);
        next_message(one);
    }

    const LoadOptions& options_;
    int poller_;
    std::vector<char> message_, answer_;
    std::vector<Connection> connections_;
    std::size_t unanswered_ = 0;  // connections with an outstanding message
    std::uint64_t begun_ = 0;
    std::uint64_t warm_ = 0;          // answered during warm-up
    Clock::time_point begin_, last_;  // of the counted messages: first sent, last answered
    Histogram times_;
    LoadResult result_;
};

}  // namespace

LoadResult run_load(const LoadOptions& options) { return Load(options).run(); }

std::size_t raise_descriptor_limit() {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

}  // namespace fiberscope::lab05
