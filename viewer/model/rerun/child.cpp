#include "viewer/model/rerun/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include "languages/spoken_error.h"

extern char** environ;

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kMostPrinted = 64 * 1024;

/// A shell sets the limits (in blocks of 512 bytes), which survive exec, and replaces itself by the program.
constexpr const char* kScript = "ulimit -f \"$0\"; ulimit -c 0; exec \"$@\"";

/// Attributes and file actions of posix_spawn: own process group, no input, both streams to a file.
struct Spawning {
    explicit Spawning(const char* printed) {
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, printed, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    }
    ~Spawning() {
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
    }
    Spawning(const Spawning&) = delete;
    Spawning& operator=(const Spawning&) = delete;

    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_t files{};
};

}  // namespace

Program::Program(const std::vector<std::string>& command, std::filesystem::path printed, ProgramLimits limits)
    : printed_(std::move(printed)), limits_(limits), begun_(std::chrono::steady_clock::now()) {
    std::vector<std::string> words{"sh", "-c", kScript, std::to_string(2 * limits.kilobytes)};
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const Spawning how(printed_.c_str());
    const int error = posix_spawn(&process_, "/bin/sh", &how.files, &how.attributes, arguments.data(), environ);
    if (error != 0) {
        process_ = 0;
        throw SpokenError(mark("Cannot start {0}: {1}."), command.front(), std::strerror(error));
    }
}

Program::~Program() {
    if (process_ == 0) return;
    kill(-process_, SIGKILL);
    waitpid(process_, nullptr, 0);
}

std::string Program::text_printed() const {
    std::ifstream in(printed_, std::ios::binary);
    std::string text(kMostPrinted, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

std::optional<ProgramEnd> Program::poll() {
    using How = ProgramEnd::How;
    if (process_ == 0) return std::nullopt;
    int status = 0;
    const bool slow = std::chrono::steady_clock::now() - begun_ > limits_.time;
    if (waitpid(process_, &status, WNOHANG) == 0) {
        if (!slow) return std::nullopt;
        kill(-process_, SIGKILL);
        waitpid(process_, nullptr, 0);
        process_ = 0;
        return ProgramEnd{How::too_slow, 0, text_printed()};
    }
    kill(-process_, SIGKILL);  // including its descendants
    process_ = 0;
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return ProgramEnd{signal == SIGXFSZ ? How::too_much : How::by_signal, signal, text_printed()};
    }
    const int code = WEXITSTATUS(status);
    return ProgramEnd{code == 0 ? How::well : How::with_error, code, text_printed()};
}

bool can_start_programs() noexcept { return true; }

}  // namespace fiberscope::viewer
