// Files that are read on another thread: what they become, how far they are, and that they can be left.
#include <filesystem>
#include <fstream>
#include <thread>

#include "testing/catch.h"
#include "traces/tests/generator.h"
#include "viewer/model/document.h"
#include "viewer/tests/made_traces.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// A file that is there as long as the test runs.
class KeptFile {
  public:
    explicit KeptFile(const std::string& text)
        : path(std::filesystem::temp_directory_path() / "fiberscope-loading.json") {
        write(text);
    }
    ~KeptFile() { std::filesystem::remove(path); }
    void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
    std::filesystem::path path;
};

void finish(Document& document) {
    while (!document.poll()) std::this_thread::yield();
}

std::string large_trace() {
    return trace::testing::mixed_trace({.seed = 1, .events = 60'000, .coroutines = 100, .registers = false});
}

}  // namespace

TEST_CASE("a file that is read on another thread becomes what it becomes at once") {
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

TEST_CASE("how much of a file is read grows from 0 to 1") {
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
    trace::Progress progress;
    open_trace(file.path, &progress);
    CHECK(progress.share() > 0.9);
}

TEST_CASE("what cannot be read on another thread says so in the same sentence") {
    const KeptFile file("{\"fiberscope\":1,\n\"events\":[\n{\"t\":0,\"m\":0,\"ev\":\"spawn\"}\n]}");
    for (const std::filesystem::path& bad : {file.path, std::filesystem::path("/dev/zero"), std::filesystem::path("/"),
                                             std::filesystem::path("no/such/file.json")}) {
        Document later(bad, Document::Later());
        finish(later);
        CHECK_FALSE(later.readable());
        CHECK_FALSE(later.error().empty());
        CHECK(later.error() == Document(bad).error());
    }
}

TEST_CASE("a reading that is not wanted any more ends soon") {
    const KeptFile file(large_trace());
    trace::Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(open_trace(file.path, &progress), trace::Cancelled);
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

TEST_CASE("while a file is read again, what was read before stays, and so does the place") {
    const KeptFile file(made::round_robin(20, 60));
    Document document(file.path);
    const std::size_t size = document.replay().size();
    document.selection().playhead = 17;
    document.sync();
    file.write(made::round_robin(20, 90));
    CHECK(document.changed());
    document.reload_later();
    CHECK(document.replay().size() == size);
    CHECK(document.replay().at() == 17);
    finish(document);
    CHECK(document.replay().size() > size);
    CHECK(document.replay().at() == 17);
    CHECK_FALSE(document.changed());
}
