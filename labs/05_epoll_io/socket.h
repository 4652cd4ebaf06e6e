// netco's Socket: a descriptor that closes itself, over the calls of step 5.2. Given.
#pragma once

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "labs/05_epoll_io/io.h"

namespace fiberscope::lab05 {

/// An address of IPv4: "127.0.0.1" (numbers only: a name would have to be looked up, and that blocks) and a port.
/// Throws std::invalid_argument for an ip that is none.
sockaddr_in address_of(const std::string& ip, std::uint16_t port);

/// Owns a descriptor of TCP over IPv4. Errors are std::system_error, and say what was tried; what ends the talk with
/// the peer is told by the results of read, send and connect, as POSIX has it.
class Socket {
  public:
    /// A new one.
    Socket();
    /// Takes over a descriptor; -1 for none.
    explicit Socket(int fd) noexcept : fd_(fd) {}
    Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Socket() { close(); }

    /// As many connections as the system lets wait for an accept (net.core.somaxconn, whatever it was set to). Of one
    /// that finds no room the kernel drops the first packet; the client sends it again after a second.
    static constexpr int kLongestQueue = std::numeric_limits<int>::max();
    /// Bound to ip and port (0: a free one), and listening. Throws std::system_error with a sentence for a port in use.
    static Socket listener(const std::string& ip, std::uint16_t port, int backlog = kLongestQueue);
    /// The same beside others that were made by this on the same port: each connection comes to one of them.
    static Socket one_of_several_listeners(const std::string& ip, std::uint16_t port);

    int fd() const noexcept { return fd_; }
    bool is_open() const noexcept { return fd_ >= 0; }
    /// Its own port; 0 if it has none yet.
    std::uint16_t port() const;  ///< 0 if it is no socket of IPv4

    /// The next connection; one with fd() -1 if accept failed: errno says why.
    Socket accept() { return Socket(io::accept(fd_, nullptr, nullptr)); }
    /// 0, or -1 with errno; ETIMEDOUT also at the deadline (see io::connect).
    int connect(const std::string& ip, std::uint16_t port, std::uint64_t deadline = kNever);
    ssize_t read(void* buffer, std::size_t size) { return io::recv(fd_, buffer, size, 0); }
    ssize_t send(const void* buffer, std::size_t size) { return io::send(fd_, buffer, size, 0); }
    /// Gives the descriptor away.
    int release() noexcept { return std::exchange(fd_, -1); }
    int shutdown_write() noexcept { return ::shutdown(fd_, SHUT_WR); }
    void close() noexcept {
        if (fd_ >= 0) io::close(std::exchange(fd_, -1));
    }

    void set_reuse_address(bool on) { set(SOL_SOCKET, SO_REUSEADDR, on, "SO_REUSEADDR"); }
    void set_reuse_port(bool on) { set(SOL_SOCKET, SO_REUSEPORT, on, "SO_REUSEPORT"); }

  private:
    void listen_at(const std::string& ip, std::uint16_t port, int backlog);
    void set(int level, int option, bool on, const char* name);

    int fd_;
};

}  // namespace fiberscope::lab05
