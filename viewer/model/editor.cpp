#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "viewer/model/sources.h"

extern char** environ;

namespace fiberscope::viewer {

std::string open_in_editor(const std::filesystem::path& file, std::size_t line, Language language) {
    const char* editor = std::getenv("VISUAL");
    if (editor == nullptr || *editor == 0) editor = std::getenv("EDITOR");
    if (editor == nullptr || *editor == 0)
        return say(language, "No editor is set: say 'export EDITOR=…' before you start the viewer.");
    // By a shell, because $EDITOR may hold options; in its background, so that the viewer does not wait for the editor.
    std::string script = std::string(editor) + " \"$@\" &", name = "sh", option = "-c",
                place = "+" + std::to_string(std::max<std::size_t>(1, line)), path = file.string();
    char* arguments[] = {name.data(), option.data(), script.data(), name.data(), place.data(), path.data(), nullptr};
    pid_t child = 0;
    if (const int error = posix_spawnp(&child, "sh", nullptr, nullptr, arguments, environ); error != 0)
        return say(language, "{0} cannot be started: {1}.", editor, std::strerror(error));
    int status = 0;
    waitpid(child, &status, 0);
    return say(language, "{0} is opened by {1}.", path + ":" + std::to_string(line), editor);
}

}  // namespace fiberscope::viewer
