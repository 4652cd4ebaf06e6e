// fiberscope-viewer: replays traces in a window, or renders them to a picture.
#include <cstdio>
#include <exception>

#include "languages/version.h"
#include "traces/read/printable.h"
#include "viewer/model/options.h"
#include "viewer/window/render.h"
#include "viewer/window/window.h"

namespace {

using fiberscope::Text;
using namespace fiberscope::viewer;

int fail(const std::string& sentence, int status) {
    std::fprintf(stderr, "fiberscope-viewer: %s\n", fiberscope::trace::printable(sentence).c_str());
    return status;
}

int render(const Options& options) {
    try {
        write_png(options.render, render_picture(options));
    } catch (const fiberscope::SpokenError& error) {
        return fail(error.in(options.language), 1);
    }
    std::printf("%s\n", options.render.c_str());
    return 0;
}

int run(const std::vector<std::string>& arguments) {
    const Options options = parse_options(arguments);
    if (options.help) return std::fputs(usage(options.language).c_str(), stdout) < 0 ? 1 : 0;
    if (!options.render.empty()) return render(options);
    try {
        show_window(options);
    } catch (const ScreenError& error) {
        return fail(
            error.in(options.language) + say(options.language, " Use --render OUT.png to write a picture instead."), 1);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (fiberscope::prints_version(argc, argv, "fiberscope-viewer")) return 0;
    try {
        return run({argv + 1, argv + argc});
    } catch (const UsageError& error) {
        return fail(error.what(), 2);
    } catch (const std::exception& error) {
        return fail(error.what(), 1);
    }
}
