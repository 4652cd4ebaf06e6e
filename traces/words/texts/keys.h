// The keys of all texts, one enum for each table.
#pragma once

#include <concepts>
#include <cstddef>

#include "traces/words/texts/keys/drawn.h"
#include "traces/words/texts/keys/found.h"
#include "traces/words/texts/keys/offered.h"
#include "traces/words/texts/keys/refused.h"
#include "traces/words/texts/keys/told.h"
#include "traces/words/texts/keys/typed.h"

namespace fiberscope {

template <class Key>
concept TextKey = std::same_as<Key, ToldText> || std::same_as<Key, DrawnText> || std::same_as<Key, OfferedText> ||
    std::same_as<Key, FoundText> || std::same_as<Key, TypedText> || std::same_as<Key, RefusedText>;

template <TextKey Key>
inline constexpr auto kTexts = static_cast<std::size_t>(Key::count);

}  // namespace fiberscope
