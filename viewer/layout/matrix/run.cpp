#include "viewer/layout/matrix/run.h"

#include <algorithm>
#include <cmath>

#include "traces/replay/ready.h"
#include "traces/words/words.h"

namespace fiberscope::viewer {
namespace {

using Shares = std::array<MachineShare, MatrixRun::kParts>;

/// Adds the times of spans to the parts in which they lie, as shares of a part.
class Parts {
  public:
    explicit Parts(std::uint64_t duration)
        : width_(static_cast<double>(std::max<std::uint64_t>(1, duration)) / MatrixRun::kParts) {}

    void add(Shares& shares, float MachineShare::*kind, double from, double to) const {
        const auto last = static_cast<double>(MatrixRun::kParts - 1);
        const auto first = static_cast<std::size_t>(std::clamp(std::floor(from / width_), 0.0, last));
        for (std::size_t i = first; i < MatrixRun::kParts && static_cast<double>(i) * width_ < to; ++i) {
            const double begin = std::max(from, static_cast<double>(i) * width_),
                         end = std::min(to, static_cast<double>(i + 1) * width_);
            if (end > begin) shares[i].*kind += static_cast<float>((end - begin) / width_);
        }
    }

  private:
    double width_;  // ns
};

/// `others` is at first the time in which the machine is there, and then what of it is nothing else.
void add_machines(MatrixRun& out, const trace::Replay& replay, const TraceIndex& index) {
    const Parts parts(out.duration);
    std::vector<Shares> idle(index.machines());
    out.machines.resize(index.machines());
    for (std::uint32_t m = 0; m < index.machines(); ++m) {
        if (index.runs(m).empty()) continue;
        parts.add(out.machines[m], &MachineShare::others, static_cast<double>(replay.trace().time(index.runs(m)[0])),
                  static_cast<double>(out.duration));
        for (const trace::IdleSpan& span : index.idle().of(m)) {
            const bool spins = span.kind == trace::Idle::spins;
            parts.add(spins ? out.machines[m] : idle[m], &MachineShare::spins, static_cast<double>(span.from),
                      static_cast<double>(span.to));
        }
    }
    const std::vector<bool> tasks = trace::tasks_of(replay.trace());
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co)
        for (const trace::Stretch& s : tasks[co] ? replay.stretches(co) : trace::Stretches())
            if (s.state == trace::State::running && s.machine < out.machines.size())
                parts.add(out.machines[s.machine], &MachineShare::tasks, static_cast<double>(s.from),
                          static_cast<double>(s.to));
    for (std::uint32_t m = 0; m < index.machines(); ++m)
        for (std::size_t i = 0; i < MatrixRun::kParts; ++i) {
            MachineShare& share = out.machines[m][i];
            share.others = std::clamp(share.others - share.tasks - share.spins - idle[m][i].spins, 0.0F, 1.0F);
        }
}

}  // namespace

MatrixRun matrix_run(const trace::Replay& replay, const TraceIndex& index, std::string name,
                     const trace::Figures& figures) {
    MatrixRun out{std::move(name), figures, index.duration(), {}, {}};
    add_machines(out, replay, index);
    const std::vector<double> means = trace::ReadyLength(replay).means(MatrixRun::kParts);
    std::transform(means.begin(), means.end(), out.queue.begin(), [](double mean) { return static_cast<float>(mean); });
    return out;
}

MatrixDifference matrix_difference(const Run& reference, const std::string& name, const Run& run, Language language) {
    const Divergences all = divergences(reference, run);
    if (all.places.empty()) return {say(language, "decides as {0}", name), -1};
    const double first = all.places.front().second.time.from;
    return {say(language, "{0} of {1} decisions as {2}; first other at {3}", all.agree, all.second, name,
                trace::in_words(static_cast<std::uint64_t>(std::max(0.0, first)))),
            first};
}

}  // namespace fiberscope::viewer
