// Writes event lines for the generators: one method call per event, with increasing times.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fiberscope::trace::testing {

class EventWriter {
  public:
    /// One event: `fields` is the rest of the object, "\"ev\":\"note\",…".
    void event(std::string_view fields, std::uint32_t machine = 0) {
        text_ +=
            "{\"t\":" + std::to_string(now_) + ",\"m\":" + std::to_string(machine) + "," + std::string(fields) + "}\n";
        ++count_;
    }
    void work(std::uint64_t ns) { now_ += ns; }
    std::uint64_t now() const { return now_; }
    std::size_t count() const { return count_; }
    const std::string& text() const { return text_; }

    void spawn(std::uint32_t co, std::string_view kind, const std::string& more = "") {
        event("\"ev\":\"spawn\"," + number("co", co) + "," + word("kind", kind) + "," +
              word("name", (kind == "thread" ? "main" : "co") + std::to_string(co)) + more);
    }
    void transfer(std::uint32_t from, std::uint32_t to, std::string_view why, std::string_view left,
                  const std::string& more = "") {
        event("\"ev\":\"switch\"," + number("from", from) + "," + number("to", to) + "," + word("why", why) + "," +
              word("left", left) + more);
    }
    void state(std::uint32_t co, std::string_view from, std::string_view to, std::string_view cause) {
        event("\"ev\":\"state\"," + number("co", co) + "," + word("from", from) + "," + word("to", to) + "," +
              word("cause", cause));
    }
    void set(std::string_view name, std::string_view role, std::string_view structure) {
        event("\"ev\":\"set\"," + word("set", name) + "," + word("role", role) + "," + word("structure", structure));
    }
    void member(std::string_view ev, std::string_view set, std::uint32_t co, const std::string& more = "") {
        event(word("ev", ev) + "," + word("set", set) + "," + number("co", co) + more);
    }

    static std::string number(std::string_view key, std::int64_t value) {
        return "\"" + std::string(key) + "\":" + std::to_string(value);
    }
    static std::string word(std::string_view key, std::string_view value) {
        return "\"" + std::string(key) + "\":\"" + std::string(value) + "\"";
    }

  private:
    std::string text_;
    std::uint64_t now_ = 0;
    std::size_t count_ = 0;
};

}  // namespace fiberscope::trace::testing
