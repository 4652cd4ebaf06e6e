// Pictures of shared stacks and of several traces side by side.

#include "viewer/tests/stage/stage.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;

namespace {

std::size_t at_copy(const Document& document, std::size_t n) { return document.index().copies()[n] + 1; }

}  // namespace

TEST_CASE("a picture has the shared stacks at the positions of the layout") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        Options options;
        options.theme = theme;
        auto documents = documents_of({shared_stacks(4, 2, 4)});
        documents[0]->selection().playhead = at_copy(*documents[0], 8);
        Stage stage(std::move(documents), options);
        const Picture picture = stage.draw();
        const SharedStacks& stacks = stage.workspace().drawn_stacks();
        REQUIRE(stacks.boxes.size() == 2);
        std::size_t images = 0;
        for (const SharedStackBox& box : stacks.boxes) {
            const Color owner = look(box.owner_state, theme).fill;
            const double area = static_cast<double>(box.owner_box.width() * box.owner_box.height());
            REQUIRE(box.owner != trace::kNone);
            CHECK(static_cast<double>(count_in(picture, box.owner_box, owner)) > 0.5 * area);
            CHECK(count_near(picture, box.out, palette(theme).text, palette(theme).panel) > 40);
            for (const TenantRow& row : box.rows) {
                if (row.image.empty()) continue;
                ++images;
                const Color fill = look(row.state, theme).fill;
                const double image = static_cast<double>(row.image.width() * row.image.height());
                CHECK(static_cast<double>(count_in(picture, row.image, fill)) > 0.4 * image);
                const Rect free{row.buffer.x1 + 2, row.room.y0, row.room.x1, row.room.y1};
                CHECK(count_in(picture, free, fill) == 0);
            }
        }
        CHECK(images >= 2);
    }
}

TEST_CASE("side by side: unreadable files are omitted, small windows work") {
    auto documents = documents_of({shared_stacks(4, 1, 4), round_robin(20, 8), all_states()});
    documents.insert(documents.begin() + 1, std::make_unique<Document>(std::filesystem::path("no/such/file.json")));
    Options small;
    small.width = 900;
    small.height = 400;
    Stage stage(std::move(documents), small);
    stage.workspace().apply(Action::side_by_side);
    REQUIRE(stage.workspace().side_by_side());
    for (const Action action : {Action::step, Action::step_back, Action::next_tab, Action::choose_next, Action::focus,
                                Action::next_tab, Action::next_tab, Action::play_pause, Action::theme, Action::end}) {
        stage.workspace().apply(action);
        stage.draw(1, 0.05);
        CHECK(stage.workspace().document().readable());
    }
}
