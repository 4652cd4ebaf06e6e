#include "labs/grader/words/translation.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "labs/grader/words/sentences.h"
#include "labs/grader/words/words.h"
#include "traces/schema/words.h"
#include "traces/words/translated.h"
#include "traces/words/words.h"

namespace fiberscope::grader {
namespace {

constexpr Translation kTranslations[] = {
    // labs/kit/fault/cause.cpp, fault.cpp
    {"a misaligned stack: an instruction needs a multiple of 16, and {0} % 16 is {1}",
     "栈没有对齐：有一条指令要求 16 的倍数，而 {0} % 16 是 {1}"},
    {"memory that is not aligned: an instruction needs a multiple of 16 (the stack is aligned, {0} % 16 is {1})",
     "内存没有对齐：有一条指令要求 16 的倍数（栈是对齐的，{0} % 16 是 {1}）"},
    {"a jump or return to an address that cannot exist (not canonical), {0} % 16 is {1}: was a pointer overwritten?",
     "跳转或返回到一个不可能存在的地址（不是规范地址），{0} % 16 是 {1}：是不是有指针被覆盖了？"},
    {"an address that cannot exist (not canonical) was used, {0} % 16 is {1}: was a pointer overwritten?",
     "使用了一个不可能存在的地址（不是规范地址），{0} % 16 是 {1}：是不是有指针被覆盖了？"},
    {"a jump to null: a function pointer or a return address was 0", "跳转到空地址：函数指针或返回地址是 0"},
    {"a jump to memory that holds no code: was a return address or a function pointer overwritten?",
     "跳转到没有代码的内存：是不是返回地址或函数指针被覆盖了？"},
    {"a null pointer was used, at offset {0}", "使用了空指针，偏移是 {0}"},
    {"a null pointer was used", "使用了空指针"},
    {"memory that may not be written was written", "写了不可写的内存"},
    {"memory that is guarded was used", "使用了受保护的内存"},
    {"memory that is not there was used", "使用了不存在的内存"},
    {"the program gave up (abort, or a failed assert)", "程序放弃了（abort，或者 assert 失败）"},
    {"control arrived where no code is meant to be", "控制走到了不该有代码的地方"},
    {"it was interrupted, by Ctrl-C perhaps", "它被中断了，也许是 Ctrl-C"},
    {"an arithmetic error, such as a division by zero", "算术错误，例如除以零"},
    {"it was ended from outside, by a time limit perhaps", "它被外部结束了，也许是因为时限"},
    {"stack overflow, the guard below its stack was hit", "栈溢出，碰到了栈下面的保护页"},
    {"the stack pointer is not in its stack: was the right one saved and loaded?",
     "栈指针不在自己的栈里：保存和装入的是正确的那个吗？"},
    {"std::terminate was called", "std::terminate 被调用了"},
    {"an exception that no function catches: {0}", "没有函数捕获的异常：{0}"},
    {"an exception that no function catches, and that is no std::exception",
     "没有函数捕获的异常，而且不是 std::exception"},
    // contracts that end the program
    {"{0} is inserted into '{1}', but it is in it already: remove it first",
     "把 {0} 插入 '{1}'，但它已经在里面：先把它取出来"},
    {"{0} is removed from '{1}', but it is not in it: ask contains() first",
     "从 '{1}' 取出 {0}，但它不在里面：先问 contains()"},
    {"callers.pop(), but only the thread's own context is on the stack of callers",
     "callers.pop()，但调用者栈上只有线程自己的上下文"},
    {"release_stack() of '{0}', but control stands on that stack: its resumer gives it back, when it is dead",
     "release_stack() 作用于 '{0}'，但控制正在这个栈上：等它结束以后，由恢复它的一方归还"},
    {"{0} is destroyed while it is {1}; one that runs, or waits for one that it resumed, may not be",
     "{0} 在状态 {1} 时被销毁；正在运行的，或者在等待它所恢复的协程的，不能销毁"},
    {"the entry of a context returned, and there is nothing to return to: its last act must be a switch",
     "上下文的入口函数返回了，而它没有可以返回的地方：它最后做的必须是一次切换"},
    {"swap_to_me without an old context returned: nothing was saved, so nothing can have come back",
     "没有旧上下文的 swap_to_me 返回了：什么也没有保存，所以什么也不可能回来"},
    {"swapcontext could not enter a context", "swapcontext 没能进入一个上下文"},
    {"HeapArray::put into place {0}, but there are {1}: when the last one itself leaves, none takes its place",
     "HeapArray::put 放进 {0} 号位置，但只有 {1} 个位置：最后一个自己离开时，没有谁来填它的位置"},
    {"a schedule is closed from inside one of its coroutines", "在一个 schedule 自己的协程里关闭了它"},
    {"a dead coroutine still owns the stack of its schedule", "已经结束的协程仍然占有 schedule 的栈"},
    {"{0} is destroyed or released inside one of another backend", "在另一种 backend 的协程里销毁或归还 {0}"},
    {"{0} is destroyed or released on another thread than that of its shared stack",
     "在共享栈所属线程之外的线程上销毁或归还 {0}"},
    {"'{0}' has ended, but is still in the tree '{1}': before it runs the loop calls remove (sleep_tree.cpp), "
     "which takes it out of both trees",
     "'{0}' 已经结束，但还在树 '{1}' 里：任务运行之前，循环调用 remove（sleep_tree.cpp），它把任务从两棵树里都取出来"},
    // labs/kit/run/errors.cpp
    {"cannot resume {0}: it has ended and is dead", "不能恢复{0}：它已经结束了"},
    {"cannot resume {0}: it is {1}, but refused as one that has been resumed already: was it pushed before the check?",
     "不能恢复{0}：它的状态是 {1}，却被当作已经恢复的协程拒绝了：是不是在检查之前就压入了？"},
    {"cannot resume {0}: it is {1}, so it has been resumed already", "不能恢复{0}：它的状态是 {1}，已经被恢复了"},
    {"cannot resume {0}: {1} coroutines are already resumed one inside the other",
     "不能恢复{0}：已经有 {1} 个协程一层一层地恢复着"},
    {"cannot resume {0} from here: a fiber may not resume another; only the thread's own context or its scheduler may",
     "不能在这里恢复{0}：一个 fiber 不能恢复另一个；只有线程自己的上下文或它的调度器可以"},
    {"cannot yield: this is the thread's own context '{0}', and no coroutine resumed it",
     "不能让出：这是线程自己的上下文 '{0}'，没有协程恢复过它"},
    {"{0} belongs to another thread: it may be used only on the one that made it",
     "{0} 属于另一个线程：只能在创建它的线程上使用"},
    {"{0} is too deep for its stack", "{0} 太深，它的栈装不下"},
    {"{0} is no task of a scheduler: only what was begun by go() may give way, sleep, wait or join",
     "{0} 不是调度器的任务：只有 go() 开始的才可以让出、睡眠、等待或 join"},
    {"{0} cannot take the lock: it has it already, and would wait for itself",
     "{0} 不能拿这把锁：它已经持有，会等待自己"},
    {"{0} cannot release the lock: it does not have it", "{0} 不能释放这把锁：它没有持有"},
    {"{0} cannot switch to itself: it is still on top of the stack of callers, pop it before the switch",
     "{0} 不能切换到自己：它还在调用者栈的栈顶，切换之前先把它弹出"},
    {"{0} cannot switch to itself: it is {1}, but the one to leave must be running, callers.top() before the push or "
     "the pop",
     "{0} 不能切换到自己：它的状态是 {1}，而要离开的必须正在运行，即压入或弹出之前的 callers.top()"},
    {"{0} cannot switch to itself: it was resumed while it was running, refuse that before the push",
     "{0} 不能切换到自己：它正在运行时又被恢复，在压入之前就要拒绝"},
    {"{0} cannot switch to itself: a switch needs another coroutine as its target",
     "{0} 不能切换到自己：切换的目标必须是另一个协程"},
    {"{0} cannot go from {1} to {2}", "{0} 不能从 {1} 变到 {2}"},
    // labs/04_scheduler/given/scheduler.cpp: of each task, what it waits for
    {"no task can ever run again: {0}", "再也没有任务能运行：{0}"},
    {"no task can ever run again", "再也没有任务能运行"},
    {"{0}, and {1} more", "{0}，还有 {1} 个"},
    {"{0}, until {1} at most", "{0}，最迟到 {1}"},
    {"'{0}' waits for {1} to end", "'{0}' 在等 {1} 结束"},
    {"'{0}' waits for the lock '{1}' to read", "'{0}' 在等锁 '{1}'，要读"},
    {"'{0}' waits for the lock '{1}' to write", "'{0}' 在等锁 '{1}'，要写"},
    {"'{0}' waits for fd {1} to be readable", "'{0}' 在等 fd {1} 可读"},
    {"'{0}' waits for fd {1} to be writable", "'{0}' 在等 fd {1} 可写"},
    {"'{0}' waits for fd {1} readable and {2} more", "'{0}' 在等 fd {1} 可读，还有 {2} 个"},
    {"'{0}' waits for fd {1} writable and {2} more", "'{0}' 在等 fd {1} 可写，还有 {2} 个"},
    {"'{0}' waits for fd {1} readable", "'{0}' 在等 fd {1} 可读"},
    {"'{0}' waits for fd {1} writable", "'{0}' 在等 fd {1} 可写"},
    {"'{0}' waits for {1}", "'{0}' 在等 {1}"},
    {"'{0}' is suspended", "'{0}' 已挂起"},
    {"'{0}' is running", "'{0}' 正在运行"},
    {"'{0}' sleeps until {1}", "'{0}' 睡到 {1}"},
    {"'{0}' resumed another coroutine and waits for it", "'{0}' 恢复了另一个协程，在等它"},
    {"'{0}' has ended", "'{0}' 已经结束"},
    {"'{0}' has not been entered yet", "'{0}' 还没有进入过"},
    {"'{0}' is ready and waits for its turn", "'{0}' 已就绪，在等轮到它"},
    // labs/kit/testing/child.cpp: how a child ended, in which function, called by which
    {"ended by signal {0}: {1}", "因信号 {0} 结束：{1}"},
    {"ended with status {0}: {1}", "以状态 {0} 退出：{1}"},
    {"{0} in coroutine {1} (stack of {2} bytes, nested {3} deep): {4}",
     "{0}，在协程 {1} 里（栈 {2} 字节，深度 {3}）：{4}"},
    {"{0} in the thread's own context {1} (stack of {2} bytes, nested {3} deep): {4}",
     "{0}，在线程自己的上下文 {1} 里（栈 {2} 字节，深度 {3}）：{4}"},
    {"{0} in a thread without coroutines: {1}", "{0}，在没有协程的线程里：{1}"},
    {"in {0}, labs/{1}", "在 {0}，labs/{1}"},
    {"called by {0}", "调用者 {0}"},
    {"and {0} more", "还有 {0} 个"},
    // labs/kit/report/report.cpp
    {"not implemented: step {0}", "还没写：步骤 {0}"},
    {"this thread has a scheduler already; it can have only one", "这个线程已经有调度器了；只能有一个"},
    {"what it threw: {0}", "它抛出的是：{0}"},
    {"something was thrown", "抛出了某个东西"},
    // notes of what is given: labs 04 and 06
    {"ended by an exception: {0}", "因异常结束：{0}"},
    {"will not give way for {0}", "{0} 之内不会让出"},
    {"{0} drops its peer, silent for too long", "{0} 放弃沉默太久的对端"},
    {"set timer {0} to now + {1} ms", "把定时器 {0} 设为现在 + {1} ms"},
    {"cancel timer {0}", "取消定时器 {0}"},
    {"{0} ms pass, and what is due is taken", "过 {0} ms，取出到期的"},
    // labs/kit/testing/reporter.cpp
    {"an exception was thrown here: {0}", "这里抛出了一个异常：{0}"},
};

using Values = std::vector<std::string_view>;

/// Where "{0}", "{1}" … stands in `pattern`; npos if nowhere.
std::size_t hole_in(std::string_view pattern) {
    for (std::size_t at = 0; at + 2 < pattern.size(); ++at)
        if (pattern[at] == '{' && pattern[at + 1] >= '0' && pattern[at + 1] <= '9' && pattern[at + 2] == '}') return at;
    return pattern.npos;
}

/// Ends one thing that is said, where several stand in a row.
constexpr std::string_view kNext = "; ";

/// What stands for "{0}", "{1}" … of the pattern, in this order, if `text` is of it. Only the last may be empty, and
/// only what the pattern ends with may be several things in a row.
std::optional<Values> values_of(std::string_view text, std::string_view pattern) {
    Values values;
    std::size_t hole = hole_in(pattern);
    if (!text.starts_with(pattern.substr(0, hole))) return std::nullopt;
    text.remove_prefix(std::min(hole, pattern.size()));
    while (hole != pattern.npos) {
        pattern.remove_prefix(hole + 3);
        hole = hole_in(pattern);
        const std::string_view literal = pattern.substr(0, hole);
        const std::size_t end =
            hole == pattern.npos ? text.size() - std::min(text.size(), literal.size()) : text.find(literal);
        if (end == text.npos || text.substr(end, literal.size()) != literal) return std::nullopt;
        const bool is_end = hole == pattern.npos && literal.empty();
        if (end == 0 && !pattern.empty()) return std::nullopt;
        if (!is_end && text.substr(0, end).find(kNext) != text.npos) return std::nullopt;
        values.push_back(text.substr(0, end));
        text.remove_prefix(end + literal.size());
    }
    return text.empty() ? std::optional(values) : std::nullopt;
}

/// "'a' is suspended, 'b' waits for a sign": what several tasks do.
std::string tasks_in_words(std::string_view tasks) {
    constexpr std::string_view kAnother = ", '";
    const std::size_t end = tasks.find(kAnother);
    std::string first = sentence_in_words(tasks.substr(0, end));
    return end == tasks.npos ? first : first + "，" + tasks_in_words(tasks.substr(end + kAnother.size() - 1));
}

/// Of "suspended"; empty if it is no state.
std::string chinese_state(std::string_view value) {
    for (std::size_t i = 0; i < trace::kWords<trace::State>.size(); ++i)
        if (trace::kWords<trace::State>[i] == value)
            return trace::state_word(static_cast<trace::State>(i), fiberscope::Language::chinese);
    return "";
}

/// "coroutine 2 'B'" is one of the things that are filled in; and a sentence may be, in another: it may begin with
/// "coroutine 2" as well.
std::string value_in_words(std::string_view value, bool is_name) {
    constexpr std::string_view kCoroutine = "coroutine ";
    if (const std::string state = is_name ? "" : chinese_state(value); !state.empty()) return state;
    if (!is_name && value.starts_with('\'')) return tasks_in_words(value);
    std::string sentence = is_name ? std::string(value) : sentence_in_words(value);
    if (sentence != value || !value.starts_with(kCoroutine)) return sentence;
    return "协程 " + std::string(value.substr(kCoroutine.size()));
}

/// What stands in quotes is a name: a task may be called "ready".
std::string filled(std::string_view text, const Values& values) {
    std::string all;
    for (std::size_t hole; (hole = hole_in(text)) != text.npos; text.remove_prefix(hole + 3)) {
        all += text.substr(0, hole);
        all += value_in_words(values[static_cast<std::size_t>(text[hole + 1] - '0')], all.ends_with('\''));
    }
    return all += text;
}

std::optional<std::string> translation_of(std::string_view english) {
    if (language() == Language::english) return std::nullopt;
    for (const Translation& one : kTranslations)
        if (const auto values = values_of(english, one.english)) return filled(one.chinese, *values);
    std::string by_readers = trace::translated(english, fiberscope::Language::chinese);
    if (by_readers != english) return by_readers;
    return std::nullopt;
}

}  // namespace

std::span<const Translation> translations() noexcept { return kTranslations; }

bool fits(std::string_view text, std::string_view pattern) { return values_of(text, pattern).has_value(); }

std::string filled_in(std::string_view text, std::string_view english, std::string_view chinese) {
    return filled(chinese, values_of(text, english).value());
}

std::string waiter_in_words(std::string_view name) {
    return language() == Language::english ? std::string(name) : value_in_words(name, true);
}

std::string state_in_words(std::string_view state) {
    const std::string chinese = language() == Language::english ? "" : chinese_state(state);
    return chinese.empty() ? std::string(state) : chinese;
}

std::string translated(std::string_view english) { return translation_of(english).value_or(std::string(english)); }

std::string translated_beginning(std::string_view english) {
    if (language() == Language::english) return std::string(english);
    const auto with_rest = [&](const std::string& first, std::size_t end) {
        return end >= english.size() ? first : first + "；" + sentence_in_words(english.substr(end + kNext.size()));
    };
    for (std::size_t end = english.size(); end != english.npos;
         end = end == 0 ? english.npos : english.rfind(kNext, end - 1))
        if (const auto found = translation_of(english.substr(0, end))) return with_rest(*found, end);
    const std::size_t end = english.find(kNext);
    return with_rest(std::string(english.substr(0, end)), end);
}

}  // namespace fiberscope::grader
