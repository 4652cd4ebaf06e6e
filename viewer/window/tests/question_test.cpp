// The questions of a quiz and of lectures: where they are asked, and their computed answers.
#include <cctype>
#include <filesystem>

#include "testing/catch.h"
#include "traces/words/names.h"
#include "traces/words/words.h"
#include "viewer/panels/over/lecture_player.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace fs = std::filesystem;

namespace {

const fs::path kSamplesAsked = fs::path(FIBERSCOPE_ROOT) / "traces" / "samples";

/// The one of `names` that `text` names first; the longest if several begin there.
std::string first_named(std::string_view text, const std::vector<std::string>& names) {
    std::size_t place = std::string_view::npos;
    std::string first;
    for (const std::string& name : names)
        for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; at += name.size()) {
            const std::size_t end = at + name.size();
            const auto is_part = [&](std::size_t i) { return i < text.size() && std::isalnum(text[i] & 0xFF) != 0; };
            if (is_part(end) || is_part(at - 1)) continue;
            if (at < place || (at == place && name.size() > first.size())) first = name;
            place = std::min(place, at);
        }
    return first;
}

}  // namespace

TEST_CASE("prediction does not ask the last question again") {
    Document document(kSamplesAsked / "04_mixed.json");
    const trace::Replay& replay = document.replay();
    const TraceIndex& index = document.index();
    const std::size_t first = index.decisions()[0], second = index.decisions()[1];
    const auto asked = [&](Predict& predict) {
        const std::size_t at = predict.stop(replay, index, 0, replay.size());
        REQUIRE(predict.asks());
        return question_at(replay, index, at, false);
    };
    Predict quiz;
    quiz.toggle();
    REQUIRE(asked(quiz) == first);
    quiz.answer(replay, 0);
    CHECK(asked(quiz) == second);
    INFO("nor in the next quiz, which asks the others again");
    quiz.answer(replay, 0);
    for (int i = 0; i < 3; ++i) quiz.toggle();
    CHECK(asked(quiz) == first);
    quiz.answer(replay, 0);
    CHECK(asked(quiz) == index.decisions()[2]);
    INFO("nor after a note, answered or not");
    for (const bool answered : {false, true}) {
        Predict note;
        REQUIRE(note.ask_once(replay, index, *place_of_question(replay, index, 0, false), false));
        if (answered) note.answer(replay, 0);
        note.toggle();
        CHECK(asked(note) == second);
    }
}

TEST_CASE("a question moves to the place before the next decision, and is then about it") {
    Document document(kSamplesAsked / "04_mixed.json");
    const trace::Replay& replay = document.replay();
    const TraceIndex& index = document.index();
    std::size_t moved = 0;
    for (const std::size_t decision : index.decisions()) {
        const std::size_t from = decision < 3 ? 0 : decision - 3;
        const auto place = place_of_question(replay, index, from, false);
        REQUIRE(place);
        CHECK(*place >= from);
        const auto next = std::lower_bound(index.decisions().begin(), index.decisions().end(), from);
        CHECK(question_at(replay, index, *place, false) == *next);
        CHECK(place_of_question(replay, index, *place, false) == place);
        moved += question_at(replay, index, from, false) != *next ? 1 : 0;
    }
    CHECK(moved > 10);
    const auto insert = place_of_question(replay, index, 70, true);
    REQUIRE(insert);
    CHECK(replay.trace()[*insert].kind == trace::Kind::insert);
    CHECK(question_at(replay, index, *insert, true) == insert);
    CHECK_FALSE(place_of_question(replay, index, replay.size(), false));
    CHECK_FALSE(question_at(replay, index, replay.size(), true));
}

TEST_CASE("the text after a question of the six lectures names the computed answer first") {
    std::size_t asked = 0;
    for (const auto& entry : fs::directory_iterator(kSamplesAsked / ".." / "notes")) {
        const bool chinese = entry.path().stem().extension() == ".zh";
        const fs::path name = (chinese ? entry.path().stem() : entry.path()).stem().stem();
        const Document document(kSamplesAsked / (name.string() + ".json"));
        const trace::Trace& trace = document.replay().trace();
        const Language language = chinese ? Language::chinese : Language::english;
        for (const trace::Note& n : trace::read_notes(entry.path()).notes) {
            if (n.answer == trace::Answer::aloud) continue;
            ++asked;
            const bool set = n.answer == trace::Answer::set;
            const auto event = question_at(document.replay(), document.index(), n.event, set);
            REQUIRE(event);
            INFO(entry.path() << ", event " << n.event << ": " << n.text.bytes());
            std::vector<std::string> names;
            for (std::uint32_t i = 0; i < (set ? trace.sets() : trace.coroutines()); ++i)
                names.push_back(set ? trace::set_in(trace.set_name(i), language) : trace.name(i));
            CHECK(first_named(n.text.bytes(), names) == right_answer(trace, *event, set, language));
        }
    }
    CHECK(asked == 28);
}

TEST_CASE("a recorded question moves to the place before the next decision, unless its answer is given aloud") {
    std::vector<std::unique_ptr<Document>> files;
    files.push_back(std::make_unique<Document>(kSamplesAsked / "04_pipeline.json"));
    WindowState state{.files = OpenFiles(std::move(files), Language::english), .style = Style()};
    Predicting predicting(state);
    Comparing comparing(state, predicting);
    LecturePlayer player(state, predicting, comparing);
    const Document& document = state.files.document();
    const auto decisions = document.index().decisions();
    state.files.put(decisions[4] + 1);  // after it: the next switch is a yield
    player.apply(Action::record_note);
    Lecture& lecture = state.files.document().lecture();
    REQUIRE(lecture.size() == 1);
    const std::size_t from = lecture[0].event;
    CHECK(question_at(document.replay(), document.index(), from, false) < decisions[5]);
    player.go_to_question(0);
    CHECK(lecture[0].event == from);
    trace::Note note = lecture[0];
    note.answer = trace::Answer::coroutine;
    lecture.set(0, note);
    player.go_to_question(0);
    CHECK(lecture[0].event > from);
    CHECK(lecture[0].event <= decisions[5]);
    CHECK(lecture[0].says == trace::describe(document.replay().trace(), lecture[0].event - 1));
    CHECK(lecture[0].place == note.place);
    CHECK(document.selection().playhead == lecture[0].event);
    CHECK(lecture.here(document.selection().playhead) == 0);
    CHECK(question_at(document.replay(), document.index(), lecture[0].event, false) == decisions[5]);
    CHECK_FALSE(state.said.empty());
}
