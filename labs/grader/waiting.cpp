#include "labs/grader/waiting.h"

#include "labs/grader/words.h"

namespace fiberscope::grader {
namespace {

std::string fact_in_words(std::string_view fact, std::string_view want, std::string_view name) {
    if (fact == "ready") return say(want == "write" ? W::is_writable_now : W::is_readable_now, name);
    if (fact == "gone") return say(W::peer_is_gone, name);
    if (fact == "closed") return say(W::descriptor_is_closed, name);
    if (fact == "quiet") return say(W::nothing_has_come);
    return "";
}

}  // namespace

std::string waiting_in_words(std::span<const std::string_view> fields) {
    const std::string_view name = fields[0], state = fields[1], fd = fields[2], want = fields[3], reason = fields[4];
    if (fd != "-")
        return say(want == "write" ? W::waits_to_write : W::waits_to_read, name, fd) +
               fact_in_words(fields[5], want, name);
    if (state == "waiting" && !reason.empty()) return say(W::waits_for, name, reason);
    if (state == "ready") return say(W::is_ready, name);
    return say(W::is_in_state, name, state);
}

}  // namespace fiberscope::grader
