#include "labs/grader/verdict.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>
#include <span>

#include "labs/grader/speech/speech.h"
#include "labs/kit/report/report.h"
#include "languages/message.h"

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

/// The process's output on its report descriptor. An incomplete line is skipped.
struct Report {
    std::optional<Fields> not_implemented, fault, expected, left_out, done;
    std::vector<Fields> failed, frames, waiting;

    explicit Report(std::string_view text) {
        text_ = text.substr(0, text.rfind('\n') == text.npos ? 0 : text.rfind('\n'));
        std::vector<Fields> lines;
        for (const std::string_view line : split(text_, '\n')) lines.push_back(split(line, '\t'));
        std::ranges::replace(text_, kit::kTab, '\t');
        for (const Fields& fields : lines) {
            if (fields[0] == "not-implemented" && fields.size() == 4) not_implemented = fields;
            if (fields[0] == "fault" && fields.size() == 8 && !fault) fault = fields;
            if (fields[0] == "expected" && fields.size() == 2 && !expected) expected = fields;
            if (fields[0] == "left-out" && fields.size() == 2) left_out = fields;
            if (fields[0] == "frame" && fields.size() == 4) frames.push_back(fields);
            if (fields[0] == "waiting" && fields.size() == 7) waiting.push_back(fields);
            if (fields[0] == "failed" && fields.size() == 6) failed.push_back(fields);
            if (fields[0] == "done" && fields.size() == 4) done = fields;
        }
    }
    Report(const Report&) = delete;

  private:
    std::string text_;  // the fields are parts of it
};

void add_printed(Verdict& verdict, const Outcome& outcome) {
    constexpr std::size_t kLines = 12, kColumns = 160;
    std::string_view text = outcome.output;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    if (text.empty()) return;
    Fields lines = split(text, '\n');
    // The headline already has the fault handler's message to the terminal.
    std::erase_if(lines, [](std::string_view line) {
        return line.starts_with("fiberscope: ") || line.starts_with("the trace up to here: ");
    });
    if (lines.empty()) return;
    // A sanitizer's report begins with the error.
    const auto report = std::ranges::find_if(lines, [](std::string_view line) {
        return line.find("Sanitizer: ") != line.npos && !line.starts_with("SUMMARY");
    });
    const std::size_t last_lines = lines.size() - std::min(lines.size(), kLines);
    const std::size_t first = report == lines.end() ? last_lines : static_cast<std::size_t>(report - lines.begin());
    verdict.details.push_back(
        outcome.output_cut
            ? says("It printed endlessly; the last lines of the first megabyte:")
            : says(first == last_lines && first > 0 ? mark("It printed, at the end:") : mark("It printed:")));
    for (std::size_t i = first; i < std::min(lines.size(), first + kLines); ++i)
        verdict.details.push_back("  " + std::string(lines[i].substr(0, kColumns)) +
                                  (lines[i].size() > kColumns ? " …" : ""));
}

/// The failed assertions; of several with the same message only the first, since the others are its consequences.
void add_failures(Verdict& verdict, const Report& report) {
    constexpr std::size_t kMost = 5;
    std::vector<std::string> told;
    std::size_t left_out = 0;
    for (const Fields& f : report.failed) {
        std::string sentence = failure_in_words(f[5]);
        const bool is_told = std::find(told.begin(), told.end(), sentence) != told.end();
        if (told.size() == kMost || (is_told && !sentence.empty())) {
            ++left_out;
            continue;
        }
        if (!sentence.empty()) verdict.details.push_back(sentence);
        told.push_back(std::move(sentence));
        if (!f[3].empty()) verdict.details.push_back("  " + says("expected:") + " " + std::string(f[3]));
        if (!f[4].empty() && f[4] != f[3])
            verdict.details.push_back("  " + says("got:     ") + " " + sentence_in_words(f[4]));
        verdict.details.push_back("  " + says("at:      ") + " " + std::string(f[1]) + ":" + std::string(f[2]));
    }
    if (left_out > 0) verdict.details.push_back(says("and {0} more like this", std::to_string(left_out)));
}

