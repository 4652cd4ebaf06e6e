// One to seven files in windows of four sizes, in each mode: all text is readable, and the lanes get the room of empty
// panels.
#include <algorithm>
#include <array>

#include "testing/catch.h"
#include "viewer/layout/page/file_rows.h"
#include "viewer/layout/page/file_tabs.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/state_rows.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/playhead.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;

namespace {

using Findings = std::map<std::string, std::string>;

constexpr std::array kFourSizes{Screenful{1280, 720, 17}, Screenful{1600, 900, 17}, Screenful{1920, 1080, 17},
                                Screenful{390, 844, 17}};

std::vector<std::filesystem::path> mixed(std::size_t count) {
    std::vector<std::filesystem::path> files;
    for (const char* name : std::span(kMixed).first(count)) files.push_back(sample(name));
    return files;
}

/// A mode of the window, as keys pressed from the start.
struct Mode {
    std::string_view name;
    std::vector<Action> keys;
    std::size_t least_files, most_files;
};
const std::vector<Mode>& modes() {
    static const std::vector<Mode> all{{"plain", {}, 1, 1},
                                       {"table", {Action::table}, 1, 1},
                                       {"lecture", {Action::play_lecture, Action::next_note, Action::next_note}, 1, 2},
                                       {"compared", {Action::side_by_side}, 2, 7},
                                       {"sets", {Action::side_by_side, Action::sets}, 2, 7},
                                       {"card", {Action::side_by_side, Action::next_difference}, 2, 7},
                                       {"matrix", {Action::matrix}, 2, 7}};
    return all;
}

/// Opens `count` files and calls `look(workspace, words)` in each mode.
template <class Look>
void in_each_mode(Reader& reader, std::size_t count, bool present, const Look& look) {
    for (const Mode& mode : modes()) {
        if (count < mode.least_files || count > mode.most_files) continue;
        const auto workspace = reader.open(mixed(count));
        put_playhead(workspace->document(), 300);
        if (present) workspace->apply(Action::present);
        for (const Action key : mode.keys) workspace->apply(key);
        workspace->settle();
        look(*workspace, std::to_string(count) + " files, " + std::string(mode.name) + (present ? ", present" : ""));
    }
}

}  // namespace

TEST_CASE("one to seven files at four sizes: in each mode nothing is clipped and nothing overlaps") {
    Findings found;
    for (const Language language : {Language::english, Language::chinese})
        for (const Screenful& size : kFourSizes)
            for (const bool present : {false, true}) {
                Reader reader(language, size);
                for (std::size_t count = 1; count <= 7; count += language == Language::chinese ? 3 : 1)
                    in_each_mode(reader, count, present, [&](Workspace& workspace, const std::string& where) {
                        reader.look(workspace, where, found);
                    });
            }
    std::erase_if(found, [](const auto& it) { return it.first.starts_with("cut: card: "); });  // lines of C++
    INFO(in_lines(found));
    CHECK(found.empty());
}

TEST_CASE("a presentation has no text below 3 % of the height, one to seven files in each mode") {
    for (const Screenful& size : {kFourSizes[0], kFourSizes[1], kFourSizes[2]}) {
        Reader reader(Language::english, size);
        for (std::size_t count = 1; count <= 7; ++count)
            in_each_mode(reader, count, true, [&](Workspace& workspace, const std::string& where) {
                reader.look(workspace);
                float least = 1e9F;
                for (const Written& text : reader.written()) least = std::min(least, text.rect.height());
                INFO(where << ", " << size.width << "x" << size.height);
                CHECK(least >= 0.03F * static_cast<float>(size.height) - 0.5F);
            });
    }
}

TEST_CASE("the legend has the shares of a bucket only if there are any") {
    Reader reader(Language::english, kFourSizes[1]);
    for (const std::size_t count : {1U, 2U}) {
        const auto workspace = reader.open(mixed(count));
        if (count > 1) workspace->apply(Action::side_by_side);
        const auto names_shares = [&] {
            reader.look(*workspace);
            return reader.says("shares of time: zoom in");
        };
        INFO(count << " files");
        CHECK(names_shares());
        for (int i = 0; i < 15; ++i) workspace->apply(Action::zoom_in);
        CHECK_FALSE(names_shares());
    }
}

TEST_CASE("sets without room are counted as sets, not as members of the last one") {
    Document document(sample("04_fanout_go"));
    put_playhead(document, 200);
    CHECK(sets_in_short(document.replay(), Language::english, 1).ends_with(": 13, and 2 more sets"));
}

