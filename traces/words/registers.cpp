#include "traces/words/registers.h"

#include <algorithm>
#include <unordered_map>

#include "traces/read/printable.h"

namespace fiberscope::trace {
namespace {

using Values = std::vector<RegisterValue>;

bool is_sent_to_unwind(const Trace& trace, const Values& loaded) {
    return std::any_of(loaded.begin(), loaded.end(), [&](const RegisterValue& value) {
        const Foreign text = trace.text(value.value);
        return text.contains("throw_unwind") || text.contains("fiberscope_arrival");
    });
}

void add_changed(std::vector<ChangedRegister>& out, const Trace& trace, std::uint32_t event, const Values& before) {
    const Values loaded = trace.loaded(event);
    if (is_sent_to_unwind(trace, loaded)) return;
    for (const RegisterValue& now : loaded)
        for (const RegisterValue& old : before) {
            if (trace.text(old.name) != trace.text(now.name) || trace.text(old.value) == trace.text(now.value))
                continue;
            ChangedRegister changed{event,
                                    trace[event].other,
                                    printable(trace.text(now.name)),
                                    short_value(printable(trace.text(now.value))),
                                    short_value(printable(trace.text(old.value))),
                                    {}};
            changed.words = "≠ " + changed.name + " " + changed.now + " was " + changed.before;
            out.push_back(std::move(changed));
        }
}

}  // namespace

bool sends_to_unwind(const Trace& trace, std::size_t n) { return is_sent_to_unwind(trace, trace.loaded(n)); }

std::vector<ChangedRegister> changed_registers(const Trace& trace) {
    std::vector<ChangedRegister> out;
    std::unordered_map<std::uint32_t, std::uint32_t> last_save;  // event, by coroutine
    for (std::uint32_t n = 0; n < trace.size(); ++n) {
        if (trace[n].kind != Kind::switch_) continue;
        if (const auto it = last_save.find(trace[n].other); it != last_save.end())
            add_changed(out, trace, n, trace.saved(it->second));
        last_save[trace[n].co] = n;
    }
    return out;
}

std::string short_value(std::string_view value) {
    const auto plus = value.rfind("+0x");
    if (plus == std::string_view::npos) return std::string(value);
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    std::string_view symbol = value.substr(0, plus);
    if (const auto at = symbol.rfind(kAnonymous); at != std::string_view::npos && symbol.find('<') > at)
        symbol.remove_prefix(at + kAnonymous.size());
    symbol = symbol.substr(0, symbol.find_first_of("<(", 1));
    if (const auto colons = symbol.rfind("::"); colons != std::string_view::npos) symbol.remove_prefix(colons + 2);
    return std::string(symbol) + std::string(value.substr(plus));
}

}  // namespace fiberscope::trace
