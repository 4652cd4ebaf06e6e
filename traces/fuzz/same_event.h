// Compares the results of two parsers for an event.
#pragma once

#include "traces/read/raw_event.h"

namespace fiberscope::trace::testing {

inline bool same(const RawEvent& a, const RawEvent& b) {
    if (a.present != b.present || a.saved != b.saved || a.loaded != b.loaded) return false;
    for (std::size_t i = 0; i < kFields; ++i) {
        if (!a.has(static_cast<Field>(i))) continue;
        const RawField &x = a.fields[i], &y = b.fields[i];
        if (x.type != y.type || (x.type == RawType::text && x.text != y.text) ||
            (x.type == RawType::integer && x.number != y.number))
            return false;
    }
    return true;
}

}  // namespace fiberscope::trace::testing
