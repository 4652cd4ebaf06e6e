// Step 5.5, its third stage: calls that wait for time, for several descriptors, for a child; and those that move data.
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>

#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

void put(int fd, const std::string& text) { static_cast<void>(!system_calls().write(fd, text.data(), text.size())); }

fd_set set_of(std::initializer_list<int> fds) {
    fd_set set;
    FD_ZERO(&set);
    for (const int fd : fds) FD_SET(fd, &set);
    return set;
}

/// How often a task that sleeps for 5 ms at a time had its turn while a hooked task ran `body`, under the real clock.
template <class Body>
int turns_beside(Body body) {
    Stand stand(kRealTime);
    bool over = false;
    int turns = 0;
    go_hooked("caller", [&] {
        body();
        over = true;
    });
    go("other", [&] {
        while (!over) {
            sleep_for(5 * kMillisecond);
            ++turns;
        }
    });
    return stand.run().empty() ? turns : -1;
}

/// The same of a body that waits for a child; it is told how long the child should live, ms. A machine that has much to
/// do may let the other task wait as long: then the child lives longer.
template <class Body>
int turns_beside_child(Body body) {
    constexpr int kEnough = 3;
    int turns = 0;
    for (int life = 50; life <= 800 && turns < kEnough; life *= 4) turns = turns_beside([&] { body(life); });
    return turns;
}

/// "sleep 0.05", for a shell.
std::string sleep_command(int ms) { return "sleep " + std::to_string(ms / 1000.0); }

}  // namespace

TEST_CASE("5.5 third: clock_nanosleep lets the others run, for a time and until one") {
    WITHOUT_HOOK_NOTHING
    INFO("TIMER_ABSTIME is a moment of its clock, else it is a time from now; the error is the result itself");
    Stand stand;
    Log log;
    std::uint64_t slept = 0;
    int wrong = 0;
    go_hooked("sleeper", [&] {
        const timespec moment{0, 5'000'000}, past{1, 0}, bad{0, -1};
        log.push_back(std::to_string(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, nullptr)));
        slept = kit::now();
        log.push_back(std::to_string(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &past, nullptr)));
        wrong = clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, nullptr);
    });
    go([&] { log.emplace_back("other"); }, "other");
    CHECK(stand.run() == "");
    CHECK(log == Log{"other", "0", "0"});
    CHECK(slept / kMillisecond == 5);
    CHECK(wrong == EINVAL);
}

