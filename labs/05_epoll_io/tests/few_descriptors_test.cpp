// Steps 5.4 to 5.6 in a process that may have few descriptors: a number that the code prefers is a wish.
#include <linux/close_range.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "labs/05_epoll_io/given/wake_timer.h"
#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/tests/support/blocking.h"
#include "labs/kit/run/numbered.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// As long as it lives, no descriptor gets a number of `limit` or more.
class FewDescriptors {
  public:
    explicit FewDescriptors(rlim_t limit) {
        getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit few{limit, before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
    }
    ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;

  private:
    rlimit before_{};
};

}  // namespace

TEST_CASE("5.4 where the process may have no number from 64 on, timers and the tickle's descriptor have lower ones") {
    INFO("given: numbers that traces show are a wish; a process with ulimit -n 64 runs as any other");
    use_virtual_time();
    const FewDescriptors few(64);
    const WakeTimer timer;
    CHECK(timer.fd() < 64);
    Stand stand;
    IOManager manager(stand.source);
    bool rang = false;
    manager.add_timer(kMillisecond, [&] {
        rang = true;
        manager.stop();
    });
    CHECK(stand.run() == "");
    CHECK(rang);
    const int fd = eventfd(0, EFD_CLOEXEC);
    CHECK(kit::numbered_from(64, fd) == fd);
    system_calls().close(fd);
}

TEST_CASE("5.5 third: close_range wakes what waits above a limit that was lowered since") {
    WITHOUT_HOOK_NOTHING
    INFO("given: a number may lie above the limit of the process; only new ones may not");
    use_virtual_time();
    Stand stand;
    Pair pair = blocking_pair();
    pair.a = kit::numbered_from(300, pair.a);
    std::string got;
    go_hooked([&] { got = read_text(pair.a); }, "reader");
    go_hooked(
        [&] {
            const FewDescriptors few(64);
            ::close_range(300, 310, 0);
            pair.a = -1;
        },
        "closer");
    CHECK(stand.run() == "");
    CHECK(got == "error " + std::string(std::strerror(EBADF)));
}