/// Where it was: "  in          sum_down(unsigned long)  labs/01_switch_asm/exercise/coroutine.cpp:31".
void add_frames(Verdict& verdict, const Report& report) {
    for (const Fields& f : report.frames) {
        std::string line = says(&f == &report.frames.front() ? mark("in       ") : mark("called by")) + "  ";
        line += f[1];
        if (!f[2].empty()) line += "  " + std::string(f[2]) + ":" + std::string(f[3]);
        verdict.details.push_back(line);
    }
}

/// The expectation of a test that crashed or hung.
void add_expected(Verdict& verdict, const Report& report) {
    if (report.expected)
        verdict.details.push_back(says("The test expects: {0}", sentence_in_words((*report.expected)[1])));
}

/// Describes that the test reached a stub of a later step, perhaps by an exception.
std::string later_step_in_words(std::string_view step, std::string_view what, std::string_view own) {
    std::string_view values = what;
    if (detail::next_field(values) != kit::kWhatItThrew.english)
        return says(
            "it called a function of the later step {0} ({1}): with a correct step {2} this test does not need it",
            step, Value::of(what), own);
    const std::string_view task = detail::next_field(values), thrown = values;
    return says(
        "an exception was thrown: {0}. Only the later step {1} ({2}) catches it: with a correct step {3} this test "
        "does not need that",
        thrown, step, task, own);
}

/// For a test that reached a stub: a failure if something failed before, or if a test of this step does not need it.
void judge_stub(Verdict& verdict, const Fields& stub, const Report& report, std::string_view own) {
    const std::string step(stub[1]);
    if (report.failed.empty() && (own.empty() || StepNumber::of(step) <= StepNumber::of(own))) {
        verdict.result = Result::not_implemented;
        verdict.step = step;
        verdict.headline = says("not implemented yet: step {0}, {1}", step, sentence_in_words(stub[2]));
        return;
    }
    verdict.result = Result::failed;
    verdict.headline = report.failed.empty() ? later_step_in_words(step, stub[2], own) : says("an assertion failed");
}

void judge_exit(Verdict& verdict, const Outcome& outcome, const Report& report, std::string_view own) {
    if (outcome.status == kit::kNotImplementedStatus && report.not_implemented)
        return judge_stub(verdict, *report.not_implemented, report, own);
    if (!report.done) {
        verdict.result = Result::left_early;
        verdict.headline = says(
            "the program exited with status {0} before the test ended (exit or _exit was called, or control left "
            "main's stack and never came back)",
            std::to_string(outcome.status));
        return;
    }
    const bool asserted = number((*report.done)[2]) + number((*report.done)[3]) > 0;
    if (outcome.status == kit::kLeftOutStatus && report.left_out && report.failed.empty()) {
        verdict.result = Result::left_out;
        verdict.headline = says("left out: {0}", sentence_in_words((*report.left_out)[1]));
    } else if (outcome.status == 0 && asserted && report.failed.empty()) {
        verdict.result = Result::passed;
    } else {
        verdict.result = Result::failed;
        verdict.headline = says(asserted ? mark("an assertion failed") : mark("the test asserted nothing"));
    }
}

/// Why it was ended, where the fault handler could not tell.
std::string signal_in_words(int signal) {
    switch (signal) {
    case SIGSEGV: return says("invalid memory access (SIGSEGV)");
    case SIGABRT: return says("aborted (SIGABRT: abort, or std::terminate)");
    case SIGKILL: return says("killed from outside (SIGKILL; out of memory?)");
    case SIGPIPE: return says("a write to a closed pipe or socket raised SIGPIPE: is MSG_NOSIGNAL missing?");
    default: return says("signal {0}", std::to_string(signal));
    }
}

/// Of the signals that labs/kit/fault/fault.cpp handles, those of a crash.
bool is_handled(int signal) noexcept {
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGABRT;
}

void judge_signal(Verdict& verdict, const Outcome& outcome, const Report& report) {
    verdict.result = Result::crashed;
    // The fault handler tells the signal, the coroutine and the depth in one sentence.
    verdict.headline =
        says("crashed: {0}", report.fault ? sentence_in_words((*report.fault)[7]) : signal_in_words(outcome.signal));
    if (!report.fault && is_handled(outcome.signal))
        verdict.details.push_back(says("The kit's fault handler could not run: its own memory or stack is damaged."));
}

