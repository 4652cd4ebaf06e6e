// Step 5.5, first stage: read and write of this program, in front of those of the C library.
#include <dlfcn.h>

#include <thread>

#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// The file that the loader took the function from.
const void* object_of(void* function) {
    Dl_info found{};
    return dladdr(function, &found) == 0 ? nullptr : found.dli_fbase;
}

void* first_of(const char* name) { return dlsym(RTLD_DEFAULT, name); }

std::string after_read(ssize_t got) { return got < 0 ? std::string("error ") + std::strerror(errno) : "read"; }
std::string after_write(ssize_t put) { return put < 0 ? std::string("error ") + std::strerror(errno) : "written"; }

/// A read and a write that cannot be done at once, in a task, and another task that could help them: what happens, in
/// order. The kernel ends a call that blocks the thread after a while.
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
    go(
        [&] {
            log.emplace_back("the other");
            static_cast<void>(!system_calls().write(empty.b, "x", 1));
            sleep_for(kMillisecond);
            char much[65536];
            while (system_calls().recvfrom(full.a, much, sizeof much, MSG_DONTWAIT, nullptr, nullptr) > 0) {
            }
        },
        "other");
    INFO("the run ends when all tasks have ended, none of them by an exception");
    CHECK(stand.run() == "");
    return log;
}

}  // namespace

TEST_CASE("5.5 first: read and write of this program stand before those of the C library") {
    WITHOUT_HOOK_NOTHING
    void* const here = reinterpret_cast<void*>(&names_of_the_hook);
    void* const next[] = {reinterpret_cast<void*>(next_read()), reinterpret_cast<void*>(next_write())};
    INFO("next_read and next_write are functions behind this program: dlsym(RTLD_NEXT, …)");
    REQUIRE(next[0] != first_of("read"));
    REQUIRE(next[1] != first_of("write"));
    REQUIRE(object_of(next[0]) != object_of(here));
    REQUIRE(object_of(next[1]) != object_of(here));
    INFO("what other libraries call is extern \"C\", and outside of any namespace");
    REQUIRE(object_of(first_of("read")) == object_of(here));
    REQUIRE(object_of(first_of("write")) == object_of(here));
    const Pair pair = Pair::pipe();
    char byte = '?';
    INFO("next_read is the read behind this program, and next_write the write");
    CHECK(next_write()(pair.b, "x", 1) == 1);
    CHECK(next_read()(pair.a, &byte, 1) == 1);
    CHECK(byte == 'x');
}

TEST_CASE("5.5 first: the functions behind this program are looked up once, and not at each call") {
    WITHOUT_HOOK_NOTHING
    dlsym(RTLD_DEFAULT, "no function has this name");
    first_of("read");
    if (dlerror() != nullptr) {
        SUCCEED("this C library keeps an error after a dlsym that has found something");
        return;
    }
    static_cast<void>(next_read());
    static_cast<void>(next_write());
    dlsym(RTLD_DEFAULT, "no function has this name");
    static_cast<void>(next_read());
    static_cast<void>(next_write());
    INFO("dlsym takes the loader's lock and compares names: keep what it has found");
    CHECK(dlerror() != nullptr);  // the next dlsym would have cleared it
}

TEST_CASE("5.5 first: in a task that is not hooked, and outside of tasks, read and write are the C library's") {
    WITHOUT_HOOK_NOTHING
    use_virtual_time();
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

TEST_CASE("5.5 first: in a hooked task read and write let the other task run, and then they are done") {
    WITHOUT_HOOK_NOTHING
    INFO("a hooked call parks its task, so that another one runs before it is done");
    use_virtual_time();
    const Log hooked = read_and_write([](auto body, const char* name) { go_hooked(std::move(body), name); });
    CHECK(hooked == Log{"the other", "read", "written"});
}
