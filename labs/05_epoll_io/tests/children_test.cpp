// Step 5.5, given: forked children of a program with a hook and a poller.
#include <sys/wait.h>

#include <cstdio>

#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// Waits for the child in the C library: the thread blocks, and virtual time stops.
int status_of(pid_t child) {
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

void put(int fd, const std::string& text) { static_cast<void>(!system_calls().write(fd, text.data(), text.size())); }

/// Returns everything in a pipe without writers or in a non-blocking one.
std::string rest_of(int fd) {
    std::string text;
    char buffer[256];
    for (ssize_t got; (got = system_calls().read(fd, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(got));
    return text;
}

}  // namespace

TEST_CASE("5.5 third: a descriptor that a forked child closes or copies stays registered in its parent") {
    WITHOUT_HOOK_NOTHING
    INFO("a child shares its parent's epoll: a close in the child must not remove a registration");
    Stand stand;
    const Pair closed = blocking_pair(), copied = blocking_pair();
    Log log;
    int status = -1;
    go_hooked([&] { log.push_back("first: " + read_text(closed.a)); }, "first");
    go_hooked([&] { log.push_back("second: " + read_text(copied.a)); }, "second");
    go_hooked("parent", [&] {
        const pid_t child = fork();
        if (child == 0) {
            ::close(closed.a);
            ::dup2(STDERR_FILENO, copied.a);
            _exit(7);
        }
        status = status_of(child);
        put(closed.b, "one");
        put(copied.b, "two");
    });
    CHECK(stand.run() == "");
    CHECK(WEXITSTATUS(status) == 7);
    CHECK(log == Log{"first: one", "second: two"});
}

TEST_CASE("5.5 third: in a forked child calls block, and the parent's other tasks do not run there") {
    WITHOUT_HOOK_NOTHING
    INFO("the child has one task and no scheduler: the hook is off");
    Stand stand;
    const Pair gate = blocking_pair(Pair::pipe()), report = Pair::pipe();
    const pid_t parent = getpid();
    int status = -1;
    go_hooked("forks", [&] {
        const pid_t child = fork();
        if (child == 0) {
            put(report.b, HookScope::here() == nullptr ? "not hooked, " : "hooked, ");
            put(report.b, "read " + read_text(gate.a) + ", ");
            ::usleep(1000);
            return;  // as a child that was forked in a thread: it ends here
        }
        put(gate.b, "it");
        status = status_of(child);
    });
    go([&] { put(report.b, getpid() == parent ? "parent's other" : "child's other"); }, "other");
    CHECK(stand.run() == "");
    CHECK(rest_of(report.a) == "not hooked, read it, parent's other");
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("5.5 third: vfork makes the child by fork, so that it cannot write into its parent") {
    WITHOUT_HOOK_NOTHING
    INFO("a child of vfork shares its parent's memory: use fork instead");
    Stand stand;
    const Pair pair = blocking_pair();
    Log log;
    int status = -1;
    volatile int written = 1;
    go_hooked([&] { log.push_back(read_text(pair.a)); }, "reader");
    go_hooked("parent", [&] {
        const pid_t child = vfork();  // NOLINT: as in third-party code
        if (child == 0) {
            written = 2;
            ::close(pair.a);
            _exit(0);
        }
        status = status_of(child);
        put(pair.b, "x");
    });
    CHECK(stand.run() == "");
    CHECK(written == 1);
    CHECK(status == 0);
    CHECK(log == Log{"x"});
}
