// Given: handling of one message, servers in separate processes, and the measurements of the experiment.
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/details.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab05 {

namespace {

constexpr const char* kHere = "127.0.0.1";

/// Puts the thread to sleep.
void sleep_plainly(std::uint64_t ns) {
    const timespec time = kit::timespec_of(ns);
    system_calls().nanosleep(&time, nullptr);
}

void wait_until_writable(int fd) {
    pollfd one{fd, POLLOUT, 0};
    system_calls().poll(&one, 1, -1);
}

/// Runs one of EchoServer's kinds until `plain.stop` is readable.
void serve_by_coroutines(const char* kind, lab04::WaitBy by, Socket&& listener, const PlainServer& plain) {
    EpollSource source;
    lab04::Scheduler scheduler(lab04::Settings{.strategy = "multi_state", .source = &source, .wait_by = by});
    EchoServer server(kind,
                      {.workers = 1100, .work = plain.work, .sleep = plain.sleep, .listening = {listener.release()}});
    server.start();
    lab04::go([&] {
        lab04::wait_readable(plain.stop);
        server.stop();
    });
    if (const auto failures = scheduler.run(); !failures.empty())
        kit::tell_person(message("{0}: {1}", failures[0].task, Value::of(failures[0].message)));
}

/// Records to a file that is deleted, as `./lab run 05 echo` records.
void start_own_trace() {
    kit::record_details(false);
    trace::Meta meta;
    meta.program = "traced";
    meta.clock = "monotonic";
    kit::start_trace(std::filesystem::temp_directory_path() / ("fiberscope-" + std::to_string(getpid()) + ".json"),
                     meta);
}

void serve(const char* way, Socket&& listener, PlainServer plain, ServerProcess::Other other) {
    const std::string_view name = way;
    if (other != nullptr) return other(listener.fd(), plain.stop);
    plain.listeners = {listener.fd()};
    if (name == "loop") return serve_in_the_loop(plain);
    if (name == "pool_of_threads") return serve_in_a_pool(plain);
    if (name == "threads") return serve_by_threads(plain);
    const bool traced = name == "traced", by_tree = name == "by_tree";
    if (traced) start_own_trace();
    serve_by_coroutines(traced || by_tree || name == "coroutines" ? "per_connection" : way,
                        by_tree ? lab04::WaitBy::tree : lab04::WaitBy::table, std::move(listener), plain);
    if (traced) {
        kit::end_trace();
        std::filesystem::remove(trace::file());
    }
}

}  // namespace

PlainFigures& plain_figures() noexcept {
    static PlainFigures figures;
    return figures;
}

bool serve_once(int fd, const PlainServer& server) {
    char buffer[16 * 1024];
    const ssize_t got = system_calls().recvfrom(fd, buffer, sizeof buffer, MSG_DONTWAIT, nullptr, nullptr);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    plain_figures().messages.fetch_add(1, std::memory_order_relaxed);
    plain_figures().bytes.fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
    if (server.work > 0) compute(server.work);
    if (server.sleep > 0) sleep_plainly(server.sleep);
    for (ssize_t sent = 0; sent < got;) {
        const ssize_t n = system_calls().sendto(fd, buffer + sent, static_cast<std::size_t>(got - sent),
                                                MSG_DONTWAIT | MSG_NOSIGNAL, nullptr, 0);
        if (n > 0) sent += n;
        if (n < 0 && errno == EAGAIN) wait_until_writable(fd);
        if (n < 0 && errno != EAGAIN && errno != EINTR) return false;
    }
    return true;
}

int accept_plainly(int listener) {
    const int fd = system_calls().accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    const int on = 1;
    PlainFigures& figures = plain_figures();
    if (fd >= 0) system_calls().setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (fd >= 0)
        ++figures.accepted;
    else if (out_of_descriptors(errno))
        ++figures.exhausted;
    else if (errno != EAGAIN && errno != EINTR)
        ++figures.refused;
    return fd;
}

// ---- a thread per connection ----------------------------------------------------------------------------------------

namespace {

/// Threads by descriptor. A thread that has ended is joined before its descriptor is closed, so that no number refers
/// to two connections.
class Threads {
  public:
    explicit Threads(const PlainServer& server)
        : plain_(server), ended_fd_(system_calls().eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
    ~Threads() {
        for (const auto& [fd, thread] : threads_) shutdown(fd, SHUT_RDWR);
        while (!threads_.empty()) end(threads_.begin()->first);
        system_calls().close(ended_fd_);
    }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    /// Becomes readable when a thread has ended.
    int ended_descriptor() const noexcept { return ended_fd_; }
    void begin(int fd) {
        try {
            threads_.emplace(fd, std::thread([this, fd] { serve(fd); }));
        } catch (const std::system_error&) {  // no thread can be created
            ++plain_figures().refused;
            system_calls().close(fd);
        }
    }
    void join_ended() {
        std::uint64_t count;
        static_cast<void>(!system_calls().read(ended_fd_, &count, sizeof count));
        const std::lock_guard lock(mutex_);
        for (; !ended_.empty(); ended_.pop_front()) end(ended_.front());
    }

  private:
    void serve(int fd) {
        do {
            pollfd readable{fd, POLLIN, 0};
            system_calls().poll(&readable, 1, -1);
        } while (serve_once(fd, plain_));
        shutdown(fd, SHUT_RDWR);
        {
            const std::lock_guard lock(mutex_);
            ended_.push_back(fd);
        }
        const std::uint64_t one = 1;
        static_cast<void>(!system_calls().write(ended_fd_, &one, sizeof one));
    }
    void end(int fd) {
        const auto found = threads_.find(fd);
        if (found == threads_.end()) return;
        found->second.join();
        threads_.erase(found);
        system_calls().close(fd);
    }

    const PlainServer& plain_;
    int ended_fd_;
    std::map<int, std::thread> threads_;  // used by the accepting thread only
    std::mutex mutex_;                    // guards ended_
    std::deque<int> ended_;
};

}  // namespace

void serve_by_threads(const PlainServer& server) {
    Threads threads(server);
    std::vector<pollfd> watched{{server.stop, POLLIN, 0}, {threads.ended_descriptor(), POLLIN, 0}};
    for (const int listener : server.listeners) watched.push_back({listener, POLLIN, 0});
    bool resting = false;  // no descriptor is free: until a connection has ended, or for a while
    while ((watched[0].revents & POLLIN) == 0) {
        for (const pollfd& listener : std::span(watched).subspan(2)) {
            if (resting || (listener.revents & POLLIN) == 0) continue;
            const int fd = accept_plainly(listener.fd);
            if (fd >= 0) threads.begin(fd);
            resting = fd < 0 && out_of_descriptors(errno);
        }
        const int limit = resting ? kit::ms_of(kUntilDescriptorsAreFree) : -1;
        system_calls().poll(watched.data(), resting ? 2 : watched.size(), limit);
        if (resting) {
            for (pollfd& listener : std::span(watched).subspan(2)) listener.revents = 0;
            resting = false;
        }
        if ((watched[1].revents & POLLIN) != 0) threads.join_ended();
    }
}

namespace {

/// The processors initially available to this process, even if it has restricted itself since.
const std::vector<int>& own_processors() {
    static const std::vector<int> own = [] {
        std::vector<int> given;
        cpu_set_t set;
        CPU_ZERO(&set);
        sched_getaffinity(0, sizeof set, &set);
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &set)) given.push_back(cpu);
        return given;
    }();
    return own;
}

void stay_on(std::span<const int> cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus) CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

unsigned processors() { return static_cast<unsigned>(own_processors().size()); }

void stay_on(int cpu) {
    const std::vector<int>& own = own_processors();
    cpu < 0 ? stay_on(std::span(own)) : stay_on(std::span(&cpu, 1));
}

ServerProcess::ServerProcess(const char* way, PlainServer plain, int cpu, Other other) {
    Socket listener = Socket::listener(kHere, 0);
    port_ = listener.port();
    plain.stop = stop_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    std::fflush(nullptr);
    process_ = fork();
    if (process_ < 0) throw std::system_error(errno, std::generic_category(), "cannot fork a server");
    if (process_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (cpu >= 0) stay_on(cpu);
        try {
            serve(way, std::move(listener), plain, other);
        } catch (const std::exception& error) {
            kit::tell_person(message("{0}: {1}", way, Value::of(message_of(error))));
            _exit(1);
        }
        _exit(0);
    }
}

ServerProcess::~ServerProcess() {
    const std::uint64_t one = 1;
    static_cast<void>(!system_calls().write(stop_, &one, sizeof one));
    waitpid(process_, nullptr, 0);
    system_calls().close(stop_);
}

Measured measure(const char* way, const Conditions& conditions) {
    using Steady = std::chrono::steady_clock;
    constexpr std::size_t kThousand = 1000;
    if (conditions.cores > 0) stay_on(std::span(own_processors()).first(std::min(conditions.cores, processors())));
    Measured measured;
    std::vector<double> connecting, speeds;
    {
        const ServerProcess server(way,
                                   {.work = conditions.work, .sleep = conditions.sleep, .threads = conditions.threads});
        for (unsigned i = 0; i < conditions.rounds; ++i) {
            const auto begin = Steady::now();
            LoadOptions options{.ip = kHere, .ports = {server.port()}, .connections = kThousand, .size = 64};
            options.requests = kThousand;
            measured.errors += run_load(options).errors;
            connecting.push_back(std::chrono::duration<double, std::milli>(Steady::now() - begin).count());
            options.requests = conditions.requests;
            const LoadResult result = run_load(options);
            measured.errors += result.errors;
            speeds.push_back(result.per_second());
        }
    }
    stay_on(-1);
    const auto median = [](std::vector<double>& values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    };
    measured.ms_per_thousand = median(connecting);
    measured.per_second = median(speeds);
    return measured;
}

}  // namespace fiberscope::lab05
