// The ten tasks of docs/instructors.md, executed in the real window as described in its table.
#include <fstream>
#include <sstream>

#include "viewer/tests/stage/hands.h"
#include "viewer/tests/stage/live_file.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// A text between backticks and the word before it: "click", "type", or another.
struct Quoted {
    std::string before, text;
};

std::vector<Quoted> spans_of(const std::string& cell) {
    std::vector<Quoted> all;
    for (std::size_t end = 0, open = 0; (open = cell.find('`', end)) != std::string::npos; ++end) {
        const std::string before = cell.substr(end, open - end);
        end = cell.find('`', open + 1);
        all.push_back({before.find("click ") != std::string::npos  ? "click"
                       : before.find("type ") != std::string::npos ? "type"
                                                                   : "",
                       cell.substr(open + 1, end - open - 1)});
    }
    return all;
}

struct Task {
    std::string name, where;
    std::vector<Quoted> files, actions, words;
};

std::vector<Task> ten_tasks() {
    std::ifstream page(FIBERSCOPE_ROOT "/docs/instructors.md");
    std::vector<Task> tasks;
    std::string line;
    while (std::getline(page, line) && line != "### Ten everyday tasks") {
    }
    while (std::getline(page, line) && !line.starts_with("|---")) {
    }
    while (std::getline(page, line) && line.starts_with("| ")) {
        std::vector<std::string> cells;
        std::istringstream row(line.substr(2));
        for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
        REQUIRE(cells.size() == 5);
        tasks.push_back({cells[0], cells[4], spans_of(cells[1]), spans_of(cells[2]), spans_of(cells[3])});
    }
    return tasks;
}

Options options_of(const Task& task) {
    Options options;
    options.width = 1280;
    options.height = 720;
    options.scale = 1;
    options.present = true;
    for (const Quoted& action : task.actions) options.present &= action.text != "F5";
    for (const Quoted& file : task.files)
        if (file.text.starts_with("--at "))
            options.at = std::stoul(file.text.substr(5));
        else
            options.files.push_back(made::sample(file.text).string());
    return options;
}

/// A directory with a recorded demo of lab 04.
class Demos {
  public:
    Demos() {
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "lab04_demo")
            << "#!/bin/sh\n[ \"$2\" != --knobs ] || exec printf "
               "'strategy\\tchoice\\tproducer_consumer\\tproducer_consumer,libco,go\\t\\n'\n"
            << "cp '" << made::sample("04_mixed_go").string() << "' \"$5\"\n";
        std::filesystem::permissions(folder_ / "lab04_demo", std::filesystem::perms::owner_all);
        setenv("FIBERSCOPE_DEMOS", folder_.c_str(), 0);
    }
    ~Demos() {
        unsetenv("FIBERSCOPE_DEMOS");
        std::filesystem::remove_all(folder_);
    }

  private:
    const std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "fiberscope-tasks";
};

class Teacher {
  public:
    explicit Teacher(const Options& options) : hands_(options) { hands_.workspace().note_written(&written_); }

    void act(const Quoted& action) {
        if (action.before == "click") {
            const Point at = place_of(action.text);
            hands_.move(at.x, at.y);
            hands_.act("click 1");
        } else if (action.before == "type") {
            hands_.act("type '" + action.text + "'");
            hands_.act("keydown Return");  // ImGui reads the keys once per frame
            hands_.act("keyup Return");
        } else {
            hands_.act("key " + key(action.text));
        }
        REQUIRE(hands_.until([&] { return !hands_.workspace().loading(); }));
    }
    bool reads(const std::string& words) {
        return until([&](const Written& text) { return text.text.find(words) != std::string::npos; });
    }
    Workspace& workspace() { return hands_.workspace(); }
    /// The visible texts that are lower than `height` pixels.
    std::string smaller_than(float height) {
        std::string all;
        for (const Written& text : written_)
            if (is_seen(text) && text.rect.height() < height)
                all += std::to_string(text.rect.height()) + " " + text.text + "\n";
        return all;
    }

  private:
    static bool is_seen(const Written& text) {
        return text.clip.contains({text.rect.middle_x(), text.rect.middle_y()});
    }
    static std::string key(const std::string& label) {
        if (label == "]") return "bracketright";
        if (label.starts_with("Shift ")) return label.substr(6);
        if (label.starts_with("Ctrl ")) return "ctrl+" + std::string(1, static_cast<char>(label[5] - 'A' + 'a'));
        return label.size() == 1 ? std::string(1, static_cast<char>(label[0] - 'A' + 'a')) : label;
    }
    /// The position of the last drawn match, which is on top of the others.
    Point place_of(const std::string& words) {
        Point at;
        REQUIRE(until([&](const Written& text) {
            if (text.text == words) at = {text.rect.middle_x(), text.rect.middle_y()};
            return text.text == words;
        }));
        return at;
    }
    template <class Wish>
    bool until(const Wish& wish) {
        return hands_.until([&] {
            written_.clear();
            hands_.act("mousemove_relative -- " + std::string((moved_ = !moved_) ? "1 0" : "-1 0"));
            bool found = false;
            for (const Written& text : written_) found |= is_seen(text) && wish(text);
            return found;
        });
    }
    std::vector<Written> written_;
    made::Hands hands_;
    bool moved_ = false;
};

}  // namespace

TEST_CASE("ten tasks of an instructor take two actions each, and are readable from the last row", "[window]") {
    const std::vector<Task> tasks = ten_tasks();
    CHECK(tasks.size() == 10);
    const Demos demos;
    const made::LiveFile live("fiberscope-live-task.json");
    live.write(made::LiveFile::head() + made::LiveFile::notes(0, 40) + made::LiveFile::mark(39));
    for (const Task& task : tasks) {
        INFO(task.name);
        CHECK(task.actions.size() <= 2);
        CHECK_FALSE(task.words.empty());
        if (!task.where.starts_with(" window")) continue;
        Options options = options_of(task);
        if (options.files.empty()) options.files.push_back(live.path.string());
        Teacher teacher(options);
        for (const Quoted& action : task.actions) teacher.act(action);
        for (const Quoted& words : task.words) {
            INFO(words.text);
            CHECK(teacher.reads(words.text));
        }
        CHECK(teacher.workspace().presenting());
        CHECK(teacher.smaller_than(0.03F * 720) == "");
    }
}
