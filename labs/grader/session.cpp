#include "labs/grader/session.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <random>
#include <utility>

#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

/// A nonce that the tested program cannot guess, so that only its own main can report that the test ran to its end.
std::string fresh_nonce() {
    std::random_device random;  // the system's
    std::string text;
    for (int part = 0; part < 4; ++part) text += std::to_string(random()) + '-';
    return text;
}

/// A test's name as a file name: "1.3 nested, deep" -> "1.3_nested_deep.json".
std::string trace_name(std::string_view test) {
    std::string text;
    for (const char c : test.substr(0, 100)) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
        if (plain)
            text += c;
        else if (!text.empty() && text.back() != '_')
            text += '_';
    }
    return text + ".json";
}

/// Working directory of a test that may leave a core dump, which the kernel names.
std::filesystem::path core_directory(const std::filesystem::path& trace) { return trace.string() + ".d"; }
/// The final path of the core dump.
std::filesystem::path core_of(std::filesystem::path trace) { return trace.replace_extension(".core"); }

void prepare_core(Command& command, const std::filesystem::path& trace, std::size_t program) {
    command.core = core_directory(trace);
    std::filesystem::create_directories(command.core);
    command.arguments[program] = std::filesystem::absolute(command.arguments[program]).string();
    command.environment.emplace_back("FIBERSCOPE_LIST_COROUTINES", "1");
}

/// Moves the core dump of a crash beside its trace, or reports why there is none.
void take_core(Verdict& verdict) {
    const std::filesystem::path directory = core_directory(verdict.trace);
    for (const auto& file : std::filesystem::directory_iterator(directory)) {
        if (!file.path().filename().string().starts_with("core") || verdict.result != Result::crashed) continue;
        verdict.core = core_of(verdict.trace);
        std::filesystem::rename(file.path(), verdict.core);
        break;
    }
    if (verdict.result == Result::crashed && verdict.core.empty()) {
        std::string pattern;
        std::getline(std::ifstream("/proc/sys/kernel/core_pattern") >> std::ws, pattern);
        verdict.details.push_back(
            says("It left no core dump: the kernel's setting is '{0}', or 'ulimit -H -c' is 0.", pattern));
    }
    std::filesystem::remove_all(directory);
}

Command command_of(const Settings& settings, const std::filesystem::path& program) {
    Command command;
    command.arguments = settings.wrap;
    command.arguments.push_back(program.string());
    return command;
}

/// A temporary directory for the files of a test that may not survive to remove them: a test that hangs while it
/// records may write gigabytes.
class Scratch {
  public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "fiberscope-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw GraderError("cannot create a directory for the files of a test: " + name);
        path_ = name;
    }
    Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    Scratch& operator=(Scratch&&) = delete;
    ~Scratch() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace

std::string lab_number(const Settings& settings) { return settings.lab.filename().string().substr(0, 2); }

bool came_solved(const std::filesystem::path& lab) {
    int through = 0;
    std::ifstream(lab / "../solved_through") >> through;
    return through >= std::atoi(lab.filename().c_str());
}

std::vector<std::string> list_tests(const Settings& settings, const std::filesystem::path& program) {
    Command command = command_of(settings, program);
    command.arguments.emplace_back("--names");
    Limits limits = settings.limits;
    limits.patience = Patience::of(limits.patience.processor * 5);  // the first start reads it from the disk
    const Outcome outcome = run(command, limits);
    if (outcome.end != End::exited || outcome.status != 0)
        throw GraderError(shown(program) + " does not list its tests: " +
                          (outcome.error.empty()
                               ? judge(outcome, {"", limits.patience, {}}).headline + "\n" + outcome.output
                               : outcome.error));
    std::vector<std::string> names;
    std::string_view rest = outcome.output;
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1))
        names.emplace_back(rest.substr(0, end));
    return names;
}

std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests, const LimitsOf& limits) {
    std::filesystem::create_directories(settings.traces);
    std::vector<Verdict> verdicts(tests.size());
    std::vector<Question> questions(tests.size());
    std::vector<std::optional<Scratch>> scratch(tests.size());
    for (std::size_t i = 0; i < tests.size(); ++i) {
        questions[i] = {fresh_nonce(), {}, StepNumber::of(tests[i].name)};
        // Tests of different programs may have the same name: mutants fail the same test.
        const auto below = tests[i].program.empty() ? std::filesystem::path() : tests[i].program.filename();
        verdicts[i].trace = std::filesystem::absolute(settings.traces) / below / trace_name(tests[i].name);
    }
    const auto command = [&](std::size_t i) {
        std::filesystem::remove(verdicts[i].trace);  // an old one would be misleading
        std::filesystem::remove(core_of(verdicts[i].trace));
        Command c = command_of(settings, tests[i].program.empty() ? settings.program : tests[i].program);
        c.arguments.insert(c.arguments.end(), {"--one", tests[i].name});
        c.environment = {{"FIBERSCOPE_NONCE", questions[i].nonce}, {"FIBERSCOPE_TRACE", verdicts[i].trace.string()}};
        c.environment.emplace_back("TMPDIR", scratch[i].emplace().path().string());
        if (settings.core) prepare_core(c, verdicts[i].trace, settings.wrap.size());
        return c;
    };
    const auto limits_of = [&](std::size_t i) {
        auto given = limits(i, verdicts);
        if (given && kind_of(tests[i].name) == Kind::broad) given->patience = given->patience.for_very_many();
        if (given) questions[i].patience = given->patience;
        return given;
    };
    const auto done = [&](std::size_t i, const Outcome& outcome) {
        scratch[i].reset();
        Verdict verdict = judge(outcome, questions[i]);
        verdict.trace = verdicts[i].trace;
        if (settings.core) take_core(verdict);
        verdicts[i] = std::move(verdict);
    };
    run_all(tests.size(), settings.parallel, command, limits_of, done);
    return verdicts;
}

