
#include <array>
#include <memory>
#include <sstream>

#include "testing/catch.h"
#include "traces/record/symbols/elf.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using nlohmann::json;

// Static, like a lab's coroutine functions: not known to the dynamic linker.
[[gnu::noinline]] static int coroutine_body(int n) {
    volatile int sum = 0;
    for (int i = 0; i < n; ++i) sum = sum + i;
    return sum;
}
static int some_data = 7;

namespace {

#if defined(__x86_64__)
constexpr std::span kNames = kRegistersX86_64;
constexpr std::size_t kPlain = 8;  // mxcsr
#else
constexpr std::span kNames = kRegistersAarch64;
constexpr std::size_t kPlain = 13;  // d8
#endif

using Values = std::vector<std::uint64_t>;

std::uint64_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
/// Without namespaces: in a unity build each test file has its own namespace.
std::string unqualified(const std::string& name) {
    const std::size_t last = name.rfind("::");
    return last == name.npos ? name : name.substr(last + 2);
}

std::uint64_t body_address() { return reinterpret_cast<std::uintptr_t>(&coroutine_body); }

std::string hex(std::uint64_t number) {
    std::ostringstream out;
    out << "0x" << std::hex << number;
    return out.str();
}

/// A switch from 0 to 1.
void record_resume(std::uint64_t now, std::string_view reason, const Registers& saved, const Registers& loaded) {
    static CausalStamp from, to;
    record_switch(now, switch_event(0, 1, Why::resume, State::normal), from, to, reason, saved, loaded);
}

json switch_with(const Registers& saved, const Registers& loaded, std::string_view reason = {}) {
    const json events = recorded_events([&] {
        record_resume(1, reason, saved, loaded);
        record(2, note_event(), "after");
    });
    CHECK(events.at(1).at("text") == "after");
    return events.at(0);
}

/// The symbolic form of `value` in the register `index`.
std::string in_words(std::uint64_t value, std::size_t index = 3) {
    Values values(kNames.size(), 0);
    values[index] = value;
    return switch_with({values, 0, 0}, {}).at("saved").at(std::string(kNames[index]));
}

}  // namespace

TEST_CASE("registers are written with their names, in order, and only as many as were given") {
    const Values values(kNames.size(), 42);
    const json line = switch_with({values, 0, 0}, {std::span(values).first(2), 0, 0}, "because \"so\"");
    CHECK(line.at("reason") == "because \"so\"");
    CHECK(line.at("saved").size() == kNames.size());
    for (const auto name : kNames) CHECK(line.at("saved").at(std::string(name)) == "0x2a");
    CHECK(line.at("loaded") == json{{std::string(kNames[0]), "0x2a"}, {std::string(kNames[1]), "0x2a"}});
    const json neither = switch_with({}, {});
    CHECK_FALSE(neither.contains("saved"));
    CHECK_FALSE(neither.contains("loaded"));
}

TEST_CASE("an address in the coroutine's stack is an offset from its top") {
    const std::vector<char> stack(0x2000);
    const std::uint64_t top = address(stack.data()) + 0x1000;
    const Values values{top - 0x58, top, top - 0x1000};
    const json line = switch_with({values, top, 0x1000}, {values, top - 0x10, 0x1000});
    CHECK(line.at("saved").at(std::string(kNames[0])) == "top-0x58");
    CHECK(line.at("saved").at(std::string(kNames[1])) == "top-0x0");
    CHECK(line.at("saved").at(std::string(kNames[2])) == "top-0x1000");
    CHECK(line.at("loaded").at(std::string(kNames[0])) == "top-0x48");
    CHECK(line.at("loaded").at(std::string(kNames[1])) == "memory");
}

TEST_CASE("code has its function's name, also of a static function, and an offset") {
    CHECK(coroutine_body(3) == 3);
    CHECK(unqualified(in_words(body_address())) == "coroutine_body+0x0");
    CHECK(unqualified(in_words(body_address() + 4)) == "coroutine_body+0x4");
    CHECK(in_words(reinterpret_cast<std::uintptr_t>(&declare_set) + 1) == "fiberscope::trace::declare_set+0x1");
}

