// Step 5.5: the hook; read and write of this program replace those of the C library. Hooked tasks here use blocking
// calls: ::read, ::recv, ::sleep.
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/ioctl.h>

#include <thread>

#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/blocking.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// The file in which the loader found the function.
const void* object_of(void* function) {
    Dl_info found{};
    return dladdr(function, &found) == 0 ? nullptr : found.dli_fbase;
}

void* first_of(const char* name) { return dlsym(RTLD_DEFAULT, name); }

std::string after_read(ssize_t got) { return got < 0 ? std::string("error ") + std::strerror(errno) : "read"; }
std::string after_write(ssize_t put) { return put < 0 ? std::string("error ") + std::strerror(errno) : "written"; }

/// A read and a write that cannot complete at once, in a task, and another task that could help them; returns what
/// happens, in order. The kernel ends a call that blocks the thread after a while.
template <class Go>
Log read_and_write(Go go_as) {
    Stand stand;
    const Pair empty = blocking_pair();
    Pair filled = Pair::sockets();
    filled.fill();
    const Pair full = blocking_pair(std::move(filled));
    limit(empty.a, SO_RCVTIMEO, 20'000);
    limit(full.b, SO_SNDTIMEO, 20'000);
    Log log;
    go_as(
        [&] {
            char byte;
            log.push_back(after_read(::read(empty.a, &byte, 1)));
            log.push_back(after_write(::write(full.b, "x", 1)));
        },
        "caller");
    go("other", [&] {
        log.emplace_back("the other");
        static_cast<void>(!system_calls().write(empty.b, "x", 1));
        sleep_for(kMillisecond);
        char much[65536];
        while (system_calls().recvfrom(full.a, much, sizeof much, MSG_DONTWAIT, nullptr, nullptr) > 0) {
        }
    });
    INFO("the run ends when all tasks have ended, and no task threw");
    CHECK(stand.run() == "");
    return log;
}

}  // namespace

TEST_CASE("5.5 first: read and write of this program precede those of the C library") {
    WITHOUT_HOOK_NOTHING
    void* const here = reinterpret_cast<void*>(&names_of_the_hook);
    void* const next[] = {reinterpret_cast<void*>(next_read()), reinterpret_cast<void*>(next_write())};
    INFO("next_read and next_write are the functions after this program's: dlsym(RTLD_NEXT, …)");
    REQUIRE(next[0] != first_of("read"));
    REQUIRE(next[1] != first_of("write"));
    REQUIRE(object_of(next[0]) != object_of(here));
    REQUIRE(object_of(next[1]) != object_of(here));
    INFO("functions that other libraries call are extern \"C\", and outside of any namespace");
    REQUIRE(object_of(first_of("read")) == object_of(here));
    REQUIRE(object_of(first_of("write")) == object_of(here));
    const Pair pair = Pair::pipe();
    char byte = '?';
    INFO("next_read is the next read after this program's, and next_write the next write");
    CHECK(next_write()(pair.b, "x", 1) == 1);
    CHECK(next_read()(pair.a, &byte, 1) == 1);
    CHECK(byte == 'x');
}

TEST_CASE("5.5 first: the next functions are looked up once, and not at each call") {
    WITHOUT_HOOK_NOTHING
    dlsym(RTLD_DEFAULT, "no function has this name");
    first_of("read");
    if (dlerror() != nullptr) {
        SUCCEED("this C library keeps an error after a successful dlsym");
        return;
    }
    static_cast<void>(next_read());
    static_cast<void>(next_write());
    dlsym(RTLD_DEFAULT, "no function has this name");
    static_cast<void>(next_read());
    static_cast<void>(next_write());
    INFO("dlsym takes the loader's lock and compares names: store its result");
    CHECK(dlerror() != nullptr);  // the next dlsym would have cleared it
}

TEST_CASE("5.5 first: in a task that is not hooked, and outside of tasks, read and write are the C library's") {
    WITHOUT_HOOK_NOTHING
    const std::string again = "error " + std::string(std::strerror(EAGAIN));
    INFO("a call that blocks the thread lets no other task run, and ends at the kernel's limit of 20 ms");
    const Log plain = read_and_write([](auto body, const char* name) { go(std::move(body), name); });
    CHECK(plain == Log{again, again, "the other"});
    const Pair pair = blocking_pair();
    ssize_t got = 0;
    std::thread reader([&] {
        char byte;
        got = ::read(pair.a, &byte, 1);
    });
    CHECK(::write(pair.b, "x", 1) == 1);
    reader.join();
    CHECK(got == 1);
}

TEST_CASE("5.5 first: in a hooked task read and write let the other task run, and then complete") {
    WITHOUT_HOOK_NOTHING
    INFO("a hooked call parks its task, so that another one runs before it is done");
    const Log hooked = read_and_write([](auto body, const char* name) { go_hooked(std::move(body), name); });
    CHECK(hooked == Log{"the other", "read", "written"});
}

TEST_CASE("5.5 first: blocking read and write do not block the thread") {
    WITHOUT_HOOK_NOTHING
    INFO("a hooked call tries without blocking, waits as a task, and tries again");
    Stand stand;
    const Pair pair = blocking_pair();
    const int rounds = rounds_of(
        stand, pair, [](int fd, const char* text) { static_cast<void>(!::write(fd, text, std::strlen(text))); },
        read_text);
    CHECK(rounds == 10);
}

TEST_CASE("5.5 first: after a short read the next one waits before it tries") {
    WITHOUT_HOOK_NOTHING
    INFO("a short read has emptied the descriptor: wait first, then try");
    Stand stand;
    const Pair pair = blocking_pair();
    const std::uint64_t before = call_counts().io;
    const int rounds = rounds_of(
        stand, pair, [](int fd, const char* text) { static_cast<void>(!::write(fd, text, std::strlen(text))); },
        read_text);
    CHECK(rounds == 10);
    CHECK(call_counts().io - before <= 22);  // ten writes, ten reads, and the first one at each end may be too early
}

TEST_CASE("5.5 first: a read does not wait for data that are already there, nor for the end") {
    WITHOUT_HOOK_NOTHING
    INFO("wait first only if no data can be there: data that have arrived, and the end, are read at once");
    Stand stand;
    const Pair pair = blocking_pair();
    std::string got;
    go_hooked("both", [&] {
        static_cast<void>(!::write(pair.b, "one", 3));
        got += read_text(pair.a) + ' ';
        static_cast<void>(!::write(pair.b, "two", 3));
        got += read_text(pair.a) + ' ';
        ::shutdown(pair.b, SHUT_WR);
        got += '[' + read_text(pair.a) + ']';
    });
    CHECK(stand.run() == "");
    CHECK(got == "one two []");
}

TEST_CASE("5.5 first: pipes too, and more data than fit into them") {
    WITHOUT_HOOK_NOTHING
    EXPECTS("a blocking write writes everything: continue after the bytes written");
    Stand stand;
    const Pair pair = blocking_pair(Pair::pipe());
    const std::string much(300'000, 'x');
    ssize_t written = 0;
    std::size_t got = 0;
    go_hooked([&] { written = ::write(pair.b, much.data(), much.size()); }, "writer");
    go_hooked("reader", [&] {
        while (got < much.size()) {
            char buffer[10'000];
            const ssize_t n = ::read(pair.a, buffer, sizeof buffer);
            if (n <= 0) break;
            got += static_cast<std::size_t>(n);
        }
    });
    CHECK(stand.run() == "");
    CHECK(written == static_cast<ssize_t>(much.size()));
    CHECK(got == much.size());
}

TEST_CASE("5.5 first: on and off, per task, and never outside of tasks") {
    WITHOUT_HOOK_NOTHING
    INFO("the hook is on inside a HookScope(true) of the running task, and nowhere else");
    Stand stand;
    const Pair pair = blocking_pair();
    Log log;
    const auto hooked = [] { return HookScope::here() != nullptr ? "on" : "off"; };
    go([&] { log.emplace_back(hooked()); }, "plain");
    go_hooked("hooked", [&] {
        log.emplace_back(hooked());
        {
            const HookScope pause(false);
            log.emplace_back(hooked());
            // data that have arrived can be read by the C library's own
            static_cast<void>(!system_calls().write(pair.b, "x", 1));
            log.push_back(read_text(pair.a));
        }
        log.emplace_back(hooked());
    });
    CHECK(stand.run() == "");
    log.emplace_back(hooked());
    CHECK(log == Log{"off", "on", "off", "x", "on", "off"});
    INFO("outside of tasks the calls are the C library's");
    const Pair outside = Pair::sockets();
    char byte;
    CHECK(::read(outside.a, &byte, 1) == -1);
    CHECK(errno == EAGAIN);
    static_cast<void>(!::write(outside.b, "x", 1));
    CHECK(::read(outside.a, &byte, 1) == 1);
    timespec moment{0, 1000};
    CHECK(nanosleep(&moment, nullptr) == 0);
}

TEST_CASE("5.5 second: a descriptor made non-blocking by the program does not block, and keeps its flags") {
    WITHOUT_HOOK_NOTHING
    INFO("store the program's setting: its flag decides, although the kernel's is always set");
    Stand stand;
    const Pair mine = Pair::sockets(), other = blocking_pair();
    Log log;
    go_hooked("user", [&] {
        log.push_back(read_text(mine.a));
        fcntl(mine.a, F_SETFL, 0);
        log.push_back(fcntl(mine.a, F_GETFL) & O_NONBLOCK ? "?" : "blocks now");
        static_cast<void>(!::write(mine.b, "x", 1));
        log.push_back(read_text(mine.a));
        int on = 1;
        ioctl(mine.a, FIONBIO, &on);
        log.push_back(read_text(mine.a));
        log.push_back((fcntl(mine.a, F_GETFL) & O_NONBLOCK) != 0 ? "does not block" : "?");
        // a flag of one call
        char byte;
        log.push_back(::recv(other.a, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN ? "one attempt" : "?");
        log.push_back((fcntl(other.a, F_GETFL) & O_NONBLOCK) == 0 ? "still blocks" : "?");
    });
    CHECK(stand.run() == "");
    const std::string again = "error " + std::string(std::strerror(EAGAIN));
    CHECK(log == Log{again, "blocks now", "x", again, "does not block", "one attempt", "still blocks"});
}

TEST_CASE("5.5 second: SO_RCVTIMEO and SO_SNDTIMEO become time-outs: EAGAIN, at their time") {
    WITHOUT_HOOK_NOTHING
    INFO("read the socket's limit, wait that long, and then return -1 with EAGAIN");
    Stand stand;
    Pair full = Pair::sockets();
    full.fill();
    const Pair pair = blocking_pair(std::move(full));
    limit(pair.b, SO_RCVTIMEO, 20'000);
    limit(pair.b, SO_SNDTIMEO, 50'000);
    std::uint64_t read_took = 0, write_took = 0;
    int read_error = 0, write_error = 0;
    go_hooked("impatient", [&] {
        const std::uint64_t start = kit::now();
        char byte;
        read_error = ::read(pair.b, &byte, 1) < 0 ? errno : 0;
        read_took = kit::now() - start;
        write_error = ::send(pair.b, "x", 1, 0) < 0 ? errno : 0;
        write_took = kit::now() - start - read_took;
    });
    CHECK(stand.run() == "");
    CHECK(read_error == EAGAIN);
    CHECK(write_error == EAGAIN);
    // The kernel rounds a time limit up to its own clock tick, by at most 10 ms.
    CHECK(read_took >= 20 * kMillisecond);
    CHECK(read_took < 31 * kMillisecond);
    CHECK(write_took >= 50 * kMillisecond);
    CHECK(write_took < 61 * kMillisecond);
}

TEST_CASE("5.5 third: a connect without an answer ends with EINPROGRESS after SO_SNDTIMEO") {
    WITHOUT_HOOK_NOTHING
    INFO("the limit of a connect is SO_SNDTIMEO, and it ends with EINPROGRESS");
    Stand stand;
    int error = 0, flags = -1;
    std::uint64_t took = 0;
    go_hooked("client", [&] {
        // a full queue of connections: the next one's first packet is dropped
        const Socket listener = Socket::listener("127.0.0.1", 0, 0);
        const sockaddr_in address = address_of("127.0.0.1", listener.port());
        const auto* to = reinterpret_cast<const sockaddr*>(&address);
        const Socket first, second;
        fcntl(first.fd(), F_SETFL, O_NONBLOCK);
        fcntl(second.fd(), F_SETFL, O_NONBLOCK);
        ::connect(first.fd(), to, sizeof address);
        ::connect(second.fd(), to, sizeof address);
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        fcntl(fd, F_SETFL, O_APPEND);
        limit(fd, SO_SNDTIMEO, 70'000);
        const std::uint64_t start = kit::now();
        error = ::connect(fd, to, sizeof address) < 0 ? errno : 0;
        took = kit::now() - start;
        flags = fcntl(fd, F_GETFL) & (O_NONBLOCK | O_APPEND);
        ::close(fd);
    });
    CHECK(stand.run() == "");
    CHECK(error == EINPROGRESS);
    // The kernel rounds a time limit up to its own clock tick, by at most 10 ms.
    CHECK(took >= 70 * kMillisecond);
    CHECK(took < 81 * kMillisecond);
    INFO("O_NONBLOCK is set for this one call only: restore the flags that the program has set");
    CHECK(flags == O_APPEND);
}
