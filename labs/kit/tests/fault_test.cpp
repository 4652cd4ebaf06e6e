// The report and trace of a program that is stopped.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "labs/kit/fault/fault.h"
#include "labs/kit/run/trace.h"
#include "testing/catch.h"

using namespace fiberscope;

namespace {

/// The child records, signals that, and waits to be killed.
[[noreturn]] void record_until_stopped(const std::string& file, int said) {
    trace::Meta meta;
    meta.lab = "kit";
    meta.program = "stopped";
    kit::start_trace(file, meta);
    kit::install_fault_handler();
    kit::note("before the signal");
    if (::write(said, "!", 1) == 1)
        for (;;) ::pause();
    ::_exit(1);
}

std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("Ctrl-C completes the recording, and the program dies of the signal") {
    const auto file = std::filesystem::temp_directory_path() / ("fiberscope_stopped_" + std::to_string(::getpid()));
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) record_until_stopped(file, ends[1]);
    ::close(ends[1]);
    char said = 0;
    REQUIRE(::read(ends[0], &said, 1) == 1);
    ::close(ends[0]);
    ::kill(child, SIGINT);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGINT);
    const std::string text = text_of(file);
    std::filesystem::remove(file);
    CHECK(text.find("before the signal") != std::string::npos);
    CHECK(text.find("interrupted, perhaps by Ctrl-C") != std::string::npos);
    CHECK(text.find("\"end\"") != std::string::npos);
}
