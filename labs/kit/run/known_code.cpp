#include "labs/kit/run/known_code.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace fiberscope::kit {
namespace {

constinit const KnownCode* first_known = nullptr;

/// 0: none, 1: all, 2: the strategy, 3: the program.
int fit_of(std::string_view names, const trace::Meta& meta) {
    int best = names.empty() ? 1 : 0;
    for (std::size_t end = 0; !names.empty(); names.remove_prefix(end)) {
        const std::string_view name = names.substr(0, names.find(' '));
        end = std::min(name.size() + 1, names.size());
        best = std::max(best, meta.program.starts_with(name) ? 3 : meta.strategy == name ? 2 : 0);
    }
    return best;
}

}  // namespace

KnownCode::KnownCode(std::string_view lab, std::span<const CodeRow> rows, CodeScope scope) noexcept
    : lab_(lab), rows_(rows), scope_(scope), next_(std::exchange(first_known, this)) {}

int KnownCode::fit(const CodeRow& row, const trace::Meta& meta) const {
    constexpr int kOwn = 4;
    if (lab_ != meta.lab && !scope_.above) return 0;
    const int scope = fit_of(scope_.only, meta), only = row.only.empty() ? scope : fit_of(row.only, meta);
    return scope == 0 || only == 0 ? 0 : std::max(scope, only) + (lab_ == meta.lab ? kOwn : 0);
}

void KnownCode::describe(trace::Meta& meta) {
    struct Best {
        int fit = 0;
        trace::Code code;
    };
    std::map<std::pair<std::string_view, std::string_view>, Best> best;
    const KnownCode* strategy = nullptr;
    for (const KnownCode* one = first_known; one != nullptr; one = one->next_)
        if (one->scope_.decides && one->fit({}, meta) > (strategy == nullptr ? 0 : strategy->fit({}, meta)))
            strategy = one;
    if (strategy != nullptr) meta.rule = strategy->scope_.rule;
    for (const KnownCode* one = first_known; one != nullptr; one = one->next_) {
        if (one->scope_.decides && one != strategy) continue;
        const std::string folder = "labs/" + std::string(one->lab_) + "/";
        for (const CodeRow& row : one->rows_) {
            Best& known = best[{row.of, row.in}];
            const int its = one->fit(row, meta);
            if (its <= known.fit) continue;
            const std::string file(row.file);
            const std::string part = file.starts_with("beyond/") ? file.substr(0, file.find('/', 7) + 1) : "";
            known = {its,
                     {std::string(row.of), std::string(row.in), std::string(row.step), folder + part + "README.md",
                      folder + file, std::string(row.function), std::string(row.line)}};
        }
    }
    for (auto& [key, row] : best)
        if (row.fit > 0) meta.code.push_back(std::move(row.code));
}

}  // namespace fiberscope::kit
