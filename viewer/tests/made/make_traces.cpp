// Writes the generated traces to files for inspection. Usage: make_viewer_traces DIRECTORY [EVENTS]; with EVENTS writes
// only large.json with so many events.
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
    write("two_contexts.json", made::two_contexts(24));
    write("all_states.json", made::all_states());
    write("nested.json", made::nested(12));
    write("deep.json", made::nested(128));
    write("many.json", made::round_robin(10000, 10));
    write("owners_1.json", made::shared_stacks(4, 1, 4));
    write("owners_2.json", made::shared_stacks(4, 2, 4));
    write("owners_4.json", made::shared_stacks(4, 4, 4));
    write("hazard.json", made::hazard());
    write("pool.json", made::pool());
    write("machines.json", made::machines());
    write("sleepers_15.json", made::sleepers(15));
    write("sleepers_10000.json", made::sleepers(10000));
    write("heap_15.json", made::heap_of_timers(15));
    write("heap_500.json", made::heap_of_timers(500));
    write("wheel_60000.json", made::wheel_of_timers(12, 60000, 7));
    write("wheel_256.json", made::wheel_of_timers(40, 256, 5));
    write("cut.json", made::round_robin(20, 8).substr(0, 9000));
    write("empty.json", "");
    write("broken.json", "{\"fiberscope\":1,\n\"meta\":{},\n\"events\":[\n{\"t\":0,\"m\":0,\"ev\":\"switch\"}\n]}");
    return std::filesystem::exists(directory / "broken.json") ? 0 : 1;
}
