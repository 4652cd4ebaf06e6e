// write_schema ROOT: updates the files generated from the table of events in the tree at ROOT. A test checks them.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "traces/schema/generate.h"

namespace {

std::string content_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw std::runtime_error("cannot write " + file);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace fiberscope::trace;
    try {
        if (argc != 2) throw std::runtime_error("call it with the root of the tree");
        const std::string root = std::string(argv[1]) + "/", page = root + "docs/trace-format.md";
        write(root + "traces/schema/trace.schema.json", json_schema());
        write(page, with_table_of_events(content_of(page)));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "write_schema: %s\n", error.what());
        return 1;
    }
}
