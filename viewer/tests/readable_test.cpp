// Checks that all texts of the window are readable: nothing is clipped or overlaps.
#include "viewer/tests/stage/reader.h"

#include <algorithm>
#include <array>

#include "testing/catch.h"
#include "viewer/model/keys.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;

namespace {

using Findings = std::map<std::string, std::string>;
constexpr std::array kLanguages{Language::english, Language::chinese};

/// Moves the playheads of all files to `part` of three.
void go_to(Workspace& workspace, std::size_t part) {
    for (std::size_t i = 0; i < workspace.size(); ++i) {
        Document& document = workspace.document(i);
        document.selection().playhead = document.replay().size() * part / 3;
        document.sync();
    }
}

std::string where_is(Workspace& workspace, std::string_view what) {
    return workspace.document().title() + " " + std::string(what) + " " +
           std::to_string(workspace.document().selection().playhead);
}

/// Files to open together.
using Files = std::vector<std::filesystem::path>;
/// Presses keys one after the other, and checks after each.
struct Pressed {
    Action action;
    std::string_view name;
};

}  // namespace

TEST_CASE("nothing is clipped and nothing overlaps: all samples, three sizes, two themes, two languages") {
    constexpr std::array kSizes{Screenful{1280, 720, 15}, Screenful{1600, 900, 17}, Screenful{2560, 1440, 17}};
    Findings found;
    for (const Language language : kLanguages)
        for (const Screenful& size : kSizes) {
            Reader reader(language, size);
            for (const auto& file : all_samples()) {
                const auto workspace = reader.open({file});
                for (const std::size_t part : {1U, 2U, 3U}) {
                    go_to(*workspace, part);
                    if (part == 2) workspace->apply(Action::theme);  // the colours change no position
                    reader.look(*workspace, where_is(*workspace, ""), found);
                }
            }
        }
    INFO(in_lines(found));
    CHECK(found.empty());
}

TEST_CASE("nothing is clipped and nothing overlaps in the overlays") {
    constexpr std::array kSizes{Screenful{900, 600, 15}, Screenful{1280, 720, 15}, Screenful{1600, 900, 17},
                                Screenful{3840, 2160, 34}};
    constexpr std::array kOver{Pressed{Action::help, "help"},          Pressed{Action::recent, "recent"},
                               Pressed{Action::source, "source"},      Pressed{Action::search, "search"},
                               Pressed{Action::filter_lanes, "lanes"}, Pressed{Action::palette, "palette"},
                               Pressed{Action::predict, "predict"},    Pressed{Action::predict, "predict sets"},
                               Pressed{Action::mark_region, "region"}, Pressed{Action::mark_region, "region"}};
    Settings settings;
    settings.recent = {"/home/student/course/coroutines/traces/samples/04_mixed_multi_state.json",
                       "/home/student/" + std::string(150, 'x') + "/04_mixed.json"};
    Findings found;
    for (const Language language : kLanguages)
        for (const Screenful& size : kSizes)
            for (const bool present : {false, true}) {
                Reader reader(language, size);
                const std::vector<Files> both{{sample("04_mixed")}, {sample("04_mixed"), sample("04_mixed_go")}};
                for (const Files& files : both) {
                    const auto workspace = reader.open(files);
                    workspace->restore(settings);
                    if (present) workspace->apply(Action::present);
                    if (files.size() > 1) workspace->apply(Action::side_by_side);
                    go_to(*workspace, 2);
                    for (const Pressed& key : kOver) {
                        workspace->apply(key.action);
                        workspace->apply(Action::next_decision);
                        reader.look(*workspace, where_is(*workspace, key.name) + (present ? " present" : ""), found);
                        workspace->apply(Action::choose_none);
                    }
                }
            }
    INFO(in_lines(found));
    CHECK(found.empty());
}

TEST_CASE("nothing is clipped and nothing overlaps without a file, nor on a phone") {
    constexpr std::array kSizes{Screenful{1280, 720, 15}, Screenful{1600, 900, 17}, Screenful{390, 844, 15}};
    Findings found;
    for (const Language language : kLanguages)
        for (const Screenful& size : kSizes) {
            Reader reader(language, size);
            const auto nothing = reader.open({});
            for (const Action action : {Action::home, Action::palette, Action::choose_none, Action::recent}) {
                nothing->apply(action);
                reader.look(*nothing, "no file", found);
            }
            CHECK(reader.written().size() > 60);
            if (size.width > 400) continue;
            const auto one = reader.open({sample("04_mixed")});
            for (const Action action : {Action::home, Action::palette, Action::choose_none, Action::recent}) {
                one->apply(action);
                reader.look(*one, "phone", found);
            }
        }
    INFO(in_lines(found));
    CHECK(found.empty());
}

