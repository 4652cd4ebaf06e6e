// In English: keys/refused.h.
#include "traces/words/texts/tables.h"

namespace fiberscope {

template <>
constinit const Table<RefusedText> English<RefusedText>::rows = table_of<RefusedText>({
    // of fiberscope-trace: what is wrong with a call, as it says it
    {RefusedText::u_no_option, "there is no option {0} here."},
    {RefusedText::u_no_verb, "there is no verb \"{0}\"."},
    {RefusedText::u_no_use, "there is no use for \"{0}\" here."},
    {RefusedText::u_value, "{0} needs a value."},
    {RefusedText::u_convert, "{0} is no value that can be taken."},
    {RefusedText::u_two_files, "{0} needs two files."},
    {RefusedText::u_one_file, "{0} needs one file."},
    {RefusedText::u_file, "{0} needs a file."},
    {RefusedText::u_twice, "{0} is given twice."},
    {RefusedText::u_number, "{0} needs a number from {1}, not \"{2}\"."},
    {RefusedText::u_time, "{0} needs a time such as 850ns, 1.2ms or 3s, not \"{1}\"."},
    {RefusedText::u_language, "--language: en or zh, not \"{0}\"."},
    {RefusedText::u_exclude, "--at and --time exclude each other."},
    {RefusedText::u_several, "several coroutines are called {0}: give a number, such as {1} or {2}."},
    {RefusedText::u_no_coroutine, "no coroutine is called or numbered {0} in this trace."},
    {RefusedText::u_only_events, "there are only {0} events."},
    {RefusedText::u_output, "cannot write the output."},
});

}  // namespace fiberscope
