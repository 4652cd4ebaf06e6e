// Checks that all texts of the viewer are translated: errors, the command line, notes, and drawn texts.
#include <filesystem>
#include <regex>
#include <set>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "viewer/model/document.h"
#include "viewer/model/keys.h"
#include "viewer/model/options.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;
namespace fs = std::filesystem;

namespace {

const fs::path kSamples = fs::path(FIBERSCOPE_ROOT) / "traces" / "samples";

/// The first two consecutive English words in `text`, ignoring quotes and paths; empty if there are none.
std::string english_in(const std::string& text) {
    static const std::regex quoted("\"[^\"]*\"|/[^ ]*|--[a-z-]+ [^ ]*"), two("[A-Za-z]{2,} [a-z]{2,}");
    const std::string rest = std::regex_replace(text, quoted, "");
    std::smatch found;
    return std::regex_search(rest, found, two) ? found.str() : std::string();
}

}  // namespace

TEST_CASE("the help of the command line and its errors are translated") {
    const std::string help = usage(Language::chinese);
    INFO(help);
    CHECK(help.find("用法") != std::string::npos);
    CHECK(english_in(help).empty());
    for (const std::vector<std::string>& line : {std::vector<std::string>{"--render", "a.png"},
                                                 {"--size", "large", "a"},
                                                 {"--scale", "9", "a"},
                                                 {"--lock", "x", "a"},
                                                 {"--at", "x", "a"},
                                                 {"--press", "Hyper", "a"},
                                                 {"--panel", "x", "a"},
                                                 {"--nothing", "a"},
                                                 {"a", "--size"}}) {
        std::vector<std::string> arguments = line;
        arguments.insert(arguments.begin(), {"--language", "zh"});
        std::string said;
        try {
            parse_options(arguments);
        } catch (const UsageError& error) {
            said = error.what();
        }
        INFO(said);
        CHECK(said.find("用 --help") != std::string::npos);
        CHECK(english_in(said).empty());
    }
}

TEST_CASE("each chapter has notes in Chinese, at the same events") {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(kSamples / ".." / "notes")) {
        ++files;
        if (entry.path().stem().extension() != ".notes") continue;
        INFO(entry.path());
        const std::string name = entry.path().stem().stem().string();
        Document document(kSamples / (name + ".json"));
        const trace::Notes english = document.lecture().notes();
        document.set_language(Language::chinese);
        const trace::Notes chinese = document.lecture().notes();
        CHECK(chinese.title != english.title);
        REQUIRE(chinese.notes.size() == english.notes.size());
        for (std::size_t i = 0; i < chinese.notes.size(); ++i) {
            CHECK(chinese.notes[i].event == english.notes[i].event);
            CHECK(chinese.notes[i].place == english.notes[i].place);
            CHECK(chinese.notes[i].answer == english.notes[i].answer);
            CHECK(chinese.notes[i].question.empty() == english.notes[i].question.empty());
            CHECK(chinese.notes[i].text != english.notes[i].text);
            CHECK(chinese.notes[i].text.bytes().ends_with("。") != chinese.notes[i].text.bytes().ends_with("？"));
        }
    }
    CHECK(files == 12);
}

TEST_CASE("Chinese frames have no English words except names") {
    std::set<std::string> wrong;
    made::Reader reader(Language::chinese, {1600, 900, 17});
    for (const char* name : {"04_mixed", "06_three_stores_wheel", "03_owners_2", "05_clients"}) {
        const auto workspace = reader.open({made::sample(name), made::sample("04_mixed_multi_state")});
        Document& document = workspace->document();
        std::vector<std::string> names{document.title()};
        for (const KeyBinding& key : key_bindings()) names.emplace_back(key.label);
        for (std::size_t i = 0; i < 2; ++i) {
            const trace::Trace& trace = workspace->document(i).replay().trace();
            for (std::uint32_t co = 0; co < workspace->document(i).replay().coroutines(); ++co)
                names.push_back(trace.name(co));
            for (std::uint32_t set = 0; set < workspace->document(i).index().sets(); ++set)
                names.emplace_back(trace.set_name(set).bytes());
            for (const trace::ForeignText& part : {trace.head.lab, trace.head.program, trace.head.strategy})
                names.emplace_back(part.bytes());
        }
        const auto look = [&](Action action) {
            workspace->apply(action);
            std::string code;
            for (const CardFile& file : workspace->comparing().card())
                for (const SourceLine& line : file.lines) code += line.text + "\n";
            reader.look(*workspace);
            for (const Written& written : reader.written()) {
                std::string text = written.text;
                const std::string line = text.substr(0, text.rfind("…"));
                if (code.find(line.substr(line.starts_with("… ") ? 4 : 0)) != std::string::npos) continue;
                for (const std::string& part : names)
                    for (auto at = text.find(part); part.size() > 1 && at != std::string::npos; at = text.find(part))
                        text.erase(at, part.size());
                if (written.window != "source" && !english_in(text).empty()) wrong.insert(written.text);
            }
        };
        document.selection().playhead = document.replay().size() / 2;
        for (const Action action : {Action::choose_next, Action::table, Action::table, Action::help, Action::help,
                                    Action::search, Action::search, Action::filter_lanes, Action::filter_lanes,
                                    Action::sets, Action::side_by_side, Action::next_difference})
            look(action);
    }
    std::string all;
    for (const std::string& text : wrong) all += text + "\n";
    INFO(all);
    CHECK(wrong.empty());
}
