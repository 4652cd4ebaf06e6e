#include "traces/tests/support.h"

namespace fiberscope::trace::testing {

std::filesystem::path data(const std::string& name) {
    return std::filesystem::path(FIBERSCOPE_ROOT "/traces/tests/data") / name;
}

std::vector<std::filesystem::path> samples() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(FIBERSCOPE_ROOT "/traces/samples"))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    return files;
}

std::filesystem::path sample(const std::string& name) {
    return std::filesystem::path(FIBERSCOPE_ROOT "/traces/samples") / (name + ".json");
}

std::string events_document(const std::vector<std::string>& events) {
    std::string lines;
    for (const std::string& event : events) lines += "{" + event + "}\n";
    return document(lines);
}

Trace read_events(const std::vector<std::string>& events) { return read_text(events_document(events)); }

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
            << (e.kind == Kind::set || e.kind == Kind::insert ? english_of(trace.set_name(e.set).bytes())
                                                              : std::string());
        all.push_back(out.str() + registers(trace.saved(n)) + registers(trace.loaded(n)));
    }
    return all;
}

}  // namespace fiberscope::trace::testing
