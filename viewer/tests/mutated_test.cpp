// Recordings with random damage, through every verb of fiberscope-trace and all computations of the viewer: no crash, a
// verdict or one sentence about each, no changed verdict for unchanged events, and no superlinear time.
// FIBERSCOPE_MUTATIONS=10000 sets the number of tries (`./lab test --long`).
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>

#include "testing/sanitized.h"
#include "traces/check/checker.h"
#include "traces/read/reader.h"
#include "traces/tests/support.h"
#include "traces/tool/verbs.h"
#include "viewer/fuzz/every_layout.h"
#include "viewer/model/document.h"
#include "viewer/tests/stage/approx.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using trace::testing::Scratch;

namespace {

constexpr const char* kVerbs[] = {"check", "events", "figures", "state", "export"};

struct Sample {
    std::string name, text;
    std::vector<std::string> events;  // dumped
    int verdict = 0;
    double seconds = 0;  // processor time of all operations on it
};

/// Damages a text in one to three places.
class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string damaged(const std::string& text, const std::string& other) {
        std::string result = text;
        for (std::size_t left = below(3) + 1; left > 0; --left) damage(result, other);
        return result;
    }

  private:
    std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

    void damage(std::string& text, const std::string& other) {
        switch (below(8)) {
        case 0: text[below(text.size())] = static_cast<char>(random_()); break;
        case 1: text.resize(below(text.size()) + 1); break;
        case 2: text.erase(line_at(text), line_length(text)); break;
        case 3: text.insert(line_at(text), line_of(text)); break;
        case 4: text.insert(line_at(text), line_of(other)); break;
        case 5: replace_number(text); break;
        case 6: replace_word(text); break;
        default: text.insert(below(text.size()), deep()); break;
        }
    }

    // Change one random line, chosen by line_at.
    std::size_t line_at(const std::string& text) {
        const std::size_t end = text.find('\n', below(text.size()));
        at_ = end == std::string::npos ? 0 : end + 1;
        return at_;
    }
    std::size_t line_length(const std::string& text) const {
        const std::size_t end = text.find('\n', at_);
        return end == std::string::npos ? std::string::npos : end + 1 - at_;
    }
    std::string line_of(const std::string& text) {
        const std::size_t at = line_at(text);
        return text.substr(std::min(at, text.size()), line_length(text));
    }

    void replace_number(std::string& text) {
        constexpr const char* kNumbers[] = {
            "0", "1", "-1", "7", "4294967295", "4294967296", "18446744073709551615", "1e308", "0.5", "99999999"};
        const std::size_t from = text.find_first_of("0123456789", below(text.size()));
        if (from == std::string::npos) return;
        const std::size_t end = text.find_first_not_of("0123456789", from);
        text.replace(from, std::min(end, text.size()) - from, kNumbers[below(std::size(kNumbers))]);
    }
    void replace_word(std::string& text) {
        constexpr const char* kWords[] = {"switch", "state",   "spawn",  "insert", "remove",     "ready",
                                          "dead",   "running", "new",    "timer",  "lock",       "link",
                                          "copy",   "exit",    "resume", "yield",  "\\u001b[2J", ""};
        const std::size_t from = text.find(":\"", below(text.size()));
        const std::size_t end = from == std::string::npos ? from : text.find('"', from + 2);
        if (end != std::string::npos) text.replace(from + 2, end - from - 2, kWords[below(std::size(kWords))]);
    }
    std::string deep() {
        const std::size_t depth = below(2) * 60000 + below(70);
        return std::string(depth, below(2) != 0 ? '[' : '{');
    }

    std::mt19937_64 random_;
    std::size_t at_ = 0;
};

void view(const std::string& file) {
    Document document(file);
    if (!document.readable()) {
        REQUIRE_FALSE(document.error().empty());
        return;
    }
    const std::size_t size = document.replay().trace().size();
    for (const std::size_t at : {std::size_t{0}, size / 2, size == 0 ? 0 : size - 1}) {
        document.selection().playhead = at;
        document.sync();
        viewer::fuzz::lay_out_everything(document.replay(), document.index(), document.selection());
    }
}

/// Runs everything; returns the status of `check`. For invalid files each verb prints the reason in one line.
int go_through(const std::string& file, const std::string& original) {
    int verdict = -1;
    for (const char* verb : kVerbs) {
        INFO(verb);
        std::ostringstream out, err;
        const int status = trace::tool::run(std::vector<std::string>{verb, file}, out, err);
        CHECK((status == 0 || status == 1));
        if (!err.str().empty()) CHECK(std::count(err.view().begin(), err.view().end(), '\n') == 1);
        if (verdict == -1) verdict = status;
    }
    std::ostringstream out, err;
    trace::tool::run(std::vector<std::string>{"compare", original, file}, out, err);
    view(file);
    return verdict;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The events as a reader sees them, with the names of the sets; empty if the file is truncated or unreadable.
std::vector<std::string> events_of(const std::string& text, const std::string& file) {
    try {
        std::istringstream in(text);
        const trace::Trace trace = trace::read(in, "mutant");
        if (!trace.complete) return {};
        std::vector<std::string> events = trace::testing::dump(trace);
        std::ostringstream out, err;
        trace::tool::run(std::vector<std::string>{"events", file}, out, err);
        events.push_back(out.str());
        return events;
    } catch (const trace::ReadError&) {
        return {};
    }
}

/// Recordings small enough for many tries.
std::vector<Sample> samples(const Scratch& scratch) {
    std::vector<Sample> found;
    for (const auto& entry : std::filesystem::directory_iterator(FIBERSCOPE_ROOT "/traces/samples")) {
        if (entry.file_size() > 45'000) continue;
        Sample sample{entry.path().filename().string(), trace::testing::file_text(entry.path()), {}, 0, 0};
        const std::string file = scratch.write(sample.name, sample.text);
        const double before = processor_seconds();
        sample.verdict = go_through(file, file);
        sample.seconds = processor_seconds() - before;
        sample.events = events_of(sample.text, file);
        found.push_back(std::move(sample));
    }
    std::sort(found.begin(), found.end(), [](const Sample& a, const Sample& b) { return a.name < b.name; });
    return found;
}

unsigned mutations() {
    const char* wanted = std::getenv("FIBERSCOPE_MUTATIONS");
    if (wanted == nullptr) return static_cast<unsigned>(fiberscope::testing::rounds(1000));
    return static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
}

}  // namespace

TEST_CASE("damaged recordings quickly produce a verdict or one sentence, with every verb and in the viewer") {
    const Scratch scratch;
    const std::vector<Sample> from = samples(scratch);
    REQUIRE(from.size() > 20);
    unsigned readable = 0;
    for (unsigned seed = 0; seed < mutations(); ++seed) {
        const Sample& sample = from[seed % from.size()];
        const std::string text = Mutator(seed).damaged(sample.text, from[seed * 7 % from.size()].text);
        INFO("seed " << seed << ", of " << sample.name);
        const std::string file = scratch.write("mutant.json", text);
        const double before = processor_seconds();
        const int verdict = go_through(file, scratch / sample.name);
        CHECK(processor_seconds() - before < 1 + 20 * sample.seconds);
        const std::vector<std::string> events = events_of(text, file);
        readable += events.empty() ? 0 : 1;
        if (events == sample.events) CHECK(verdict == sample.verdict);
    }
    CHECK(readable > mutations() / 10);  // else only the reader was tested
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    CHECK(used.ru_maxrss < 2'000'000);  // KB
}
