// docs/names.md: what the six descriptions name, and where it is here. Every file and every name of ours must be there,
// and no name of theirs may be missing.
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

enum Column : std::size_t { theirs, ours, file, step, differs, columns };

using Row = std::vector<std::string>;

/// The cells of the tables of a page, without their headings.
std::vector<Row> rows(const std::string& page) {
    std::vector<Row> all;
    std::istringstream lines(page);
    static const std::regex kCell("\\| ([^|]*[^| ]|) *(?=\\|)");
    for (std::string line, before; std::getline(lines, line); before = line) {
        if (line.starts_with("|---") && !all.empty()) all.pop_back();
        if (!line.starts_with('|') || line.starts_with("|---")) continue;
        Row row;
        for (std::sregex_iterator it(line.begin(), line.end(), kCell), end; it != end; ++it) row.push_back((*it)[1]);
        all.push_back(row);
    }
    return all;
}

std::vector<std::string> matches(const std::string& text, const char* pattern, std::size_t group) {
    const std::regex regex(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) found.push_back((*it)[group]);
    return found;
}
std::vector<std::string> code(const std::string& text) { return matches(text, "`([^`]+)`", 1); }
std::vector<std::string> words(const std::string& text) { return matches(text, "[A-Za-z_][A-Za-z_0-9]*", 0); }

bool has_word(const std::string& text, const std::string& word) {
    return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

/// What is wrong with a row; empty if nothing is. `root`: below it are the files that rows name.
std::string wrong_with(const Row& row, const fs::path& root) {
    if (row.size() != columns) return "not five cells";
    if (row[ours] == "–") return row[differs].empty() ? "is not here, and no reason is given" : "";
    std::string text;
    for (const std::string& name : code(row[file])) {
        if (!fs::exists(root / name)) return name + " is not there";
        text += read(root / name);
    }
    for (const std::string& name : code(row[ours]))
        for (const std::string& word : words(name))
            if (!has_word(text, word)) return word + " is not in " + row[file];
    return text.empty() ? "names no file" : "";
}

/// What the descriptions name. Words of the page's first column.
constexpr const char* kTheirs[] = {
    // NtyCo
    "nty_coroutine_create nty_schedule_run nty_coroutine_yield nty_coroutine_resume nty_coroutine_sleep _exec _switch",
    "nty_coroutine_init nty_coroutine_get_sched nty_coroutine_sched_key_creator sched_key_once nty_schedule_create",
    "nty_coroutine_usec_now sleep_tree_expired wait_tree_search TAILQ_ADD TAILQ_POP nty_socket nty_accept nty_recv",
    "nty_send nty_close ctx func arg stack stack_size status sched birth id sleep_node wait_node ready_next defer_next",
    "fd events curr_thread page_size spawned_coroutines poller_fd eventfd eventlist nevents num_new_events ready "
    "sleeping",
    "waiting esp ebp eip edi esi ebx r1 r4 r5",
    // libco
    "co_create co_create_env co_init_curr_thread_env co_get_curr_thread_env co_resume co_yield_ct co_yield_env "
    "co_yield",
    "co_swap coctx_make coctx_swap CoRoutineFunc co_free co_release co_poll co_poll_inner OnPollPreparePfn",
    "OnPollProcessEvent co_eventloop co_epoll_wait co_epoll_res_alloc GetTickMS TakeAllTimeout AddTimeout AddTail "
    "PopHead",
    "Join co_cond_timedwait co_cond_signal co_enable_hook_sys co_hook_sys_call dlsym co_accept co_getspecific",
    "co_setspecific co_set_env_list readwrite_coroutine g_readwrite accept_routine example_cond env pfn cStart cEnd",
    "cIsMain cEnableSysHook cIsShareStack pvEnv stack_mem stStackMem_t stack_sp save_size save_buffer aSpec stCoSpec_t",
    "stCoRoutine_t stCoRoutineEnv_t pCallStack iCallStackSize pEpoll pending_co occupy_co stCoRoutineAttr_t",
    "stShareStack_t stCoEpoll_t iEpollFd _EPOLL_SIZE result pTimeout stTimeout_t pstTimeoutList pstActiveList",
    "co_epoll_res size eventlist stPoll_t stPollItem_t stTimeoutItem_t pfnPrepare pfnProcess bTimeout ullExpireTime",
    "stTimeoutItemLink_t stCoCond_t",
    // sylar
    "Fiber READY RUNNING TERM resume yield m_runInScheduler SetThis GetThis schedule run m_tasks start stop idle",
    "use_caller IOManager tickle addEvent delEvent cancelEvent cancelAll FdContext Timer TimerManager addTimer",
    "listExpiredCb getNextTimer",
    // netco
    "makeContext makeCurContext swapToMe getUCtx ObjPool MemPool union Epoller getExpiredCoroutines runAt runAfter "
    "wakeUp",
    "resetTimeOfTimefd priority_queue Processor newCoroutines_ actCoroutines_ timerExpiredCo_ removedCo_ Scheduler",
    "netco_api co_go co_sleep Socket RWMutex rlock runlock wlock wunlock getcontext setcontext makecontext swapcontext",
    "uc_link",
    // cloudwu/coroutine
    "coroutine_open coroutine_close coroutine_new coroutine_resume coroutine_yield coroutine_status coroutine_running",
    "mainfunc _save_stack dummy memcpy STACK_SIZE main nco cap running co ud sch SUSPEND DEAD uint32_t",
    // M:G
    "RingCoroutine co_id goid G_STATUS_IDLE RUNNABLE SUSPENDED runtime_stack call_info coroutine_resume_pc m_id "
    "is_system",
    "defer_list defer_list_size last_run_time Machine running_g thread_id local_runnable_gs local_queue_mutex "
    "park_count",
    "is_main machines global_runnable_gs global_queue_mutex global_runnable_count init_scheduler create_machine",
    "machine_run steal_work execute_g finish_g yield_g yield_coroutine resume_g resume_coroutine coroutine_map",
    "get_machine_by_id park_machine wakeup_parked_machines launch_root_coroutine ring_virtualmachine_create",
    "ring_virtualmachine_init",
};

}  // namespace