std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests) {
    return run_tests(settings, tests, [&](std::size_t, const auto&) { return std::optional(settings.limits); });
}

std::vector<std::string> try_alone(const Settings& settings, const std::vector<Test>& tests,
                                   std::vector<Verdict>& verdicts, std::size_t most) {
    std::vector<std::string> once;
    Settings alone = settings;
    alone.parallel = 1;
    for (std::size_t i = 0; i < tests.size() && most > 0; ++i) {
        if (verdicts[i].result != Result::hung) continue;
        std::string hung = story(settings, tests[i], verdicts[i]);
        verdicts[i] = run_tests(alone, {tests[i]}).at(0);
        if (verdicts[i].result != Result::hung) {
            once.push_back(std::move(hung));
            continue;
        }
        verdicts[i].headline += says("; also when it was run again, alone");
        --most;
    }
    return once;
}

bool is_failure(const Verdict& verdict) {
    return verdict.result != Result::passed && verdict.result != Result::not_implemented &&
           verdict.result != Result::waiting && verdict.result != Result::left_out;
}

std::vector<Verdict> try_tests(const Settings& settings, const std::vector<Test>& tests) {
    constexpr std::size_t kMostHangs = 3;
    std::vector<Verdict> verdicts = run_tests(settings, tests, [&](std::size_t, const std::vector<Verdict>& so_far) {
        return count(so_far, Result::hung) >= kMostHangs ? std::nullopt : std::optional(settings.limits);
    });
    if (const auto first = std::find_if(verdicts.begin(), verdicts.end(), is_failure);
        first == verdicts.end() || first->result == Result::hung)
        try_alone(settings, tests, verdicts, 1);  // failures before a hang are reported anyway
    if (count(verdicts, Result::hung) > 0) return verdicts;
    for (std::size_t i = 0; i < tests.size(); ++i)  // the computer was slow, not they
        if (verdicts[i].result == Result::waiting) verdicts[i] = run_tests(settings, {tests[i]}).at(0);
    return verdicts;
}

namespace {

std::string megabytes_of(const std::filesystem::path& file) {
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(file, missing);
    return missing ? "0" : std::to_string((size + (1 << 20) - 1) >> 20);
}

/// Adds a full stop, unless it is a question.
std::string ended(const std::string& sentence) {
    if (sentence.ends_with('?') || sentence.ends_with("？")) return sentence;
    return sentence + (language() == Language::chinese ? "。" : ".");
}

/// The command to debug a test, or its core dump, with gdb. A student's tree uses gdb directly, without a verb.
std::string debug(const Settings& settings, const std::string& test, const std::filesystem::path& core = {}) {
#if __has_include("extras/gdb/fiberscope.py")
    const std::string call = "./lab debug " + lab_number(settings) + " ";
    return call + (core.empty() ? "\"" + test + "\"" : "--core " + shown(core));
#else
    if (!core.empty()) return "gdb " + shown(settings.program) + " " + shown(core);
    return "gdb --args " + shown(settings.program) + " --one \"" + test + "\"";
#endif
}

}  // namespace

std::string story(const Settings& settings, const Test& test, const Verdict& verdict) {
    std::string text = "✗ " + name_in_words(test.name) + "\n  " + ended(verdict.headline) + "\n";
    for (const std::string& line : verdict.details) text += "    " + line + "\n";
    if (verdict.result == Result::not_started) return text;
    if (!std::filesystem::exists(verdict.trace)) return text + "  " + says("It left no trace.") + "\n";
    text += "  " + says("The last events:") + "\n";
    const TraceStory last = story_of(verdict.trace, 10);
    for (const std::string& line : last.lines) text += "    " + line + "\n";
    if (last.dropped > 0)
        text += "  " +
                says("The recording stops at {0} MiB: {1} later events are not in it.", megabytes_of(verdict.trace),
                     std::to_string(last.dropped)) +
                "\n";
    if (last.shows) {
        text += "  " + says("The trace:") + " " + shown(verdict.trace) + "\n";
        text += "  " + says("Watch it: ") + " ./lab view " + shown(verdict.trace);
        text += (last.at > 0 ? " --at " + std::to_string(last.at) : "") + "\n";
    } else {
        text += "  " + says("There is nothing to watch: the test made no coroutine, or only in a process of its own.") +
                "\n";
    }
    if (settings.wrap.empty() && verdict.result != Result::not_implemented)
        text += "  " + says("In gdb:   ") + " " + debug(settings, test.name) + "\n";
    if (!verdict.core.empty())
        text += "  " + says("The core: ") + " " + debug(settings, test.name, verdict.core) + "\n";
    return text;
}

std::string shown(const std::filesystem::path& path) {
    std::error_code error;
    const auto relative = std::filesystem::relative(path, std::filesystem::current_path(), error);
    return error || relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

}  // namespace fiberscope::grader
