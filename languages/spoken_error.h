// Translatable errors.
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>

#include "languages/message.h"

namespace fiberscope {

/// The translatable message of an exception, in addition to what().
class WithMessage {
  public:
    const std::string& message() const noexcept { return message_; }
    std::string in(Language language) const { return formatted(message_, language); }

  protected:
    explicit WithMessage(std::string message) : message_(std::move(message)) {}
    ~WithMessage() = default;

  private:
    std::string message_;
};

/// An exception of this type with a message; what() returns it in English.
template <class Error>
class Spoken : public Error, public WithMessage {
  public:
    explicit Spoken(const std::string& message) : Error(english_of(message)), WithMessage(message) {}
    template <class... Values>
    explicit Spoken(Text text, const Values&... values) : Spoken(fiberscope::message(text, values...)) {}
};

using SpokenError = Spoken<std::runtime_error>;

/// The same for a system error, whose description follows the message.
class SpokenSystemError : public std::system_error, public WithMessage {
  public:
    SpokenSystemError(int error, const std::string& message)
        : std::system_error(error, std::generic_category(), english_of(message)),
          WithMessage(fiberscope::message("{0}: {1}", Value::of(message), Value::of(code().message()))) {}
};

/// The message of an exception, or its what().
inline std::string message_of(const std::exception& error) {
    if (const auto* spoken = dynamic_cast<const WithMessage*>(&error)) return spoken->message();
    const std::string what = error.what();
    const auto* const system = dynamic_cast<const std::system_error*>(&error);
    if (system == nullptr) return what;
    // The library's what() is the given text followed by the description of the code.
    const std::string of_code = system->code().message(), end = ": " + of_code;
    if (!what.ends_with(end)) return what;
    return message("{0}: {1}", Value::of(what.substr(0, what.size() - end.size())), Value::of(of_code));
}

}  // namespace fiberscope
