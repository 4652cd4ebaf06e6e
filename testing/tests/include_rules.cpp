#include "testing/tests/include_rules.h"

#include <algorithm>
#include <map>
#include <regex>
#include <string_view>
#include <vector>

namespace fiberscope::testing {
namespace {

struct Rule {
    const char* file;    ///< of these files (a regular expression on the whole path)
    const char* name;    ///< none may include these
    const char* except;  ///< but these they may; empty: no exception
    const char* why;
};

// Every rule that matches a file holds for it. One line for each room: what its files may include of the tree.
const std::vector<Rule> kRules = {
    {"viewer/.*", "labs/.*|traces/record/.*", "", "the viewer knows files, not what wrote them"},
    {"viewer/(?!panels/|window/|tests/|main\\.cpp).*", "(.*/)?imgui.*\\.h|GL/.*", "",
     "only panels and the window draw; the rest is computed without a screen"},
    {"viewer/layout/.*", "viewer/.*|GLFW/.*|thread|fstream|filesystem", "viewer/layout/.*",
     "layout is computed from a trace alone: no window, no thread, no file"},
    {"viewer/layout/base/.*", "viewer/.*", "viewer/layout/base/.*", "the base is the lowest room of the layout"},
    {"viewer/layout/words/.*", "viewer/.*", "viewer/layout/(base|words)/.*", "words stand on the base"},
    {"viewer/layout/stacks/.*", "viewer/.*", "viewer/layout/(base|words|stacks)/.*", "stacks know no other drawing"},
    {"viewer/layout/sets/.*", "viewer/.*", "viewer/layout/(base|words|sets)/.*", "sets know no other drawing"},
    {"viewer/layout/tables/.*", "viewer/.*", "viewer/layout/(base|words|tables)/.*", "tables know no other drawing"},
    {"viewer/layout/timeline/.*", "viewer/.*", "viewer/layout/(base|words|timeline)/.*",
     "the timeline knows no other drawing"},
    {"viewer/model/.*", "viewer/.*", "viewer/(layout|model)/.*", "panels call the model, it does not call them"},
    {"viewer/panels/.*", "viewer/.*", "viewer/(layout|model|panels)/.*", "panels draw wherever they are put"},
    {"(traces|labs|testing)/.*", "(.*/)?(imgui.*|glfw3)\\.h|viewer/.*", "", "the viewer is at the end of the flow"},
    {"traces/(?!bench/).*", "labs/.*", "", "a trace is a file: what reads and writes it knows no lab"},
    {"traces/bench/.*", "labs/.*", "labs/kit/time/cycle_clock\\.h",
     "the recorder is given the time: its bench takes the kit's clock"},
    {"adapters/.*", "labs/.*", "labs/kit/time/cycle_clock\\.h", "other people's coroutines know no lab"},
    {"adapters/.*", "traces/.*", "traces/record/(beside|recorder)\\.h", "adapters record, they do not read"},
    {"languages/(?!tests/).*", "(adapters|labs|testing|traces|viewer)/.*", "", "every room speaks by it"},
    {"traces/(schema|record|replay)/.*", "languages/.*", "", "they say nothing"},
    {"traces/schema/.*", "traces/.*", "traces/schema/.*", "the schema is the lowest room"},
    {"traces/record/.*", "traces/.*", "traces/(schema|record)/.*", "the recorder knows the schema only"},
    {"traces/record/.*", "nlohmann/.*", "", "the recorder allocates nothing and writes its text itself"},
    {"traces/read/.*", "traces/.*", "traces/(schema|read)/.*", "the reader does not judge and not apply events"},
    {"traces/replay/.*", "traces/.*", "traces/(schema|read|replay)/.*", "the replay applies events and says nothing"},
    {"traces/words/.*", "traces/.*", "traces/(schema|read|replay|words)/.*", "words say what the replay shows"},
    {"traces/check/.*", "traces/.*", "traces/(schema|read|replay|words|check)/.*",
     "the checker judges, and serves no tool"},
    {"traces/tool/.*", "traces/.*", "traces/(schema|read|replay|words|check|tool)/.*",
     "a tool reads files, it records none"},
    {"traces/(replay|words|check)/.*", "nlohmann/.*", "", "only the reader parses"},
    {"labs/kit/(?!testing/|tests/).*", "traces/.*", "traces/(schema/schema|record/recorder)\\.h",
     "the kit records, it does not read"},
    {"labs/kit/.*", "labs/.*", "labs/kit/.*", "labs stand on the kit, not the kit on labs"},
    {"labs/explore/.*", "labs/.*", "labs/(explore|kit)/.*", "labs are explored, an explorer knows none"},
    {"labs/explore/(?!tests/).*", "traces/.*", "traces/(read/reader|check/checker|words/.*)\\.h",
     "an explorer judges traces, and says what it finds"},
    {"labs/[0-9]{2}_[^/]*/(?!tests/).*", "labs/explore/.*", "", "a lab does not know that it is explored"},
    {"labs/kit/report/.*", "labs/.*", "labs/kit/report/.*",
     "the report is needed even in a signal handler: it stands on nothing"},
    {"labs/kit/memory/.*", "labs/.*", "labs/kit/memory/.*", "stacks know no coroutines"},
    {"labs/kit/time/.*", "labs/.*", "labs/kit/time/.*", "clocks know no coroutines"},
    {"labs/kit/run/.*", "labs/.*", "labs/kit/(report|memory|time|run)/.*",
     "coroutines know no machines and no programs"},
    {"labs/kit/machines/.*", "labs/.*", "labs/kit/(time|run|machines)/.*", "machines stand on threads and clocks"},
    {"labs/kit/sets/.*", "labs/.*", "labs/kit/((time|run|sets)/.*|machines/choice\\.h|report/abort\\.h)",
     "sets are recorded, and nothing runs in them"},
    {"labs/kit/fault/.*", "labs/.*", "labs/kit/(report|memory|run|fault)/.*", "a fault report reads what runs"},
    {"labs/kit/(?!demo/|testing/|tests/).*", "labs/kit/(demo|testing|tests)/.*", "",
     "only a main knows demos and tests"},
    {"labs/grader/(?!tests/).*", "labs/.*", "labs/(grader|kit/report)/.*",
     "the grader knows of the kit the report only"},
    {"labs/[0-9]{2}_.*", "labs/grader/.*", "", "a lab does not know its grader"},
    {"labs/[0-9]{2}_[^/]*/(?!tests/).*", "traces/.*", "traces/(schema/schema|record/recorder)\\.h",
     "a lab records; only its tests look at the trace"},
    {"labs/[0-9]{2}_[^/]*/(?!tests/).*", "labs/[0-9]{2}_[^/]*/tests/.*", "",
     "tests look at a lab, not a lab at its tests"},
    {"labs/[0-9]{2}_[^/]*/(exercise|solution)/.*", "traces/.*|.*/(exercise|solution|programs)/.*", "",
     "what students edit has no recording in it and stands on headers"},
};

/// To make a regular expression of its text takes far longer than to match it.
bool matches(const std::string& text, const char* pattern) {
    static std::map<std::string_view, std::regex> made;
    return std::regex_match(text, made.try_emplace(pattern, pattern).first->second);
}

/// The labs that a lab may include besides itself.
const std::vector<std::pair<std::string_view, std::string_view>> kLabs = {
    {"01", ""}, {"02", "01"}, {"03", "01 02"}, {"04", ""}, {"05", "04"}, {"06", "04"},
};

/// The number of the lab that a path lies in; empty if in none.
std::string_view lab_of(std::string_view path) {
    const bool lab = path.size() > 8 && path.starts_with("labs/") && path[7] == '_' && path[5] >= '0' && path[5] <= '9';
    return lab ? path.substr(5, 2) : std::string_view();
}

std::string forbidden_lab(const std::string& file, const std::string& name) {
    const std::string_view from = lab_of(file), to = lab_of(name);
    if (from.empty() || to.empty() || from == to) return "";
    // Step 6.7 is timers and connections together; nothing else of lab 06 uses real descriptors, but its
    // tests.
    const bool both = matches(file, ".*/(programs/(demo|proof)\\.cpp|tests/.*|.*idle\\.(cpp|h))");
    if (from == "06" && to == "05" && both) return "";
    const auto known = std::find_if(kLabs.begin(), kLabs.end(), [&](const auto& lab) { return lab.first == from; });
    if (known != kLabs.end() && known->second.find(to) != std::string_view::npos) return "";
    return "lab " + std::string(from) + " does not stand on lab " + std::string(to);
}

}  // namespace

std::string forbidden(const std::string& file, const std::string& name) {
    for (const Rule& rule : kRules) {
        if (!matches(file, rule.file) || !matches(name, rule.name)) continue;
        if (*rule.except != '\0' && matches(name, rule.except)) continue;
        return rule.why;
    }
    return forbidden_lab(file, name);
}

}  // namespace fiberscope::testing
