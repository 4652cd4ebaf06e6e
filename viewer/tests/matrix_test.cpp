// Any number of files as a matrix: order, ratios, pictures, and readability.
#include "viewer/layout/matrix/matrix.h"

#include "testing/catch.h"
#include "traces/replay/ready.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// Three runs; in the second no client sent a request.
struct Made {
    Made() {
        const std::uint64_t makespans[] = {400000, 200000, 650000}, answers[] = {3000, 0, 1000};
        for (std::size_t i = 0; i < 3; ++i) {
            runs[i].name = "run " + std::to_string(i);
            runs[i].figures.makespan = runs[i].duration = makespans[i];
            runs[i].figures.answer = {answers[i], answers[i], answers[i], answers[i] == 0 ? 0U : 4U};
            runs[i].figures.switches = 7;
            runs[i].machines.resize(2);
            runs[i].machines[0].fill({0.5F, 0.25F, 0.0F});
            runs[i].queue.fill(static_cast<float>(i));
            all[i] = &runs[i];
        }
        differences[1] = {"differs", 100000};
    }
    Matrix matrix(const MatrixOrder& order = {}, std::size_t reference = 0, Rect area = {0, 0, 1500, 800}) const {
        return layout_matrix(all, differences, reference, order, area, {});
    }
    std::vector<std::size_t> order(const MatrixOrder& by) const {
        std::vector<std::size_t> found;
        for (const MatrixRow& row : matrix(by).rows) found.push_back(row.run);
        return found;
    }
    MatrixRun runs[3];
    const MatrixRun* all[3];
    std::vector<MatrixDifference> differences{3};
};

std::size_t column_named(const std::string& title) {
    for (std::size_t i = 0; i < trace::figure_columns().size(); ++i)
        if (trace::figure_columns()[i].title(Language::english) == title) return i;
    return SIZE_MAX;
}

const FigureCell& cell(const Matrix& matrix, std::size_t row, std::size_t column) {
    for (std::size_t i = 0; i < matrix.heads.size(); ++i)
        if (matrix.heads[i].column == column) return matrix.rows[row].cells[i];
    throw std::out_of_range("no such column");
}

/// The matrix of the first `count` of seven runs of one program.
struct Seven : made::Drawn {
    explicit Seven(std::size_t count = 7) : Drawn(std::span(made::kMixed).first(count)) {
        workspace->apply(Action::matrix);
        reader.look(*workspace, "matrix", found);
    }
    std::map<std::string, std::string> found;
};

}  // namespace

TEST_CASE("a matrix is sorted by a column, ascending, descending and back, with missing values last") {
    const Made three;
    const std::size_t makespan = column_named("makespan"), answer = column_named("answer p50");
    CHECK(three.order({}) == std::vector<std::size_t>{0, 1, 2});
    const MatrixOrder up = clicked({}, makespan), down = clicked(up, makespan);
    CHECK(three.order(up) == std::vector<std::size_t>{1, 0, 2});
    CHECK(three.order(down) == std::vector<std::size_t>{2, 0, 1});
    CHECK_FALSE(clicked(down, makespan).column);
    CHECK(three.order(clicked(down, answer)) == std::vector<std::size_t>{2, 0, 1});
    CHECK(three.order({answer, true}) == std::vector<std::size_t>{0, 2, 1});
    const Matrix matrix = three.matrix(up);
    CHECK(matrix.strips[0].run == 1);
    CHECK(matrix.heads[0].sign == '<');
    CHECK(matrix.heads[1].sign == '\0');
}

TEST_CASE("each figure of a matrix has a ratio to the reference, and a missing one is not zero") {
    const Made three;
    const std::size_t makespan = column_named("makespan"), answer = column_named("answer p50");
    const Matrix matrix = three.matrix();
    CHECK(cell(matrix, 0, makespan).ratio.empty());
    CHECK(cell(matrix, 1, makespan).ratio == "×0.50");
    CHECK(cell(matrix, 1, makespan).verdict == Verdict::better);
    CHECK(cell(matrix, 1, makespan).best);
    CHECK(cell(matrix, 2, makespan).ratio == "×1.62");
    CHECK(cell(matrix, 2, makespan).verdict == Verdict::worse);
    CHECK(cell(matrix, 1, answer).value == "none");
    CHECK(cell(matrix, 1, answer).ratio.empty());
    CHECK_FALSE(cell(matrix, 1, answer).best);
    CHECK(cell(matrix, 2, answer).best);
    CHECK(cell(matrix, 1, column_named("switches")).ratio == "same");
    INFO("without sleepers there is no lateness");
    const trace::FigureColumn& late = trace::figure_columns()[column_named("overshoot p50")];
    trace::Figures figures;
    CHECK_FALSE(late.has(figures));
    figures.overshoot.count = 1;
    CHECK(late.has(figures));
    INFO("with another reference");
    CHECK(cell(three.matrix({}, 1), 0, makespan).ratio == "×2.00");
    CHECK(cell(three.matrix({}, 1), 0, answer).ratio.empty());
    CHECK(matrix.rest.find("In no file: waiting p50") == 0);
}