TEST_CASE("5.5 third: ppoll, select and pselect wait as poll does") {
    WITHOUT_HOOK_NOTHING
    INFO("make a list for poll of the sets, wait, and write what is ready back into the sets");
    Stand stand;
    const Pair pair = blocking_pair(), other = blocking_pair();
    Log log;
    std::uint64_t times[3] = {};
    go_hooked("waits", [&] {
        timeval brief{0, 20'000};
        fd_set read = set_of({pair.a, other.a});
        log.push_back("none: " + std::to_string(::select(128, &read, nullptr, nullptr, &brief)));
        log.push_back(FD_ISSET(pair.a, &read) ? "set" : "clear");
        times[0] = kit::now();
        read = set_of({pair.a, other.a});
        fd_set write = set_of({other.b});
        log.push_back("write: " + std::to_string(::pselect(128, &read, &write, nullptr, nullptr, nullptr)));
        read = set_of({pair.a, other.a});
        timeval longer{10, 0};
        log.push_back("read: " + std::to_string(::select(128, &read, nullptr, nullptr, &longer)));
        log.push_back(std::string(FD_ISSET(pair.a, &read) ? "one" : "") + (FD_ISSET(other.a, &read) ? "two" : ""));
        log.push_back(longer.tv_sec == 9 ? "9 s are left" : "?");
        times[1] = kit::now();
        read_text(pair.a);
        pollfd one{pair.a, POLLIN, 0};
        const timespec moment{0, 7'000'000};
        log.push_back("ppoll: " + std::to_string(::ppoll(&one, 1, &moment, nullptr)));
        times[2] = kit::now();
        const int number = ::dup(pair.a);
        ::close(number);
        fd_set closed = set_of({number});
        const int told = ::select(number + 1, &closed, nullptr, nullptr, &brief);
        log.push_back(told < 0 && errno == EBADF ? "EBADF" : "?");
    });
    later(50 * kMillisecond, "writes", [&] { put(pair.b, "x"); });
    CHECK(stand.run() == "");
    CHECK(log == Log{"none: 0", "clear", "write: 1", "read: 1", "one", "9 s are left", "ppoll: 0", "EBADF"});
    CHECK(times[0] / kMillisecond == 20);
    CHECK(times[1] / kMillisecond == 50);
    CHECK(times[2] / kMillisecond == 57);
}

TEST_CASE("5.5 third: waitpid, system and pclose wait for a child, and the other tasks run meanwhile") {
    WITHOUT_HOOK_NOTHING
    INFO("a wait for a child is a wait of the task: look, sleep, and look again");
    int by_waitpid = -1, by_wait = -1, by_system = -1, by_pclose = -1, without = 0;
    std::string said;
    const auto child_with = [](int status, int life) {
        const pid_t child = fork();
        if (child == 0) {
            ::usleep(static_cast<useconds_t>(life) * 1000);
            _exit(status);
        }
        return child;
    };
    CHECK(turns_beside_child([&](int life) { ::waitpid(child_with(3, life), &by_waitpid, 0); }) >= 3);
    CHECK(turns_beside_child([&](int life) {
              child_with(4, life);
              ::wait(&by_wait);
          }) >= 3);
    CHECK(turns_beside_child([&](int life) { by_system = ::system((sleep_command(life) + "; exit 5").c_str()); }) >= 3);
    CHECK(turns_beside_child([&](int life) {
              std::FILE* stream = ::popen(("echo hello; " + sleep_command(life) + "; exit 6").c_str(), "r");
              char text[16] = "";
              if (std::fgets(text, sizeof text, stream) != nullptr) said = text;
              by_pclose = ::pclose(stream);
          }) >= 3);
    turns_beside([&] { without = ::waitpid(-1, nullptr, 0) < 0 ? errno : 0; });
    CHECK(WEXITSTATUS(by_waitpid) == 3);
    CHECK(WEXITSTATUS(by_wait) == 4);
    CHECK(WEXITSTATUS(by_system) == 5);
    CHECK(WEXITSTATUS(by_pclose) == 6);
    CHECK(said == "hello\n");
    CHECK(without == ECHILD);
}

TEST_CASE("5.5 third: a child reads what popen's writer sends, and its end is waited for") {
    WITHOUT_HOOK_NOTHING
    INFO("what pclose waits for is waited for by the task");
    int status = -1;
    CHECK(turns_beside_child([&](int life) {
              std::FILE* stream = ::popen(("read x; " + sleep_command(life) + "; exit $x").c_str(), "w");
              std::fputs("7\n", stream);
              status = ::pclose(stream);
          }) >= 3);
    CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("5.5 third: sendfile sends all of a file to a socket that is read slowly") {
    WITHOUT_HOOK_NOTHING
    INFO("sendfile waits for room and goes on where it has stopped");
    Stand stand;
    const Pair pair = blocking_pair();
    const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    constexpr std::size_t kSize = 1'000'000;
    std::string expected(kSize, '\0'), got;
    REQUIRE(::pread(file, expected.data(), kSize, 100) == static_cast<ssize_t>(kSize));
    off_t offset = 100;
    ssize_t sent = 0;
    go_hooked([&] { sent = ::sendfile(pair.b, file, &offset, kSize); }, "sender");
    go_hooked("receiver", [&] {
        char buffer[30'000];
        while (got.size() < kSize) {
            const ssize_t n = ::read(pair.a, buffer, sizeof buffer);
            if (n <= 0) return;
            got.append(buffer, static_cast<std::size_t>(n));
        }
    });
    CHECK(stand.run() == "");
    CHECK(sent == static_cast<ssize_t>(kSize));
    CHECK(offset == static_cast<off_t>(100 + kSize));
    CHECK((got == expected));
    ::close(file);
}

TEST_CASE("5.5 third: splice waits for both of its ends") {
    WITHOUT_HOOK_NOTHING
    INFO("splice needs data at one end and room at the other: wait for the one that is missing");
    Stand stand;
    const Pair pipe = blocking_pair(Pair::pipe()), sockets = blocking_pair();
    std::size_t moved = 0;
    std::string got;
    go_hooked("splices", [&] {
        for (ssize_t n; (n = ::splice(pipe.a, nullptr, sockets.b, nullptr, 100'000, 0)) > 0;)
            moved += static_cast<std::size_t>(n);
    });
    go_hooked("writer", [&] {
        const std::string much(500'000, 'x');
        static_cast<void>(!::write(pipe.b, much.data(), much.size()));
        ::close(std::exchange(const_cast<Pair&>(pipe).b, -1));
    });
    go_hooked("reader", [&] {
        char buffer[10'000];
        while (got.size() < 500'000) {
            const ssize_t n = ::read(sockets.a, buffer, sizeof buffer);
            if (n <= 0) return;
            got.append(buffer, static_cast<std::size_t>(n));
        }
    });
    CHECK(stand.run() == "");
    CHECK(moved == 500'000);
    CHECK(got == std::string(500'000, 'x'));
}

TEST_CASE("5.5 third: recvmmsg waits for all its messages, or for one; sendmmsg sends all") {
    WITHOUT_HOOK_NOTHING
    INFO("recvmmsg repeats until all are there, or one with MSG_WAITFORONE; sendmmsg sends all");
    Stand stand;
    const Pair pair = blocking_pair(Pair::sockets(SOCK_DGRAM));
    char buffers[3][8] = {};
    iovec parts[3], sent_part{const_cast<char*>("m"), 1};
    mmsghdr messages[3] = {}, sent[40] = {};
    for (int i = 0; i < 3; ++i) {
        parts[i] = {buffers[i], sizeof buffers[i]};
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    for (mmsghdr& message : sent) {
        message.msg_hdr.msg_iov = &sent_part;
        message.msg_hdr.msg_iovlen = 1;
    }
    int all = 0, one = 0, put_all = 0, taken = 0;
    go_hooked("receiver", [&] {
        all = ::recvmmsg(pair.a, messages, 3, 0, nullptr);
        one = ::recvmmsg(pair.a, messages, 3, MSG_WAITFORONE, nullptr);
        while (taken < 40) taken += std::max(0, ::recvmmsg(pair.a, messages, 1, 0, nullptr));
    });
    go_hooked("sender", [&] {
        for (int i = 0; i < 4; ++i) {
            put(pair.b, "x");
            sleep_for(kMillisecond);
        }
        put_all = ::sendmmsg(pair.b, sent, 40, 0);
    });
    CHECK(stand.run() == "");
    CHECK(all == 3);
    CHECK(one == 1);
    CHECK(put_all == 40);
    CHECK(taken == 40);
}

TEST_CASE("5.5 third: select counts a descriptor for each set in which it is ready") {
    WITHOUT_HOOK_NOTHING
    INFO("given: what select returns is the number of bits that are set, in all sets together");
    Stand stand;
    Pair pair = blocking_pair();
    int told = -1, of_all = -1, of_more = -1;
    go_hooked([&] {
        put(pair.b, "x");
        fd_set reads = set_of({pair.a}), writes = set_of({pair.a});
        told = ::select(pair.a + 1, &reads, &writes, nullptr, nullptr);
        of_all = ::select(FD_SETSIZE, &reads, &writes, nullptr, nullptr);
        of_more = ::select(getdtablesize(), &reads, &writes, nullptr, nullptr);
    });
    CHECK(stand.run() == "");
    CHECK(told == 2);
    INFO("given: select takes any number: behind the last descriptor that there can be it reads no set");
    CHECK(of_all == 2);
    CHECK(of_more == 2);
}

TEST_CASE("5.5 third: select tells one that wants to write that its reader is gone") {
    WITHOUT_HOOK_NOTHING
    INFO("given: of poll's answers an error is for the writer too: its write would not wait, and fails");
    Stand stand;
    Pair pair = Pair::pipe();
    pair.fill();
    system_calls().close(std::exchange(pair.a, -1));
    int told = -1;
    bool is_set = false;
    go_hooked([&] {
        fd_set write = set_of({pair.b});
        timeval brief{0, 20'000};
        told = ::select(128, nullptr, &write, nullptr, &brief);
        is_set = FD_ISSET(pair.b, &write);
    });
    CHECK(stand.run() == "");
    CHECK(told == 1);
    CHECK(is_set);
}

TEST_CASE("5.5 third: sendfile that sends a part moves the offset by that part") {
    WITHOUT_HOOK_NOTHING
    INFO("given: what was read and not written is read again the next time, from the offset that sendfile has left");
    Stand stand;
    const Pair pair = blocking_pair();
    const timeval limit{0, 20'000};
    REQUIRE(::setsockopt(pair.a, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0);
    std::FILE* const file = std::tmpfile();
    REQUIRE(file != nullptr);
    const std::string much(8 << 20, 'x');
    REQUIRE(std::fwrite(much.data(), 1, much.size(), file) == much.size());
    REQUIRE(std::fflush(file) == 0);
    off_t offset = 0;
    ssize_t sent = -1;
    go_hooked([&] { sent = ::sendfile(pair.a, fileno(file), &offset, much.size()); });
    CHECK(stand.run() == "");
    std::fclose(file);
    CHECK(sent > 0);
    CHECK(sent < static_cast<ssize_t>(much.size()));
    CHECK(offset == sent);
}

TEST_CASE("5.5 third: a time-out of less than a millisecond is waited for too") {
    WITHOUT_HOOK_NOTHING
    INFO("given: poll knows milliseconds only, so a part of one is rounded up: 0 would only look");
    Stand stand;
    const Pair pair = blocking_pair();
    std::uint64_t by_ppoll = 0, by_select = 0;
    go_hooked([&] {
        const timespec brief{0, 300'000};
        pollfd one{pair.a, POLLIN, 0};
        const std::uint64_t begin = kit::now();
        static_cast<void>(::ppoll(&one, 1, &brief, nullptr));
        by_ppoll = kit::now() - begin;
        fd_set read = set_of({pair.a});
        timeval little{0, 300};
        const std::uint64_t again = kit::now();
        static_cast<void>(::select(128, &read, nullptr, nullptr, &little));
        by_select = kit::now() - again;
    });
    CHECK(stand.run() == "");
    CHECK(by_ppoll >= 300 * kMicrosecond);
    CHECK(by_select >= 300 * kMicrosecond);
}

TEST_CASE("5.5 third: clock_nanosleep until a moment, ended early, says nothing of what is left") {
    WITHOUT_HOOK_NOTHING
    INFO("given: with TIMER_ABSTIME `remaining` is not written, as in the C library");
    Stand stand;
    int ended = 0;
    timespec left{7, 7};
    const Handle sleeper = go_hooked([&] {
        timespec moment{};
        clock_gettime(CLOCK_MONOTONIC, &moment);
        moment.tv_sec += 3600;
        ended = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, &left);
    });
    later(kMillisecond, "cancels", [&] { lab04::cancel(sleeper); });
    CHECK(stand.run() == "");
    CHECK(ended == EINTR);
    CHECK((left.tv_sec == 7 && left.tv_nsec == 7));
}