TEST_CASE("the file tabs do not overlap, and the active one is not truncated") {
    const std::vector<std::string> seven{
        "04_mixed.json",       "04_mixed_multi_state.json", "04_mixed_hand_off.json",      "04_mixed_go.json",
        "04_mixed_netco.json", "04_mixed_sylar.json",       "04_mixed_sylar_spinning.json"};
    const Metrics metrics;
    for (const float width : {1900.0F, 900.0F, 700.0F, 420.0F, 260.0F})
        for (std::size_t count = 1; count <= seven.size(); ++count)
            for (std::size_t active = 0; active < count; ++active) {
                const std::vector<std::string> titles(seven.begin(),
                                                      seven.begin() + static_cast<std::ptrdiff_t>(count));
                const FileTabs row = layout_file_tabs({10, 0, 10 + width, 20}, titles, active, metrics);
                INFO(width << ", " << count << " files, active " << active);
                float x = 10;
                bool whole = false;
                const auto follows = [&](const Rect& r, const std::string& text) {
                    CHECK(r.x0 >= x);
                    CHECK(metrics.width(text) <= r.width());
                    x = r.x1;
                };
                if (!row.before.empty()) follows(row.before_rect, row.before);
                for (const FileTab& tab : row.tabs) {
                    follows(tab.rect, tab.text);
                    if (tab.file == active) whole = titles[active].starts_with(tab.text) && tab.text.size() >= 8;
                }
                if (!row.behind.empty()) follows(row.behind_rect, row.behind);
                CHECK(whole);
                if (width >= 420) CHECK(x <= 10 + width);
                const std::size_t hidden = (row.before.empty() ? 0 : std::stoul(row.before.substr(1))) +
                                           (row.behind.empty() ? 0 : std::stoul(row.behind.substr(1)));
                CHECK(row.tabs.size() + hidden == count);
            }
    const FileTabs named = layout_file_tabs({0, 0, 760, 20}, seven, 0, metrics);
    REQUIRE(named.tabs.size() == 7);
    CHECK(named.tabs[3].text == "…go");
}

TEST_CASE("of compared files on one axis only the first has a ruler, and all lanes have equal height") {
    const std::vector<float> wishes(5, 700), above{20, 0, 20, 0, 0};
    const float em = 17, ruler = kTimelineRuler * em;
    const FileRows beside = layout_file_rows({0, 60, 1600, 900}, em, wishes, 0, {.ruler = ruler, .above = above});
    REQUIRE(beside.rows.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(beside.rows[i].ruler == (i == 0));
        CHECK(beside.rows[i].timeline.height() - above[i] - (i == 0 ? ruler : 0) ==
              Approx(beside.rows[4].timeline.height()));
    }
    for (const FileRow& row : layout_file_rows({0, 60, 1600, 900}, em, wishes, 0, {}).rows) CHECK(row.ruler);
}

TEST_CASE("a panel that shows only some rows or nodes says how many") {
    constexpr const char* kMany[] = {"04_mixed"};
    Drawn small(kMany, {1280, 620, 15});
    small.workspace->go(623, trace::kNone, std::nullopt, {});
    small.look();
    const std::size_t lanes = small.workspace->drawn_timeline().lanes.size();
    CHECK(lanes < 17);
    CHECK(small.says(std::to_string(lanes) + " of 17"));
    CHECK(small.says(" of 16"));  // coroutines
    small.workspace->apply(Action::table);
    small.look();
    const auto table = std::find_if(small.reader.written().begin(), small.reader.written().end(),
                                    [](const Written& text) { return text.text.ends_with(" of 16"); });
    CHECK(table != small.reader.written().end());
    Drawn large(kMany, {1920, 1400, 15});
    large.look();
    CHECK_FALSE(large.says(" of 17"));
    CHECK_FALSE(large.says(" of 16"));
}

TEST_CASE("a tree without room for all of its nodes says so in its title, also during a rotation") {
    Document document(sample("04_mixed"));
    const auto link = [](const trace::Event& e) { return e.kind == trace::Kind::link; };
    std::size_t partial = 0;
    for (std::size_t i = 60; i < 400; i += 3) {
        put_playhead(document, after(document, link, i));
        for (const float width : {150.0F, 250.0F, 400.0F}) {
            const Sets sets = layout_sets({document.replay(), document.index(), {0, 0, width, 150}, Metrics{}});
            for (const SetView& tree : sets.trees) {
                const trace::SetNow& set =
                    *std::find_if(document.replay().sets().begin(), document.replay().sets().end(),
                                  [&](const trace::SetNow& s) { return s.index == tree.set; });
                if (tree.boxes.size() >= set.nodes.size()) continue;
                ++partial;
                INFO(tree.words);
                const bool told = tree.words.find(std::to_string(tree.boxes.size()) + " of ") != std::string::npos ||
                                  tree.words.find(" of them not drawn") != std::string::npos;
                CHECK(told);
            }
        }
    }
    CHECK(partial > 50);
}

TEST_CASE("a small window names neither keys nor clicks") {
    for (const Screenful screen : {Screenful{390, 844, 15}, {844, 390, 15}, {844, 330, 15}}) {
        Reader reader(Language::english, screen);
        for (const auto& files : {std::vector<std::filesystem::path>(), mixed(1)}) {
            const auto workspace = reader.open(files);
            reader.look(*workspace);
            INFO(screen.width << "x" << screen.height);
            CHECK_FALSE(reader.says("lick"));
            CHECK_FALSE(reader.says("shows all keys"));
            CHECK_FALSE(reader.says("table  J"));
            CHECK(reader.says("Choose a "));
        }
    }
    Reader large(Language::english, {1600, 900, 17});
    const auto workspace = large.open({});
    large.look(*workspace);
    CHECK(large.says("shows all keys"));
    CHECK(large.says("table  J"));
}