TEST_CASE("the strips of a matrix have a common axis and scale, and heights proportional to their shares") {
    const Made three;
    const Matrix matrix = three.matrix();
    REQUIRE(matrix.strips.size() == 3);
    CHECK(matrix.scale.range.to == 650000);
    CHECK(matrix.strips[0].reference);
    CHECK(matrix.strips[1].difference == Approx(matrix.scale.x(100000)));
    CHECK(matrix.strips[0].difference < 0);
    const auto bar = [&](MatrixBarKind kind, Rect in) {
        for (const MatrixBar& one : matrix.bars)
            if (one.kind == kind && one.rect.y0 >= in.y0 - 0.5F && one.rect.y1 <= in.y1 + 0.5F) return one.rect;
        return Rect{};
    };
    const Rect lane = matrix.strips[0].lanes[0], other = matrix.strips[0].lanes[1];
    CHECK(bar(MatrixBarKind::tasks, lane).height() == Approx(lane.height() / 2));
    CHECK(bar(MatrixBarKind::others, lane).height() == Approx(lane.height() / 4));
    CHECK(bar(MatrixBarKind::tasks, lane).x1 == Approx(matrix.scale.x(400000)));
    CHECK(bar(MatrixBarKind::tasks, other).empty());
    const Rect one = bar(MatrixBarKind::queue, matrix.strips[1].queue),
               two = bar(MatrixBarKind::queue, matrix.strips[2].queue);
    CHECK(two.height() == Approx(2 * one.height()));
    CHECK(two.height() == Approx(matrix.strips[2].queue.height()));
}

TEST_CASE("a matrix finds the clicked item, and keeps its table if there is little room") {
    const Made three;
    const Matrix matrix = three.matrix();
    for (const MatrixRow& row : matrix.rows) CHECK(matrix.run_at({row.rect.x0 + 1, row.rect.middle_y()}) == row.run);
    for (const MatrixHead& head : matrix.heads) {
        CHECK(matrix.column_at({head.rect.middle_x(), head.rect.middle_y()}) == head.column);
        CHECK(head.meaning.ends_with("."));
    }
    CHECK(matrix.run_at({matrix.scale.x0 + 9, matrix.strips[2].rect.middle_y()}) == std::size_t{2});
    CHECK_FALSE(matrix.run_at({-5, -5}));
    for (float height : {250.0F, 400.0F, 800.0F})
        for (float width : {390.0F, 1280.0F}) {
            const Rect area{0, 0, width, height};
            const Matrix small = three.matrix({}, 0, area);
            INFO(width << "x" << height);
            REQUIRE(small.rows.size() == 3);
            CHECK(small.heads.size() >= (width > 1000 ? 4 : 1));
            CHECK(small.rest_rect.y1 <= height);
            for (const MatrixStrip& strip : small.strips) CHECK(strip.rect.y1 <= small.rows[0].rect.y0);
            for (const MatrixHead& head : small.heads) CHECK(head.rect.x1 <= width);
        }
    CHECK(three.matrix({}, 0, {0, 0, 1500, 150}).strips.empty());
    INFO("with one line per row, the ratio is beside the value");
    const Matrix one_line = three.matrix({}, 0, {0, 0, 1500, 300});
    CHECK(cell(one_line, 0, column_named("makespan")).value == "400 µs");
    const FigureCell& beside = cell(one_line, 1, column_named("makespan"));
    CHECK(beside.value == "200 µs");
    CHECK(beside.ratio == "×0.50");
    CHECK(beside.ratio_rect.x0 > beside.value_rect.x1);
    CHECK(beside.ratio_rect.y0 == beside.value_rect.y0);
    CHECK(one_line.strips[1].lines.empty());
    CHECK(layout_matrix({}, {}, 0, {}, {0, 0, 100, 100}, {}).rows.empty());
}

TEST_CASE("columns of a matrix that do not fit are reached by scrolling") {
    const Made three;
    const auto matrix = [&](std::size_t first, float width = 450) {
        return layout_matrix(three.all, three.differences, 0, {}, {0, 0, width, 800}, {}, first);
    };
    const Matrix whole = matrix(0, 3000);
    CHECK(whole.back.empty());
    CHECK(whole.heads.size() == whole.columns);
    std::vector<std::size_t> seen;
    for (std::size_t first = 0; seen.empty() || seen.back() != whole.heads.back().column; ++first) {
        REQUIRE(first < whole.columns);
        const Matrix part = matrix(first);
        CHECK(part.first == first);
        CHECK(part.heads.size() < whole.columns);
        CHECK(part.forward.x1 <= 450);
        CHECK(part.rest.starts_with("Columns " + std::to_string(first + 1) + " to "));
        for (const MatrixHead& head : part.heads)
            if (seen.empty() || head.column > seen.back()) seen.push_back(head.column);
    }
    CHECK(seen.size() == whole.columns);
    CHECK(matrix(99).heads.back().column == whole.heads.back().column);
}

