#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_NO_POSIX_SIGNALS
#include <catch2/catch.hpp>
#endif

#include <algorithm>
#include <exception>
#include <string>

#include "labs/kit/report/notes.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/testing/reporter.h"
#include "labs/kit/time/clock.h"
#include "languages/spoken_error.h"
#include "testing/session.h"

namespace fiberscope::kit::testing {
namespace {

using fiberscope::testing::string_of;

std::size_t passed = 0, failed = 0;
std::string first;  // failure

#if __has_include(<catch2/catch_all.hpp>)
/// Catch2 3 reports passed assertions to a listener only on request.
struct ListenerBase : Catch::EventListenerBase {
    explicit ListenerBase(const Catch::IConfig* config) : EventListenerBase(config) {
        m_preferences.shouldReportAllAssertions = true;
    }
};
using AssertionEnded = void;
#else
using ListenerBase = Catch::TestEventListenerBase;
using AssertionEnded = bool;
#endif

/// The INFOs in effect at an assertion, the nearest first: each applies to all later assertions of its scope, and the
/// nearest one is meant.
std::string notes_of(const Catch::AssertionStats& stats) {
    std::string notes;
    for (auto info = stats.infoMessages.rbegin(); info != stats.infoMessages.rend(); ++info) {
        if (info->message.empty() || info->message == string_of(stats.assertionResult.getMessage())) continue;
        if (!notes.empty()) notes += kBetweenNotes;
        notes += message_told(info->message);
    }
    return notes;
}

/// A message of both; of one if the other is empty.
std::string joined(const std::string& one, const std::string& other) {
    if (one.empty() || other.empty()) return one + other;
    return message("{0}; {1}", Value::of(one), Value::of(other));
}

/// A selection of these for a note in the trace: those that identify the case, and the nearest sentence.
std::string notes_in_short(std::string_view notes) {
    std::string values, sentence;
    while (!notes.empty()) {
        const std::string_view note = notes.substr(0, notes.find(kBetweenNotes));
        notes.remove_prefix(std::min(note.size() + 1, notes.size()));
        if (is_value(note))
            values = joined(values, std::string(note));
        else if (sentence.empty())
            sentence = note;
    }
    return joined(values, sentence);
}

/// An assertion whose expression contains another one that failed and ended the test, which has already been reported.
/// Catch2 reports this as an exception without a translation.
bool is_stopped_from_within(const Catch::AssertionResult& result) {
    return failed > 0 && result.getResultType() == Catch::ResultWas::ThrewException && result.hasMessage() &&
           string_of(result.getMessage()).starts_with("Exception translation was disabled");
}

/// The message of the exception being handled; `what` if there is none.
std::string thrown_in_words(const std::string& what) {
    try {
        if (std::current_exception()) throw;
    } catch (const std::exception& error) {
        return message_of(error);
    } catch (...) {
    }
    return what;
}

/// The expression of a CHECK or a REQUIRE; the whole text of other macros, such as CHECK_THROWS_AS( … ).
std::string expression_of(const Catch::AssertionResult& result) {
    const std::string whole = string_of(result.getExpressionInMacro());
    const std::string macro = whole.substr(0, whole.find('('));
    const bool is_plain = macro == "CHECK" || macro == "REQUIRE" || macro == "CHECK_FALSE" || macro == "REQUIRE_FALSE";
    return is_plain ? string_of(result.getExpression()) : whole;
}

/// Comparisons with "" whose other side is a message describing the error: `"event 3: …" == ""`.
std::string values_in_words(const std::string& values) {
    constexpr std::string_view kNothing = "\" == \"\"";
    if (!values.starts_with('"') || !values.ends_with(kNothing)) return values;
    return message_told(values.substr(1, values.size() - 1 - kNothing.size()));
}

/// Sends each failed assertion to the grader when it fails, so that a crash after it does not lose it.
class Reporter : public ListenerBase {
  public:
    using ListenerBase::ListenerBase;

    /// Each run of a test's body begins in virtual time.
    void sectionStarting(const Catch::SectionInfo& section) override {
        ListenerBase::sectionStarting(section);
        choose_clock(ClockKind::virtual_);
    }

    AssertionEnded assertionEnded(const Catch::AssertionStats& stats) override {
        const Catch::AssertionResult& result = stats.assertionResult;
        if (result.isOk()) {
            ++passed;
            return AssertionEnded(true);
        }
        if (is_stopped_from_within(result)) return AssertionEnded(true);
        ++failed;
        std::string message = result.hasMessage() ? string_of(result.getMessage()) : std::string();
        std::string expression = expression_of(result);
        if (result.getResultType() == Catch::ResultWas::ThrewException) {
            message = fiberscope::message("an exception was thrown here: {0}", Value::of(thrown_in_words(message)));
            if (expression.starts_with("{") || expression.starts_with("TEST_CASE"))
                expression.clear();  // Catch2's text for "outside any assertion"
        }
        const std::string notes = notes_of(stats);
        const std::string about = notes_in_short(notes);
        const std::string said = joined(message, about);
        const std::string values =
            result.hasExpandedExpression() ? string_of(result.getExpandedExpression()) : std::string();
        const auto& where = result.getSourceInfo();
        if (failed == 1)
            first = std::string(where.file) + ":" + std::to_string(where.line) + ": " +
                    (values.empty() ? expression : values) + (said.empty() ? "" : " (" + english_of(said) + ")") +
                    " does not hold";
        report_failed(where.file, where.line, expression, values_in_words(values), message + kBetweenNotes + notes);
        note(std::string(kFailedNote) + (said.empty() ? expression : said));
        return AssertionEnded(true);
    }
};
CATCH_REGISTER_LISTENER(Reporter)

}  // namespace

std::size_t assertions_passed() noexcept { return passed; }
std::size_t assertions_failed() noexcept { return failed; }
std::string first_failure() { return first.empty() ? "the test does not pass" : first; }

}  // namespace fiberscope::kit::testing
