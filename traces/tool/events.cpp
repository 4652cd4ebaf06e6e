#include <algorithm>
#include <iomanip>
#include <ostream>

#include "traces/read/reader.h"
#include "traces/schema/named.h"
#include "traces/tool/verbs.h"
#include "traces/words/names.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

bool names(const Event& event, std::uint32_t wanted) {
    bool found = false;
    for_each_coroutine(event, [&](std::uint32_t co) { found = found || co == wanted; });
    return found;
}

constexpr int kWidestKind = [] {
    std::size_t widest = 0;
    for (const std::string_view kind : kWords<Kind>) widest = std::max(widest, kind.size());
    return static_cast<int>(widest);
}();

/// Whether `name` is what the reader calls another coroutine of the name `text`: "ping (2)".
bool is_namesake(std::string_view name, std::string_view text) {
    if (!name.starts_with(text)) return false;
    name.remove_prefix(text.size());
    return name.starts_with(" (") && name.find_first_not_of("0123456789", 2) == name.size() - 1 && name.ends_with(')');
}

}  // namespace

std::uint32_t find_coroutine(const Trace& trace, const std::string& text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && text.size() < 10 && std::stoul(text) < trace.coroutines())
        return static_cast<std::uint32_t>(std::stoul(text));
    std::uint32_t found = kNone, namesake = kNone;
    for (std::uint32_t co = 0; co < trace.coroutines(); ++co) {
        if (trace.name(co) == text) found = co;
        if (namesake == kNone && is_namesake(trace.name(co), text)) namesake = co;
    }
    if (found == kNone) throw UsageError("no coroutine has the name or number {0} in this trace.", text);
    if (namesake != kNone)
        throw UsageError("several coroutines are called {0}: give a number, such as {1} or {2}.", text, found,
                         namesake);
    return found;
}

int list_events(const Arguments& arguments, std::ostream& out) {
    const std::uint64_t from = arguments.has("--from") ? arguments.number("--from", 1) : 1;
    const std::uint64_t to = arguments.has("--to") ? arguments.number("--to", 1) : UINT64_MAX;
    const Trace trace = read_events_of(std::filesystem::path(arguments.files[0]));
    const std::uint32_t co = arguments.has("--co") ? find_coroutine(trace, arguments.options.at("--co")) : kNone;
    const Language language = arguments.language();
    const std::size_t widest = std::to_string(trace.machines() == 0 ? 0 : trace.machines() - 1).size();
    for (std::size_t n = from - 1; n < std::min<std::uint64_t>(to, trace.size()); ++n) {
        const Event& e = trace[n];
        if (co != kNone && !names(e, co)) continue;
        out << std::setw(7) << n + 1 << ' ' << std::setw(13) << e.t << " ns  " << say(language, "machine {0}", e.m)
            << std::string(widest - std::to_string(e.m).size(), ' ') << "  " << std::left << std::setw(kWidestKind)
            << word(e.kind) << std::right << ' ' << describe(trace, n, language) << '\n';
    }
    if (!trace.missing.empty()) out << say(language, "Note: {0}.", formatted(trace.missing, language)) << '\n';
    return 0;
}

}  // namespace fiberscope::trace::tool
