// libFuzzer target: no file crashes the reader, the replay, the words, the export, the checker or the viewer's layout,
// stepping back undoes stepping forward, and the fast path agrees with the JSON library.
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "traces/check/checker.h"
#include "traces/fuzz/exercises.h"
#include "traces/fuzz/same_event.h"
#include "traces/read/reader.h"
#include "traces/replay/replay.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

namespace {

using namespace fiberscope::trace;

/// A hash of everything that the replay reports at its playhead.
std::size_t digest(const Replay& replay) {
    std::size_t h = replay.at();
    const auto mix = [&h](std::size_t value) { h = (h ^ value) * 0x100000001b3ULL; };
    for (std::uint32_t m = 0; m < replay.trace().machines(); ++m)
        for (const std::uint32_t co : replay.caller_stack(m)) mix(co);
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        const CoroutineNow& c = replay.coroutine(co);
        mix(static_cast<std::size_t>(c.state) + c.caller + c.switches_in + c.since + c.last_event);
        mix(replay.registers(co).size());
    }
    for (const SetNow& set : replay.sets()) {
        for (const Member& m : set.members) mix(m.co ^ m.timer);
        for (const TreeNode& n : set.nodes) mix(n.id ^ n.left ^ n.right);
    }
    return h;
}

void exercise(const Trace& trace) {
    static_cast<void>(check(trace));
    Replay replay(trace);
    if (replay.coroutines() > 2000 || trace.machines() > 2000 || trace.size() > 2000) {
        replay.seek(trace.size());  // evaluating everything at every step would take too long
        replay.seek(trace.size() / 2);
        return;
    }
    std::vector<std::size_t> digests = {digest(replay)};
    while (replay.forward()) {
        digests.push_back(digest(replay));
        static_cast<void>(describe(trace, replay.at() - 1));
    }
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) static_cast<void>(why_not_running(replay, co));
    while (replay.backward())
        if (digest(replay) != digests[replay.at()]) std::abort();
    for (std::size_t at = 0; at <= trace.size(); at += 1 + trace.size() / 7) {
        replay.seek(at);
        if (digest(replay) != digests[at]) std::abort();
    }
    std::ostringstream out;
    tool::write_chrome(trace, out);
    for (const fuzz::Exercise exercise : fuzz::exercises()) exercise(replay);
}

/// The fast path must agree with the JSON library on every line that it accepts.
void compare_parsers(std::string_view text) {
    RawEvent flat, whole;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        if (line.ends_with(',')) line.remove_suffix(1);
        if (parse_flat(line, flat) && !(parse_raw(line, whole).ok && testing::same(flat, whole))) std::abort();
        begin = end + 1;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    compare_parsers(text);
    std::istringstream in(text);
    try {
        exercise(read(in, "fuzz.json"));
    } catch (const ReadError&) {  // a file that is rejected with a message
    }
    return 0;
}
