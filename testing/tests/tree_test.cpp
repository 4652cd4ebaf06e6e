// Tests of the source tree itself: which room may include which (docs/architecture.md), and that every link of the
// documents and every page that a lab's steps name is there.
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/include_rules.h"
#include "testing/tests/text.h"
#include "testing/tests/used_headers.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

/// The tree's files with one of these endings, as paths below its root; what is built or hidden is no part of it.
std::vector<fs::path> files(const std::vector<std::string>& endings) {
    std::vector<fs::path> found;
    for (auto it = fs::recursive_directory_iterator(ROOT); it != fs::recursive_directory_iterator(); ++it) {
        const std::string name = it->path().filename().string();
        if (it->is_directory() && (name.starts_with('.') || (name == "build" && it.depth() == 0)))
            it.disable_recursion_pending();
        else if (std::find(endings.begin(), endings.end(), it->path().extension()) != endings.end())
            found.push_back(it->path().lexically_relative(ROOT));
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// The names in an #include, without what encloses them.
std::vector<std::string> includes(const std::string& text) {
    static const std::regex kInclude("(^|\n)[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"]");
    std::vector<std::string> names;
    for (std::sregex_iterator it(text.begin(), text.end(), kInclude), end; it != end; ++it) names.push_back((*it)[2]);
    return names;
}

/// The names that a file below ROOT includes; none if it is not there. Each file is read once.
const std::vector<std::string>& includes_of(const fs::path& file) {
    static std::map<fs::path, std::vector<std::string>> known;
    const auto found = known.find(file);
    return found != known.end() ? found->second : known[file] = includes(read(fs::path(ROOT) / file));
}

/// Every name that a file includes, also through the tree's own files, is put into `all`.
void include_all(const fs::path& file, std::set<std::string>& all) {
    for (const std::string& name : includes_of(file))
        if (all.insert(name).second) include_all(name, all);
}

/// The anchors that a page's headings make, as GitHub and most others form them; and those that it names itself, as a
/// handout in another language does before each heading, so that a link holds for both: <a id="how-to-work"></a>
std::set<std::string> anchors(const std::string& page) {
    std::set<std::string> all;
    std::istringstream lines(page);
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) code = !code;
        static const std::regex kNamed("^<a id=\"([^\"]+)\"></a>$");
        std::smatch named;
        if (!code && std::regex_match(line, named, kNamed)) all.insert(named[1]);
        if (code || !line.starts_with('#')) continue;
        std::string anchor;
        for (const char c : line.substr(std::min(line.find_first_not_of('#') + 1, line.size()))) {
            const auto byte = static_cast<unsigned char>(c);
            if (std::isalnum(byte) != 0 || byte >= 0x80 || c == '_' || c == '-')
                anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
            else if (c == ' ')
                anchor += '-';
        }
        std::string unique = anchor;
        for (int n = 1; !all.insert(unique).second; ++n) unique = anchor + "-" + std::to_string(n);
    }
    return all;
}

/// Why the target of a link on a page (both below ROOT) does not lead anywhere; empty if it does.
std::string broken_link(const fs::path& page, const std::string& target) {
    if (target.find("://") != target.npos || target.starts_with("mailto:")) return "";
    const std::size_t hash = target.find('#');
    const std::string file = target.substr(0, hash);
    const fs::path named = file.empty() ? fs::path(ROOT) / page : fs::path(ROOT) / page.parent_path() / file;
    if (!fs::exists(named)) return page.string() + " links to " + target + ", which is not there";
    if (hash == target.npos || named.extension() != ".md") return "";
    if (anchors(read(named)).contains(target.substr(hash + 1))) return "";
    return page.string() + " links to " + target + ", but no heading there makes that anchor";
}

/// The targets of the links and pictures of a page, those in code left out.
std::vector<std::string> links(std::string text) {
    text = std::regex_replace(text, std::regex("(^|\n)[ ]*```[^]*?\n[ ]*```"), "");
    text = std::regex_replace(text, std::regex("`[^`\n]*`"), "");
    static const std::regex kLink("\\]\\(([^)\\s]+)[^)]*\\)");
    std::vector<std::string> targets;
    for (std::sregex_iterator it(text.begin(), text.end(), kLink), end; it != end; ++it) targets.push_back((*it)[1]);
    return targets;
}

}  // namespace