TEST_CASE("seven files in a presentation have strips, values and ratios, also below a message") {
    made::Drawn drawn(made::kMixed, {1280, 720, 15});
    drawn.workspace->apply(Action::present);
    drawn.workspace->apply(Action::matrix);
    drawn.workspace->say("A message.");
    drawn.look();
    const Matrix& matrix = drawn.workspace->drawn_matrix();
    CHECK(matrix.strips.size() == 7);
    REQUIRE(matrix.rows.size() == 7);
    CHECK(matrix.rows[1].cells[0].value.ends_with("µs"));
    CHECK(matrix.rows[1].cells[0].ratio.starts_with("×"));
    const std::size_t column = matrix.heads[0].column;
    for (int i = 0; i < 2; ++i) drawn.workspace->apply(Action::step);
    drawn.look();
    CHECK(matrix.heads[0].column > column);
    CHECK(matrix.first == 2);
    INFO("with the wheel and with the button");
    const auto settle = [&] {
        for (int frame = 0; frame < 3; ++frame) drawn.look();
    };
    ImGui::GetIO().MousePos = {matrix.back.middle_x(), matrix.back.middle_y()};
    settle();
    ImGui::GetIO().MouseWheel = -1;
    settle();
    CHECK(matrix.first > 2);
    const std::size_t first = matrix.first;
    for (const bool down : {false, true, false}) {
        ImGui::GetIO().MouseDown[0] = down;
        settle();
    }
    CHECK(matrix.first == first - 1);
}

TEST_CASE("names that do not fit into a matrix keep their different parts") {
    Made three;
    three.runs[0].name = "04_mixed";
    three.runs[1].name = "04_mixed_netco";
    three.runs[2].name = "04_mixed_sylar_spinning";
    CHECK(three.matrix().rows[1].name == "04_mixed_netco");
    const Matrix narrow = three.matrix({}, 0, {0, 0, 390, 800});
    CHECK(narrow.rows[0].name == "04_mixed");
    CHECK(narrow.rows[1].name == "…netco");
    CHECK(narrow.strips[2].name == "…sylar_spinning");
}

TEST_CASE("the activity of machines in a part of a run is given as shares") {
    const trace::Trace trace = made::parsed(made::machines());
    const trace::Replay replay(trace);
    const TraceIndex index(trace);
    const MatrixRun run = matrix_run(replay, index, "machines");
    REQUIRE(run.machines.size() == 3);
    double busy = 0;
    for (const auto& machine : run.machines)
        for (const MachineShare& share : machine) {
            CHECK(share.tasks + share.others + share.spins <= 1.001F);
            busy += share.tasks;
        }
    double ran = 0;
    const std::vector<bool> tasks = trace::tasks_of(trace);
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co)
        for (const trace::Stretch& s : replay.stretches(co))
            if (tasks[co] && s.state == trace::State::running) ran += static_cast<double>(s.to - s.from);
    CHECK(busy * static_cast<double>(index.duration()) / MatrixRun::kParts == Approx(ran));
}

TEST_CASE("seven files in a matrix: every row has its name and its difference from the reference") {
    Seven seven;
    Workspace& workspace = *seven.workspace;
    REQUIRE(workspace.drawn_matrix().rows.size() == 7);
    REQUIRE(workspace.drawn_matrix().strips.size() == 7);
    CHECK(workspace.drawn_matrix().rows[0].reference);
    std::size_t names = 0, differ = 0;
    for (const Written& text : seven.reader.written()) {
        names += text.text.starts_with("04_mixed") && text.text.find(' ') == std::string::npos && !text.cut ? 1 : 0;
        differ += text.text.find("decisions") != std::string::npos ? 1 : 0;
    }
    CHECK(names >= 2 * 7);
    CHECK(differ == 6);
    CHECK(seven.says("same decisions as 04_mixed"));  // by hand-off
    CHECK(seven.says("the reference"));
    workspace.apply(Action::next_tab);
    seven.reader.look(workspace, "matrix", seven.found);
    CHECK(workspace.drawn_matrix().rows[1].reference);
    CHECK(seven.says("as a ratio to 04_mixed_multi_state"));
    workspace.apply(Action::choose_none);
    CHECK_FALSE(workspace.matrix());
}

TEST_CASE("the matrix of one file has figures but no ratios") {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}}) {
        Seven files(count);
        INFO(count << "\n" << made::in_lines(files.found));
        CHECK(files.workspace->drawn_matrix().rows.size() == count);
        CHECK(files.found.empty());
        CHECK(files.says("makespan"));
        CHECK(files.says("better") == (count == 2));
    }
}
