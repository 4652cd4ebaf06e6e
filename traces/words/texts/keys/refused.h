// What is wrong with a call of fiberscope-trace, as it says it in English. translated_call() finds it here again.
#pragma once

#include <cstdint>

namespace fiberscope {

enum class RefusedText : std::uint16_t {
    // of fiberscope-trace: what is wrong with a call, as it says it
    u_no_option,
    u_no_verb,
    u_no_use,
    u_value,
    u_convert,
    u_two_files,
    u_one_file,
    u_file,
    u_twice,
    u_number,
    u_time,
    u_language,
    u_exclude,
    u_several,
    u_no_coroutine,
    u_only_events,
    u_output,
    count  ///< none of them: how many there are
};

}  // namespace fiberscope
