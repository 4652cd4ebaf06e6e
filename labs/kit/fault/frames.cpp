#include "labs/kit/fault/frames.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <unistd.h>
#include <unwind.h>

#include <cstring>
#include <string_view>

#include "labs/kit/fault/source_lines.h"
#include "labs/kit/report/report.h"
#include "labs/kit/report/signal_text.h"

namespace fiberscope::kit {

namespace {

constexpr std::size_t kTold = 3;

std::uintptr_t program_begins = 0;  // subtracted from an address for addr2line
void* program_base = nullptr;       // as reported by dladdr

// Static: only one thread reports (fault.cpp).
sigjmp_buf before_walk;
volatile int walking = 0;

/// Without the namespace of a file that is compiled together with others (cmake/targets.cmake).
std::string_view without_file(std::string_view function) noexcept {
    while (function.starts_with("test_file_") && function.find("::") != function.npos)
        function.remove_prefix(function.find("::") + 2);
    return function;
}

/// The functions that Catch2 generates for tests have a number as their name.
std::string_view test_in_words(std::string_view function) noexcept {
    function = without_file(function);
    const bool is_test = function.starts_with("C_A_T_C_H_T_E_S_T") || function.starts_with("fiberscope_test_");
    if (!is_test) return function;
    return function.find("lambda") == function.npos ? "the test" : "a lambda of the test";
}

struct StackWalk {
    Frames* frames;
    std::uintptr_t first;
    bool arrived = false;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
    auto& walk = *static_cast<StackWalk*>(data);
    int is_exact = 0;
    const std::uintptr_t at = _Unwind_GetIPInfo(context, &is_exact);
    if (!walk.arrived && at != walk.first) return _URC_NO_REASON;
    // A return address is after its call, and may belong to another line.
    if (walk.arrived && walk.frames->count < walk.frames->code.size()) {
        walk.frames->code[walk.frames->count++] = is_exact != 0 ? at : at - 1;
    }
    walk.arrived = true;
    return walk.frames->count < walk.frames->code.size() ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void walk(MachineState& machine, Frames& frames) noexcept {
    const bool at_null = machine.code() < 4096;
    if (at_null) machine.return_to_caller();
    frames.code[frames.count++] = at_null ? machine.code() - 1 : machine.code();
    StackWalk walk{&frames, machine.code()};
    _Unwind_Backtrace(step, &walk);
}

bool is_in_program(std::uintptr_t code) noexcept {
    Dl_info info{};
    return dladdr(reinterpret_cast<void*>(code), &info) != 0 && info.dli_fbase == program_base;
}

/// Without debug information a name is that of the nearest preceding exported function, which may have ended before the
/// address: functions that are not exported are in between.
bool lies_in_exported(std::uintptr_t code) noexcept {
    Dl_info info{};
    void* found = nullptr;
    if (dladdr1(reinterpret_cast<void*>(code), &info, &found, RTLD_DL_SYMENT) == 0 || found == nullptr) return false;
    const auto size = static_cast<const ElfW(Sym)*>(found)->st_size;
    return size == 0 || code - reinterpret_cast<std::uintptr_t>(info.dli_saddr) < size;
}

constexpr Text kIn = mark("fiberscope:   in {0}{1}"), kCalledBy = mark("fiberscope:   called by {0}{1}");

/// Sends a frame and counts it.
class FrameReporter {
  public:
    explicit FrameReporter(bool skip_library) noexcept : skip_library_(skip_library) {}
    bool full() const noexcept { return told_ == kTold; }

    void tell(std::string_view function, std::string_view file, std::uint64_t line) noexcept {
        if (full() || is_machinery(function, file)) return;
        function = test_in_words(function);
        report_frame(function, file, line);
        SignalText text;
        text << (told_++ == 0 ? kIn : kCalledBy).english << "\t" << function << "\t";
        if (!file.empty()) text << ", " << file << ":" << line;
        tell_person(text.view());
    }
    void tell_by_export(std::uintptr_t code) noexcept {
        Dl_info info{};
        if (dladdr(reinterpret_cast<void*>(code), &info) == 0 || info.dli_sname == nullptr) return;
        if ((skip_library_ && info.dli_fbase != program_base) || !lies_in_exported(code)) return;
        tell(info.dli_sname, "", 0);
    }

  private:
    // Functions that abort, the standard library's templates, and test runners are skipped: the caller is of interest.
    static bool is_machinery(std::string_view function, std::string_view file) noexcept {
        const bool is_standard = function.starts_with("std::") || function.starts_with("__gnu_cxx::");
        return (is_standard && file.empty()) || function.starts_with("Catch::") ||
               function.find("::abort_because(") != function.npos || function.find("::refuse") != function.npos ||
               file.ends_with("labs/kit/run/transfer.h") || file.ends_with("labs/kit/report/abort.cpp") ||
               file.ends_with("labs/kit/fault/fault.cpp") || file.starts_with("/usr/") ||
               file.find("traces/record/") != file.npos;
    }
    std::size_t told_ = 0;
    bool skip_library_;
};

}  // namespace

void prepare_frames() noexcept {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&prepare_frames), &info) != 0) program_base = info.dli_fbase;
    dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void*) {
            program_begins = program->dlpi_addr;
            return 1;  // the first is the program itself
        },
        nullptr);
}

const Frames& frames_of(MachineState& machine, bool whole) noexcept {
    static Frames frames;  // static, to survive a jump out of the unwinder
    if (!whole) {
        frames.code[frames.count++] = machine.code();
        return frames;
    }
    walking = 1;
    if (sigsetjmp(before_walk, 1) == 0) walk(machine, frames);
    walking = 0;
    return frames;
}

void leave_walk() noexcept {
    if (walking != 0) siglongjmp(before_walk, 1);
}

void tell_frames(const Frames& frames, bool skip_library) noexcept {
    Frames own;
    for (std::size_t i = 0; i < frames.count; ++i)
        if (is_in_program(frames.code[i])) own.code[own.count++] = frames.code[i] - program_begins;
    SourceLines lines(own);
    FrameReporter reporter(skip_library);
    for (std::size_t i = 0; i < frames.count && !reporter.full(); ++i) {
        bool known = false;
        if (is_in_program(frames.code[i]) && lines.next_address())
            for (SourceLine line; lines.next(line); known = true)
                if (!line.file.empty() || lies_in_exported(frames.code[i]))
                    reporter.tell(line.function, line.file, line.line);
        if (!known) reporter.tell_by_export(frames.code[i]);
    }
}

}  // namespace fiberscope::kit