TEST_CASE("other addresses are only marked as such, and numbers stay numbers") {
    const auto heap = std::make_unique<int>(1);
    CHECK(in_words(address(heap.get())) == "memory");
    CHECK(in_words(address(&some_data)) == "data");
    int local = 0;
    CHECK(in_words(address(&local)) == "memory");
    for (const std::uint64_t number : {0x0UL, 0x2aUL, 0x1e240UL, 0xffffUL, 0xdeadbeefcafef00dUL, ~0UL})
        CHECK(in_words(number) == hex(number));
}

TEST_CASE("control words and vector registers are never taken for addresses") {
    CHECK(in_words(body_address(), kPlain) == hex(body_address()));
}

TEST_CASE("more distinct code addresses than are looked up at once") {
    int nameless = 0;
    const json events = recorded_events([&] {
        for (std::uint64_t i = 0; i < 600; ++i) {
            const Values values{body_address() + i};
            record_resume(i, {}, {values, 0, 0}, {});
        }
    });
    for (const json& e : events)
        if (e.at("saved").at(std::string(kNames[0])).get<std::string>().find("+0x") == std::string::npos) ++nameless;
    CHECK(nameless == 0);
}

TEST_CASE("a signal handler can name code addresses that no earlier buffer contained") {
    const Scratch directory;
    const Values values{body_address() + 5, reinterpret_cast<std::uintptr_t>(&attach_machine) + 1};
    const int status = in_child([&] {
        open(directory / "t.json", meta());
        record_resume(1, {}, {values, 0, 0}, {});
        write_from_signal(1, "test");
    });
    CHECK(status == 0);
    const json saved = load(directory / "t.json").at("events").at(0).at("saved");
    CHECK(unqualified(saved.at(std::string(kNames[0]))) == "coroutine_body+0x5");
    CHECK(saved.at(std::string(kNames[1])) == "fiberscope::trace::attach_machine+0x1");
}

TEST_CASE("mangled names in a signal handler") {
    const auto plain = [](std::string_view mangled) {
        std::array<char, 256> memory;
        detail::Text text(memory.data(), memory.size());
        detail::elf::put_demangled(text, mangled);
        return std::string(text.view());
    };
    CHECK(plain("main") == "main");
    CHECK(plain("_Z4pingPv") == "ping");
    CHECK(plain("_ZL4pingPv") == "ping");
    CHECK(plain("_ZN3lab12_GLOBAL__N_14pingEi") == "lab::(anonymous namespace)::ping");
    CHECK(plain("_ZNKSt9exception4whatEv") == "std::exception::what");
    CHECK(plain("_Z3runIiEvT_") == "_Z3runIiEvT_");
    CHECK(plain("_ZZ4mainENKUlvE_clEv") == "_ZZ4mainENKUlvE_clEv");
    CHECK(plain("_ZN3lab") == "_ZN3lab");
    CHECK(plain("_ZN99999999999999999999999a") == "_ZN99999999999999999999999a");
}

TEST_CASE("names are shortened to what people call a function") {
    using detail::elf::without_parameters;
    CHECK(without_parameters("ping(void*)") == "ping");
    CHECK(without_parameters("lab::(anonymous namespace)::ping(int, char const*)") ==
          "lab::(anonymous namespace)::ping");
    CHECK(without_parameters("void run<int>(int)") == "run<int>");
    CHECK(without_parameters("std::vector<int (*)(char)> make<char>(char)") == "make<char>");
    CHECK(without_parameters("main::{lambda()#1}::operator()() const") == "main::{lambda()#1}::operator()");
    CHECK(without_parameters("A::get() const &") == "A::get");
    CHECK(without_parameters("f(int) [clone .cold]") == "f");
    CHECK(without_parameters("main") == "main");
}

TEST_CASE("a lambda is named after its enclosing function, also inside a std::function") {
    using detail::elf::demangled;
    CHECK(demangled("_ZZ4mainENKUlvE_clEv") == "main::{lambda#1}");
    CHECK(demangled("_ZNSt17_Function_handlerIFvvEZZN12_GLOBAL__N_19ping_pongERKN10fibersco"
                    "pe3kit11DemoOptionsEENKUlPKcE_clES8_EUlvE_E9_M_invokeERKSt9_Any_data") ==
          "(anonymous namespace)::ping_pong::{lambda#1}::{lambda#1}");
}
