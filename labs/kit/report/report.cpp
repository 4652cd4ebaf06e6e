#include "labs/kit/report/report.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "labs/kit/report/signal_text.h"
#include "languages/spoken_error.h"

// Programs outside the labs (such as the tests of the grader) have no lab name.
extern "C" {
__attribute__((weak)) extern const char fiberscope_lab_name[];
}

namespace fiberscope::kit {
namespace {

std::atomic<void (*)(const char*) noexcept> exit_hook{nullptr};
std::atomic<void (*)(std::string_view) noexcept> person_teller{nullptr};

int descriptor_from_environment() noexcept {
    const char* text = std::getenv("FIBERSCOPE_REPORT_FD");
    return text == nullptr || *text == '\0' ? -1 : std::atoi(text);
}

// Read once, before main: a signal handler must not call getenv.
std::atomic<int> report_fd{descriptor_from_environment()};

/// Calls the system call directly: in lab 05 the symbol `write` is the student's.
void write_all(int fd, const char* data, std::size_t size) noexcept {
    while (size > 0) {
        const ssize_t n = ::syscall(SYS_write, fd, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        data += n;
        size -= static_cast<std::size_t>(n);
    }
}

/// A line assembled without allocation; truncated if it does not fit, except for the newline.
class Line {
  public:
    void field(std::string_view s) noexcept {
        if (size_ > 0) put('\t', true);
        for (const char c : s) put(c == '\t' ? kTab : c == '\n' || c == '\r' ? ' ' : c);
    }
    void field(std::uint64_t n) noexcept {
        char digits[20];
        std::size_t i = sizeof digits;
        do digits[--i] = static_cast<char>('0' + n % 10);
        while ((n /= 10) != 0);
        field(std::string_view(digits + i, sizeof digits - i));
    }
    void send(int fd) noexcept {
        bytes_[size_++] = '\n';
        write_all(fd, bytes_, size_);
    }

  private:
    // Reserves room for the separators and numbers that may follow a field.
    static constexpr std::size_t kRoom = 1900, kReserve = 140;
    void put(char c, bool separator = false) noexcept {
        if (size_ < kRoom - (separator ? 1 : kReserve)) bytes_[size_++] = c;
    }
    char bytes_[kRoom];
    std::size_t size_ = 0;
};

/// "…/labs/01_switch_asm/exercise/context.cpp" without the part before "labs/".
std::string_view inside_the_tree(std::string_view path) noexcept {
    const std::size_t at = path.rfind("/labs/");
    return at == std::string_view::npos ? path : path.substr(at + 1);
}

/// The part of `text` that fits, cut at a note, a sentence or a word.
std::string_view beginning_of(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most) return text;
    const std::string_view beginning = text.substr(0, most);
    for (const std::string_view between :
         {std::string_view(&kBetweenNotes, 1), std::string_view("; "), std::string_view(" ")})
        if (const std::size_t at = beginning.rfind(between); at != beginning.npos && at > most / 2)
            return text.substr(0, at);
    return beginning;
}

void say_to_person(std::string_view step, std::string_view what, std::string_view file) noexcept {
    const char* lab = fiberscope_lab_name;  // weak: null if the program belongs to no lab
    tell_person(message("not implemented: step {0} {1}", step, Value::of(what)));
    tell_person(message("edit {0}", file.empty() ? "labs/" + std::string(lab == nullptr ? "" : lab) + "/exercise/"
                                                 : std::string(file)));
}

[[noreturn]] void leave(std::string_view step, std::string_view what, std::string_view file) noexcept {
    if (report_fd < 0) {
        say_to_person(step, what, file);
    } else {
        Line line;
        line.field("not-implemented");
        line.field(step);
        line.field(what);
        line.field(file);
        line.send(report_fd);
    }
    if (auto* hook = exit_hook.exchange(nullptr)) {
        hook(message("not implemented: step {0}", step).c_str());
    }
    ::_exit(kNotImplementedStatus);
}

/// "FUNCTION: what it must do", followed by the exception being handled, if the stub was reached from a catch block:
/// that is the original error.
std::string what_is_missing(std::string_view what) {
    const std::size_t colon = what.find(": ");
    const std::string task = colon == what.npos
                                 ? std::string(what)
                                 : message("{0}: {1}", what.substr(0, colon), Value::of(what.substr(colon + 2)));
    if (!std::current_exception()) return task;
    try {
        throw;
    } catch (const std::exception& error) {
        return message(kWhatItThrew, Value::of(task), Value::of(message_of(error)));
    } catch (...) {
        return message("{0}; something was thrown", Value::of(task));
    }
}

}  // namespace

void not_implemented(const char* step, const char* what, const char* file) noexcept {
    leave(step, what_is_missing(what), inside_the_tree(file));
}

void set_report_descriptor(int fd) noexcept { report_fd = fd; }

void tell_person(std::string_view message) noexcept {
    if (auto* const print = person_teller.load()) return print(message);
    SignalText line;
    put_english(line, message);
    line << "\n";
    write_all(STDERR_FILENO, line.view().data(), line.view().size());
}

void set_person_teller(void (*print)(std::string_view message) noexcept) noexcept { person_teller.store(print); }

void set_exit_hook(void (*hook)(const char* text) noexcept) noexcept { exit_hook.store(hook); }

void report_fault(const FaultReport& fault) noexcept {
    if (report_fd < 0) return;
    Line line;
    line.field("fault");
    line.field(static_cast<std::uint64_t>(fault.signal));
    line.field(fault.kind);
    if (fault.coroutine < 0)
        line.field("-");
    else
        line.field(static_cast<std::uint64_t>(fault.coroutine));
    line.field(fault.name);
    line.field(static_cast<std::uint64_t>(fault.stack_size));
    line.field(static_cast<std::uint64_t>(fault.depth));
    line.field(fault.text);
    line.send(report_fd);
}

void report_frame(std::string_view function, std::string_view file, std::uint64_t line_number) noexcept {
    if (report_fd < 0) return;
    constexpr std::size_t kMost = 500;
    Line line;
    line.field("frame");
    line.field(function.substr(0, kMost));
    line.field(file.substr(0, kMost));
    line.field(line_number);
    line.send(report_fd);
}

void report_expected(std::string_view sentence) noexcept {
    if (report_fd < 0) return;
    Line line;
    line.field("expected");
    line.field(sentence);
    line.send(report_fd);
}

void report_waiting(const WaitingReport& waiting) noexcept {
    if (report_fd < 0) return;
    constexpr std::size_t kMost = 200;
    Line line;
    line.field("waiting");
    line.field(waiting.name.substr(0, kMost));
    line.field(waiting.state);
    if (waiting.fd < 0)
        line.field("-");
    else
        line.field(static_cast<std::uint64_t>(waiting.fd));
    line.field(waiting.want);
    line.field(waiting.fact);
    line.field(waiting.reason.substr(0, kMost));
    line.send(report_fd);
}

void report_failed(std::string_view file, std::size_t line_number, std::string_view expression, std::string_view values,
                   std::string_view message) {
    if (report_fd < 0) return;
    constexpr std::size_t kMost = 500;  // for each field, so that none displaces the others
    Line line;
    line.field("failed");
    line.field(inside_the_tree(file).substr(0, kMost));
    line.field(static_cast<std::uint64_t>(line_number));
    line.field(expression.substr(0, kMost));
    line.field(beginning_of(values, kMost));
    line.field(beginning_of(message, kMost));
    line.send(report_fd);
}

void report_left_out(std::string_view why) noexcept {
    if (report_fd < 0) return;
    constexpr std::size_t kMost = 500;
    Line line;
    line.field("left-out");
    line.field(why.substr(0, kMost));
    line.send(report_fd);
}

void report_done(std::string_view nonce, std::size_t passed, std::size_t failed) noexcept {
    if (report_fd < 0) return;
    Line line;
    line.field("done");
    line.field(nonce);
    line.field(static_cast<std::uint64_t>(passed));
    line.field(static_cast<std::uint64_t>(failed));
    line.send(report_fd);
}

}  // namespace fiberscope::kit

// Assembly may call with any stack alignment.
#if defined(__x86_64__)
__attribute__((force_align_arg_pointer))
#endif
void fiberscope_not_implemented(const char* text) noexcept {
    const std::string_view all = text;
    const std::size_t space = all.find(' ');
    fiberscope::kit::leave(all.substr(0, space),
                           fiberscope::kit::what_is_missing(space == all.npos ? "" : all.substr(space + 1)), "");
}
