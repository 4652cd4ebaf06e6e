// Files read on another thread or in slices: their content, progress and cancellation.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "testing/catch.h"
#include "traces/tests/generator.h"
#include "traces/tests/made/files.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/live_file.h"
#include "viewer/tests/stage/playhead.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// A temporary file.
struct KeptFile {
    explicit KeptFile(const std::string& text) { write(text); }
    void write(const std::string& text) const { folder.write("fiberscope-loading.json", text); }
    const trace::testing::Scratch folder;
    const std::filesystem::path path = folder / "fiberscope-loading.json";
};

void finish(Document& document) {
    while (!document.poll()) std::this_thread::yield();
}

std::string large_trace() {
    return trace::testing::mixed_trace({.seed = 1, .events = 60'000, .coroutines = 100, .registers = false});
}

}  // namespace

TEST_CASE("reading a file on another thread gives the same result as reading it synchronously") {
    const KeptFile file(large_trace());
    Document later(file.path, Document::Later());
    CHECK(later.loading());
    CHECK_FALSE(later.readable());
    CHECK(later.error().empty());
    finish(later);
    CHECK_FALSE(later.loading());
    Document now(file.path);
    REQUIRE(later.readable());
    CHECK(later.replay().size() == now.replay().size());
    CHECK(later.index().switches().size() == now.index().switches().size());
    CHECK(later.selection().playhead == now.selection().playhead);
    CHECK_FALSE(later.poll());
}

TEST_CASE("the progress of reading increases from 0 to 1") {
    const KeptFile file(large_trace());
    Document document(file.path, Document::Later());
    double last = 0;
    while (!document.poll()) {
        const double share = document.share();
        CHECK(share >= last);
        last = share;
    }
    CHECK(last <= 1);
    CHECK(document.share() == 1);
    Opening opening(file.path);
    double done = 0;
    for (; opening.step(); done = opening.share()) CHECK(opening.share() >= done);
    CHECK(done > 0.9);
    CHECK(opening.share() == Approx(1));
}

TEST_CASE("what cannot be read on another thread, or in slices, says so in the same sentence") {
    const KeptFile file("{\"fiberscope\":1,\n\"events\":[\n{\"t\":0,\"m\":0,\"ev\":\"spawn\"}\n]}");
    for (const std::filesystem::path& bad : {file.path, std::filesystem::path("/dev/zero"), std::filesystem::path("/"),
                                             std::filesystem::path("no/such/file.json")}) {
        Document later(bad, Document::Later());
        finish(later);
        CHECK_FALSE(later.readable());
        CHECK_FALSE(later.error().empty());
        CHECK(later.error() == Document(bad).error());
        Loading loading(bad, Loading::By::slices);
        std::optional<Opened> opened;
        while (!opened) opened = loading.take();
        CHECK_FALSE(opened->index);
        CHECK(english_of(opened->error) == later.error());
    }
}

TEST_CASE("cancelled reading ends soon") {
    const KeptFile file(large_trace());
    for (int i = 0; i < 20; ++i) {
        Document document(file.path, Document::Later());
        static_cast<void>(document.poll());
    }
    Document again(file.path);
    again.reload_later();
    again.reload_later();
    finish(again);
    CHECK(again.readable());
}

TEST_CASE("without a thread a file is read in short slices") {
    const KeptFile file(large_trace());
    const Opened whole = Opening(file.path).finish();
    for (const std::size_t items : {1UL, 7UL, 1000UL, SIZE_MAX}) {
        Opening opening(file.path, items);
        std::size_t slices = 1;
        while (opening.step()) ++slices;
        const Opened opened = opening.take();
        INFO(items << " events in a slice");
        REQUIRE(opened.replay);
        CHECK(opened.replay->size() == whole.replay->size());
        CHECK(std::ranges::equal(opened.index->rows(), whole.index->rows()));
        CHECK(std::ranges::equal(opened.index->decisions(), whole.index->decisions()));
        // Reader, replay and index iterate over all events ten times.
        CHECK(slices >= 10 * (whole.replay->size() / items));
    }
    Loading loading(file.path, Loading::By::slices);
    std::size_t frames = 0;
    for (std::optional<Opened> opened; !opened; ++frames) {
        opened = loading.take();
        if (opened) CHECK(opened->replay->size() == whole.replay->size());
    }
    CHECK(frames > 1);
    CHECK_FALSE(loading.take());
}

TEST_CASE("while a file is reread, the old content and the position are kept") {
    const KeptFile file(made::round_robin(20, 60));
    Document document(file.path);
    const std::size_t size = document.replay().size();
    made::put_playhead(document, 17);
    file.write(made::round_robin(20, 90));
    document.reload_later();
    CHECK(document.replay().size() == size);
    CHECK(document.replay().at() == 17);
    finish(document);
    CHECK(document.replay().size() > size);
    CHECK(document.replay().at() == 17);
    CHECK_FALSE(document.changed());
    document.selection().chosen = 15;
    file.write(made::round_robin(3, 90));
    document.reload();
    CHECK(document.selection().chosen == trace::kNone);
}

TEST_CASE("a recording reports that its file was overwritten, replaced or removed, and keeps its content") {
    const KeptFile file(made::round_robin(20, 60));
    Document document(file.path);
    const std::size_t size = document.replay().size();
    CHECK_FALSE(document.look_at_disk());
    CHECK(document.disk_words().empty());
    const auto other = file.path.string() + ".other";
    std::ofstream(other) << made::round_robin(20, 90);
    const auto last = std::filesystem::last_write_time(file.path);
    std::filesystem::last_write_time(other, last);
    std::filesystem::rename(other, file.path);  // another file under the same name, not newer
    CHECK_FALSE(document.changed());
    CHECK(document.look_at_disk());
    CHECK_FALSE(document.look_at_disk());
    CHECK(document.disk_words() ==
          "fiberscope-loading.json has changed on disk. The window shows the old content; Shift R reloads the file.");
    std::filesystem::remove(file.path);
    CHECK(document.look_at_disk());
    CHECK(document.disk_words() ==
          "fiberscope-loading.json no longer exists. The window shows the content read before.");
    CHECK_FALSE(document.changed());
    CHECK(document.replay().size() == size);
    file.write(made::round_robin(20, 90));
    CHECK(document.look_at_disk());
    REQUIRE(document.written_again());
    document.reload_later();
    finish(document);
    CHECK(document.replay().size() > size);
    CHECK(document.disk_words().empty());
    CHECK_FALSE(document.look_at_disk());
}

TEST_CASE("a live file waits for its first events, is followed to its last mark, and differs from a truncated one") {
    made::LiveFile file("fiberscope-live.json");
    Document document(file.path);
    CHECK_FALSE(document.readable());
    CHECK(document.live());
    CHECK(document.error().find("nothing was read: the file is being recorded") != std::string::npos);
    file.write(made::LiveFile::head() + made::LiveFile::notes(0, 10) + made::LiveFile::mark(4));
    CHECK(document.changed());
    document.reload();
    REQUIRE(document.readable());
    CHECK(document.replay().size() == 5);
    CHECK(document.selection().playhead == 5);
    CHECK(document.warning().empty());
    CHECK(document.live_words() == "Live: the file is being recorded: 5 events so far. Shift L pauses it.");
    file.write(made::LiveFile::mark(9));
    document.reload();
    CHECK(document.selection().playhead == 10);
    file.kill();
    CHECK(document.changed());
    document.reload();
    CHECK_FALSE(document.live());
    CHECK(document.condition() == trace::Condition::cut);
    CHECK(document.warning().find("the file was cut short") != std::string::npos);
    CHECK(document.live_words().empty());
}

TEST_CASE("a live file is paused by a key, or if its playhead is moved from the end, and is followed again") {
    made::LiveFile file("fiberscope-live.json");
    file.write(made::LiveFile::head() + made::LiveFile::notes(0, 4) + made::LiveFile::mark(3));
    Document document(file.path);
    REQUIRE(document.replay().size() == 4);
    for (const Action hold : {Action::live, Action::step_back}) {
        const std::size_t size = document.replay().size();
        CHECK_FALSE(document.held());
        document.apply(hold);
        CHECK(document.held());
        CHECK(document.live_words().starts_with("Live, paused: "));
        file.write(made::LiveFile::notes(size, size + 3) + made::LiveFile::mark(size + 2));
        CHECK_FALSE(document.changed());
        document.apply(Action::live);
        CHECK_FALSE(document.held());
        CHECK(document.changed());
        document.reload();
        CHECK(document.replay().size() == size + 3);
        CHECK(document.selection().playhead == size + 3);
    }
    file.write("\n],\n\"end\":{\"events\":13,\"dropped\":0}}\n");
    document.reload();
    CHECK(document.condition() == trace::Condition::whole);
    CHECK(document.selection().playhead == document.replay().size());
}
