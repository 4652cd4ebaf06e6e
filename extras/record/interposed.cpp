#include "extras/record/interposed.h"

#include <dlfcn.h>

namespace fiberscope::preload {

namespace {

#define FIBERSCOPE_LOOK_UP(name) all.name = reinterpret_cast<decltype(all.name)>(dlsym(RTLD_NEXT, #name));
Originals& originals() noexcept {
    static Originals found = [] {
        Originals all{};
        FIBERSCOPE_INTERPOSED(FIBERSCOPE_LOOK_UP)
        return all;
    }();
    return found;
}
#undef FIBERSCOPE_LOOK_UP

template <class F>
void look_up(F& function, void* library, const char* name) noexcept {
    function = reinterpret_cast<F>(dlsym(library, name));
}

}  // namespace

const Originals& original() noexcept { return originals(); }

void find_boost_context(const void* caller) noexcept {
    Originals& all = originals();
    Dl_info info{};
    if (all.make_fcontext != nullptr || dladdr(caller, &info) == 0) return;
    void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return;
    look_up(all.jump_fcontext, library, "jump_fcontext");
    look_up(all.ontop_fcontext, library, "ontop_fcontext");
    look_up(all.make_fcontext, library, "make_fcontext");
    // Keeps the library loaded that defines them.
    if (dladdr(reinterpret_cast<void*>(all.make_fcontext), &info) != 0) dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    dlclose(library);
}

}  // namespace fiberscope::preload
