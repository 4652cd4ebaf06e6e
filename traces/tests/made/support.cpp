#include "traces/tests/support.h"

namespace fiberscope::trace::testing {

std::filesystem::path data(const std::string& name) {
    return std::filesystem::path(FIBERSCOPE_ROOT "/traces/tests/data") / name;
}

std::string events_document(std::initializer_list<const char*> events) {
    std::string lines;
    for (const char* event : events) lines += "{" + std::string(event) + "}\n";
    return document(lines);
}

Trace read_events(std::initializer_list<const char*> events) { return read_text(events_document(events)); }

std::string read_error(const std::string& text) {
    try {
        read_text(text);
    } catch (const ReadError& error) {
        return error.what();
    }
    return {};
}

std::vector<std::string> dump(const Trace& trace) {
    std::vector<std::string> all;
    const auto registers = [&](const std::vector<RegisterValue>& values) {
        std::string text = " [";
        for (const RegisterValue& r : values)
            text += std::string(trace.text(r.name).bytes()) + "=" + std::string(trace.text(r.value).bytes()) + " ";
        return text + "]";
    };
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const Event& e = trace[n];
        std::ostringstream out;
        out << e.t << ' ' << e.m << ' ' << word(e.kind) << ' ' << e.co << ' ' << e.x << ' ' << e.y << ' ' << int{e.e1}
            << ' ' << int{e.e2} << ' ' << int{e.e3} << " '" << trace.text(e.text).bytes() << "' "
            << (e.kind == Kind::set ? std::string(trace.text(e.other).bytes()) : std::to_string(e.other)) << ' '
            << (e.kind == Kind::set || e.kind == Kind::insert ? trace.set_name(e.set).bytes() : std::string_view());
        all.push_back(out.str() + registers(trace.saved(n)) + registers(trace.loaded(n)));
    }
    return all;
}

}  // namespace fiberscope::trace::testing
