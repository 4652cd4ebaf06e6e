// Writes made-up traces as files, for the tests of the program: make_viewer_traces DIRECTORY
// only large.json with that many events.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "traces/tests/generator.h"
#include "viewer/tests/made/made_traces.h"

int main(int argc, char** argv) {
    namespace made = fiberscope::viewer::tests;
    if (argc != 2 && argc != 3) {
        std::cerr << "make_viewer_traces DIRECTORY [EVENTS]\n";
        return 2;
    }
    const std::filesystem::path directory = argv[1];
    std::filesystem::create_directories(directory);
    const auto write = [&](const char* name, const std::string& text) { std::ofstream(directory / name) << text; };
    if (argc == 3) {
        write(
            "large.json",
            fiberscope::trace::testing::mixed_trace(
                {.seed = 1, .events = std::strtoull(argv[2], nullptr, 10), .coroutines = 10'000, .registers = false}));
        return 0;
    }
    write("round_robin.json", made::round_robin(20, 8));
    write("nested.json", made::nested(12));
    write("owners_1.json", made::shared_stacks(4, 1, 4));
    write("owners_2.json", made::shared_stacks(4, 2, 4));
    write("machines.json", made::machines());
    write("cut.json", made::round_robin(20, 8).substr(0, 9000));
    write("empty.json", "");
    write("broken.json", "{\"fiberscope\":1,\n\"meta\":{},\n\"events\":[\n{\"t\":0,\"m\":0,\"ev\":\"switch\"}\n]}");
    return std::filesystem::exists(directory / "broken.json") ? 0 : 1;
}
