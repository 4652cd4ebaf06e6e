#include "traces/replay/answers.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "traces/read/printable.h"

namespace fiberscope::trace {
namespace {

constexpr std::string_view kCounted = ": answers after ", kUnit = " ns";

/// Parses "33800, 31200"; returns false for anything else.
bool parse_numbers(std::string_view text, std::vector<std::uint64_t>& numbers) {
    for (const char *at = text.data(), *end = at + text.size();;) {
        std::uint64_t number = 0;
        const auto [after, error] = std::from_chars(at, end, number);
        if (error != std::errc()) return false;
        numbers.push_back(number);
        if (after == end) return true;
        if (end - after < 2 || after[0] != ',' || after[1] != ' ') return false;
        at = after + 2;
    }
}

class Clients {
  public:
    explicit Clients(const Trace& trace) : trace_(trace) {
        for (std::size_t n = 0; n < trace.size(); ++n) {
            const Kind kind = trace.kind(n);
            if (kind == Kind::io) look_at_call(trace[n]);
            if (kind == Kind::note) look_at_note(trace[n]);
        }
        std::erase_if(all, [](const ClientAnswers& one) { return one.took.empty(); });
    }

    std::vector<ClientAnswers> all;

  private:
    /// The state of a task at one descriptor.
    struct Talk {
        bool asks = false;
        bool waits = false;
        std::uint64_t asked = 0;
        std::size_t client = 0;  ///< index into all
    };

    void look_at_call(const Event& e) {
        const bool ends = e.first<IoPhase>() == IoPhase::done;
        if ((e.first<IoPhase>() != IoPhase::call && !ends) || e.set == kNone) return;
        const std::string_view op = trace_.text(e.text).bytes();
        const bool writes = op.starts_with("send") || op.starts_with("write");
        if (!writes && !op.starts_with("recv") && !op.starts_with("read")) return;
        const auto [found, is_new] = talks_.try_emplace({e.co, e.set});
        Talk& talk = found->second;
        if (is_new && writes) begin(talk, e.co);
        if (!talk.asks) return;
        if (writes && !ends && !talk.waits) talk = {true, true, e.t, talk.client};
        if (writes || !ends || !talk.waits || e.y <= 0) return;
        all[talk.client].took.push_back(e.t - talk.asked);
        talk.waits = false;
    }
    void begin(Talk& talk, std::uint32_t co) {
        talk.asks = true;
        const auto [found, is_new] = of_task_.try_emplace(co, all.size());
        if (is_new) all.push_back({trace_.name(co), {}});
        talk.client = found->second;
    }
    void look_at_note(const Event& e) {
        const std::string english = english_of(trace_.text(e.text).bytes());
        const std::string_view text = english;
        const std::size_t name = text.find(kCounted);
        if (name == std::string_view::npos || !text.ends_with(kUnit)) return;
        const std::size_t from = name + kCounted.size(), to = text.size() - kUnit.size();
        std::vector<std::uint64_t> numbers;
        if (from < to && parse_numbers(text.substr(from, to - from), numbers))
            all.push_back({printable(std::string(text.substr(0, name))), std::move(numbers)});
    }

    const Trace& trace_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Talk> talks_;  // by task and descriptor
    std::map<std::uint32_t, std::size_t> of_task_;                   // index into all
};

}  // namespace

std::vector<ClientAnswers> answers_of(const Trace& trace) { return Clients(trace).all; }

}  // namespace fiberscope::trace
