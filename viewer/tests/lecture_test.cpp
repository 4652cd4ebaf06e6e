// Lectures: reading, presenting, editing and saving them, also in the real window.
#include <filesystem>

#include <unistd.h>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "traces/tests/made/files.h"
#include "traces/words/words.h"
#include "viewer/model/document.h"
#include "viewer/model/place.h"
#include "viewer/model/predict.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/hands.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using fiberscope::trace::testing::Scratch;
using fiberscope::viewer::tests::Hands;
namespace made = fiberscope::viewer::tests;
namespace fs = std::filesystem;

namespace {

const fs::path kLectures = fs::path(FIBERSCOPE_ROOT) / "traces" / "samples";

std::string refusal_of(const fs::path& file) {
    try {
        trace::read_notes(file);
    } catch (const trace::ReadError& error) {
        return error.what();
    }
    return {};
}

std::string bytes_of(const fs::path& file) { return trace::bytes_of_notes(file); }

trace::Note note(std::size_t event, std::string text, std::string question = {}) {
    trace::Note out;
    out.event = event;
    out.text = trace::ForeignText(std::move(text));
    out.question = trace::ForeignText(std::move(question));
    return out;
}

std::string texts(const Lecture& lecture) {
    std::string out;
    for (const trace::Note& n : lecture.notes().notes) out += (out.empty() ? "" : " ") + std::string(n.text.bytes());
    return out;
}

/// A lecture of three notes in a file of `desk`; the second one asks.
Lecture three(const Scratch& desk) {
    Lecture lecture(desk.write("traces/a.json", made::round_robin(3, 4)), {});
    lecture.add(note(9, "one"));
    lecture.add(note(4, "two", "what?"));
    lecture.add(note(9, "three"));
    return lecture;
}

std::string text_of(Hands& hands, std::size_t note) {
    return std::string(hands.workspace().document().lecture()[note].text.bytes());
}

std::size_t notes(Hands& hands) { return hands.workspace().document().lecture().size(); }

}  // namespace

TEST_CASE("notes are found beside their trace or in the directory of notes, and keep the order of the file") {
    const Scratch desk;
    const fs::path file = desk.write("traces/a.json", made::round_robin(3, 4));
    CHECK(Document(file).lecture().size() == 0);
    desk.write("notes/a.notes.json",
               R"({"title":"T","notes":[{"event":9,"text":"first"},{"event":4,"text":"second"}]})");
    Document document(file);
    Lecture& lecture = document.lecture();
    REQUIRE(lecture.size() == 2);
    CHECK(lecture.notes().title == "T");
    INFO("the first press shows the first note, wherever the playhead is");
    CHECK(lecture.next(document.selection().playhead) == 0);
    lecture.go(0);
    CHECK(lecture.next(9) == 1);
    INFO("after leaving a note one can return to it or continue after it");
    CHECK(lecture.previous(12) == 0);
    CHECK(lecture.next(12) == 1);
    lecture.go(1);
    CHECK(lecture.here(4) == 1);
    CHECK(lecture.previous(4) == 0);
    CHECK_FALSE(lecture.next(4));
    CHECK_FALSE(lecture.here(5));
}