TEST_CASE("names of lanes are as large as other text, one to seven files at four sizes") {
    constexpr std::array kSizes{Screenful{1280, 720, 15}, Screenful{1600, 900, 17}, Screenful{1920, 1080, 17},
                                Screenful{390, 844, 15}};
    Files all;
    for (const char* name : kMixed) all.push_back(sample(name));
    Findings found;
    for (const Screenful& size : kSizes) {
        Reader reader(Language::english, size);
        for (std::size_t count = 1; count <= all.size(); ++count) {
            const auto workspace = reader.open({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)});
            if (count > 1) workspace->apply(Action::side_by_side);
            go_to(*workspace, 2);
            reader.look(*workspace, std::to_string(count) + " files", found);
            INFO(count << " files, " << size.width << "x" << size.height);
            float smallest = 1e9F, smallest_name = 1e9F;
            for (const Written& text : reader.written()) smallest = std::min(smallest, text.rect.height());
            std::size_t rows = 0;
            for (std::size_t tab = 0; tab < count; ++tab) {
                const Timeline& timeline = workspace->drawn_timeline(tab);
                if (timeline.lanes.empty()) continue;  // this file has no row
                ++rows;
                std::size_t names = 0;
                for (const Written& text : reader.written()) {
                    const bool beside = text.rect.x0 >= timeline.names.x0 && text.rect.x0 < timeline.names.x1 &&
                                        text.rect.middle_y() >= timeline.names.y0 &&
                                        text.rect.middle_y() <= timeline.names.y1 && text.clip.y1 > text.rect.y0;
                    const bool name = beside && std::any_of(timeline.lanes.begin(), timeline.lanes.end(),
                                                            [&](const Lane& lane) { return lane.name == text.text; });
                    if (!name) continue;
                    ++names;
                    smallest_name = std::min(smallest_name, text.rect.height());
                }
                CHECK(names >= (timeline.names.height() > 3 * size.em ? 2 : 1));
                CHECK(timeline.lanes_area.width() >= 0.37F * static_cast<float>(size.width));
            }
            CHECK(rows >= std::min<std::size_t>(count, 2));
            CHECK(smallest_name >= smallest - 0.5F);
            CHECK(smallest_name >= size.em - 0.5F);
        }
    }
    INFO(in_lines(found));
    CHECK(found.empty());
}

TEST_CASE("every action works without a file") {
    Reader reader(Language::english, {900, 600, 15});
    const auto nothing = reader.open({});
    for (int round = 0; round < 2; ++round)
        for (const KeyBinding& row : key_bindings()) {
            nothing->apply(row.action);
            reader.look(*nothing);
        }
    CHECK(nothing->document().none());
    CHECK_FALSE(reader.written().empty());
}

TEST_CASE("the message about a missing font is also shown side by side") {
    Findings found;
    Reader reader(Language::english, {900, 600, 15});
    Style style = reader.style();
    style.fonts.missing = say(Language::english,
                              "No installed font has all required characters: install one, for "
                              "instance the package fonts-noto-cjk for Chinese.");
    std::vector<std::unique_ptr<Document>> documents;
    for (const char* name : {"04_mixed", "04_mixed_multi_state"})
        documents.push_back(std::make_unique<Document>(sample(name)));
    Workspace workspace(std::move(documents), style);
    const auto is_there = [&] {
        reader.look(workspace, "", found);
        return reader.says("fonts-noto-cjk");
    };
    CHECK(is_there());
    workspace.apply(Action::side_by_side);
    CHECK(is_there());
    INFO(in_lines(found));
    CHECK(found.empty());
}

TEST_CASE("in a small window lanes get half of the room above the sets") {
    Reader reader(Language::english, {1280, 720, 15});
    for (const auto& [name, lanes] : {std::pair{"04_mixed", 9U}, std::pair{"05_clients_go", 10U}}) {
        const auto workspace = reader.open({sample(name)});
        go_to(*workspace, 2);
        reader.look(*workspace);
        INFO(name);
        CHECK(workspace->drawn_timeline().lanes.size() >= lanes);
    }
}
