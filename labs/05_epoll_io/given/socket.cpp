#include <arpa/inet.h>

#include <cerrno>
#include <stdexcept>

#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/system_calls.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab05 {

namespace {

[[noreturn]] void fail(const std::string& what) { throw SpokenSystemError(last_error(), what); }

}  // namespace

sockaddr_in address_of(const std::string& ip, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    if (inet_pton(AF_INET, ip.c_str(), &address.sin_addr) != 1)
        throw Spoken<std::invalid_argument>(message("'{0}' is not an IPv4 address like 127.0.0.1", ip));
    return address;
}

Socket::Socket() : fd_(io::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (fd_ < 0) fail(message("cannot create a socket"));
}

Socket Socket::listener(const std::string& ip, std::uint16_t port, int backlog) {
    Socket socket;
    socket.set_reuse_address(true);
    socket.listen_at(ip, port, backlog);
    return socket;
}

Socket Socket::one_of_several_listeners(const std::string& ip, std::uint16_t port) {
    Socket socket;
    socket.set_reuse_address(true);
    socket.set_reuse_port(true);
    socket.listen_at(ip, port, kLongestQueue);
    return socket;
}

void Socket::listen_at(const std::string& ip, std::uint16_t port, int backlog) {
    const sockaddr_in address = address_of(ip, port);
    const std::string place = ip + ":" + std::to_string(port);
    if (bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(fd_, backlog) != 0)
        fail(last_error() == EADDRINUSE
                 ? message("cannot listen on {0}: another program has this port; end it, or take another port", place)
                 : message("cannot listen on {0}", place));
}

std::uint16_t Socket::port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        fail(message("cannot get the port of a socket"));
    return address.sin_family == AF_INET ? ntohs(address.sin_port) : std::uint16_t{0};
}

int Socket::connect(const std::string& ip, std::uint16_t port, std::uint64_t deadline) {
    const sockaddr_in address = address_of(ip, port);
    return io::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address, deadline);
}

void Socket::set(int level, int option, bool on, const char* name) {
    const int value = on ? 1 : 0;
    if (setsockopt(fd_, level, option, &value, sizeof value) != 0) fail(message("cannot set {0}", name));
}

}  // namespace fiberscope::lab05
