#include "labs/grader/session.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

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

/// Runs the program with these arguments.
Command command_of(const Settings& settings, std::initializer_list<std::string> arguments) {
    Command command{{settings.program.string()}, {}, settings.patience};
    command.arguments.insert(command.arguments.end(), arguments);
    return command;
}

}  // namespace

std::string lab_number(const Settings& settings) { return settings.lab.filename().string().substr(0, 2); }

std::vector<Test> list_tests(const Settings& settings, const std::vector<Step>& steps) {
    Command command = command_of(settings, {"--names"});
    command.patience = Patience::of(settings.patience.processor * 5);  // the first start reads it from the disk
    const Outcome outcome = run(command);
    if (outcome.reached != Reached::none || outcome.signal != 0 || outcome.status != 0)
        throw GraderError(shown(settings.program) + " does not list its tests: " +
                          judge(outcome, command.patience, {}).headline + "\n" + outcome.output);
    std::vector<std::string> names;
    std::string_view rest = outcome.output;
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1))
        names.emplace_back(rest.substr(0, end));
    return grader::tie(steps, names);
}

std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests, std::size_t most_hangs) {
    std::filesystem::create_directories(settings.traces);
    // For the files of a test that may not survive to remove them.
    std::string scratch = (std::filesystem::temp_directory_path() / "fiberscope-XXXXXX").string();
    if (::mkdtemp(scratch.data()) == nullptr) throw GraderError("There is no room for files of a test: " + scratch);
    std::vector<Verdict> verdicts(tests.size());
    const auto patience_for = [&](std::size_t i) {
        return kind_of(tests[i].name) == Kind::broad ? settings.patience.for_very_many() : settings.patience;
    };
    const auto trace_of = [&](std::size_t i) {
        return std::filesystem::absolute(settings.traces) / trace_name(tests[i].name);
    };
    const auto command = [&](std::size_t i) -> std::optional<Command> {
        if (count(verdicts, Result::hung) >= most_hangs) return std::nullopt;
        std::filesystem::remove(trace_of(i));  // an old one would be misleading
        Command one = command_of(settings, {"--one", tests[i].name});
        one.environment = {{"FIBERSCOPE_TRACE", trace_of(i).string()}, {"TMPDIR", scratch}};
        one.patience = patience_for(i);
        return one;
    };
    const auto done = [&](std::size_t i, const Outcome& outcome) {
        verdicts[i] = judge(outcome, patience_for(i), tests[i].name.substr(0, tests[i].name.find(' ')));
        verdicts[i].trace = trace_of(i);
    };
    run_all(tests.size(), settings.parallel, command, done);
    std::error_code ignored;
    std::filesystem::remove_all(scratch, ignored);
    return verdicts;
}

std::vector<Verdict> try_tests(const Settings& settings, const std::vector<Test>& tests, std::size_t most_hangs) {
    std::vector<Verdict> verdicts = run_tests(settings, tests, most_hangs);
    for (std::size_t i = 0; i < tests.size(); ++i) {
        if (verdicts[i].result == Result::hung) {
            verdicts[i] = run_tests(settings, {tests[i]}).at(0);
            if (verdicts[i].result == Result::hung) verdicts[i].headline += says("; the same when it was rerun alone");
        }
        if (is_failure(verdicts[i])) break;  // this one is reported
    }
    if (count(verdicts, Result::hung) > 0) return verdicts;
    for (std::size_t i = 0; i < tests.size(); ++i)
        if (verdicts[i].result == Result::waiting) verdicts[i] = run_tests(settings, {tests[i]}).at(0);
    return verdicts;
}

std::size_t count(const std::vector<Verdict>& verdicts, Result result) {
    return static_cast<std::size_t>(std::ranges::count(verdicts, result, &Verdict::result));
}

bool is_failure(const Verdict& verdict) {
    return verdict.result != Result::passed && verdict.result != Result::not_implemented &&
           verdict.result != Result::waiting && verdict.result != Result::left_out;
}

std::string shown(const std::filesystem::path& path) {
    std::error_code error;
    const auto relative = std::filesystem::relative(path, std::filesystem::current_path(), error);
    return error || relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

}  // namespace fiberscope::grader
