#include "traces/words/names.h"

#include "traces/read/printable.h"
#include "traces/words/sets.h"

namespace fiberscope::trace {
namespace {

std::string in_context(std::string_view context, Foreign message) {
    return std::string(context) + '\4' + std::string(message.bytes());
}

}  // namespace

Value name_value(const Trace& trace, std::uint32_t co) {
    if (co == kNone || trace.has_name(co)) return trace.name(co);
    return Value::of(message(mark("coroutine {0}", "name"), co));
}

Value timer_value(std::uint32_t timer) { return Value::of(message(mark("timer {0}", "name"), timer)); }
Value set_value(Foreign name) { return Value::of(in_context("set", name)); }
Value state_value(State state) { return Text(word(state), "state"); }

std::string name_in(const Trace& trace, std::uint32_t co, Language language) {
    const Value name = name_value(trace, co);
    return filled("{0}", language, {&name, 1});
}

std::string set_in(Foreign name, Language language) { return printable(formatted(in_context("set", name), language)); }

std::string order_in(Foreign key, Language language) {
    return printable(formatted(in_context("order", key), language));
}

std::string note_in(Foreign note, Language language) {
    std::string_view values = note.bytes();
    const Text text(fiberscope::detail::next_field(values), "note");
    const bool is_note = text_of(text, language) != text.english || values.empty();
    return printable(formatted(is_note ? in_context("note", note) : std::string(note.bytes()), language));
}

}  // namespace fiberscope::trace
