#include <algorithm>

#include "viewer/layout/base/fitting.h"
#include "viewer/panels/panels.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kMostBoxes = 6;
constexpr std::uint32_t kFewStacks = 4;
constexpr float kCallersWidth = 10;  // em: minimum width of more stacks than that

/// Number of stacks in an area of this width.
std::uint32_t most_stacks(const Scene& scene, float width) {
    return std::max(kFewStacks, static_cast<std::uint32_t>(width / (kCallersWidth * scene.style.em)));
}

/// The machines whose stacks are drawn: the first ones, and always the one where the chosen coroutine ran last.
std::vector<std::uint32_t> shown_machines(const Scene& scene, const Selection& selection, std::uint32_t most) {
    std::vector<std::uint32_t> shown;
    for (std::uint32_t m = 0; m < std::min(scene.index.machines(), most); ++m) shown.push_back(m);
    if (selection.chosen >= scene.replay.coroutines() || shown.empty()) return shown;
    const std::uint32_t machine = scene.replay.coroutine(selection.chosen).machine;
    if (machine < scene.index.machines() && machine >= most) shown.back() = machine;
    return shown;
}

void draw_box(const Canvas& canvas, Rect r, const StackBox& box, bool chosen) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    if (box.co == trace::kNone) {
        canvas.text_in(r, "⋮ " + box.name, colors.dim);
        return;
    }
    const Look& state_look = look(box.state, box.idle, style.theme);
    canvas.fill_look(r, state_look);
    canvas.frame(r, chosen ? colors.chosen : colors.line, chosen ? 2.0F : 1.0F);
    const float pad = 0.4F * style.em;
    const float letter =
        canvas.text({r.x0 + pad, canvas.text_y(r)}, state_look.letter, state_look.ink, style.fonts.bold);
    const std::string words = box.name + " " +
                              style.says(box.idle != trace::Idle::none        ? state_look.word
                                         : box.state == trace::State::running ? mark("runs")
                                                                              : mark("waits for the one above"));
    const float x = r.x0 + 2 * pad + letter, room = r.x1 - x - pad;
    const bool fits = canvas.text_width(words) <= room;
    canvas.text({x, canvas.text_y(r)}, fits ? words : fitting_lane_name(metrics_of(style), room, box.name),
                state_look.ink);
}

}  // namespace

float draw_caller_stacks(const Scene& scene, Rect area, Selection& selection) {
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const float em = scene.style.em;
    const std::vector<std::uint32_t> machines = shown_machines(scene, selection, most_stacks(scene, area.width()));
    if (machines.empty()) return 0;
    const float width = area.width() / static_cast<float>(machines.size());
    std::vector<CallerStack> stacks;
    std::size_t tallest = 1;
    for (const std::uint32_t m : machines) {
        stacks.push_back(caller_stack(scene.replay, scene.index, m, kMostBoxes, scene.style.language));
        tallest = std::max(tallest, stacks.back().boxes.size());
    }
    // Room for at least three, so that the tree below does not move at every resume.
    const float height = kStackBox * em * static_cast<float>(std::max<std::size_t>(3, tallest)) + 1.3F * em;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const float x = area.x0 + width * static_cast<float>(i);
        float y = area.y0 + height - 1.3F * em;
        canvas.text({x, y}, scene.style.says("machine {0}", stacks[i].machine), scene.style.colors().dim, nullptr,
                    width - em);
        for (auto box = stacks[i].boxes.rbegin(); box != stacks[i].boxes.rend(); ++box) {
            y -= kStackBox * em;
            const Rect r{x, y, x + width - 0.4F * em, y + kStackBox * em - 2};
            draw_box(canvas, r, *box, box->co == selection.chosen && box->co != trace::kNone);
            if (box->co != trace::kNone && ImGui::IsMouseHoveringRect({r.x0, r.y0}, {r.x1, r.y1}) &&
                ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
                selection.chosen = box->co;
        }
    }
    return height;
}

std::string caller_stacks_heading(const Scene& scene, float width) {
    const std::uint32_t machines = scene.index.machines(), most = most_stacks(scene, width);
    return machines <= most ? scene.style.says("Caller stack: each resumed the one above")
                            : scene.style.says("Caller stacks of {0} of {1} machines", most, machines);
}

}  // namespace fiberscope::viewer
