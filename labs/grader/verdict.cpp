#include "labs/grader/verdict.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>

#include "labs/kit/report/report.h"

namespace fiberscope::grader {
namespace {

using Fields = std::vector<std::string_view>;

Fields split(std::string_view text, char separator) {
    Fields parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == text.npos) return parts;
        text.remove_prefix(at + 1);
    }
}

std::uint64_t number(std::string_view text) {
    std::uint64_t n = 0;
    std::from_chars(text.data(), text.data() + text.size(), n);
    return n;
}

/// What the process wrote to its report descriptor. A line that is not whole is left out.
struct Report {
    std::optional<Fields> not_implemented, fault, done;
    std::vector<Fields> failed;

    Report(std::string_view text, std::string_view nonce) {
        text = text.substr(0, text.rfind('\n') == text.npos ? 0 : text.rfind('\n'));
        for (const std::string_view line : split(text, '\n')) {
            Fields fields = split(line, '\t');
            if (fields[0] == "not-implemented" && fields.size() == 4) not_implemented = fields;
            if (fields[0] == "fault" && fields.size() == 8 && !fault) fault = fields;
            if (fields[0] == "failed" && fields.size() == 6) failed.push_back(fields);
            if (fields[0] == "done" && fields.size() == 4 && fields[1] == nonce) done = fields;
        }
    }
};

std::string bytes_in_words(std::uint64_t bytes) {
    if (bytes % 1024 == 0 && bytes > 0) return std::to_string(bytes / 1024) + " KiB";
    return std::to_string(bytes) + " bytes";
}

std::string seconds_in_words(Milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", static_cast<double>(time.count()) / 1000);
    return text;
}

/// "in coroutine 2 \"B\", 3 deep, on a stack of 64 KiB"; empty if the fault handler said nothing.
std::string where_in_words(const std::optional<Fields>& fault) {
    if (!fault) return "";
    const Fields& f = *fault;
    if (f[3] == "-" || f[3] == "0") return "outside any coroutine";
    std::string text = "in coroutine " + std::string(f[3]);
    if (!f[4].empty()) text += " \"" + std::string(f[4]) + "\"";
    if (const auto depth = number(f[6])) text += ", " + std::to_string(depth) + " deep";
    if (const auto bytes = number(f[5])) text += ", on a stack of " + bytes_in_words(bytes);
    return text;
}

void add_printed(Verdict& verdict, const Outcome& outcome) {
    constexpr std::size_t kLines = 12, kColumns = 160;
    std::string_view text = outcome.output;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    if (text.empty()) return;
    Fields lines = split(text, '\n');
    // What the fault handler says to a person at the terminal is told in the headline.
    std::erase_if(lines, [](std::string_view line) {
        return line.starts_with("fiberscope: ") || line.starts_with("the trace up to here: ");
    });
    if (lines.empty()) return;
    verdict.details.emplace_back(lines.size() > kLines ? "It printed, at the end:" : "It printed:");
    if (outcome.output_cut)
        verdict.details.back() =
            "It printed without end; of the first " + bytes_in_words(outcome.output.size()) + " the last lines are:";
    for (std::size_t i = lines.size() - std::min(lines.size(), kLines); i < lines.size(); ++i)
        verdict.details.push_back("  " + std::string(lines[i].substr(0, kColumns)) +
                                  (lines[i].size() > kColumns ? " …" : ""));
}

void add_failures(Verdict& verdict, const Report& report) {
    constexpr std::size_t kMost = 5;
    for (std::size_t i = 0; i < std::min(report.failed.size(), kMost); ++i) {
        const Fields& f = report.failed[i];
        if (!f[5].empty()) verdict.details.push_back(std::string(f[5]));
        if (!f[3].empty()) verdict.details.push_back("  expected  " + std::string(f[3]));
        if (!f[4].empty() && f[4] != f[3]) verdict.details.push_back("  got       " + std::string(f[4]));
        verdict.details.push_back("  at        " + std::string(f[1]) + ":" + std::string(f[2]));
    }
    if (report.failed.size() > kMost)
        verdict.details.push_back("and " + std::to_string(report.failed.size() - kMost) + " more of the kind");
}

