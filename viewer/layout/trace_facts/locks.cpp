#include "viewer/layout/trace_facts/locks.h"

#include <algorithm>
#include <unordered_map>

namespace fiberscope::viewer {
namespace {

using trace::LockMode;
using trace::LockOp;

void leave(std::vector<LockUser>& users, std::uint32_t co) {
    const auto found = std::find_if(users.begin(), users.end(), [&](const LockUser& user) { return user.co == co; });
    if (found != users.end()) users.erase(found);
}

/// Applies a lock event to the lock's state `now`.
void take(const trace::Event& e, LockNow& now) {
    const auto mode = e.second<LockMode>();
    switch (e.first<LockOp>()) {
    case LockOp::acquire:
        leave(now.waiters, e.co);
        if (mode != LockMode::cond) now.holders.push_back({e.co, mode});
        break;
    case LockOp::block:
    case LockOp::wait: now.waiters.push_back({e.co, mode}); break;
    case LockOp::release: leave(now.holders, e.co); break;
    case LockOp::timeout: leave(now.waiters, e.co); break;
    case LockOp::signal:
        if (!now.waiters.empty()) now.waiters.erase(now.waiters.begin());
        break;
    case LockOp::broadcast: now.waiters.clear(); break;
    }
}

/// "A", "A and B", "A, B and 3 more".
std::string names(const trace::Trace& trace, const std::vector<std::uint32_t>& who, std::size_t most,
                  Language language) {
    const std::size_t named = who.size() > most ? std::max<std::size_t>(1, most - 1) : who.size();
    std::string text;
    for (std::size_t i = 0; i < named; ++i) {
        const bool last = i + 1 == who.size();
        text += (i == 0 ? "" : say(language, last ? mark(" and ", "list") : mark(", ", "list"))) + trace.name(who[i]);
    }
    return named == who.size() ? text : say(language, "{0} and {1} more", text, who.size() - named);
}

/// "A and B read" for the `users` in one mode; empty if there are none.
std::string of_mode(const trace::Trace& trace, const std::vector<LockUser>& users, LockMode mode, Text key,
                    std::size_t most, Language language) {
    std::vector<std::uint32_t> who;
    for (const LockUser& user : users)
        if (user.mode == mode) who.push_back(user.co);
    return who.empty() ? std::string() : say(language, key, names(trace, who, most, language), who.size());
}

}  // namespace

std::vector<LockNow> locks_at(const trace::Replay& replay, const TraceIndex& index) {
    std::vector<LockNow> locks;
    std::unordered_map<std::uint32_t, std::size_t> places;  // by object
    for (const std::uint32_t n : index.locks()) {
        if (n >= replay.at()) break;
        const trace::Event& e = replay.trace()[n];
        const auto [place, added] = places.try_emplace(e.text, locks.size());
        if (added) locks.push_back({e.text, {}, {}});
        take(e, locks[place->second]);
    }
    // A waiter that timed out reports it only when it runs again, but no longer waits for a signal.
    for (LockNow& lock : locks)
        std::erase_if(lock.waiters, [&](const LockUser& user) {
            return user.mode == LockMode::cond && user.co < replay.coroutines() &&
                   replay.coroutine(user.co).state == trace::State::ready;
        });
    return locks;
}

std::string lock_in_words(const trace::Trace& trace, const LockNow& lock, Language language, std::size_t named) {
    std::string words;
    const auto add = [&](const std::string& part) {
        if (!part.empty()) words += words.empty() ? part : say(language, "; {0}", part);
    };
    add(of_mode(trace, lock.holders, LockMode::mutex, mark("{0} {1:holds|hold} it"), named, language));
    add(of_mode(trace, lock.holders, LockMode::read, mark("{0} {1:reads|read}"), named, language));
    add(of_mode(trace, lock.holders, LockMode::write, mark("{0} {1:writes|write}"), named, language));
    if (lock.waiters.empty() && lock.holders.empty()) return say(language, "no task holds it or waits");
    if (lock.holders.empty() && lock.waiters.front().mode != LockMode::cond)  // a condition is never held
        add(say(language, "no task holds it"));
    add(of_mode(trace, lock.waiters, LockMode::mutex, mark("{0} {1:waits|wait}"), named, language));
    add(of_mode(trace, lock.waiters, LockMode::read, mark("{0} {1:waits|wait} to read"), named, language));
    add(of_mode(trace, lock.waiters, LockMode::write, mark("{0} {1:waits|wait} to write"), named, language));
    add(of_mode(trace, lock.waiters, LockMode::cond, mark("{0} {1:waits|wait} for its signal"), named, language));
    return words;
}

}  // namespace fiberscope::viewer
