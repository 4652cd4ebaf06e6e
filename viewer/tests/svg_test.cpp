// The window as SVG: all that is written in it is text there, and nothing that a file says is a command.
#include <imgui.h>

#include <algorithm>

#include "traces/read/printable.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/made/trace_script.h"
#include "viewer/tests/stage/reader.h"
#include "viewer/window/svg.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr made::Screenful kSvgScreen{1600, 900, 17};

std::string in_xml(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return out;
}

/// What `workspace` shows, by the lists of its last frame.
std::string svg_after(made::Reader& reader, Workspace& workspace, Rect part = {0, 0, 1600, 900}) {
    std::map<std::string, std::string> ignored;
    reader.look(workspace, "", ignored);
    return svg_of(*ImGui::GetDrawData(), part, palette(workspace.theme()).background, workspace.style().fonts);
}

}  // namespace

TEST_CASE("the window as SVG has each word of the window as text: lanes, sets, states, sentences, the card") {
    made::Reader reader(Language::english, kSvgScreen);
    const auto workspace = reader.open({made::sample("04_mixed"), made::sample("04_mixed_go")});
    workspace->document().selection().playhead = 623;
    for (const Action action : {Action::home, Action::side_by_side, Action::next_difference}) {
        if (action != Action::home) workspace->apply(action);
        const std::string svg = svg_after(reader, *workspace);
        CHECK(svg.starts_with("<svg "));
        CHECK(svg.ends_with("</svg>\n"));
        std::size_t words = 0;
        for (const Written& its : reader.written()) {
            const bool whole = !its.cut && its.rect.x0 >= its.clip.x0 && its.rect.x1 <= its.clip.x1 &&
                               its.rect.y0 >= its.clip.y0 && its.rect.y1 <= its.clip.y1;
            if (!whole || trace::printable(its.text).find_first_not_of(' ') == std::string::npos) continue;
            INFO(its.text);
            CHECK(svg.find(in_xml(its.text.substr(its.text.find_first_not_of(' ')))) != std::string::npos);
            ++words;
        }
        CHECK(words > 50);
    }
}

TEST_CASE("an SVG of a part has what stands in it, and nothing else") {
    made::Reader reader(Language::english, kSvgScreen);
    const auto workspace = reader.open({made::sample("04_mixed")});
    svg_after(reader, *workspace);
    const auto& panels = workspace->panels();
    const auto sets = std::find_if(panels.begin(), panels.end(), [](const auto& its) { return its.first == "sets"; });
    REQUIRE(sets != panels.end());
    const std::string svg = svg_after(reader, *workspace, sets->second);
    CHECK(svg.find(">ready") != std::string::npos);
    CHECK(svg.find("machine 0") == std::string::npos);
}

TEST_CASE("in an SVG names that look like commands of XML are text") {
    made::TraceScript script("a<b>&c");
    script.thread(0, "main");
    script.task(1, 0, "<script>&x");
    script.spend(100);
    script.jump(0, 1, "start", "normal");
    made::Reader reader(Language::english, kSvgScreen);
    std::vector<std::unique_ptr<Document>> documents;
    documents.push_back(std::make_unique<Document>(made::parsed(script.finish())));
    Workspace workspace(std::move(documents), reader.style());
    const std::string svg = svg_after(reader, workspace);
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("&lt;script&gt;&amp;x") != std::string::npos);
    CHECK(svg.find("a&lt;b&gt;&amp;c") != std::string::npos);
}
