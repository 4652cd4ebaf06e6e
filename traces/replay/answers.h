// Response times of clients.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/read/trace.h"

namespace fiberscope::trace {

/// A client: sends requests over a descriptor and waits for the answers.
struct ClientAnswers {
    std::string client;               ///< printable: the task's name, or the name in the note
    std::vector<std::uint64_t> took;  ///< ns from each request to the first bytes of its answer, in order
};

/// The clients of a recording in order of first appearance, without those that got no answer. There are two kinds:
/// - A task that writes to a descriptor before it ever reads from it. A request begins with the first write after the
///   previous answer, and ends with a read that returns bytes. A task that reads first is a server, not a client.
/// - A client that is not a task of the recording (it runs outside the server's machines). A note reports its
///   measurements: "NAME: answers after 33800, 31200 ns". See docs/trace-format.md.
std::vector<ClientAnswers> answers_of(const Trace& trace);

}  // namespace fiberscope::trace
