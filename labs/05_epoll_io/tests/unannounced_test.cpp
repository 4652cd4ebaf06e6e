// Step 5.5: reads that end without being readable, and writes that are reported writable and have no room.
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// A named FIFO that only this process knows.
struct Fifo {
    Fifo() {
        std::string pattern = (std::filesystem::temp_directory_path() / "fiberscope-XXXXXX").string();
        directory = ::mkdtemp(pattern.data());
        path = directory + "/fifo";
        ::mkfifo(path.c_str(), 0600);
    }
    ~Fifo() { std::filesystem::remove_all(directory); }
    Fifo(const Fifo&) = delete;
    Fifo& operator=(const Fifo&) = delete;

    std::string directory, path;
};

}  // namespace

TEST_CASE("5.5 third: a FIFO without a writer is at its end; with a writer it is waited for") {
    WITHOUT_HOOK_NOTHING
    INFO("a FIFO that no writer has open is at its end: read it, do not wait");
    Stand stand;
    const Fifo fifo;
    Log log;
    int reader = -1, writer = -1;
    go_hooked("reader", [&] {
        reader = ::open(fifo.path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        fcntl(reader, F_SETFL, 0);
        log.push_back("[" + read_text(reader) + "]");
        writer = ::open(fifo.path.c_str(), O_WRONLY | O_CLOEXEC);
        log.push_back("[" + read_text(reader) + "]");
        log.push_back("[" + read_text(reader) + "]");
        ::close(reader);
    });
    go_hooked("writer", [&] {
        sleep_for(kMillisecond);
        static_cast<void>(!::write(writer, "x", 1));
        sleep_for(kMillisecond);
        ::close(writer);
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"[]", "[x]", "[]"});
}

TEST_CASE("5.5 first: a write to a pipe fills it in one call, if the kernel supports that") {
    WITHOUT_HOOK_NOTHING
    INFO("pwritev2 with RWF_NOWAIT writes as much as fits into a pipe in one call");
    Stand stand;
    const Pair pair = blocking_pair(Pair::pipe());
    const iovec part{const_cast<char*>("x"), 1};
    if (system_calls().pwritev2(pair.b, &part, 1, -1, RWF_NOWAIT) != 1) {
        SUCCEED("this kernel has no RWF_NOWAIT for pipes");
        return;
    }
    const std::string much(300'000, 'x');
    const std::uint64_t before = call_counts().io;
    std::size_t got = 0;
    go_hooked([&] { static_cast<void>(!::write(pair.b, much.data(), much.size())); }, "writer");
    go_hooked("reader", [&] {
        char buffer[65536];
        while (got < much.size() + 1) {
            const ssize_t n = ::read(pair.a, buffer, sizeof buffer);
            if (n <= 0) return;
            got += static_cast<std::size_t>(n);
        }
    });
    CHECK(stand.run() == "");
    CHECK(got == much.size() + 1);
    INFO("65536 bytes fit: full five times, and not one call per 4096 bytes");
    CHECK(call_counts().io - before <= 24);
}