TEST_CASE("names: every file and every name that the page of names gives is there") {
    const std::vector<Row> all = rows(read(fs::path(ROOT) / "docs/names.md"));
    std::string found;
    for (const Row& row : all)
        if (const std::string wrong = wrong_with(row, fs::path(ROOT) / "labs"); !wrong.empty())
            found += row.at(theirs) + ": " + wrong + "\n";
    INFO(found);
    CHECK(found.empty());
    CHECK(all.size() > 200);
}

TEST_CASE("names: no name of the six descriptions is missing") {
    std::string first_column, missing;
    for (const Row& row : rows(read(fs::path(ROOT) / "docs/names.md"))) first_column += row.at(theirs) + "\n";
    for (const char* line : kTheirs)
        for (const std::string& name : words(line))
            if (!has_word(first_column, name)) missing += name + "\n";
    INFO(missing);
    CHECK(missing.empty());
}

TEST_CASE("names: a row with a file, a name or a reason that is missing is found") {
    const fs::path root = fs::path(ROOT) / "testing/tests";
    const auto wrong = [&](const std::string& row) { return wrong_with(rows(row + "\n").at(0), root); };
    CHECK(wrong("| `a` | `has_word` | `names_test.cpp` | – |  |").empty());
    CHECK(wrong("| `a` | – | – | – | not built |").empty());
    CHECK(wrong("| `a` | – | – | – |  |") == "is not here, and no reason is given");
    CHECK(wrong("| `a` | `b` | `no.cpp` | – |  |") == "no.cpp is not there");
    CHECK(wrong(std::string("| `a` | `has_") + "words` | `names_test.cpp` | – |  |") ==
          std::string("has_") + "words is not in `names_test.cpp`");
    CHECK(wrong("| `a` | `b` | – | – |  |") == "b is not in –");
}