TEST_CASE("an invalid file of notes is rejected with its name, line and error, and is not overwritten") {
    const Scratch desk;
    const std::pair<const char*, const char*> kBroken[] = {
        {"", "line 1: is not JSON"},
        {"{\"title\":\n \"T\",\n \"notes\": [}", "line 3: is not JSON"},
        {"[]", "line 1: is not a list of notes"},
        {"{\"notes\":3}", "is not a list of notes"},
        {"{\"notes\":[],\n\"notices\":[]}", "has no field \"notices\""},
        {"{\"notes\":[\n{\"event\":1,\"text\":\"\"},\n{\"event\":-1,\"text\":\"x\"}]}",
         "line 3: a note has no event or no text"},
        {"{\"notes\":[\n\n{\"event\":1}]}", "line 3: a note has no event or no text"},
        {"{\"notes\":[7]}", "line 1: a note has no event or no text"},
        {"{\"notes\":[\n{\"event\":1,\"text\":\"\",\"qestion\":\"x\"}]}", "line 2: a note has no field \"qestion\""},
        {"{\"notes\":[\n{\"event\":1,\"text\":\"\",\"says\":4}]}", "line 2: \"says\" of a note is not text"},
        {"{\"notes\":[\n{\"event\":1,\"text\":\"\",\"answer\":\"me\"}]}", "line 2: \"answer\" of a note is neither"}};
    for (const auto& [text, why] : kBroken) {
        INFO(text);
        const std::string said = refusal_of(desk.write("traces/bad.notes.json", text));
        CHECK(said.find("bad.notes.json, line ") != std::string::npos);
        CHECK(said.find(why) != std::string::npos);
    }
    CHECK(refusal_of(desk.write("traces/deep.notes.json", std::string(100'000, '['))).find("deeply") !=
          std::string::npos);
    CHECK(refusal_of(desk.write("traces/large.notes.json", std::string(2 << 20, ' '))).find("1 MiB") !=
          std::string::npos);
    const std::string broken = "{\"notes\":[\n{\"event\":1,\"text\":\"\",\"place\":\"view=4..2\"}]}";
    const fs::path notes = desk.write("traces/b.notes.json", broken);
    Document document(desk.write("traces/b.json", made::round_robin(3, 4)));
    CHECK(document.readable());
    CHECK(english_of(document.lecture().error())
              .find("b.notes.json, line 2: \"view=4..2\" in the \"place\" of a note has no effect") !=
          std::string::npos);
    CHECK_FALSE(document.lecture().add(note(1, "new")));
    CHECK(document.lecture().save() == Lecture::Saved::nowhere);
    CHECK(bytes_of(notes) == broken);
}

TEST_CASE("the place of a note is a link without its file and event") {
    for (const char* place : {"", "view=0..4800", "view=-20..30&select=7&with=04_mixed_go&lock=number&show=sets",
                              "with=a%20b&with=c&show=overlaid,no-sets", "view=0..9&pin=m0,3"}) {
        INFO(place);
        CHECK(wrong_part(place).empty());
        CHECK(wrong_part(write_note_place(read_place(place))).empty());
    }
    CHECK(write_note_place(read_place("view=1..2&with=b&lock=number")) == "with=b&view=1..2&lock=number");
    CHECK(write_note_place(LinkedPlace()).empty());
    for (const char* part : {"at=3", "trace=a", "view=1", "with=", "with=..%2Fsecret", "pin=machine", "lock=door",
                             "show=present", "select=me", "zoom"})
        CHECK(wrong_part("view=0..1&" + std::string(part)) == part);
}

TEST_CASE("a question hides its text, and a presented lecture hides every text until it is revealed") {
    const Scratch desk;
    Lecture lecture = three(desk);
    lecture.go(0);
    CHECK_FALSE(lecture.hidden(0));
    lecture.go(1);
    CHECK(lecture.hidden(1));
    lecture.reveal(1);
    CHECK_FALSE(lecture.hidden(1));
    INFO("the answer moves the playhead, and the note remains shown");
    lecture.follow(7);
    CHECK(lecture.here(7) == 1);
    lecture.play();
    CHECK(lecture.next(100) == 0);
    lecture.go(0);
    CHECK(lecture.hidden(0));
    lecture.stop();
    CHECK_FALSE(lecture.hidden(0));
}

TEST_CASE("notes are added after the current one, moved, changed and deleted, and each edit is undone") {
    const Scratch desk;
    Lecture lecture = three(desk);
    CHECK(texts(lecture) == "one two three");
    lecture.go(0);
    lecture.add(note(2, "new"));
    CHECK(texts(lecture) == "one new two three");
    CHECK(lecture.here(2) == 1);
    CHECK(lecture.move(1, -1));
    CHECK(texts(lecture) == "new one two three");
    CHECK_FALSE(lecture.move(0, -1));
    CHECK_FALSE(lecture.move(3, 1));
    for (const char* typed : {"o", "on", "onc", "once"}) CHECK(lecture.set(1, note(9, typed)));
    CHECK(texts(lecture) == "new once two three");
    CHECK(lecture.remove(3));
    CHECK(lecture.remove(0));
    CHECK(texts(lecture) == "once two");
    for (const char* before : {"new once two", "new once two three", "new one two three", "one new two three",
                               "one two three", "one two", "one", ""}) {
        CHECK(lecture.undo());
        CHECK(texts(lecture) == before);
    }
    CHECK_FALSE(lecture.undo());
    CHECK_FALSE(lecture.changed());
}

TEST_CASE("a lecture is saved atomically, read back unchanged, and does not overwrite another program's changes") {
    const Scratch desk;
    Lecture lecture = three(desk);
    const fs::path trace = lecture.file().parent_path() / "a.json";
    trace::Note shown = note(4, "say \"\\\" and\ttab, 中文", "which?");
    shown.place = trace::ForeignText("view=0..10&with=b");
    shown.answer = trace::Answer::set;
    lecture.set(1, shown);
    lecture.set_title("A title");
    CHECK(lecture.changed());
    CHECK(lecture.save() == Lecture::Saved::yes);
    CHECK_FALSE(lecture.changed());
    CHECK(std::distance(fs::directory_iterator(desk / "traces"), {}) == 2);
    const Lecture back(trace, {});
    CHECK(back.error().empty());
    CHECK(trace::notes_as_json(back.notes()) == trace::notes_as_json(lecture.notes()));
    CHECK(back[1].question == "which?");
    CHECK(back[1].answer == trace::Answer::set);
    INFO("a saved edit can be undone, and then differs from the file");
    CHECK(lecture.undo());
    CHECK(lecture.changed());
    desk.write("traces/a.notes.json", R"({"notes": []})");
    CHECK(lecture.save() == Lecture::Saved::overtaken);
    CHECK(bytes_of(lecture.file()) == R"({"notes": []})");
    CHECK(lecture.changed());
    CHECK(lecture.save() == Lecture::Saved::yes);
    CHECK(bytes_of(lecture.file()) == trace::notes_as_json(lecture.notes()));
}

TEST_CASE("a failed save leaves the file unchanged, and a symbolic link is followed") {
    const Scratch desk;
    Lecture lecture = three(desk);
    REQUIRE(lecture.save() == Lecture::Saved::yes);
    const fs::path folder = lecture.file().parent_path(), real = folder.parent_path() / "real.json";
    fs::rename(lecture.file(), real);
    fs::create_symlink(real, lecture.file());
    lecture.remove(0);
    CHECK(lecture.save() == Lecture::Saved::yes);
    CHECK(fs::is_symlink(lecture.file()));
    CHECK(bytes_of(real) == trace::notes_as_json(lecture.notes()));
    CHECK(Lecture().save() == Lecture::Saved::nowhere);
    const std::string before = bytes_of(real);
    fs::create_directories(real.string() + "." + std::to_string(getpid()) + ".part");
    lecture.remove(0);
    CHECK(lecture.save() == Lecture::Saved::refused);
    CHECK(lecture.changed());
    CHECK(bytes_of(real) == before);
}

TEST_CASE("edits of a lecture are kept when its trace is reread") {
    const Scratch desk;
    Document document(desk.write("traces/a.json", made::round_robin(3, 12)));
    document.lecture().add(note(2, "mine"));
    desk.write("traces/a.notes.json", R"({"notes": [{"event": 1, "text": "another's"}]})");
    document.reload();
    CHECK(texts(document.lecture()) == "mine");
    CHECK(document.unsaved());
    CHECK(document.lecture().undo());
    document.reload();
    CHECK(texts(document.lecture()) == "another's");
}

TEST_CASE("the six lectures match their samples, begin at the first event, zoom and ask") {
    std::size_t chapters = 0;
    for (const auto& entry : fs::directory_iterator(kLectures / ".." / "notes")) {
        INFO(entry.path());
        const trace::Notes notes = trace::read_notes(entry.path());
        CHECK(trace::notes_as_json(notes) == bytes_of(entry.path()));  // a window saves them unchanged
        for (const trace::Note& n : notes.notes)  // the place of its file depends on how it is opened
            for (const std::string& beside : read_place(n.place.bytes()).files)
                CHECK((std::string(n.question.bytes()) += n.text.bytes()).find(beside) != std::string::npos);
        if (entry.path().stem().extension() != ".notes") continue;  // Chinese ones have the same events
        Document document(kLectures / (entry.path().stem().stem().string() + ".json"));
        const trace::Trace& trace = document.replay().trace();
        ++chapters;
        CHECK(document.lecture().error().empty());
        CHECK(notes.title.bytes().starts_with("Chapter "));
        CHECK(notes.notes.size() >= 6);
        CHECK(notes.notes[0].event == 1);
        std::size_t asked = 0;
        for (const trace::Note& n : notes.notes) {
            INFO("event " << n.event);
            REQUIRE(n.event <= trace.size());
            CHECK_FALSE(n.says.empty());
            CHECK(trace::describe(trace, n.event - 1).find(n.says.bytes()) != std::string::npos);
            CHECK(read_place(n.place.bytes()).visible);
            for (const std::string& beside : read_place(n.place.bytes()).files)
                CHECK(fs::exists(kLectures / (beside + ".json")));
            if (n.answer == trace::Answer::aloud) continue;
            ++asked;
            Predict predict;
            CHECK(predict.ask_once(document.replay(), document.index(), n.event, n.answer == trace::Answer::set));
        }
        CHECK(asked >= 1);
    }
    CHECK(chapters == 6);
}

TEST_CASE("one key adds a note, typing enters its text without shortcuts, and it is saved and shown", "[window]") {
    const Scratch hall;
    fs::copy_file(kLectures / "01_nested.json", hall / "01_nested.json");
    {
        Hands hands(hall / "01_nested.json", "no/such/file.json");
        hands.act("key Home Right Right w w N");
        CHECK(hands.until([&] { return notes(hands) == 1 && hands.workspace().writes(); }));
        const Theme theme = hands.workspace().theme();
        const double view = hands.selection().visible.from;
        hands.act("type --delay 20 'two tasks, Nothing else ][?'");
        CHECK(hands.until([&] { return text_of(hands, 0) == "two tasks, Nothing else ][?"; }));
        CHECK(hands.selection().playhead == 2);
        CHECK(hands.selection().visible.from == view);
        CHECK(hands.workspace().theme() == theme);
        CHECK(notes(hands) == 1);
        hands.act("key Escape");
        CHECK(hands.until([&] { return !hands.workspace().writes(); }));
        CHECK(text_of(hands, 0) == "two tasks, Nothing else ][?");
        hands.act("key 0 End N");
        CHECK(hands.until([&] { return notes(hands) == 2 && hands.workspace().writes(); }));
        hands.act("type --delay 20 'the end'");
        CHECK(hands.until([&] { return text_of(hands, 1) == "the end"; }));
        INFO("a window with unsaved edits is closed at the second attempt");
        CHECK(hands.close());
        CHECK(hands.workspace().said().find("unsaved edits") != std::string::npos);
        hands.act("key ctrl+Return");
        CHECK(hands.until([&] { return fs::exists(hall / "01_nested.notes.json"); }));
        CHECK(hands.workspace().unsaved().empty());
        CHECK_FALSE(hands.close());
    }
    fs::copy_file(kLectures / "01_nested.json", hall / "01_nested.json");
    Hands hands(hall / "01_nested.json", "no/such/file.json");
    const double whole = hands.selection().visible.span();
    hands.act("key P");
    CHECK(hands.until([&] { return hands.selection().playhead == 2 && hands.selection().visible.span() < whole; }));
    CHECK(hands.workspace().told().find("two tasks") == std::string::npos);
    hands.act("key bracketright");
    CHECK(hands.until([&] { return hands.workspace().told().find("two tasks") != std::string::npos; }));
    hands.act("key bracketright");
    CHECK(hands.until([&] { return hands.selection().playhead == 40 && hands.selection().visible.span() > 30'000; }));
}

TEST_CASE("a click on the note goes on, for a finger has no keys, and no tooltip covers the note") {
    constexpr const char* kFiles[] = {"01_nested"};
    made::Drawn drawn(kFiles, {390, 844, 15});
    const auto click = [&](const std::string& words) {
        const auto& all = drawn.reader.written();
        const auto text =
            std::find_if(all.begin(), all.end(), [&](const Written& w) { return w.text.find(words) != w.text.npos; });
        REQUIRE(text != all.end());
        ImGui::GetIO().MousePos = {text->rect.middle_x(), text->rect.middle_y()};
        for (const bool down : {false, true, false}) {
            ImGui::GetIO().MouseDown[0] = down;
            drawn.look();
        }
        for (int i = 0; i < 3; ++i) drawn.look();
    };
    drawn.look();
    click("lecture");
    CHECK(drawn.says("note 1 of"));
    const int lists = ImGui::GetDrawData()->CmdListsCount;  // a tooltip has its own
    ImGui::GetIO().MousePos = {-1, -1};
    drawn.look();
    CHECK(ImGui::GetDrawData()->CmdListsCount == lists);
    const std::size_t hidden = drawn.workspace->told().size();
    click("note 1 of");
    CHECK(drawn.workspace->told().find("shows its text") == std::string::npos);
    CHECK(drawn.workspace->told().size() > hidden);
    click("note 1 of");
    CHECK(drawn.says("note 2 of"));
}
