#include "viewer/model/rerun/rerun.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "languages/spoken_error.h"
#include "traces/read/printable.h"

namespace fiberscope::viewer {
namespace {

std::filesystem::path of_environment(const char* name) {
    const char* folder = std::getenv(name);
    return folder == nullptr ? "" : folder;
}

/// "07" of "07_name"; empty if it is not a lab.
std::string number_of_lab(std::string_view lab) {
    const auto digit = [&](std::size_t i) { return lab[i] >= '0' && lab[i] <= '9'; };
    return lab.size() > 3 && digit(0) && digit(1) && lab[2] == '_' ? std::string(lab.substr(0, 2)) : "";
}

/// A recording is untrusted: only valid demo names are passed to a program.
bool is_name_of_demo(std::string_view name) {
    return !name.empty() && name.size() <= 60 && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// The last nonempty line.
std::string last_words(std::string_view text) {
    const std::size_t end = text.find_last_not_of(" \r\n") + 1;
    const std::size_t before = end == 0 ? std::string_view::npos : text.find_last_of('\n', end - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    constexpr std::size_t kLongest = 400;
    return trace::printable(text.substr(begin, std::min(end - begin, kLongest)));
}

}  // namespace

DemoPrograms programs_of_environment() {
    DemoPrograms programs{of_environment("FIBERSCOPE_DEMOS"), of_environment("FIBERSCOPE_DEMOS_MINE")};
    if (programs.mine == programs.reference) programs.mine.clear();
    return programs;
}

Rerun::Rerun(DemoPrograms programs, ProgramLimits limits) : programs_(std::move(programs)), limits_(limits) {}

Rerun::~Rerun() {
    program_.reset();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path Rerun::program() const {
    return (mine_ ? programs_.mine : programs_.reference) / ("lab" + lab_ + "_demo");
}

void Rerun::ask(const trace::Trace& trace, Language language) {
    const std::string lab = number_of_lab(trace.head.lab.bytes()), name(trace.head.program.bytes());
    if (!knobs_.empty() && lab == lab_ && name == name_) return;
    program_.reset();
    knobs_.clear();
    demo_.clear();
    if (!can_start_programs()) {
        said_ = say(language, "The browser version cannot run programs: open the recording with ./lab view.");
    } else if (programs_.reference.empty()) {
        said_ = say(language, "The location of the demos is unknown: start the viewer with ./lab view.");
    } else if (lab.empty() || !is_name_of_demo(name)) {
        said_ = say(language, "This recording was not made by a demo of the labs.");
    } else {
        lab_ = lab;
        name_ = name;
        demo_ = lab + " " + name;
        recorded_ = as_recorded(trace);
        lists_ = true;
        if (make_folder(language)) start({"--knobs"}, language);
    }
}

void Rerun::run(Language language) {
    if (demo_.empty() || (lists_ && busy())) return;
    for (const Knob& knob : knobs_)
        if (said_ = wrong_with(knob, language); !said_.empty()) return;
    lists_ = false;
    if (!make_folder(language)) return;
    std::vector<std::string> arguments{"--clock", "virtual", "--out", (folder_ / "new.json").string()};
    const std::vector<std::string> turned = arguments_of(knobs_);
    arguments.insert(arguments.end(), turned.begin(), turned.end());
    start(arguments, language);
}

bool Rerun::make_folder(Language language) {
    if (!folder_.empty()) return true;
    std::error_code error;
    std::string pattern = (std::filesystem::temp_directory_path(error) / "fiberscope-again-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr)
        folder_ = pattern;
    else
        said_ = say(language, "Cannot create {0}.", pattern);
    return !folder_.empty();
}

void Rerun::start(const std::vector<std::string>& arguments, Language language) {
    program_.reset();
    std::error_code error;
    if (!std::filesystem::exists(program(), error)) {
        const std::string call = "./lab run " + demo_ + (mine_ ? " --mine" : "");
        said_ = say(language, "{0} is not built: {1} builds it.", program().string(), call);
        return;
    }
    std::vector<std::string> command{program().string(), name_};
    command.insert(command.end(), arguments.begin(), arguments.end());
    try {
        program_ = std::make_unique<Program>(command, folder_ / "printed.txt", limits_);
        said_ = say(language, "Running {0} …", demo_);
    } catch (const SpokenError& wrong) {
        said_ = wrong.in(language);
    }
}

void Rerun::take_knobs(const std::string& printed, Language language) {
    knobs_ = read_knobs(printed);
    turn_to(knobs_, recorded_);
    said_ = knobs_.empty() && !knows_mine() ? say(language, "The demo {0} has no settings.", demo_) : "";
}

std::string Rerun::in_words(const ProgramEnd& end, Language language) const {
    using How = ProgramEnd::How;
    switch (end.how) {
    case How::too_slow:
        return say(language, "{0} timed out after {1} s and was killed.", demo_, limits_.time.count() / 1000);
    case How::too_much: return say(language, "{0} wrote more than {1} KB and was killed.", demo_, limits_.kilobytes);
    case How::by_signal: return say(language, "{0} was killed by signal {1}.", demo_, end.number);
    case How::well:
    case How::with_error: break;
    }
    const std::string line = last_words(end.printed);
    return line.empty() ? say(language, "{0} exited with status {1}.", demo_, end.number) : line;
}

std::optional<std::filesystem::path> Rerun::poll(Language language) {
    if (program_ == nullptr) return std::nullopt;
    const auto end = program_->poll();
    if (!end) return std::nullopt;
    program_.reset();
    said_.clear();
    if (end->how != ProgramEnd::How::well) {
        said_ = in_words(*end, language);
        return std::nullopt;
    }
    if (lists_) {
        take_knobs(end->printed, language);
        return std::nullopt;
    }
    const std::filesystem::path file = folder_ / (lab_ + "_" + name_ + "_again.json");
    std::error_code error;
    std::filesystem::rename(folder_ / "new.json", file, error);
    if (!error) return file;
    said_ = say(language, "{0} has not written a recording.", demo_);
    return std::nullopt;
}

}  // namespace fiberscope::viewer
