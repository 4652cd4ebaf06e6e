#include <algorithm>
#include <cmath>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/matrix/parts.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kMatrixMostBars = 12000;  // per picture: a browser limits the number of vertices
constexpr float kMatrixLanes = 0.56F;           // share of a strip's height; the rest is for the queue

/// Adjacent bars on a common baseline; those of equal height are merged.
class MatrixBars {
  public:
    MatrixBars(std::vector<MatrixBar>& all, MatrixBarKind kind) noexcept : all_(all), kind_(kind) {}
    ~MatrixBars() { end(); }
    MatrixBars(const MatrixBars&) = delete;
    MatrixBars& operator=(const MatrixBars&) = delete;

    void add(float x0, float x1, float top, float bottom) {
        constexpr float kSame = 0.3F;  // pixels
        const Rect next{x0, top, x1, bottom};
        if (std::abs(bar_.y0 - top) < kSame && std::abs(bar_.y1 - bottom) < kSame && bar_.x1 == x0)
            bar_.x1 = x1;
        else {
            end();
            bar_ = next;
        }
    }

  private:
    void end() {
        constexpr float kSeen = 0.3F;  // pixels
        if (bar_.y1 - bar_.y0 >= kSeen && bar_.x1 > bar_.x0) all_.push_back({bar_, kind_});
    }
    std::vector<MatrixBar>& all_;
    MatrixBarKind kind_;
    Rect bar_;
};

/// Number of parts of a run merged into one bar.
std::size_t parts_in_a_bar(std::span<const MatrixRun* const> runs) noexcept {
    std::size_t rows = 0;
    for (const MatrixRun* run : runs) rows += 3 * run->machines.size() + 1;
    return std::max<std::size_t>(1, (rows * MatrixRun::kParts + kMatrixMostBars - 1) / kMatrixMostBars);
}

class Strips {
  public:
    Strips(Matrix& out, const MatrixInput& input, const Metrics& metrics)
        : out_(out), input_(input), metrics_(metrics), joined_(parts_in_a_bar(input.runs)) {
        for (const MatrixRun* run : input.runs)
            for (const float length : run->queue) top_ = std::max(top_, length);
    }

    void add(std::size_t run, Rect rect) {
        MatrixStrip strip;
        const MatrixRun& its = *input_.runs[run];
        strip.run = run;
        strip.reference = run == input_.reference;
        strip.rect = rect;
        name(strip, its);
        const float gap = 0.15F * metrics_.em;
        const Rect pictures{out_.scale.x0, rect.y0 + gap, out_.scale.x1, rect.y1 - gap};
        const float split = pictures.y0 + kMatrixLanes * pictures.height();
        strip.queue = {pictures.x0, split + gap, pictures.x1, pictures.y1};
        const float height = (split - pictures.y0) / static_cast<float>(std::max<std::size_t>(1, its.machines.size()));
        for (std::size_t m = 0; m < its.machines.size(); ++m) {
            const float y = pictures.y0 + height * static_cast<float>(m);
            strip.lanes.push_back({pictures.x0, y, pictures.x1, y + height - std::min(1.0F, 0.2F * height)});
            add_lane(its, m, strip.lanes.back());
        }
        add_queue(its, strip.queue);
        const MatrixDifference& difference = input_.differences[run];
        if (!strip.reference && difference.first >= 0) strip.difference = out_.scale.x(difference.first);
        out_.strips.push_back(std::move(strip));
    }

