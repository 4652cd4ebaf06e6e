// What a coroutine waits for. The kit and the systems say it in English; the rest is the program's own.
#include <algorithm>
#include <array>

#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

struct End {
    std::string_view words;
    Text key;
};
/// What is said of a descriptor and the like.
constexpr std::array kBecomes{End{" readable", mark("{0} to be readable{1}")},
                              End{" writable", mark("{0} to be writable{1}")},
                              End{" ready", mark("{0} to be ready{1}")}};

struct Of {
    std::string_view words;
    Text key;
};
/// What is said of a channel: the words, its name, and a quote.
constexpr std::array kOfChannels{Of{"a value from the channel '", mark("a value from the channel '{0}'")},
                                 Of{"room in the channel '", mark("room in the channel '{0}'")},
                                 Of{"a receiver at the channel '", mark("a receiver at the channel '{0}'")}};

/// "one of: room in the channel 'a', a value from the channel 'b'": a select's.
constexpr std::string_view kOneOf = "one of: ";

/// "fd 7 readable and 2 more" is "fd 7 readable" and " and 2 more".
std::pair<std::string_view, std::string_view> parted(std::string_view reason) noexcept {
    const std::string_view first = reason.substr(0, reason.find(" and "));
    return {first, reason.substr(first.size())};
}

/// The same in another language; what is not of the form " and 2 more" stays as it is.
std::string more_in_words(std::string_view rest, Language language) {
    constexpr std::string_view kAnd = " and ", kMore = " more";
    if (!rest.starts_with(kAnd) || !rest.ends_with(kMore)) return std::string(rest);
    return say(language, " and {0} more", rest.substr(kAnd.size(), rest.size() - kAnd.size() - kMore.size()));
}

std::string one_of_in_words(std::string_view reasons, Language language) {
    std::string all;
    for (std::size_t from = 0; from < reasons.size();) {
        const std::size_t end = std::min(reasons.find(", ", from), reasons.size());
        const std::string one = reason_in_words(reasons.substr(from, end - from), language);
        all = all.empty() ? one : say(language, "{0}, {1}", all, one);
        from = end + 2;
    }
    return say(language, "one of: {0}", all);
}

}  // namespace

std::string awaited(std::string_view reason, Language language) {
    const auto [first, rest] = parted(reason);
    for (const End& end : kBecomes)
        if (first.ends_with(end.words))
            return say(language, end.key, first.substr(0, first.size() - end.words.size()),
                       more_in_words(rest, language));
    return reason_in_words(reason, language);
}

std::string reason_in_words(std::string_view reason, Language language) {
    if (language == Language::english) return std::string(reason);
    constexpr std::string_view kEnd = " to end", kLock = "the lock '", kRead = "' to read", kWrite = "' to write";
    for (const End& end : kBecomes)
        if (parted(reason).first.ends_with(end.words)) return awaited(reason, language);
    if (reason.ends_with(kEnd)) return say(language, "{0} to end", reason.substr(0, reason.size() - kEnd.size()));
    if (reason == text_of("a timer", Language::english)) return say(language, "a timer");
    if (reason == text_of("a select that has no cases", Language::english))
        return say(language, "a select that has no cases");
    if (reason.starts_with(kOneOf)) return one_of_in_words(reason.substr(kOneOf.size()), language);
    for (const Of& of : kOfChannels)
        if (reason.starts_with(of.words) && reason.ends_with("'"))
            return say(language, of.key, reason.substr(of.words.size(), reason.size() - of.words.size() - 1));
    if (!reason.starts_with(kLock)) return std::string(reason);
    const std::string_view lock = reason.substr(kLock.size());
    if (lock.ends_with(kRead))
        return say(language, "the lock '{0}' to read", lock.substr(0, lock.size() - kRead.size()));
    if (lock.ends_with(kWrite))
        return say(language, "the lock '{0}' to write", lock.substr(0, lock.size() - kWrite.size()));
    return std::string(reason);
}

}  // namespace fiberscope::trace
