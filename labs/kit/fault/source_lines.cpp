#include "labs/kit/fault/source_lines.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace fiberscope::kit {

namespace {

constexpr int kLongestWait = 2000;  // ms

/// "0x1f3a"
class Hexadecimal {
  public:
    explicit Hexadecimal(std::uintptr_t number = 0) noexcept {
        char* at = text_ + sizeof text_ - 1;
        *at = '\0';
        do *--at = "0123456789abcdef"[number % 16];
        while ((number /= 16) != 0);
        *--at = 'x';
        *--at = '0';
        first_ = static_cast<std::size_t>(at - text_);
    }
    char* data() noexcept { return text_ + first_; }

  private:
    char text_[24];
    std::size_t first_;
};

#if defined(__x86_64__)
constexpr const char* kOfThisProcessor = "x86_64-linux-gnu-addr2line";
#else
constexpr const char* kOfThisProcessor = "aarch64-linux-gnu-addr2line";
#endif

// Under an emulator the default addr2line may only support the host, so the target's own is tried first.
[[noreturn]] void become_addr2line(const Frames& addresses, const char* program, int out) noexcept {
    std::array<Hexadecimal, std::tuple_size_v<decltype(addresses.code)>> texts;
    std::array<const char*, 6 + std::tuple_size_v<decltype(addresses.code)>> arguments{"addr2line", "-afiC", "-e",
                                                                                       program};
    for (std::size_t i = 0; i < addresses.count; ++i) {
        texts[i] = Hexadecimal(addresses.code[i]);
        arguments[4 + i] = texts[i].data();
    }
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
    ::execvp(kOfThisProcessor, const_cast<char**>(arguments.data()));
    ::execvp(arguments[0], const_cast<char**>(arguments.data()));
    ::_exit(127);
}

std::size_t read_all(int fd, char* to, std::size_t room) noexcept {
    std::size_t size = 0;
    for (pollfd wait{fd, POLLIN, 0}; size < room && ::poll(&wait, 1, kLongestWait) == 1;) {
        const ssize_t n = ::read(fd, to + size, room - size);
        if (n <= 0) break;
        size += static_cast<std::size_t>(n);
    }
    return size;
}

// fork() would wait for the allocator's locks, which the interrupted program may hold.
pid_t fork_only() noexcept { return static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }

std::size_t ask(const Frames& addresses, char* to, std::size_t room) noexcept {
    int ends[2];
    if (addresses.count == 0 || ::pipe2(ends, O_CLOEXEC) != 0) return 0;
    char program[4096] = "";
    if (::readlink("/proc/self/exe", program, sizeof program - 1) < 0) return 0;
    const pid_t child = fork_only();
    if (child == 0) become_addr2line(addresses, program, ends[1]);
    ::close(ends[1]);
    const std::size_t size = child < 0 ? 0 : read_all(ends[0], to, room);
    ::close(ends[0]);
    if (child > 0) {
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }
    return size;
}

std::string_view inside_the_tree(std::string_view path) noexcept {
    const std::size_t at = path.rfind("/labs/");
    return at == path.npos ? path : path.substr(at + 1);
}

}  // namespace

SourceLines::SourceLines(const Frames& addresses) noexcept
    : rest_(answer_.data(), ask(addresses, answer_.data(), answer_.size())) {}

std::string_view SourceLines::take_line() noexcept {
    const std::string_view line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(line.size() < rest_.size() ? line.size() + 1 : rest_.size());
    return line;
}

bool SourceLines::next_address() noexcept {
    while (!rest_.empty())
        if (take_line().starts_with("0x")) return true;
    return false;
}

// "sum_down(unsigned long)" and "/…/labs/01_switch_asm/exercise/coroutine.cpp:31 (discriminator 2)"
bool SourceLines::next(SourceLine& line) noexcept {
    if (rest_.empty() || rest_.starts_with("0x")) return false;
    line.function = take_line();
    std::string_view place = take_line();
    place = place.substr(0, place.find(" ("));
    const std::size_t colon = std::min(place.rfind(':'), place.size());
    // In a unity build the line is that of the included file.
    const bool known = !place.starts_with("??") && place.find("/Unity/unity_") == place.npos;
    line.file = known ? inside_the_tree(place.substr(0, colon)) : std::string_view();
    line.line = 0;
    for (const char c : place.substr(colon))
        if (c >= '0' && c <= '9') line.line = line.line * 10 + static_cast<std::uint64_t>(c - '0');
    return line.function != "??";
}

}  // namespace fiberscope::kit
