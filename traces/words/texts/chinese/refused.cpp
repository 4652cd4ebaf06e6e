// In Chinese: keys/refused.h.
#include "traces/words/texts/tables.h"

namespace fiberscope {

template <>
constinit const Table<RefusedText> Chinese<RefusedText>::rows = table_of<RefusedText>({
    // of fiberscope-trace: what is wrong with a call, as it says it
    {RefusedText::u_no_option, "这里没有选项 {0}。"},
    {RefusedText::u_no_verb, "没有命令 \"{0}\"。"},
    {RefusedText::u_no_use, "这里用不着 \"{0}\"。"},
    {RefusedText::u_value, "{0} 要有一个值。"},
    {RefusedText::u_convert, "{0}：不能用这个值。"},
    {RefusedText::u_two_files, "{0} 要有两个文件。"},
    {RefusedText::u_one_file, "{0} 要有一个文件，只要一个。"},
    {RefusedText::u_file, "{0} 要有一个文件。"},
    {RefusedText::u_twice, "{0} 给了两次。"},
    {RefusedText::u_number, "{0} 要有一个不小于 {1} 的数，而不是 \"{2}\"。"},
    {RefusedText::u_time, "{0} 要有一个时间，例如 850ns、1.2ms 或 3s，而不是 \"{1}\"。"},
    {RefusedText::u_language, "--language：en 或 zh，而不是 \"{0}\"。"},
    {RefusedText::u_exclude, "--at 和 --time 不能同时用。"},
    {RefusedText::u_several, "有几个协程都叫 {0}：请给编号，例如 {1} 或 {2}。"},
    {RefusedText::u_no_coroutine, "这个 trace 里没有名字或编号是 {0} 的协程。"},
    {RefusedText::u_only_events, "只有 {0} 个事件。"},
    {RefusedText::u_output, "输出写不出去。"},
});

}  // namespace fiberscope
