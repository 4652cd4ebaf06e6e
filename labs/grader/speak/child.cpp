#include "labs/grader/speak/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace fiberscope::grader {
namespace {

volatile sig_atomic_t running = 0;  // the program's process

// What the terminal sends reaches the program by itself.
void pass_on(int signal, siginfo_t* info, void*) {
    if (info->si_code <= 0 && running > 0) ::kill(running, signal);
}

void pass_signals_on() {
    struct sigaction action {};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

void write_all(int to, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(to, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

/// One stream of the program.
class Stream {
  public:
    explicit Stream(int to) : to_(to) {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    }

    /// In the program: what it writes goes here.
    void become_its() const { ::dup2(ends_[1], to_); }
    void close_its() { ::close(ends_[1]); }

    pollfd wanted() const { return {ends_[0], POLLIN, 0}; }
    bool open() const { return ends_[0] >= 0; }

    /// Reads what there is, and prints the lines that are whole.
    void pump(const ChangeLine& change) {
        std::array<char, 4096> bytes;
        const ssize_t n = ::read(ends_[0], bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) return;
        if (n <= 0) return end(change);
        rest_.append(bytes.data(), static_cast<std::size_t>(n));
        for (std::size_t at; (at = rest_.find('\n')) != rest_.npos; rest_.erase(0, at + 1))
            write_all(to_, change(std::string_view(rest_).substr(0, at)) + "\n");
    }

  private:
    void end(const ChangeLine& change) {
        if (!rest_.empty()) write_all(to_, change(rest_));
        ::close(ends_[0]);
        ends_[0] = -1;
    }

    int to_;
    std::array<int, 2> ends_;
    std::string rest_;
};

[[noreturn]] void become(char* const* words, const Stream& out, const Stream& error, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);
    out.become_its();
    error.become_its();
    ::execv(words[0], words);
    std::perror(words[0]);
    ::_exit(127);
}

int status_of(pid_t program) {
    int status = 0;
    while (::waitpid(program, &status, 0) < 0)
        if (errno != EINTR) return 127;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int run_changed(char* const* words, const ChangeLine& change) {
    std::array<Stream, 2> streams{Stream(STDOUT_FILENO), Stream(STDERR_FILENO)};
    if (!streams[0].open() || !streams[1].open()) return 127;
    const pid_t self = ::getpid(), program = ::fork();
    if (program < 0) return 127;
    if (program == 0) become(words, streams[0], streams[1], self);
    running = program;
    pass_signals_on();
    for (Stream& stream : streams) stream.close_its();
    while (streams[0].open() || streams[1].open()) {
        std::array<pollfd, 2> wanted{streams[0].wanted(), streams[1].wanted()};
        if (::poll(wanted.data(), wanted.size(), -1) < 0) continue;
        for (std::size_t i = 0; i < streams.size(); ++i)
            if (wanted[i].revents != 0) streams[i].pump(change);
    }
    return status_of(program);
}

}  // namespace fiberscope::grader
