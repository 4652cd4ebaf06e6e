#include "extras/record/names.h"

#include <cxxabi.h>
#include <signal.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "extras/record/recording.h"
#include "traces/record/symbols/elf.h"
#include "traces/record/symbols/symbols.h"

namespace fiberscope::preload {
namespace {

constexpr std::size_t kMostName = 60;

class SignalsBlocked {
  public:
    SignalsBlocked() noexcept {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

/// The text of the template argument that begins at `begin`.
std::string_view argument_at(std::string_view name, std::size_t begin) {
    int depth = 0;
    for (std::size_t i = begin; i < name.size(); ++i) {
        const char c = name[i];
        if (c == '<' || c == '(' || c == '{') ++depth;
        if (c == '>' || c == ')' || c == '}') --depth;
        if (depth < 0 || (c == ',' && depth == 0)) return name.substr(begin, i - begin);
    }
    return name.substr(begin);
}

/// The program's function in the demangled entry of Boost.Fiber, …worker_context<FUNCTION, …>…, or of Boost.Context,
/// …fiber_entry<…fiber_record<fiber, stack, FUNCTION> >; empty for other names.
std::string_view function_in(std::string_view name) {
    constexpr std::string_view kWorker = "worker_context<", kRecord = "_record<";
    std::size_t at = name.find(kWorker);
    if (at != std::string_view::npos) return argument_at(name, at + kWorker.size());
    at = name.find(kRecord);
    if (at == std::string_view::npos) return {};
    at += kRecord.size();
    for (int skipped = 0; skipped < 2; ++skipped) at += argument_at(name, at).size() + 2;
    return at < name.size() ? argument_at(name, at) : std::string_view();
}

/// "main::{lambda(int)#1}" is "main::{lambda#1}".
std::string without_parameters(std::string name) {
    constexpr std::string_view kLambda = "{lambda(";
    for (std::size_t at = 0; (at = name.find(kLambda, at)) != std::string::npos;) {
        at += kLambda.size() - 1;
        const std::size_t end = name.find('#', at);
        if (end == std::string::npos) break;
        name.erase(at, end - at);
    }
    return name;
}

/// A readable form of a symbol. Of a pointer to a function Boost's entries have only the type.
std::string readable(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> whole(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    std::string_view function = whole == nullptr ? std::string_view() : function_in(whole.get());
    while (function.ends_with('&')) function.remove_suffix(1);
    if (function.ends_with(')')) return "fiber";
    if (!function.empty()) return without_parameters(std::string(function));
    if (symbol.find("+0x") == std::string::npos) return trace::detail::elf::demangled(symbol);
    return symbol.starts_with("libboost_fiber.so") ? "dispatcher" : "coroutine";  // a library without symbols
}

std::mutex names_mutex;

/// The name of the function at `entry`. It is looked up on a thread of its own, since demangling needs much stack. That
/// thread does not handle signals.
std::string name_at(std::uintptr_t entry) {
    static auto* known = new std::map<std::uintptr_t, std::string>;  // never destroyed: threads may outlive it
    const std::lock_guard guard(names_mutex);
    std::string& name = (*known)[entry];
    if (!name.empty()) return name;
    const SignalsBlocked blocked;
    const Uncancelled whole;
    std::thread([&] {
        trace::detail::symbols::locate_modules();
        name = readable(trace::detail::symbols::function_at(entry)).substr(0, kMostName);
    }).join();
    return name;
}

}  // namespace

std::string name_of_coroutine(std::uintptr_t entry) { return name_at(entry); }

std::string name_of_thread(std::uintptr_t entry) {
    const std::string name = name_at(entry);
    return name == "coroutine" || name.starts_with("execute_native_thread_routine") ? "thread" : name;
}

void hold_names() noexcept { names_mutex.lock(); }
void release_names() noexcept { names_mutex.unlock(); }

}  // namespace fiberscope::preload
