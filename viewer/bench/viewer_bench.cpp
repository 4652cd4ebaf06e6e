// Measures the viewer's costs on a large trace and compares each with its limit: opening a file, memory, a frame (its
// computation, not the driver's drawing), a seek, a step. Usage: viewer_bench [EVENTS], one million by default.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "traces/tests/generator.h"
#include "viewer/layout/page/legend.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/layout/trace_facts/state_rows.h"
#include "viewer/model/document.h"

namespace {

using namespace fiberscope;
using namespace fiberscope::viewer;

constexpr Rect kArea{0, 0, 1200, 500};
constexpr std::size_t kFrames = 200, kSeeks = 200, kSteps = 20'000, kStateRows = 40;

/// Processor time of this process, seconds.
double now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double resident_bytes() {
    std::ifstream in("/proc/self/statm");
    double all = 0, resident = 0;
    in >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The time of `prepare` is not counted.
template <class F, class Prepare>
double p99_of(std::size_t count, F act, Prepare prepare) {
    std::vector<double> took;
    for (std::size_t i = 0; i < count; ++i) {
        prepare();
        const double begin = now();
        act();
        took.push_back(now() - begin);
    }
    std::sort(took.begin(), took.end());
    return took[took.size() * 99 / 100];
}

void tell(const char* what, double value, double bar, const char* unit) {
    std::printf("%-22s %10.3f %-10s bar %8.3f   %s\n", what, value, unit, bar, value <= bar ? "kept" : "NOT KEPT");
}

/// A generated trace in the temporary directory.
struct MadeFile {
    explicit MadeFile(std::size_t events) {
        std::ofstream(path, std::ios::binary)
            << trace::testing::mixed_trace({.seed = 1, .events = events, .coroutines = 10'000, .registers = false});
    }
    ~MadeFile() { std::filesystem::remove(path); }
    MadeFile(const MadeFile&) = delete;
    MadeFile& operator=(const MadeFile&) = delete;
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("fiberscope-viewer-bench-" + std::to_string(getpid()) + ".json");
};

/// All computations for a frame: lanes, sentence, legend, visible rows of the state panel.
void compute_frame(const Document& document) {
    const Metrics metrics;
    const TimelineRequest request{document.replay(), document.index(), document.selection(), kArea, metrics};
    layout_timeline(request);
    sentence_at(document.replay(), document.index(), document.selection());
    const LegendSource source{&document.replay().trace(), &document.index()};
    layout_legend(std::span(&source, 1), kArea.width(), metrics);
    const trace::Places places(document.replay());
    for (std::size_t n = 0; n < std::min(kStateRows, document.index().tree().size()); ++n)
        state_row(document.replay(), document.index(), places, n);
}

/// Changes the visible range of time at random, from the whole trace down to a thousandth of it.
void zoom(Document& document, std::mt19937& random) {
    const double whole = static_cast<double>(document.index().duration());
    const double span = whole / static_cast<double>(std::size_t{1} << random() % 11);
    const double from = (whole - span) * static_cast<double>(random() % 1000) / 1000;
    document.selection().visible = {from, from + span};
}

std::size_t events_of(int argc, char** argv) {
    std::size_t events = 1'000'000;
    if (argc > 1) std::from_chars(argv[1], argv[1] + std::string_view(argv[1]).size(), events);
    return std::max<std::size_t>(1000, events);
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t events = events_of(argc, argv);
    const double millions = static_cast<double>(events) / 1e6;
    const MadeFile file(events);
    const double before = resident_bytes(), begin = now();
    Document document(file.path);
    if (!document.readable()) {
        std::fprintf(stderr, "viewer_bench: %s\n", document.error().c_str());
        return 1;
    }
    compute_frame(document);
    const double opened = now() - begin, bytes = (resident_bytes() - before) / static_cast<double>(events);
    std::mt19937 random(1);
    const std::size_t size = document.replay().size();
    const auto seek = [&] {
        document.selection().playhead = random() % size;
        document.sync();
    };
    const auto nothing = [] {};
    const double seeks = p99_of(kSeeks, seek, nothing);
    const double frames = p99_of(
        kFrames, [&] { compute_frame(document); },
        [&] {
            seek();
            zoom(document, random);
        });
    document.selection().playhead = 0;
    document.sync();
    const double steps = p99_of(
        kSteps, [&] { document.apply(Action::step); }, nothing);
    std::printf("%zu events\n", size);
    tell("first picture", opened, millions <= 1 ? 0.5 : 0.6 * millions, "s");
    tell("resident", bytes, 100, "B/event");
    tell("frame, p99", 1e3 * frames, millions <= 1 ? 4 : 8, "ms");
    tell("seek, p99", 1e3 * seeks, 1, "ms");
    tell("step, p99", 1e6 * steps, 10, "µs");
    return 0;
}
