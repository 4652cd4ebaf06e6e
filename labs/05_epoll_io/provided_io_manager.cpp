#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>

#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

IOManager::IOManager(EpollSource& source) : source_(source), tickle_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (tickle_fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make a descriptor to tickle");
    begin_idle();
}

void IOManager::begin_idle() {
    idle_ = lab04::go([this] { idle(); }, "idle");
}

IOManager::~IOManager() {
    for (auto& [fd, both] : contexts_)
        for (EventContext* one : {&both.read, &both.write})
            if (one->added) unwatch(*one);
    source_.forget(tickle_fd_);
    system_calls().close(tickle_fd_);
}

IOManager::EventContext& IOManager::context(int fd, Want event) {
    FdContext& both = contexts_[fd];
    return event == Want::read ? both.read : both.write;
}

void IOManager::watch(EventContext& context, int fd, Want event) {
    context.manager = this;
    context.fd = fd;
    context.events = event == Want::read ? EPOLLIN : EPOLLOUT;
    context.fired = [](PollItem& item) {
        auto& fired = static_cast<EventContext&>(item);
        fired.manager->trigger(fired);
    };
    source_.watch(context);
    if (idle_.done()) begin_idle();
}

}  // namespace fiberscope::lab05
