// Functions that run in a child process, for the tests of the labs.
#include "labs/kit/testing/child.h"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "labs/kit/run/trace.h"
#include "testing/catch.h"

using namespace fiberscope;

TEST_CASE("kit: a child that records without end does not fill the disk") {
    const auto file = std::filesystem::temp_directory_path() / ("fiberscope-long-" + std::to_string(::getpid()));
    const kit::ChildEnd end = kit::run_in_child(file, [] {
        const std::string words(1000, 'x');
        for (std::uint64_t written = 0; written < 2 * kit::kMostRecorded; written += words.size()) kit::note(words);
    });
    CHECK(end.status == 0);
    const std::uintmax_t size = std::filesystem::file_size(file);
    CHECK(size > kit::kMostRecorded / 2);
    CHECK(size <= kit::kMostRecorded);
    std::filesystem::remove(file);
}
