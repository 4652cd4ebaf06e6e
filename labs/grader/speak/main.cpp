// speak PROGRAM ARGUMENTS…: runs a program of a lab, whose lines are English, and prints them in Chinese, each to the
// stream that it came from, as soon as the line is whole; status 128 + N after signal N. Used by `./lab` where the
// reader reads Chinese.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "labs/grader/speak/lines.h"
#include "labs/grader/speech/speech.h"

namespace {

volatile sig_atomic_t running = 0;  // the program's process

// What the terminal sends reaches the program by itself.
void pass_on(int signal, siginfo_t* info, void*) {
    const int error = errno;
    if (info->si_code <= 0 && running > 0) ::kill(running, signal);
    errno = error;
}

void pass_signals_on() {
    struct sigaction action {};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

/// Begins a process that prints to `stream` in Chinese what is written to the descriptor returned, until nothing has
/// that open.
int translated_to(std::FILE* stream) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::exit(127);
    if (::fork() == 0) {
        ::close(ends[1]);
        std::FILE* const in = ::fdopen(ends[0], "r");
        char* line = nullptr;
        std::size_t room = 0;
        for (ssize_t n; in != nullptr && (n = ::getline(&line, &room, in)) > 0; std::fflush(stream)) {
            const bool whole = line[n - 1] == '\n';
            const std::string_view text(line, static_cast<std::size_t>(n - (whole ? 1 : 0)));
            std::fputs((fiberscope::grader::line_in_words(text) + (whole ? "\n" : "")).c_str(), stream);
        }
        std::_Exit(0);
    }
    ::close(ends[0]);
    return ends[1];
}

[[noreturn]] void become(char* const* words, int out, int error, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(error, STDERR_FILENO);
    ::execv(words[0], words);
    std::perror(words[0]);
    ::_exit(127);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::fputs("speak PROGRAM ARGUMENTS...\n", stderr), 2;
    fiberscope::grader::set_language(fiberscope::Language::chinese);
    pass_signals_on();
    const int out = translated_to(stdout), error = translated_to(stderr);
    const pid_t self = ::getpid(), program = ::fork();
    if (program == 0) become(argv + 1, out, error, self);
    running = program;
    ::close(out);
    ::close(error);
    int status = 127 << 8;
    while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
    }
    while (::wait(nullptr) > 0 || errno == EINTR) {
    }  // for what is not printed yet
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
