#include "labs/grader/words/words.h"

#include <array>
#include <cstdlib>
#include <initializer_list>

namespace fiberscope::grader {
namespace {

constexpr auto kWords = static_cast<std::size_t>(W::count);
using Table = std::array<std::string_view, kWords>;

struct Row {
    W word;
    std::string_view text;
};

template <std::size_t N>
constexpr Table table(const Row (&rows)[N]) {
    Table all{};
    for (const Row& row : rows) all[static_cast<std::size_t>(row.word)] = row.text;
    return all;
}

constexpr Table kEnglish = table({
    {W::your_files, "Lab {0}, your files in exercise/"},
    {W::one_passes, "its test passes"},
    {W::all_pass, "all {0} tests pass"},
    {W::some_pass, "{0} of {1} tests pass"},
    {W::not_tried, "not tried: three earlier tests did not end"},
    {W::not_yet, "not implemented yet"},
    {W::needs_step, "needs step {0} first"},
    {W::challenge, " (challenge)"},
    {W::optional_step, " (optional)"},
    {W::unseen_of_step, "What step {0} asks for and its tests cannot see:"},
    {W::seen_from, "{0} (checked from {1} on)"},
    {W::seen_by_none, "{0} (no test sees it)"},
    {W::next_step, "Next: step {0}, {1}"},
    {W::next_optional, "Optional: step {0}, {1}"},
    {W::earlier_failed, "Step {0} did not pass when it was checked last. If this step needs it, repair that first."},
    {W::next_whole_lab, "Next: the whole lab"},
    {W::repair_step, "Repair step {0}, {1}"},
    {W::repair_below, "Lab {0}, which this one stands on: {1}. Repair that first."},
    {W::some_of_step, "{0} of {1} tests of {2} pass"},
    {W::tests_do_not_compile, "your files there do not compile"},
    {W::below_is_right, "The labs that this one stands on pass their tests, or are given: look for the mistake here."},
    {W::solve_below, "Lab {0}, which this one stands on, is not solved: its step {1} is still to do. Do that first."},
    {W::passes_on_stand_in,
     "With others in place of your files of the labs that this one stands on, this test passes: the mistake is in your "
     "files there, though the tests of those labs do not find it."},
    {W::fails_on_stand_in,
     "With others in place of your files of the labs that this one stands on, this test fails too: the mistake is in "
     "this lab."},
    {W::building_others,
     "lab: building {0}, to tell in which lab the mistake is (only this once; it may take some minutes)"},
    {W::is_building, "lab: building your files and the tests, {0}"},
    {W::read_label, "read"},
    {W::edit_label, "edit"},
    {W::or_label, "or  "},
    {W::type_label, "type"},
    {W::watch_it, "watch it"},
    {W::solved, "The lab is solved."},
    {W::rest_is_optional, "The lab is solved; what is left is optional."},
    {W::no_such_step, "No step and no test of the lab is called \"{0}\". The steps are{1}."},
    {W::passed, "passed"},
    {W::not_implemented, "not implemented yet: step {0}, {1}"},
    {W::needs_a_later_step,
     "it called a function of step {0} ({1}), which comes later: if step {2} is right, this test does not need it"},
    {W::threw_to_a_later_step,
     "an exception was thrown: {0}. Only step {1} ({2}), which comes later, catches it: if step {3} is right, this "
     "test "
     "does not need that"},
    {W::left_early,
     "the program left with status {0} before the test came to its end (exit or _exit was called, or the stack that "
     "main runs on was left and never entered again)"},
    {W::does_not_hold, "what the test expects does not hold"},
    {W::asserted_nothing, "the test asserted nothing"},
    {W::crashed, "crashed: {0}"},
    {W::test_expects, "The test expects: {0}"},
    {W::signal_there, "{0} {1}: {2}"},
    {W::no_fault_handler, "The kit's fault handler could not run: the damage reaches its own memory or stack."},
    {W::over_processor, "did not end within {0} of processor time"},
    {W::over_idle,
     "made no progress: for {0} it used hardly any processor time; it waits for something that does not happen"},
    {W::over_wall,
     "did not end within {0}, though it used only {1} of a processor: it waits and looks, again and again"},
    {W::over_wall_busy, "did not end within {0}; it used {1} of a processor, the machine is busy: check again later"},
    {W::also_alone, "; also when it was run again, alone"},
    {W::waits_to_read, "'{0}' waits for fd {1} to be readable"},
    {W::waits_to_write, "'{0}' waits for fd {1} to be writable"},
    {W::is_ready, "'{0}' is ready, and no machine runs it"},
    {W::is_in_state, "'{0}' is {1}"},
    {W::is_readable_now, ": it is readable now, and '{0}' was not woken"},
    {W::is_writable_now, ": it is writable now, and '{0}' was not woken"},
    {W::peer_is_gone, ": its peer is gone, and '{0}' was not woken"},
    {W::descriptor_is_closed, ": it is closed now, and '{0}' was not woken"},
    {W::nothing_has_come, ": nothing has come there"},
    {W::others_too, "and others"},
    {W::it_was, "; it was {0}"},
    {W::outside_coroutines, "outside any coroutine"},
    {W::in_coroutine, "in coroutine {0}"},
    {W::so_deep, ", {0} deep"},
    {W::on_stack_of, ", on a stack of {0}"},
    {W::bytes, "bytes"},
    {W::printed, "It printed:"},
    {W::printed_at_end, "It printed, at the end:"},
    {W::printed_without_end, "It printed without end; of the first {0} the last lines are:"},
    {W::expected, "expected"},
    {W::got, "got     "},
    {W::at, "at      "},
    {W::in_function, "in       "},
    {W::called_by, "called by"},
    {W::more_of_the_kind, "and {0} more of the kind"},
    {W::also_failed, "✗ {0}: {1}"},
    {W::others_say_so, "other tests that say the same: {0}"},
    {W::others_not_tried, "Tests that were not tried, because three others did not end: {0}"},
    {W::sigsegv, "a memory access that is not allowed (SIGSEGV)"},
    {W::sigbus, "a memory access that cannot be served (SIGBUS)"},
    {W::sigill, "an instruction that does not exist (SIGILL)"},
    {W::sigfpe, "an arithmetic error, such as a division by zero (SIGFPE)"},
    {W::sigabrt, "the program gave up (SIGABRT: abort, or std::terminate)"},
    {W::sigkill, "it was killed from outside (SIGKILL; out of memory?)"},
    {W::sigtrap, "a breakpoint or trap (SIGTRAP)"},
    {W::sigpipe, "a write to a closed pipe or socket (SIGPIPE), and nothing held the signal back: MSG_NOSIGNAL?"},
    {W::other_signal, "signal {0}"},
    {W::last_events, "The last events:"},
    {W::event_line, "#{0}  at {1}  {2}"},
    {W::register_changed, "≠ {0} {1} was {2}, loaded into {3}"},
    {W::trace_is_cut, "The recording stops at {0} MiB: {1} later events are not in it."},
    {W::no_event, "No event reached the file (a process that is killed, or leaves by _exit, loses the last ones)."},
    {W::unreadable_trace, "The trace cannot be read: {0}"},
    {W::no_trace, "It left no trace."},
    {W::trace_at, "The trace:"},
    {W::watch_trace, "Watch it: "},
    {W::nothing_to_watch, "There is nothing to watch: the test made no coroutine, or only in a process of its own."},
    {W::in_gdb, "In gdb:   "},
    {W::core_dump, "The core: "},
    {W::no_core_dump, "It left no core dump: the kernel's setting is '{0}', or 'ulimit -H -c' is 0."},
    {W::the_lab, "The lab"},
    {W::does_not_compile, "{0} does not compile. The compiler says:"},
    {W::does_not_link, "{0} does not link. The linker says:"},
    {W::is_not_defined, "{0} is declared and used, but no file defines it."},
    {W::is_not_defined_in, "{0} is declared and used, but no file defines it: {1} lacks it."},
    {W::more_lines, "… and {0} lines more; repair these first"},
    {W::compiler_warns, "The compiler warns of your files:"},
    {W::build_stopped,
     "The build was stopped: it did not end within {0}. Nothing is known of your files yet. What was compiled is kept: "
     "type the same again to go on."},
    {W::disk_is_full,
     "The disk is full, so nothing could be compiled, and nothing is known of your files yet. Make room (build/traces "
     "may be removed), then type the same again."},
});

constexpr Table kChinese = table({
    {W::your_files, "Lab {0}，exercise/ 里你的文件"},
    {W::one_passes, "唯一的测试通过"},
    {W::all_pass, "{0} 个测试全部通过"},
    {W::some_pass, "{1} 个测试中通过 {0} 个"},
    {W::not_tried, "没有尝试：前面有三个测试没有结束"},
    {W::not_yet, "还没写"},
    {W::needs_step, "要先完成步骤 {0}"},
    {W::challenge, "（挑战题）"},
    {W::optional_step, "（选做）"},
    {W::unseen_of_step, "步骤 {0} 要求、但本步测试看不到的有："},
    {W::seen_from, "{0}（从 {1} 起检查）"},
    {W::seen_by_none, "{0}（没有测试能看到）"},
    {W::next_step, "下一步：步骤 {0}，{1}"},
    {W::next_optional, "选做：步骤 {0}，{1}"},
    {W::earlier_failed, "步骤 {0} 上次检查时没有通过。如果这一步需要它，先改那里。"},
    {W::next_whole_lab, "下一步：整个 lab"},
    {W::repair_step, "要改的是步骤 {0}，{1}"},
    {W::repair_below, "这个 lab 所依靠的 lab {0}：{1}。请先改好它。"},
    {W::some_of_step, "{2} 的 {1} 个测试中通过 {0} 个"},
    {W::tests_do_not_compile, "那里你的文件不能编译"},
    {W::below_is_right, "这个 lab 所依靠的各个 lab 都通过了测试，或者是给定的：错误要在这里找。"},
    {W::solve_below, "这个 lab 所依靠的 lab {0} 还没有解决：它的步骤 {1} 还没写。请先完成它。"},
    {W::passes_on_stand_in,
     "把它所依靠的各个 lab 里你的文件换成别的实现，这个测试就通过：错误在你那里的文件里，虽然那些 lab "
     "自己的测试没有发现。"},
    {W::fails_on_stand_in, "把它所依靠的各个 lab 里你的文件换成别的实现，这个测试也不通过：错误在这个 lab 里。"},
    {W::building_others, "lab：正在编译 {0}，好判断错误在哪个 lab 里（只有这一次，可能要几分钟）"},
    {W::is_building, "lab：正在编译你的文件和测试，{0}"},
    {W::read_label, "阅读"},
    {W::edit_label, "编辑"},
    {W::or_label, "或者"},
    {W::type_label, "输入"},
    {W::watch_it, "观看"},
    {W::solved, "这个 lab 解决了。"},
    {W::rest_is_optional, "这个 lab 解决了；剩下的是选做。"},
    {W::no_such_step, "这个 lab 没有叫“{0}”的步骤或测试。步骤有：{1}。"},
    {W::passed, "通过"},
    {W::not_implemented, "还没写：步骤 {0}，{1}"},
    {W::needs_a_later_step, "它走到了后面的步骤 {0} 的函数（{1}）：如果步骤 {2} 写对了，这个测试用不到它"},
    {W::threw_to_a_later_step,
     "抛出了异常：{0}。捕获它的是后面的步骤 {1}（{2}）：如果步骤 {3} 写对了，这个测试用不到它"},
    {W::left_early,
     "测试还没到结尾，程序就以状态 {0} 退出了（调用了 exit 或 _exit，或者离开了 main 所在的栈，再也没有回来）"},
    {W::does_not_hold, "测试所期望的不成立"},
    {W::asserted_nothing, "测试什么也没有断言"},
    {W::crashed, "崩溃：{0}"},
    {W::test_expects, "这个测试期望：{0}"},
    {W::signal_there, "{0}，{1}：{2}"},
    {W::no_fault_handler, "kit 的故障处理程序没能运行：它自己的内存或栈也被破坏了。"},
    {W::over_processor, "用了 {0} 的处理器时间还没有结束"},
    {W::over_idle, "停住不动：{0} 之内几乎什么也没有运行，它在等一件不会发生的事"},
    {W::over_wall, "{0} 之内没有结束，虽然只用了 {1} 的处理器时间：它一次又一次地等待、查看"},
    {W::over_wall_busy, "{0} 之内没有结束；它只用了 {1} 的处理器时间，机器很忙：请过一会儿再检查"},
    {W::also_alone, "；单独再运行一次也是这样"},
    {W::waits_to_read, "'{0}' 在等 fd {1} 可读"},
    {W::waits_to_write, "'{0}' 在等 fd {1} 可写"},
    {W::is_ready, "'{0}' 已经就绪，却一直没有运行"},
    {W::is_in_state, "'{0}' 的状态是 {1}"},
    {W::is_readable_now, "：它现在可读，却没有唤醒 '{0}'"},
    {W::is_writable_now, "：它现在可写，却没有唤醒 '{0}'"},
    {W::peer_is_gone, "：它的对端已经关闭，却没有唤醒 '{0}'"},
    {W::descriptor_is_closed, "：它已经关闭，却没有唤醒 '{0}'"},
    {W::nothing_has_come, "：那里什么也没有来"},
    {W::others_too, "还有别的"},
    {W::it_was, "；当时它{0}"},
    {W::outside_coroutines, "不在任何协程里"},
    {W::in_coroutine, "在协程 {0} 里"},
    {W::so_deep, "，深度 {0}"},
    {W::on_stack_of, "，栈的大小是 {0}"},
    {W::bytes, "字节"},
    {W::printed, "它打印了："},
    {W::printed_at_end, "它最后打印了："},
    {W::printed_without_end, "它不停地打印；前 {0} 中的最后几行是："},
    {W::expected, "期望"},
    {W::got, "得到"},
    {W::at, "位于"},
    {W::in_function, "在    "},
    {W::called_by, "调用者"},
    {W::more_of_the_kind, "还有 {0} 个同类的"},
    {W::also_failed, "✗ {0}：{1}"},
    {W::others_say_so, "另有 {0} 个测试的结果与此相同"},
    {W::others_not_tried, "还有 {0} 个测试没有尝试：因为有三个测试没有结束"},
    {W::sigsegv, "访问了不允许访问的内存（SIGSEGV）"},
    {W::sigbus, "访问了无法提供的内存（SIGBUS）"},
    {W::sigill, "执行了不存在的指令（SIGILL）"},
    {W::sigfpe, "算术错误，例如除以零（SIGFPE）"},
    {W::sigabrt, "程序放弃了（SIGABRT：abort 或 std::terminate）"},
    {W::sigkill, "被外部杀死（SIGKILL；内存不够？）"},
    {W::sigtrap, "断点或陷阱（SIGTRAP）"},
    {W::sigpipe, "写了已关闭的管道或套接字（SIGPIPE），而这个信号没有被屏蔽：是不是少了 MSG_NOSIGNAL？"},
    {W::other_signal, "信号 {0}"},
    {W::last_events, "最后的事件："},
    {W::event_line, "#{0}  在 {1}  {2}"},
    {W::register_changed, "≠ {0} {1}，原来是 {2}，装入 {3}"},
    {W::trace_is_cut, "trace 记录到 {0} MiB 就停止了：后面的 {1} 个事件不在里面。"},
    {W::no_event, "没有事件写进文件（被杀死的，或者以 _exit 离开的，会失去最后的事件）。"},
    {W::unreadable_trace, "这个 trace 读不了：{0}"},
    {W::no_trace, "它没有留下 trace。"},
    {W::trace_at, "trace： "},
    {W::watch_trace, "观看它："},
    {W::nothing_to_watch, "没有可以观看的：这个测试没有创建协程，或者只在它自己的子进程里创建。"},
    {W::in_gdb, "用 gdb："},
    {W::core_dump, "core：  "},
    {W::no_core_dump, "它没有留下 core dump：内核的设置是 '{0}'，或者 'ulimit -H -c' 是 0。"},
    {W::the_lab, "这个 lab"},
    {W::does_not_compile, "{0} 不能编译。编译器说："},
    {W::does_not_link, "{0} 不能链接。链接器说："},
    {W::is_not_defined, "{0} 已经声明，也被使用，但没有文件定义它。"},
    {W::is_not_defined_in, "{0} 已经声明，也被使用，但没有文件定义它：{1} 里缺少它。"},
    {W::more_lines, "……还有 {0} 行；先改好这些"},
    {W::compiler_warns, "编译器对你的文件有警告："},
    {W::build_stopped,
     "编译被停止：{0} 之内没有结束。你的文件对不对还不知道。已经编译的会保留：再输入同样的命令就会继续。"},
    {W::disk_is_full,
     "磁盘满了，所以无法编译；你的文件对不对还不知道。请腾出空间（build/traces 可以删除），然后再输入同样的命令。"},
});

constexpr bool is_complete(const Table& all) {
    for (const std::string_view text : all)
        if (text.empty()) return false;
    return true;
}
static_assert(is_complete(kEnglish) && is_complete(kChinese), "every word stands in both tables");

Language spoken = Language::english;

std::string fill(std::string_view text, std::initializer_list<std::string_view> values) {
    std::string filled;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t number = i + 2 < text.size() && text[i] == '{' && text[i + 2] == '}'
                                       ? static_cast<std::size_t>(text[i + 1] - '0')
                                       : values.size();
        if (number < values.size()) {
            filled += values.begin()[number];
            i += 2;
        } else {
            filled += text[i];
        }
    }
    return filled;
}

}  // namespace

void set_language(Language language) noexcept { spoken = language; }
Language language() noexcept { return spoken; }

Language language_of_environment() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            return std::string_view(value).starts_with("zh") ? Language::chinese : Language::english;
    return Language::english;
}

std::string_view text_of(W word, Language language) noexcept {
    return (language == Language::chinese ? kChinese : kEnglish)[static_cast<std::size_t>(word)];
}

std::string say(W word) { return fill(text_of(word, spoken), {}); }
std::string say(W word, std::string_view a) { return fill(text_of(word, spoken), {a}); }
std::string say(W word, std::string_view a, std::string_view b) { return fill(text_of(word, spoken), {a, b}); }
std::string say(W word, std::string_view a, std::string_view b, std::string_view c) {
    return fill(text_of(word, spoken), {a, b, c});
}
std::string say(W word, std::string_view a, std::string_view b, std::string_view c, std::string_view d) {
    return fill(text_of(word, spoken), {a, b, c, d});
}

std::size_t columns(std::string_view text) noexcept {
    std::size_t all = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0) == 0x80) continue;
        all += byte >= 0xE3 && byte < 0xF0 ? 2 : 1;  // from U+3000 on: Chinese characters and their punctuation
    }
    return all;
}

}  // namespace fiberscope::grader
