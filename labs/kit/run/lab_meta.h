// What the head of a recording says of the program of a lab.
#pragma once

#include <string>
#include <string_view>

#include "labs/kit/report/report.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

/// The head of a recording of `program`, which is one of the lab that this program belongs to.
inline trace::Meta lab_meta(const std::string& program) {
    trace::Meta meta;
    meta.lab = fiberscope_lab_name;
    meta.program = program;
    if (std::string_view(fiberscope_lab_files) != "solution") meta.files = fiberscope_lab_files;
    return meta;
}

}  // namespace fiberscope::kit
