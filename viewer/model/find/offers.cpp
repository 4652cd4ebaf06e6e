#include "viewer/model/find/offers.h"

#include <algorithm>

#include "traces/read/notes.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"

namespace fiberscope::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRecorded = 10;

std::vector<fs::path> recordings_of(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".json" && at->path().stem().extension() != ".notes") files.push_back(at->path());
    std::sort(files.begin(), files.end());
    return files;
}

fs::file_time_type time_of(const fs::path& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    return error ? fs::file_time_type::min() : time;
}

/// Title of the lecture for a recording; empty if there is none.
std::string lecture_of(const fs::path& recording, Language language) {
    fs::path notes = language == Language::chinese ? trace::notes_file(recording, "zh") : fs::path();
    if (notes.empty()) notes = trace::notes_file(recording);
    if (notes.empty()) return {};
    try {
        const std::string title = trace::printable(trace::read_notes(notes).title);
        return title.empty() ? recording.stem().string() : title;
    } catch (const trace::ReadError&) {
        return {};  // reported when the file is opened
    }
}

Offer offer_of(const fs::path& file, std::string about) {
    return {file.string(), trace::printable(file.stem().string()), std::move(about)};
}

/// Adds the samples by lab number, which begins their names.
void add_samples(std::vector<OfferGroup>& groups, const std::vector<fs::path>& samples, Language language) {
    std::string lab;
    for (const fs::path& file : samples) {
        const std::string name = file.stem().string(), its = name.substr(0, name.find('_'));
        if (groups.empty() || groups.back().lines || its != lab)
            groups.push_back({say(language, "Samples of lab {0}", trace::printable(its)), {}, false});
        lab = its;
        groups.back().offers.push_back(offer_of(file, {}));
    }
}

}  // namespace

Recordings recordings_in(const fs::path& tree) {
    if (tree.empty()) return {};
    Recordings found{recordings_of(tree / "traces" / "samples"), recordings_of(tree / "build" / "traces")};
    std::stable_sort(found.recorded.begin(), found.recorded.end(),
                     [](const fs::path& a, const fs::path& b) { return time_of(a) > time_of(b); });
    if (found.recorded.size() > kMostRecorded) found.recorded.resize(kMostRecorded);
    return found;
}

std::vector<OfferGroup> offers_of(const Recordings& recordings, const std::vector<std::string>& recent,
                                  Language language) {
    OfferGroup last{say(language, "Recent files"), {}, true}, recorded{say(language, "Recorded here"), {}, true},
        lectures{say(language, "Lectures"), {}, true};
    for (const fs::path file : recent)
        last.offers.push_back(offer_of(file, trace::printable(file.parent_path().string())));
    for (const fs::path& file : recordings.recorded) recorded.offers.push_back(offer_of(file, {}));
    for (const fs::path& file : recordings.samples)
        if (std::string title = lecture_of(file, language); !title.empty())
            lectures.offers.push_back(offer_of(file, std::move(title)));
    std::vector<OfferGroup> groups;
    for (OfferGroup* group : {&last, &lectures, &recorded})
        if (!group->offers.empty()) groups.push_back(std::move(*group));
    add_samples(groups, recordings.samples, language);
    return groups;
}

}  // namespace fiberscope::viewer
