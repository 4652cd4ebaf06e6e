// Checks that all texts of the viewer are translated: errors, the command line, notes, and drawn texts.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "traces/words/translated.h"
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

/// A temporary file for one test.
class File {
  public:
    File(const std::string& name, const std::string& text) : path_(fs::temp_directory_path() / name) {
        std::ofstream(path_) << text;
    }
    ~File() { fs::remove(path_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    const fs::path& path() const noexcept { return path_; }

  private:
    fs::path path_;
};

/// The first two consecutive English words in `text`, ignoring quotes and paths; empty if there are none.
std::string english_in(const std::string& text) {
    static const std::regex quoted("\"[^\"]*\"|/[^ ]*|--[a-z-]+ [^ ]*"), two("[A-Za-z]{2,} [a-z]{2,}");
    const std::string rest = std::regex_replace(text, quoted, "");
    std::smatch found;
    return std::regex_search(rest, found, two) ? found.str() : std::string();
}

std::string read(const fs::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string begun(const std::string& events) { return R"({"fiberscope":1,"meta":{},"events":[)" + events + "\n"; }

std::vector<std::string> broken() {
    const std::string whole = made::round_robin(3, 4);
    std::vector<std::string> all{"",
                                 "hello",
                                 "[]",
                                 "{}",
                                 R"({"a":1})",
                                 R"({"fiberscope":"x"})",
                                 R"({"fiberscope":99})",
                                 R"({"fiberscope":1,"meta":3})",
                                 R"({"fiberscope":1,"end":3})",
                                 R"({"fiberscope":1,"events":3})",
                                 R"({"fiberscope":1,"events":[3]})",
                                 R"({"fiberscope":1,"events":[],"end":{"events":-1}})",
                                 R"({"fiberscope":1,"meta":{},"events":[],"end":{"events":0}})",
                                 R"({"fiberscope":1,"meta":{},"events":[]})",
                                 begun(R"({"t":-1})"),
                                 begun(R"({"t":1,"m":70000})"),
                                 begun(R"({"t":1,"m":0})"),
                                 begun(R"({"t":1,"m":0,"ev":"spawn"},)"),
                                 begun(R"({"t":1,"m":0,"ev":"spawn","co":"x"},)"),
                                 begun(R"({"t":1,"m":0,"ev":"state","co":0,"to":"flying"},)"),
                                 begun(R"({"t":1,"m":0,"ev":"spawn","co":4000000000},)"),
                                 whole.substr(0, whole.size() / 3),
                                 whole.substr(0, whole.size() - 3),
                                 whole + "x"};
    std::string more = whole;
    more.insert(more.find("\"events\""), "\"events\": 3, ");
    all.push_back(more);
    return all;
}

}  // namespace

TEST_CASE("errors in a file are reported in Chinese") {
    for (const std::string& text : broken()) {
        const File file("fiberscope-language.json", text);
        Document document(file.path());
        const std::string english = document.error() + document.warning();
        document.set_language(Language::chinese);
        const std::string chinese = document.error() + document.warning();
        INFO(text.substr(0, 100) << "\n" << english << "\n" << chinese);
        CHECK(!english.empty());
        CHECK(chinese != english);
        CHECK(english_in(chinese).empty());
    }
    for (const char* path : {"/dev/zero", "/no/such/trace.json", "/"}) {
        Document document{fs::path(path)};
        document.set_language(Language::chinese);
        INFO(document.error());
        CHECK_FALSE(document.error().empty());
        CHECK(english_in(document.error()).empty());
    }
}

TEST_CASE("an untranslated sentence stays in English") {
    CHECK(trace::translated("The moon is full.", Language::chinese) == "The moon is full.");
    CHECK(trace::translated("a is empty: no trace was written into it.", Language::english) ==
          "a is empty: no trace was written into it.");
}

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

TEST_CASE("a trace without Chinese notes has the English ones") {
    const File notes("fiberscope-language.notes.json", R"({"title":"T","notes":[{"event":4,"text":"first"}]})");
    const File file("fiberscope-language.json", made::round_robin(3, 4));
    Document document(file.path());
    document.set_language(Language::chinese);
    CHECK(document.lecture().notes().title == "T");
}

TEST_CASE("no panel has an untranslated literal") {
    // In statements that draw text, a literal with letters is untranslated text unless it is an identifier, a format,
    // or passed to says() or mark().
    const std::regex draws(
        R"(\b(text|text_in|words|words_behind|paragraph|button|button_behind|checkbox|field|choice_of|)"
        R"(SetTooltip|draw_strip|draw_centred|draw_banner)\(|said_ =)");
    const std::regex harmless(R"(#include[^\n]*\n|//[^\n]*\n|##[^"]*|%\.?\*?s)"
                              R"re(|\b(says|mark)\((\s*"(?:[^"\\]|\\.)*")+)re"),
        literal(R"re("((?:[^"\\]|\\.)*)")re"), letters("[A-Za-z]{2}");
    std::size_t looked_at = 0;
    for (const auto& entry : fs::recursive_directory_iterator(FIBERSCOPE_ROOT "/viewer/panels")) {
        if (entry.path().extension() != ".cpp" || entry.path().stem() == "fonts") continue;
        ++looked_at;
        std::stringstream statements(std::regex_replace(read(entry.path()), harmless, ""));
        for (std::string statement; std::getline(statements, statement, ';');) {
            if (!std::regex_search(statement, draws)) continue;
            INFO(entry.path() << ": " << statement);
            for (std::sregex_iterator at(statement.begin(), statement.end(), literal), end; at != end; ++at)
                CHECK_FALSE(std::regex_search((*at)[1].first, (*at)[1].second, letters));
        }
    }
    CHECK(looked_at > 20);
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
            std::map<std::string, std::string> ignored;
            reader.look(*workspace, "", ignored);
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
