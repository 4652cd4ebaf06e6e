// Step 2.1: errors of a context when the kernel refuses the signal mask.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "labs/02_ucontext/context.h"
#include "labs/02_ucontext/jump.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/testing/child.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab02;

namespace {

/// Makes the kernel refuse every change of a signal mask in this process with EACCES. Returns false if it cannot.
bool refuse_signal_masks() {
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter{static_cast<unsigned short>(std::size(rules)), rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Describes the error of a call there, for instance "EACCES, getcontext".
template <class Call>
std::string said_where_masks_are_refused(Call call) {
    if (!refuse_signal_masks()) return "no filter";
    try {
        call();
    } catch (const std::system_error& error) {
        const std::string words = error.what();
        return std::string(error.code() == std::errc::permission_denied ? "EACCES" : "another code") +
               (words.find("getcontext") != std::string::npos ? ", getcontext" : ", no name");
    }
    return "nothing";
}

}  // namespace

TEST_CASE("2.1 if the caller's state cannot be saved, make and make_here throw errno and the name of the call") {
    if (kit::kUnderSanitizer) {
        SUCCEED("a sanitizer changes signal masks itself");
        return;
    }
    const auto first = kit::answer_of_child([] { return said_where_masks_are_refused([] { Context().make_here(); }); });
    if (first.is("no filter")) {
        SUCCEED("the system does not support filters of system calls");
        return;
    }
    INFO("getcontext returns -1 and sets errno: throw a std::system_error with errno that names getcontext");
    CHECK(kit::answered_by_child([] { return said_where_masks_are_refused([] { Context().make_here(); }); },
                                 "EACCES, getcontext"));
    CHECK(kit::answered_by_child(
        [] {
            static std::byte stack[16 * 1024];
            return said_where_masks_are_refused([] {
                Context().make(
                    stack, sizeof stack, [](void*) {}, nullptr);
            });
        },
        "EACCES, getcontext"));
}

#if defined(__x86_64__)

#endif