TEST_CASE("tree: no file includes what it must not know") {
    std::string found;
    std::size_t looked_at = 0;
    for (const fs::path& file : files({".h", ".cpp", ".S"})) {
        ++looked_at;
        for (const std::string& name : includes(read(fs::path(ROOT) / file)))
            if (const std::string why = fiberscope::testing::forbidden(file.string(), name); !why.empty())
                found += file.string() + " includes " + name + ": " + why + "\n";
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(looked_at > 20);
}

TEST_CASE("tree: every file includes what it uses of the standard library") {
    std::string found;
    for (const fs::path& file : files({".h", ".cpp"})) {
        std::set<std::string> included;
        include_all(file, included);
        for (const std::string& missing : fiberscope::testing::missing_headers(read(fs::path(ROOT) / file), included))
            found += file.string() + ": " + missing + "\n";
    }
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("tree: a header that is used and not included is found") {
    using fiberscope::testing::missing_headers;
    const std::string code =
        "std::vector<int> a; // std::map\nputs(\"std::set\"); std::sort(b); std::errc c; std::sorted d;\n";
    CHECK(missing_headers(code, {"vector", "charconv"}) == std::vector<std::string>{"std::sort needs <algorithm>"});
    CHECK(missing_headers(code, {"algorithm", "system_error"}) ==
          std::vector<std::string>{"std::vector needs <vector>"});
}

TEST_CASE("tree: the rule of includes refuses what the architecture forbids") {
    using fiberscope::testing::forbidden;
    const std::pair<const char*, const char*> wrong[] = {
        {"viewer/layout/page/frame.cpp", "imgui.h"},
        {"viewer/model/playback.cpp", "GL/gl.h"},
        {"viewer/panels/legend.cpp", "labs/kit/run/core.h"},
        {"viewer/layout/base/scale.h", "viewer/layout/words/members.h"},
        {"viewer/layout/sets/heap.cpp", "viewer/layout/timeline/timeline.h"},
        {"viewer/layout/sets/heap.cpp", "fstream"},
        {"viewer/layout/page/frame.cpp", "viewer/model/document.h"},
        {"viewer/model/document.cpp", "viewer/panels/canvas.h"},
        {"viewer/model/document.cpp", "traces/record/recorder.h"},
        {"traces/record/recorder.cpp", "traces/read/reader.h"},
        {"traces/read/reader.cpp", "traces/record/recorder.h"},
        {"traces/read/reader.cpp", "traces/replay/replay.h"},
        {"traces/replay/replay.cpp", "labs/kit/run/core.h"},
        {"traces/record/file.cpp", "nlohmann/json.hpp"},
        {"labs/kit/run/core.cpp", "traces/replay/replay.h"},
        {"labs/kit/run/core.cpp", "labs/01_switch_asm/coroutine.h"},
        {"labs/kit/run/core.cpp", "viewer/model/document.h"},
        {"labs/kit/run/core.cpp", "labs/kit/machines/machines.h"},
        {"labs/kit/run/thread_state.cpp", "labs/kit/fault/fault.h"},
        {"labs/kit/time/clock.cpp", "labs/kit/run/thread_state.h"},
        {"labs/kit/memory/stack.cpp", "labs/kit/run/core.h"},
        {"labs/kit/report/report.cpp", "labs/kit/time/clock.h"},
        {"labs/kit/machines/work.cpp", "labs/kit/fault/fault.h"},
        {"labs/kit/sets/tree.cpp", "labs/kit/machines/machines.h"},
        {"labs/kit/fault/fault.cpp", "labs/kit/demo/demo.h"},
        {"labs/01_switch_asm/given/coroutine.cpp", "traces/read/reader.h"},
        {"labs/01_switch_asm/programs/demo.cpp", "traces/replay/replay.h"},
        {"labs/01_switch_asm/solution/context.cpp", "traces/record/recorder.h"},
        {"labs/01_switch_asm/exercise/context.cpp", "labs/01_switch_asm/solution/context.cpp"},
        {"labs/01_switch_asm/tests/switch_test.cpp", "labs/02_ucontext/coroutine.h"},
        {"labs/05_epoll_io/tests/epoller_test.cpp", "labs/06_timers/timers.h"},
        {"labs/04_scheduler/given/scheduler.cpp", "labs/01_switch_asm/coroutine.h"},
        {"languages/say.cpp", "traces/read/reader.h"},
        {"traces/replay/replay.cpp", "languages/say.h"},
        {"traces/schema/schema.h", "traces/read/reader.h"},
        {"traces/replay/replay.h", "traces/words/words.h"},
        {"traces/words/words.h", "traces/check/checker.h"},
        {"traces/check/checker.h", "traces/tool/verbs.h"},
        {"traces/bench/trace_bench.cpp", "labs/kit/run/core.h"},
        {"labs/grader/verdict.cpp", "labs/kit/run/core.h"},
        {"labs/04_scheduler/scheduler.h", "labs/04_scheduler/tests/support.h"},
        {"labs/04_scheduler/given/scheduler.cpp", "labs/grader/steps.h"},
    };
    for (const auto& [file, name] : wrong) {
        INFO(file << " includes " << name);
        CHECK(!forbidden(file, name).empty());
    }
    const std::pair<const char*, const char*> right[] = {
        {"viewer/panels/legend.cpp", "imgui.h"},
        {"viewer/keys.cpp", "GLFW/glfw3.h"},
        {"viewer/model/document.cpp", "traces/replay/replay.h"},
        {"traces/replay/replay.cpp", "traces/read/reader.h"},
        {"traces/read/reader.cpp", "nlohmann/json.hpp"},
        {"traces/read/reader.cpp", "languages/say.h"},
        {"labs/kit/run/core.cpp", "traces/record/recorder.h"},
        {"labs/kit/run/lifecycle.cpp", "labs/kit/time/clock.h"},
        {"labs/kit/machines/work.cpp", "labs/kit/run/thread_state.h"},
        {"labs/kit/demo/demo.cpp", "labs/kit/fault/fault.h"},
        {"labs/kit/testing/main.cpp", "labs/kit/fault/fault.h"},
        {"labs/grader/story.cpp", "traces/words/words.h"},
        {"labs/01_switch_asm/tests/trace_test.cpp", "traces/replay/replay.h"},
        {"labs/01_switch_asm/solution/context.cpp", "labs/01_switch_asm/context.h"},
        {"labs/03_shared_stack/tests/image_test.cpp", "labs/01_switch_asm/coroutine.h"},
        {"labs/06_timers/programs/demo.cpp", "labs/05_epoll_io/poller.h"},
        {"labs/06_timers/given/timers.cpp", "labs/04_scheduler/scheduler.h"},
    };
    for (const auto& [file, name] : right) {
        INFO(file << " includes " << name);
        CHECK(forbidden(file, name).empty());
    }
}

TEST_CASE("tree: every link of the documents leads somewhere") {
    std::string found;
    for (const fs::path& page : files({".md"}))
        for (const std::string& target : links(read(fs::path(ROOT) / page)))
            if (const std::string why = broken_link(page, target); !why.empty()) found += why + "\n";
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("tree: a broken link and a broken anchor are found") {
    CHECK(links("see [a](b.md#c) and ![p](d.png \"title\") but not `[x](y)`\n```\n[z](w)\n```\n") ==
          std::vector<std::string>{"b.md#c", "d.png"});
    CHECK(anchors("# One\n## Step 1.2: `_switch`, raw\n```\n# no heading\n```\n# One\n") ==
          std::set<std::string>{"one", "step-12-_switch-raw", "one-1"});
    CHECK(anchors("<a id=\"how-to-work\"></a>\n\n## 怎样工作\n").contains("how-to-work"));
    CHECK(!anchors("```\n<a id=\"how-to-work\"></a>\n```\n").contains("how-to-work"));
    CHECK(!broken_link("LICENSE", "no_such_file.md").empty());
    CHECK(broken_link("LICENSE", "LICENSE").empty());
}

TEST_CASE("tree: what the steps of a lab tell to edit and to read is there") {
    std::string found;
    std::size_t steps = 0;
    for (const fs::path& file : files({".json"})) {
        if (file.filename() != "steps.json") continue;
        for (const auto& step : nlohmann::json::parse(read(fs::path(ROOT) / file))) {
            ++steps;
            const auto& file_or_files = step.at("file");
            const auto edited = file_or_files.is_array() ? file_or_files : nlohmann::json::array({file_or_files});
            for (const std::string edit : edited)
                for (const char* arch : {"x86_64", "aarch64"}) {
                    const std::string one = std::regex_replace(edit, std::regex("\\{arch\\}"), arch);
                    if (!fs::exists(fs::path(ROOT) / file.parent_path() / one)) found += one + " is not there\n";
                }
            if (step.at("read").empty())
                found += file.string() + ": step " + std::string(step.at("step")) + " names nothing to read\n";
            for (const std::string target : step.at("read"))
                if (const std::string why = broken_link(file, target); !why.empty()) found += why + "\n";
        }
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(steps > 0);
}
