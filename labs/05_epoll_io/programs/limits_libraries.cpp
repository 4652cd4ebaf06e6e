// Libraries, if installed: their per-thread state is shared by all tasks.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "labs/05_epoll_io/programs/limits.h"

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#endif
#if __has_include(<openssl/err.h>)
#include <openssl/err.h>
#endif

namespace fiberscope::lab05::limits {

namespace {

#if __has_include(<sqlite3.h>)
class Database {
  public:
    explicit Database(const std::string& path) {
        sqlite3_open(path.c_str(), &connection_);
        sqlite3_busy_handler(
            connection_, [](void*, int) { return ::usleep(1000) == 0 ? 1 : 0; }, nullptr);
    }
    ~Database() { sqlite3_close(connection_); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    bool run(const std::string& words) {
        return sqlite3_exec(connection_, words.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    }
    int rows() {
        int count = 0;
        const auto take = [](void* to, int, char** values, char**) {
            return *static_cast<int*>(to) = std::stoi(*values), 0;
        };
        sqlite3_exec(connection_, "SELECT count(*) FROM t", take, &count, nullptr);
        return count;
    }

  private:
    sqlite3* connection_ = nullptr;
};

/// Runs a transaction that inserts two rows. Returns how many rows it believes to have inserted after the commit.
int insert_two(Database& database) {
    const bool begun = database.run("BEGIN IMMEDIATE");
    bool well = begun && database.run("INSERT INTO t VALUES (1)");
    ::usleep(2000);  // a hooked call in between
    well = well && database.run("INSERT INTO t VALUES (2)");
    if (well && database.run("COMMIT")) return 2;
    database.run("ROLLBACK");
    return 0;
}

void sqlite(Findings& findings) {
    const std::string path = std::filesystem::temp_directory_path() / ("fiberscope-" + std::to_string(::getpid()));
    Database one(path);
    one.run("CREATE TABLE t (n)");
    int believed = 0;
    const auto insert = [&] { believed += insert_two(one); };
    run_both(insert, insert);
    findings.add("two tasks in one connection of sqlite: one failed, and rolled back the other's insertion",
                 believed < 4);
    one.run("DELETE FROM t");
    believed = 0;
    const auto insert_by_own = [&] {
        Database own(path);
        believed += insert_two(own);
    };
    run_both(insert_by_own, insert_by_own);
    findings.add("instead: a connection for each task", believed == 4 && one.rows() == 4);
    std::filesystem::remove(path);
}
#endif

#if __has_include(<openssl/err.h>)
void queue_of_errors(Findings& findings) {
    unsigned long seen = 0, own = 0;
    const auto fail = [] { ERR_raise(ERR_LIB_USER, 42); };
    run_both(
        [&] {
            fail();
            ::usleep(1000);
            ERR_clear_error();
        },
        [&] { seen = ERR_peek_error(); });
    findings.add("a task sees another task's OpenSSL error: the error queue belongs to the thread", seen != 0);
    run_both(
        [&] {
            fail();
            own = ERR_get_error();  // before the next hooked call
            ::usleep(1000);
        },
        [&] { seen = ERR_peek_error(); });
    findings.add("instead: read it before the next hooked call", ERR_GET_REASON(own) == 42 && seen == 0);
}
#endif

const std::vector<Demo>& all() {
    static const std::vector<Demo> demos = {
#if __has_include(<sqlite3.h>)
        {"sqlite", "shared by all tasks", sqlite},
#endif
#if __has_include(<openssl/err.h>)
        {"openssl", "shared by all tasks", queue_of_errors},
#endif
    };
    return demos;
}

}  // namespace

std::span<const Demo> demos_of_libraries() { return all(); }

}  // namespace fiberscope::lab05::limits
