#include "viewer/layout/matrix/run.h"

#include <algorithm>
#include <cmath>

#include "traces/replay/ready.h"
#include "traces/words/words.h"

namespace fiberscope::viewer {
namespace {

void add_machines(MatrixRun& out, const trace::Replay& replay, const TraceIndex& index) {
    const double part = static_cast<double>(std::max<std::uint64_t>(1, out.duration)) / MatrixRun::kParts;
    out.machines.resize(index.machines());
    for (std::uint32_t m = 0; m < index.machines(); ++m) {
        LaneClock clock = LaneClock::of_machine(replay, index, m);
        for (std::size_t i = 0; i < MatrixRun::kParts; ++i) {
            const LaneTimes times = clock.within(static_cast<double>(i) * part, static_cast<double>(i + 1) * part);
            const auto share = [&](double ns) { return static_cast<float>(std::clamp(ns / part, 0.0, 1.0)); };
            out.machines[m][i] = {share(times[trace::State::running] - times.scheduler), share(times.scheduler),
                                  share(times[trace::Idle::spins])};
        }
    }
}

}  // namespace

MatrixRun matrix_run(const trace::Replay& replay, const TraceIndex& index, std::string name) {
    MatrixRun out{std::move(name), trace::figures_of(replay), index.duration(), {}, {}};
    add_machines(out, replay, index);
    const std::vector<double> means = trace::ReadyLength(replay).means(MatrixRun::kParts);
    std::transform(means.begin(), means.end(), out.queue.begin(), [](double mean) { return static_cast<float>(mean); });
    return out;
}

MatrixDifference matrix_difference(const Run& reference, const std::string& name, const Run& run, Language language) {
    const Divergences all = divergences(reference, run);
    if (all.places.empty()) return {say(language, "same decisions as {0}", name), -1};
    const double first = all.places.front().second.time.from;
    return {say(language, "{0} of {1} decisions as in {2}; first difference at {3}", all.agree, all.second, name,
                trace::in_words(static_cast<std::uint64_t>(std::max(0.0, first)))),
            first};
}

}  // namespace fiberscope::viewer
