// The head of a recording of a lab's program.
#pragma once

#include <string>
#include <string_view>

#include "labs/kit/report/report.h"
#include "labs/kit/run/known_code.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

/// The head of a recording of `program`, which belongs to this program's lab, with a strategy (may be empty).
inline trace::Meta lab_meta(const std::string& program, std::string_view strategy = {}) {
    trace::Meta meta;
    meta.lab = fiberscope_lab_name;
    meta.program = program;
    meta.strategy = strategy;
    if (std::string_view(fiberscope_lab_files) != "solution") meta.files = fiberscope_lab_files;
    KnownCode::describe(meta);
    return meta;
}

}  // namespace fiberscope::kit
