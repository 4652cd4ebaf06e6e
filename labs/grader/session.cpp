#include "labs/grader/session.h"

#include <sys/random.h>

#include <array>
#include <cctype>

namespace fiberscope::grader {
namespace {

/// A word that the tested program cannot guess, so that only its own main says that the test came to its end.
std::string fresh_nonce() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw GraderError("The system gives no random bytes.");
    std::string text;
    for (const unsigned char byte : bytes) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
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

Command command_of(const Settings& settings, const std::filesystem::path& program) {
    Command command;
    command.arguments = settings.wrap;
    command.arguments.push_back(program.string());
    return command;
}

}  // namespace

std::string lab_number(const Settings& settings) { return settings.lab.filename().string().substr(0, 2); }

std::vector<std::string> list_tests(const Settings& settings, const std::filesystem::path& program) {
    Command command = command_of(settings, program);
    command.arguments.emplace_back("--names");
    Limits limits = settings.limits;
    limits.time *= 5;  // the first start of a program reads it from the disk
    const Outcome outcome = run(command, limits);
    if (outcome.end != End::exited || outcome.status != 0)
        throw GraderError(
            shown(program) + " does not list its tests: " +
            (outcome.error.empty() ? judge(outcome, "", limits).headline + "\n" + outcome.output : outcome.error));
    std::vector<std::string> names;
    std::string_view rest = outcome.output;
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1))
        names.emplace_back(rest.substr(0, end));
    return names;
}

std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests, const LimitsOf& limits) {
    std::filesystem::create_directories(settings.traces);
    std::vector<Verdict> verdicts(tests.size());
    std::vector<std::string> nonces(tests.size());
    std::vector<Limits> given(tests.size());
    for (std::size_t i = 0; i < tests.size(); ++i) {
        nonces[i] = fresh_nonce();
        // Tests of different programs may have one name: mutants die by the same test.
        const auto below = tests[i].program.empty() ? std::filesystem::path() : tests[i].program.filename();
        verdicts[i].trace = settings.traces / below / trace_name(tests[i].name);
    }
    const auto command = [&](std::size_t i) {
        std::filesystem::remove(verdicts[i].trace);  // an old one would tell another story
        Command c = command_of(settings, tests[i].program.empty() ? settings.program : tests[i].program);
        c.arguments.insert(c.arguments.end(), {"--one", tests[i].name});
        c.environment = {{"FIBERSCOPE_NONCE", nonces[i]}, {"FIBERSCOPE_TRACE", verdicts[i].trace.string()}};
        return c;
    };
    const auto limits_of = [&](std::size_t i) {
        const auto l = limits(i, verdicts);
        if (l) given[i] = *l;
        return l;
    };
    const auto done = [&](std::size_t i, const Outcome& outcome) {
        Verdict verdict = judge(outcome, nonces[i], given[i]);
        verdict.trace = verdicts[i].trace;
        verdicts[i] = std::move(verdict);
    };
    run_all(tests.size(), settings.parallel, command, limits_of, done);
    return verdicts;
}

std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests) {
    return run_tests(settings, tests, [&](std::size_t, const auto&) { return std::optional(settings.limits); });
}

std::string story(const Settings& settings, const Test& test, const Verdict& verdict) {
    std::string text = "✗ " + test.name + "\n  " + verdict.headline + ".\n";
    for (const std::string& line : verdict.details) text += "    " + line + "\n";
    if (verdict.result == Result::not_started) return text;
    if (!std::filesystem::exists(verdict.trace)) {
        text += "  It left no trace.\n";
        return text;
    }
    text += "  The last events:\n";
    for (const std::string& line : last_events(verdict.trace, 10)) text += "    " + line + "\n";
    text += "  The trace: " + shown(verdict.trace) + "\n";
    text += "  Watch it:  ./lab view " + shown(verdict.trace) + "\n";
    if (settings.wrap.empty() && verdict.result != Result::not_implemented)
        text += "  In gdb:    ./lab debug " + lab_number(settings) + " \"" + test.name + "\"\n";
    return text;
}

std::string shown(const std::filesystem::path& path) {
    std::error_code error;
    const auto relative = std::filesystem::relative(path, std::filesystem::current_path(), error);
    return error || relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

}  // namespace fiberscope::grader
