#include "viewer/window/virtual_display.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace fiberscope::viewer {
namespace {

// Names the file with the key to the virtual display. xvfb-run would make a directory for it, and now and then fail to
// remove that: then it forgets the exit status of what it ran.
constexpr const char* kKeyFile = "FIBERSCOPE_VIRTUAL_DISPLAY";

/// A new empty file; empty words if there can be none.
std::string new_key_file() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "fiberscope-display-XXXXXX").string();
    const int file = error ? -1 : mkstemp(name.data());
    if (file < 0) return {};
    close(file);
    return name;
}

bool in_path(const char* program) {
    const char* path = std::getenv("PATH");
    std::istringstream places(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
    for (std::string place; std::getline(places, place, ':');)
        if (access((std::filesystem::path(place) / program).c_str(), X_OK) == 0) return true;
    return false;
}

}  // namespace

bool under_virtual_display() { return std::getenv(kKeyFile) != nullptr; }

VirtualDisplayKey::~VirtualDisplayKey() {
    if (const char* file = std::getenv(kKeyFile); file != nullptr) unlink(file);
}

std::string restart_under_virtual_display(const std::vector<std::string>& arguments, Language language) {
    for (const char* program : {"xvfb-run", "xauth"})
        if (!in_path(program))
            return say(language,
                       "There is no display, and {0} is missing: install the packages xvfb and xauth to make pictures "
                       "without one.",
                       program);
    std::error_code error;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
    if (error) return "This program cannot find its own file: " + error.message() + ".";
    const std::string key = new_key_file();
    if (key.empty()) return std::string("No file can be made for the virtual display: ") + std::strerror(errno) + ".";
    setenv(kKeyFile, key.c_str(), 1);
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    std::vector<std::string> words{"xvfb-run", "-a", "-f", key, "-s", "-screen 0 1280x1024x24", self};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execvp(pointers[0], pointers.data());
    const int reason = errno;
    unlink(key.c_str());
    return std::string("xvfb-run cannot be started: ") + std::strerror(reason) + ".";
}

}  // namespace fiberscope::viewer