  private:
    void name(MatrixStrip& strip, const MatrixRun& run) const {
        const float em = metrics_.em, width = out_.scale.x0 - out_.strips_area.x0 - em;
        const Rect& r = strip.rect;
        strip.name_rect = {r.x0 + 0.5F * em, r.y0 + 0.1F * em, r.x0 + width, r.y0 + (0.1F + kMatrixLine) * em};
        strip.name = input_.names[strip.run];
        const std::string aside = metrics_.says("{0} {0:machine|machines}", run.machines.size());
        if (1.15F * metrics_.width(strip.name) + metrics_.width(aside) + em < strip.name_rect.width())
            strip.aside = aside;
        const float room = r.y1 - strip.name_rect.y1;
        const auto most = static_cast<std::size_t>(std::max(0.0F, room / (kMatrixLine * em)));
        if (input_.runs.size() > 1)
            strip.words = strip.reference ? metrics_.says("the reference") : input_.differences[strip.run].words;
        if (most == 0) return;
        strip.lines = wrapped(metrics_, strip.name_rect.width(), strip.name_rect.width(), strip.words, most);
        if (strip.lines.empty())
            if (const std::string part = fitting_sentence(metrics_, strip.name_rect.width(), strip.words);
                !part.empty())
                strip.lines = {part};
    }
    float x(const MatrixRun& run, std::size_t part) const {
        return out_.scale.x(static_cast<double>(run.duration) * static_cast<double>(part) / MatrixRun::kParts);
    }
    template <class Value>
    float mean(std::size_t from, std::size_t to, Value&& value) const {
        float sum = 0;
        for (std::size_t i = from; i < to; ++i) sum += value(i);
        return sum / static_cast<float>(to - from);
    }
    void add_lane(const MatrixRun& run, std::size_t machine, Rect lane) {
        MatrixBars tasks(out_.bars, MatrixBarKind::tasks), others(out_.bars, MatrixBarKind::others),
            spins(out_.bars, MatrixBarKind::spins);
        const auto& shares = run.machines[machine];
        for (std::size_t i = 0; i < MatrixRun::kParts; i += joined_) {
            const std::size_t end = std::min(MatrixRun::kParts, i + joined_);
            const float x0 = x(run, i), x1 = x(run, end), h = lane.height();
            const float first = lane.y1 - h * mean(i, end, [&](std::size_t n) { return shares[n].tasks; });
            const float second = first - h * mean(i, end, [&](std::size_t n) { return shares[n].others; });
            const float third = second - h * mean(i, end, [&](std::size_t n) { return shares[n].spins; });
            tasks.add(x0, x1, std::max(lane.y0, first), lane.y1);
            others.add(x0, x1, std::max(lane.y0, second), std::max(lane.y0, first));
            spins.add(x0, x1, std::max(lane.y0, third), std::max(lane.y0, second));
        }
    }
    void add_queue(const MatrixRun& run, Rect ground) {
        MatrixBars bars(out_.bars, MatrixBarKind::queue);
        for (std::size_t i = 0; i < MatrixRun::kParts; i += joined_) {
            const std::size_t end = std::min(MatrixRun::kParts, i + joined_);
            const float length = mean(i, end, [&](std::size_t n) { return run.queue[n]; });
            bars.add(x(run, i), x(run, end), ground.y1 - ground.height() * length / top_, ground.y1);
        }
    }

    Matrix& out_;
    const MatrixInput& input_;
    const Metrics& metrics_;
    std::size_t joined_;
    float top_ = 1;  ///< queue length at the top of the picture
};

}  // namespace

void layout_strips(Matrix& out, const MatrixInput& input, float strip, const Metrics& metrics) {
    const Rect& area = out.strips_area;
    const float em = metrics.em;
    std::uint64_t longest = 1;
    for (const MatrixRun* run : input.runs) longest = std::max(longest, run->duration);
    out.scale = {{0, static_cast<double>(longest)}, area.x0 + out.names, area.x1 - em};
    Strips strips(out, input, metrics);
    float y = area.y0;
    for (const std::size_t run : input.order) {
        strips.add(run, {area.x0, y, area.x1, y + strip});
        y += strip;
    }
    out.axis = {out.scale.x0, y, out.scale.x1, y + kMatrixAxis * em};
    out.ticks = ticks(out.scale, 7 * em);
    out.legend = first_fitting(
        metrics, area.width() - em,
        {metrics.says("Machines, from the bottom: tasks, scheduler, spinning; empty: idle. Below them: tasks waiting "
                      "for a machine.") +
             (input.order.size() > 1 ? metrics.says(" Line: the first different decision.") : ""),
         metrics.says("Machines, from the bottom: tasks, scheduler, spinning. Below them: waiting tasks."),
         metrics.says("Machines; below them: waiting tasks."), ""});
}

}  // namespace fiberscope::viewer
