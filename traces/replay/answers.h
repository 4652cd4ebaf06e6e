// How long clients waited for their answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/read/trace.h"

namespace fiberscope::trace {

/// One that asks over a descriptor and waits for what comes back.
struct ClientAnswers {
    std::string client;               ///< printable: the task's name, or the name in the note
    std::vector<std::uint64_t> took;  ///< ns from each request to the first bytes of its answer, in their order
};

/// The clients of a recording, in the order in which they are first seen; none without an answer. There are two kinds:
/// - A task that writes to a descriptor before it ever reads from it. Its request begins with the first write after the
///   answer before, and a read that returns bytes ends it. A task that reads first serves, and is no client.
/// - A client that is no task of the recording (it lives beside the machines of the server). A note tells what it has
///   counted: "NAME: answers after 33800, 31200 ns". See docs/trace-format.md.
std::vector<ClientAnswers> answers_of(const Trace& trace);

}  // namespace fiberscope::trace
