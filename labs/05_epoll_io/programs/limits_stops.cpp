// The rows of calls that stop the thread: none of them is hooked.
#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <utility>

#include "labs/05_epoll_io/programs/limits_rows.h"
#include "labs/05_epoll_io/socket.h"

namespace fiberscope::lab05::limits {

namespace {

Trial by_wait3() {
    return for_a_child([](pid_t) { ::wait3(nullptr, 0, nullptr); });
}
Trial by_wait4() {
    return for_a_child([](pid_t child) { ::wait4(child, nullptr, 0, nullptr); });
}
Trial by_waitid() {
    return for_a_child([](pid_t child) {
        siginfo_t info;
        ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED);
    });
}
Trial by_thrd_sleep() {
    return {[] { ::thrd_sleep(&kAWhile, nullptr); }};
}
Trial by_sigtimedwait() {
    return {[] {
        sigset_t set;
        ::sigemptyset(&set);
        ::sigaddset(&set, SIGUSR2);
        ::sigtimedwait(&set, nullptr, &kAWhile);
    }};
}
/// A signal whose only effect is to end a wait.
void take_signals() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGUSR2, &action, nullptr);
}
Trial by_sigwait() {
    take_signals();
    const pthread_t caller = pthread_self();
    return {[] {
                sigset_t set;
                ::sigemptyset(&set);
                ::sigaddset(&set, SIGUSR2);
                ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
                int got = 0;
                ::sigwait(&set, &got);
                ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
            },
            [=] { ::pthread_kill(caller, SIGUSR2); }};
}
Trial by_pause() {
    take_signals();
    const pthread_t caller = pthread_self();
    return {[] { ::pause(); }, [=] { ::pthread_kill(caller, SIGUSR2); }};
}
/// `call` waits for SIGUSR2, which is blocked in the thread otherwise.
template <class Call>
Trial for_a_signal(Call call) {
    take_signals();
    const pthread_t caller = pthread_self();
    return {[=] {
                sigset_t set, before;
                ::sigemptyset(&set);
                ::sigaddset(&set, SIGUSR2);
                ::pthread_sigmask(SIG_BLOCK, &set, &before);
                call(set, before);
                ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
            },
            [=] { ::pthread_kill(caller, SIGUSR2); }};
}
Trial by_sigwaitinfo() {
    return for_a_signal([](const sigset_t& set, const sigset_t&) { ::sigwaitinfo(&set, nullptr); });
}
Trial by_sigsuspend() {
    return for_a_signal([](const sigset_t&, const sigset_t& before) { ::sigsuspend(&before); });
}
Trial by_eventfd_read() {
    const int fd = ::eventfd(0, EFD_CLOEXEC);
    return {[=] {
                eventfd_t number = 0;
                ::eventfd_read(fd, &number);
                ::close(fd);
            },
            [=] { ::eventfd_write(fd, 1); }};
}
Trial by_eventfd_write() {
    const int fd = ::eventfd(0, EFD_CLOEXEC);
    ::eventfd_write(fd, ~eventfd_t{1});
    return {[=] {
                ::eventfd_write(fd, 1);
                ::close(fd);
            },
            [=] {
                eventfd_t number = 0;
                ::eventfd_read(fd, &number);
            }};
}
Trial by_semop() {
    const int semaphore = ::semget(IPC_PRIVATE, 1, 0600);
    const auto change = [=](short by) {
        sembuf one{0, by, 0};
        ::semop(semaphore, &one, 1);
    };
    return {[=] {
                change(-1);
                ::semctl(semaphore, 0, IPC_RMID);
            },
            [=] { change(1); }};
}
Trial by_mq_receive() {
    const std::string name = "/fiberscope-" + std::to_string(::getpid());
    mq_attr sizes{};
    sizes.mq_maxmsg = sizes.mq_msgsize = 1;
    const mqd_t queue = ::mq_open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600, &sizes);
    ::mq_unlink(name.c_str());
    return {[=] {
                char letter;
                ignore(::mq_receive(queue, &letter, sizeof letter, nullptr));
                ::mq_close(queue);
            },
            [=] { ::mq_send(queue, "x", 1, 0); }};
}
Trial by_aio_suspend() {
    return reading(a_pipe(), [](int fd) {
        char byte;
        aiocb request{};
        request.aio_fildes = fd;
        request.aio_buf = &byte;
        request.aio_nbytes = 1;
        const aiocb* const all[] = {&request};
        ::aio_read(&request);
        ::aio_suspend(all, 1, nullptr);
        ::aio_return(&request);
    });
}
Trial by_preadv2() {
    return reading(sockets(), [](int fd) {
        char byte;
        const iovec part{&byte, 1};
        ignore(::preadv2(fd, &part, 1, -1, 0));
    });
}
Trial by_tee() {
    const Shared to = a_pipe();
    return reading(a_pipe(), [to](int fd) { ignore(::tee(fd, to->b, 1, 0)); });
}
Trial by_vmsplice() {
    return writing(full(a_pipe()), [](int fd) {
        static char byte = 'x';
        const iovec part{&byte, 1};
        ignore(::vmsplice(fd, &part, 1, 0));
    });
}
Trial by_msgrcv() {
    struct Letter {
        long kind = 1;
        char text[1] = {'x'};
    };
    const int queue = ::msgget(IPC_PRIVATE, 0600);
    return {[=] {
                Letter letter;
                ignore(::msgrcv(queue, &letter, sizeof letter.text, 0, 0));
                ::msgctl(queue, IPC_RMID, nullptr);
            },
            [=] {
                const Letter letter;
                ::msgsnd(queue, &letter, sizeof letter.text, 0);
            }};
}
Trial by_open() {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("fiberscope-fifo-" + std::to_string(::getpid()))).string();
    ::mkfifo(path.c_str(), 0600);
    return {[=] { ::close(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); },
            [=] {
                ::close(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
                std::filesystem::remove(path);
            }};
}
Trial by_getline() {
    const Shared input = a_pipe();
    const int before = ::dup(0);
    ::dup2(input->a, 0);
    return {[=] {
                std::string line;
                std::getline(std::cin, line);
                ::dup2(before, 0);
                ::close(before);
            },
            a_line_into(input)};
}
Trial by_fgets() {
    const Shared input = a_pipe();
    return {[=] {
                char line[8];
                const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(fdopen(::dup(input->a), "r"), std::fclose);
                ignore(std::fgets(line, sizeof line, stream.get()));
            },
            a_line_into(input)};
}
Trial by_printf() {
    const Shared output = full(a_pipe());
    return {[=] { ignore(::dprintf(output->b, "x")); }, all_out_of(output)};
}
Trial by_epoll_wait() {
    return {[] {
        const int poller = epoll_create1(EPOLL_CLOEXEC);
        epoll_event event{};
        ::epoll_wait(poller, &event, 1, 20);
        ::close(poller);
    }};
}
Trial by_epoll_pwait() {
    return {[] {
        const int poller = epoll_create1(EPOLL_CLOEXEC);
        epoll_event event{};
        ::epoll_pwait(poller, &event, 1, 20, nullptr);
        ::close(poller);
    }};
}
Trial by_ppoll() {
    return {[] {
        sigset_t none;
        ::sigemptyset(&none);
        ::ppoll(nullptr, 0, &kAWhile, &none);
    }};
}
Trial by_flock() {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("fiberscope-lock-" + std::to_string(::getpid()))).string();
    const auto files = std::make_shared<Ends>();
    for (int* file : {&files->a, &files->b}) *file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    std::filesystem::remove(path);
    ::flock(files->a, LOCK_EX);
    return {[=] { ::flock(files->b, LOCK_EX); }, [=] { ::flock(files->a, LOCK_UN); }};
}
/// A record lock (F_OFD_SETLKW) held by another open file of this process.
Trial by_fcntl() {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("fiberscope-record-" + std::to_string(::getpid()))).string();
    const auto files = std::make_shared<Ends>();
    for (int* file : {&files->a, &files->b}) *file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    std::filesystem::remove(path);
    const auto set = [](int fd, short type) {
        struct flock all {};
        all.l_type = type;
        ::fcntl(fd, F_OFD_SETLKW, &all);
    };
    set(files->a, F_WRLCK);
    return {[=] { set(files->b, F_WRLCK); }, [=] { set(files->a, F_UNLCK); }};
}
/// A close that waits (SO_LINGER) until the peer has received the data, or has closed.
Trial by_close() {
    const Socket listener = Socket::listener("127.0.0.1", 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(listener.port());
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto ends = std::make_shared<Ends>();
    ends->b = ::socket(AF_INET, SOCK_STREAM, 0);
    ignore(::connect(ends->b, reinterpret_cast<const sockaddr*>(&to), sizeof to));
    pollfd one{listener.fd(), POLLIN, 0};
    ::poll(&one, 1, -1);
    ends->a = ::accept(listener.fd(), nullptr, nullptr);
    full(ends);
    const linger a_minute{1, 60}, none{1, 0};
    ::setsockopt(ends->b, SOL_SOCKET, SO_LINGER, &a_minute, sizeof a_minute);
    ::setsockopt(ends->a, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    return {[=] { ::close(std::exchange(ends->b, -1)); }, [=] { ::close(std::exchange(ends->a, -1)); }};
}

constexpr Row kRows[] = {
    {"wait3", by_wait3},
    {"wait4", by_wait4},
    {"waitid", by_waitid},
    {"thrd_sleep", by_thrd_sleep},
    {"sigtimedwait", by_sigtimedwait},
    {"sigwait", by_sigwait},
    {"pause", by_pause},
    {"sigwaitinfo", by_sigwaitinfo},
    {"sigsuspend", by_sigsuspend},
    {"eventfd_read", by_eventfd_read},
    {"eventfd_write", by_eventfd_write},
    {"semop", by_semop},
    {"mq_receive", by_mq_receive},
    {"aio_suspend", by_aio_suspend},
    {"epoll_pwait", by_epoll_pwait},
    {"fcntl", by_fcntl},
    {"preadv2", by_preadv2},
    {"tee", by_tee},
    {"vmsplice", by_vmsplice},
    {"msgrcv", by_msgrcv},
    {"open", by_open},
    {"getline", by_getline},
    {"fgets", by_fgets},
    {"printf", by_printf},
    {"epoll_wait", by_epoll_wait},
    {"ppoll", by_ppoll},
    {"flock", by_flock},
    {"close", by_close},
};

}  // namespace

std::span<const Row> rows_that_stop() { return kRows; }

}  // namespace fiberscope::lab05::limits