/// "0.25 s".
std::string in_seconds(Milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", static_cast<double>(time.count()) / 1000);
    return text;
}

/// Why it was ended.
std::string limit_in_words(const Outcome& outcome, const Patience& patience) {
    switch (outcome.reached) {
    case Reached::processor: return says("did not end within {0} of processor time", in_seconds(patience.processor));
    case Reached::idle:
        return says(
            "made no progress: it used hardly any processor time for {0}, so it waits for something that does not "
            "happen",
            in_seconds(patience.idle));
    default:
        return says(
            "did not end within {0}, although it used only {1} of processor time: it polls, or the computer is busy",
            in_seconds(patience.elapsed), in_seconds(outcome.used));
    }
}

std::string fact_in_words(std::string_view fact, std::string_view want, std::string_view name) {
    const bool writes = want == "write";
    if (fact == "ready")
        return says(writes ? mark(": it is writable now, but '{0}' was not woken")
                           : mark(": it is readable now, but '{0}' was not woken"),
                    name);
    if (fact == "gone") return says(": its peer is gone, but '{0}' was not woken", name);
    if (fact == "closed") return says(": it is closed now, but '{0}' was not woken", name);
    if (fact == "quiet") return says(": no data has arrived");
    return "";
}

/// "'reader' waits for fd 5 to be readable: it is readable now, but 'reader' was not woken". `fields` are those of a
/// line "waiting" (labs/kit/report/report.h), the word itself left out.
std::string waiting_in_words(std::span<const std::string_view> fields) {
    const std::string name = sentence_in_words(fields[0]);
    const std::string_view state = fields[1], fd = fields[2], want = fields[3];
    if (fd != "-") {
        const bool writes = want == "write";
        const Text waits =
            writes ? mark("'{0}' waits for fd {1} to be writable") : mark("'{0}' waits for fd {1} to be readable");
        return says(waits, name, fd) + fact_in_words(fields[4], want, name);
    }
    if (state == "waiting" && !fields[5].empty())
        return says("'{0}' waits for {1}", name, sentence_in_words(fields[5]));
    if (state == "ready") return says("'{0}' is ready, but no machine runs it", name);
    return says("'{0}' is {1}", name, text_of({state, "state"}, language()));
}

/// The tasks that wait, and for what.
void add_waiting(Verdict& verdict, const Report& report) {
    constexpr std::size_t kMost = 5;
    for (std::size_t i = 0; i < std::min(report.waiting.size(), kMost); ++i)
        verdict.details.push_back(waiting_in_words(std::span(report.waiting[i]).subspan(1)));
    if (report.waiting.size() > kMost) verdict.details.push_back(says("and others"));
}

}  // namespace

std::string_view word(Result result) noexcept {
    constexpr std::array<std::string_view, 8> kResultWords{"passed", "not implemented", "failed",  "crashed",
                                                           "hung",   "left early",      "waiting", "left out"};
    return kResultWords[static_cast<std::size_t>(result)];
}

Verdict judge(const Outcome& outcome, const Patience& patience, std::string_view own) {
    Verdict verdict;
    const Report report(outcome.report);
    verdict.has_failures = !report.failed.empty();
    if (outcome.reached != Reached::none)
        verdict.result = Result::hung, verdict.headline = limit_in_words(outcome, patience);
    else if (outcome.signal != 0)
        judge_signal(verdict, outcome, report);
    else
        judge_exit(verdict, outcome, report, own);
    if (verdict.result == Result::passed || verdict.result == Result::not_implemented) return verdict;
    if (verdict.result != Result::failed) add_expected(verdict, report);
    add_waiting(verdict, report);
    add_frames(verdict, report);
    add_failures(verdict, report);
    if (verdict.result != Result::failed || report.failed.empty()) add_printed(verdict, outcome);
    return verdict;
}

}  // namespace fiberscope::grader
