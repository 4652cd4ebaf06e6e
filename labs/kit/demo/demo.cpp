#include "labs/kit/demo/demo.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "labs/kit/demo/command_line.h"
#include "labs/kit/fault/fault.h"
#include "labs/kit/machines/explore_main.h"
#include "labs/kit/machines/lock_cost.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/lab_meta.h"
#include "labs/kit/run/trace.h"
#include "languages/spoken_error.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

namespace {

using detail::DemoCall;

void record(const DemoCall& call) {
    const Demo& demo = *call.demo;
    trace::Meta meta = lab_meta(demo.name, call.strategy);
    meta.clock = call.clock;
    meta.seed = call.options.seed;
    meta.has_seed = true;
    // The only option of a demo that names a file is a workload.
    meta.workload = std::filesystem::path(call.options.option("file", "")).filename().string();
    for (auto* pair = demo.names; pair != nullptr && (*pair)[0] != nullptr; ++pair) meta.names[(*pair)[0]] = (*pair)[1];
    start_trace(call.out, meta);
    choose_lock_cost(call.options.lock_ns);
    if (call.clock != "virtual") trace::write_in_background();  // so that it can be watched while running
    install_fault_handler();
    demo.run(call.options);
    end_trace();
    std::printf("%s\n", call.out.c_str());
}

/// Calls `act`; returns its result as an exit status.
template <class Act>
int done_or_told(const DemoCall& call, Act act) {
    try {
        act();
    } catch (const std::exception& error) {
        tell_person(message("{0}: {1}", call.demo->name, Value::of(message_of(error))));
        return 1;
    }
    return 0;
}

/// One process for each strategy: a process has only one trace and one virtual time.
int record_all(DemoCall call) {
    const std::string directory = call.out;
    int failed = 0;
    for (const char* strategy : call.demo->strategies) {
        call.strategy = strategy;
        call.out = directory + "/" + call.demo->name + "_" + strategy + ".json";
        call.settle();
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0) std::exit(done_or_told(call, [&] { record(call); }));
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) failed = 1;
    }
    return failed;
}

/// Explores a demo; `options` is what follows --explore.
int explore(const DemoCall& call, std::span<char* const> options) {
    if (std::string_view(call.demo->clocks.front()) == "monotonic" || detail::explore_main == nullptr) {
        tell_person(message("the demo '{0}' has nothing to explore: its machines are not those of a scheduler",
                            call.demo->name));
        return 2;
    }
    return detail::explore_main(call.demo->name, options, false, [&] { call.demo->run(call.options); });
}

std::vector<Demo>& more_demos() {
    static std::vector<Demo> demos;
    return demos;
}

}  // namespace

void speak_language_of_environment() {
    static const Language language = language_of_environment();
    static std::string line;
    line.reserve(16384);
    put_formatted(line, "-", language);  // makes its table
    set_person_teller([](std::string_view message) noexcept {
        line.clear();
        put_formatted(line, message, language);
        line += '\n';
        if (::syscall(SYS_write, STDERR_FILENO, line.data(), line.size()) < 0) return;
    });
}

MoreDemos::MoreDemos(std::initializer_list<Demo> demos) { more_demos().insert(more_demos().end(), demos); }

std::vector<Demo> all_demos(std::span<const Demo> own) {
    std::vector<Demo> all(own.begin(), own.end());
    all.insert(all.end(), more_demos().begin(), more_demos().end());
    return all;
}

int demo_main(int argc, char** argv, std::span<const Demo> demos) {
    speak_language_of_environment();
    const std::span<char* const> words = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
    const auto explores = std::ranges::find(words, std::string_view("--explore"));
    int status = 0;
    auto call = detail::read_demo_call({words.begin(), explores}, demos, status);
    if (!call) return status;
    call->settle();  // again: its views refer to its strings, and it was moved
    if (call->options.lock_ns != 0 && call->clock != "virtual") {
        tell_person(message("--lock-ns is virtual time: it needs --clock virtual"));
        return 2;
    }
    if (explores != words.end()) return explore(*call, {explores + 1, words.end()});
    const auto check = [&] { call->demo->check(call->options); };
    if (call->demo->check != nullptr && done_or_told(*call, check) != 0) return 1;
    return call->strategy == "all" ? record_all(*call) : done_or_told(*call, [&] { record(*call); });
}

}  // namespace fiberscope::kit
