// What the pages name as code is somewhere in the tree: a function, a type, a field, a file, a sample, a wrong
// solution, or a name of one of the described systems (docs/names.md).
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using Words = std::set<std::string>;

using fiberscope::testing::read;

bool part_of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// By hand: a regular expression takes seconds for the whole tree.
void add_words(const std::string& text, Words& words) {
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && part_of_a_word(text[end])) ++end;
        if (end > i) words.insert(text.substr(i, end - i));
        i = end + 1;
    }
}

bool is_source(const fs::path& file) {
    static const std::set<std::string> kEndings{".h",  ".cpp", ".S",     ".json", ".sh",
                                                ".py", ".txt", ".cmake", ".pml",  ""};
    return kEndings.contains(file.extension().string());
}

/// The files of the tree, without what is built, hidden or downloaded.
std::vector<fs::path> files() {
    std::vector<fs::path> found;
    for (auto it = fs::recursive_directory_iterator(ROOT); it != fs::recursive_directory_iterator(); ++it) {
        const std::string name = it->path().filename().string();
        if (it->is_directory() && (name.starts_with('.') || name == "samples" || (name == "build" && it.depth() == 0)))
            it.disable_recursion_pending();
        else if (it->is_regular_file())
            found.push_back(it->path());
    }
    return found;
}

/// What other systems and the world outside have, beside the names in docs/names.md.
constexpr const char* kForeign =
    // C++, the C library, the kernel
    "__cxa_allocate_exception __start_context __fpregs_mem co_await EPOLLEXCLUSIVE SA_RESTART close_range epoll_pwait2 "
    "timer_create pthread_getspecific pthread_setspecific get_id busy_poll Slab EVFILT_PROC EVFILT_SIGNAL EVFILT_TIMER "
    "EVFILT_USER EV_CLEAR EV_ONESHOT ADD DEL MOD "
    // other libraries and languages
    "event_base_init_common_timeout setInterval InheritableThreadLocal co_cond_broadcast MainFunc coWrapFunc mainCtx_ "
    "coctx_t Gwaiting DecompressionStream "
    // NtyCo's code, beyond its description
    "nty_coroutine_wait_cmp sleep_usecs nty_ BUSY EXITED WAIT_READ WAIT_WRITE WAIT_MULTI t_thread_fiber "
    // netco's and the Ring design's code, beyond their descriptions
    "CO_READY CO_RUNNING CO_WAITING CO_DEAD RVM_CallInfo RVM_RuntimeStack resume_pc G_STATUS_RUNNABLE G_STATUS_RUNNING "
    "G_STATUS_SUSPENDED G_STATUS_DEAD "
    // made up of parts, in CMake or in a benchmark
    "lab05_bench overshoot_p50 overshoot_p99 overshoot_loaded_p50 overshoot_loaded_p99 "
    // names that questions and examples propose
    "errno_here upgrade try_upgrade shared_asm_N private_asm_N labNN_mutant_ _2 _4";

Words known_words() {
    Words words;
    for (const fs::path& file : files()) {
        add_words(file.filename().string(), words);
        if (is_source(file) && file.filename() != "symbols_test.cpp") add_words(read(file), words);
    }
    for (const auto& sample : fs::directory_iterator(fs::path(ROOT) / "traces/samples"))
        add_words(sample.path().stem().string(), words);
    add_words(read(fs::path(ROOT) / "docs/names.md"), words);
    add_words(kForeign, words);
    return words;
}

/// The last word of each piece of code on a page that is a name: with a capital, an underscore, "::" or parentheses.
Words symbols(const std::string& page) {
    const std::string prose = std::regex_replace(page, std::regex("(^|\n)[ ]*```[^]*?\n[ ]*```"), "");
    static const std::regex kName("`((?:[A-Za-z_0-9]+::)*~?([A-Za-z_0-9]+)(\\([^()`\n]*\\))?)`");
    static const std::regex kDistinct("[A-Z_(]|::");
    Words found;
    for (std::sregex_iterator it(prose.begin(), prose.end(), kName), end; it != end; ++it)
        if (const std::string whole = (*it)[1]; std::regex_search(whole, kDistinct)) found.insert((*it)[2]);
    return found;
}

}  // namespace

TEST_CASE("symbols: every name that a page gives as code is in the tree") {
    const Words known = known_words();
    std::string found;
    std::size_t looked_at = 0;
    for (const fs::path& page : files()) {
        if (page.extension() != ".md") continue;
        for (const std::string& symbol : symbols(read(page))) {
            ++looked_at;
            if (!known.contains(symbol))
                found += page.lexically_relative(ROOT).string() + " names " + symbol + ", which is nowhere\n";
        }
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(looked_at > 500);
}

TEST_CASE("symbols: names are distinguished from words") {
    CHECK(symbols("`make_ready(task)` `kit::Core` `word` `two words` `~Coroutine` `rbx` `done()`") ==
          Words{"Core", "Coroutine", "done", "make_ready"});
    CHECK(symbols("```\n`inside_a_block`\n```\n").empty());
}

TEST_CASE("symbols: the page for instructors says what to show with every sample") {
    const std::string page = read(fs::path(ROOT) / "docs/instructors.md");
    std::string missing;
    for (const auto& sample : fs::directory_iterator(fs::path(ROOT) / "traces/samples"))
        if (page.find("`" + sample.path().stem().string() + "`") == std::string::npos)
            missing += sample.path().stem().string() + "\n";
    INFO(missing);
    CHECK(missing.empty());
}