void judge_exit(Verdict& verdict, const Outcome& outcome, const Report& report) {
    if (outcome.status == kit::kNotImplementedStatus && report.not_implemented) {
        verdict.result = Result::not_implemented;
        verdict.step = (*report.not_implemented)[1];
        verdict.file = (*report.not_implemented)[3];
        verdict.headline =
            "not implemented yet: step " + verdict.step + ", " + std::string((*report.not_implemented)[2]);
        return;
    }
    if (!report.done) {
        verdict.result = Result::left_early;
        verdict.headline = "the program left with status " + std::to_string(outcome.status) +
                           " before the test came to its end (exit or _exit was called, or the stack that main runs "
                           "on was left and never entered again)";
        add_printed(verdict, outcome);
        return;
    }
    const bool asserted = number((*report.done)[2]) + number((*report.done)[3]) > 0;
    if (outcome.status == 0 && asserted && report.failed.empty()) {
        verdict.result = Result::passed;
        verdict.headline = "passed";
        return;
    }
    verdict.result = Result::failed;
    verdict.headline = asserted ? "what the test expects does not hold" : "the test asserted nothing";
    add_failures(verdict, report);
    if (report.failed.empty()) add_printed(verdict, outcome);
}

void judge_signal(Verdict& verdict, const Outcome& outcome, const Report& report) {
    verdict.result = Result::crashed;
    // The fault handler tells the signal, the coroutine and the depth in one sentence.
    verdict.headline = "crashed: " + (report.fault ? std::string((*report.fault)[7]) : signal_in_words(outcome.status));
    if (!report.fault)
        verdict.details.push_back("The kit's fault handler could not run: the damage reaches its own memory or stack.");
    add_failures(verdict, report);
    add_printed(verdict, outcome);
}

}  // namespace

std::string_view word(Result result) noexcept {
    constexpr std::array<std::string_view, 8> kResultWords{"passed", "not implemented", "failed",      "crashed",
                                                           "hung",   "left early",      "not started", "waiting"};
    return kResultWords[static_cast<std::size_t>(result)];
}

std::string signal_in_words(int signal) {
    switch (signal) {
    case SIGSEGV: return "a memory access that is not allowed (SIGSEGV)";
    case SIGBUS: return "a memory access that cannot be served (SIGBUS)";
    case SIGILL: return "an instruction that does not exist (SIGILL)";
    case SIGFPE: return "an arithmetic error, such as a division by zero (SIGFPE)";
    case SIGABRT: return "the program gave up (SIGABRT: abort, or std::terminate)";
    case SIGKILL: return "it was killed from outside (SIGKILL; out of memory?)";
    case SIGTRAP: return "a breakpoint or trap (SIGTRAP)";
    case SIGPIPE: return "a write to a closed pipe or socket (SIGPIPE)";
    default: return "signal " + std::to_string(signal);
    }
}

Verdict judge(const Outcome& outcome, std::string_view nonce, const Limits& limits) {
    Verdict verdict;
    verdict.took = outcome.took;
    const Report report(outcome.report, nonce);
    switch (outcome.end) {
    case End::exited: judge_exit(verdict, outcome, report); break;
    case End::signalled: judge_signal(verdict, outcome, report); break;
    case End::timed_out: {
        const std::string where = where_in_words(report.fault);
        verdict.result = Result::hung;
        verdict.headline =
            "did not end within " + seconds_in_words(limits.time) + (where.empty() ? "" : "; it was " + where);
        add_failures(verdict, report);
        add_printed(verdict, outcome);
        break;
    }
    case End::not_started:
        verdict.result = Result::not_started;
        verdict.headline = outcome.error;
        break;
    }
    return verdict;
}

}  // namespace fiberscope::grader
