// A file as written by a running recorder: locked, with marks, without an end.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace fiberscope::viewer::tests {

class LiveFile {
  public:
    explicit LiveFile(const std::string& name) : path(std::filesystem::temp_directory_path() / name) {
        fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        struct flock whole {};
        whole.l_type = F_WRLCK;
        if (fd_ < 0 || ::fcntl(fd_, F_OFD_SETLK, &whole) != 0) throw std::runtime_error("cannot lock " + path.string());
    }
    LiveFile(const LiveFile&) = delete;
    LiveFile& operator=(const LiveFile&) = delete;
    ~LiveFile() {
        kill();
        std::filesystem::remove(path);
    }

    void write(const std::string& text) const {
        if (::write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
            throw std::runtime_error("cannot write " + path.string());
    }
    /// The program terminates abnormally.
    void kill() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

    static std::string head() { return "{\"fiberscope\":1,\n\"meta\":{\"clock\":\"monotonic\"},\n\"events\":["; }
    /// A note each ns, of two machines in turn; the first one follows the head.
    static std::string notes(std::size_t from, std::size_t to) {
        std::string lines;
        for (std::size_t t = from; t < to; ++t)
            lines += (t == 0 ? "\n" : ",\n") + line(t, t % 2, "note") + ",\"text\":\"" + std::to_string(t) + "\"}";
        return lines;
    }
    static std::string mark(std::size_t t) { return ",\n" + line(t, 0, "reached") + "}"; }

    const std::filesystem::path path;

  private:
    static std::string line(std::size_t t, std::size_t m, const std::string& kind) {
        return "{\"t\":" + std::to_string(t) + ",\"m\":" + std::to_string(m) + ",\"ev\":\"" + kind + "\"";
    }
    int fd_ = -1;
};

}  // namespace fiberscope::viewer::tests
