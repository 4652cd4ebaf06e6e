// A real client library under the hook: a hundred tasks of one thread make blocking hiredis calls to a redis-server
// that this program starts. The replies must be right, and the waits must overlap.
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/system_calls.h"
#include "languages/spoken_error.h"

using namespace fiberscope;
using namespace fiberscope::lab05;

namespace {

constexpr int kClients = 100;
constexpr int kRounds = 20;
constexpr double kBlocked = 0.2;  // s that each client waits for the server

constexpr int kLeftOut = 77;

class RedisServer {
  public:
    RedisServer() : port_(free_port()), process_(fork()) {
        if (process_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            const std::string port = std::to_string(port_);
            execlp("redis-server", "redis-server", "--port", port.c_str(), "--bind", "127.0.0.1", "--save", "",
                   "--appendonly", "no", "--logfile", "/dev/null", "--dir", "/tmp", nullptr);
            _exit(kLeftOut);
        }
    }
    ~RedisServer() {
        kill(process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    int port() const noexcept { return port_; }
    bool is_there() const {
        for (int i = 0; i < 100; ++i) {
            if (waitpid(process_, nullptr, WNOHANG) != 0) return false;
            std::unique_ptr<redisContext, decltype(&redisFree)> attempt(redisConnect("127.0.0.1", port_), redisFree);
            if (attempt != nullptr && attempt->err == 0) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    }

  private:
    static int free_port() { return Socket::listener("127.0.0.1", 0).port(); }

    int port_;
    pid_t process_;
};

class Client {
  public:
    explicit Client(int port) : context_(redisConnect("127.0.0.1", port), redisFree) {
        if (context_ == nullptr || context_->err != 0)
            throw Spoken<std::runtime_error>(
                message("cannot connect: {0}", (context_ == nullptr ? "" : context_->errstr)));
    }
    /// Returns the reply as text; "nil" for none.
    template <class... Arguments>
    std::string ask(const char* format, Arguments... arguments) {
        std::unique_ptr<void, decltype(&freeReplyObject)> reply(redisCommand(context_.get(), format, arguments...),
                                                                freeReplyObject);
        if (reply == nullptr) throw Spoken<std::runtime_error>(message("no reply: {0}", context_->errstr));
        const auto& said = *static_cast<const redisReply*>(reply.get());
        if (said.type == REDIS_REPLY_NIL) return "nil";
        if (said.type == REDIS_REPLY_INTEGER) return std::to_string(said.integer);
        return std::string(said.str, said.len);
    }

  private:
    std::unique_ptr<redisContext, decltype(&redisFree)> context_;
};

void expect(const std::string& said, const std::string& expected) {
    if (said != expected) throw Spoken<std::runtime_error>(message("redis said '{0}', not '{1}'", said, expected));
}

void talk(int port, int number) {
    Client client(port);
    for (int round = 0; round < kRounds; ++round) {
        const std::string value = "value " + std::to_string(number * kRounds + round);
        expect(client.ask("SET key:%d %s", number, value.c_str()), "OK");
        expect(client.ask("GET key:%d", number), value);
        client.ask("INCR counter");
    }
    expect(client.ask("BLPOP nothing:%d %s", number, std::to_string(kBlocked).c_str()), "nil");
}

int run() {
    if constexpr (!kHookBuilt) return kLeftOut;
    const RedisServer server;
    if (!server.is_there()) {
        std::fprintf(stderr, "redis-server is not installed\n");
        return kLeftOut;
    }
    EpollSource source;
    lab04::Scheduler scheduler(lab04::Settings{.source = &source});
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kClients; ++i) go_hooked([&, i] { talk(server.port(), i); }, "client " + std::to_string(i));
    const auto failures = scheduler.run();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (const lab04::Failure& failure : failures)
        std::fprintf(stderr, "%s: %s\n", failure.task.c_str(), failure.what.c_str());
    const bool counted = Client(server.port()).ask("GET counter") == std::to_string(kClients * kRounds);
    std::printf(
        "%d clients on one thread, %d replies, %zu failures, in %.2f s; one after the other the blocked calls "
        "alone would take %.0f s\n",
        kClients, kClients * (3 * kRounds + 1), failures.size(), took, kClients * kBlocked);
    return failures.empty() && counted && took < kClients * kBlocked / 10 ? 0 : 1;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
