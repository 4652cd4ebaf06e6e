// Given: netco's Socket, an owning descriptor based on the calls of step 5.2.
#pragma once

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "labs/05_epoll_io/io.h"

namespace fiberscope::lab05 {

/// Returns an IPv4 address and port. Only numbers such as "127.0.0.1" are accepted: resolving a name would block.
/// Throws std::invalid_argument for an invalid address.
sockaddr_in address_of(const std::string& ip, std::uint16_t port);

/// Owns a TCP descriptor (IPv4). Throws std::system_error for errors of setup; read, send and connect report the state
/// of the connection by their results, as in POSIX.
class Socket {
  public:
    /// Creates a socket.
    Socket();
    /// Takes ownership of a descriptor; -1 for none.
    explicit Socket(int fd) noexcept : fd_(fd) {}
    Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Socket() { close(); }

    /// The longest accept queue that the system allows (net.core.somaxconn). If it is full, the kernel drops a client's
    /// first packet, which the client resends after a second.
    static constexpr int kLongestQueue = std::numeric_limits<int>::max();
    /// Binds to ip and port (0: any free port) and listens. The std::system_error for a port in use has an explanation.
    static Socket listener(const std::string& ip, std::uint16_t port, int backlog = kLongestQueue);
    /// The same with SO_REUSEPORT: the kernel distributes connections among the listeners created this way on one port.
    static Socket one_of_several_listeners(const std::string& ip, std::uint16_t port);

    int fd() const noexcept { return fd_; }
    bool is_open() const noexcept { return fd_ >= 0; }
    /// Local port; 0 if not bound.
    std::uint16_t port() const;  ///< 0 if not an IPv4 socket

    /// Accepts the next connection. Returns a socket with fd() -1, and errno, if accept failed.
    Socket accept() { return Socket(io::accept(fd_, nullptr, nullptr)); }
    /// Returns 0, or -1 with errno; ETIMEDOUT also at the deadline (see io::connect).
    int connect(const std::string& ip, std::uint16_t port, std::uint64_t deadline = kNever);
    ssize_t read(void* buffer, std::size_t size) { return io::recv(fd_, buffer, size, 0); }
    ssize_t send(const void* buffer, std::size_t size) { return io::send(fd_, buffer, size, 0); }
    /// Releases ownership.
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
