#include "extras/record/interposed.h"

#include <dlfcn.h>

namespace fiberscope::preload {

const Originals& original() noexcept {
    static const Originals found = [] {
        Originals all{};
#define FIBERSCOPE_LOOK_UP(name) all.name = reinterpret_cast<decltype(all.name)>(dlsym(RTLD_NEXT, #name));
        FIBERSCOPE_INTERPOSED(FIBERSCOPE_LOOK_UP)
#undef FIBERSCOPE_LOOK_UP
        return all;
    }();
    return found;
}

}  // namespace fiberscope::preload
