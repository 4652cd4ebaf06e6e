#include "traces/read/raw_event.h"

#include <nlohmann/json.hpp>

#include "languages/message.h"
#include "traces/read/printable.h"

namespace fiberscope::trace {
namespace {

using Json = nlohmann::json;

// Accepts the fields of the outermost object, and the registers one level below; ignores unknown ones.
class Handler final {
  public:
    Handler(RawEvent& event, RawResult& result, std::size_t length) : event_(event), result_(result), length_(length) {}

    bool null() { return set(RawType::null, 0); }
    bool boolean(bool) { return set(RawType::other, 0); }
    bool number_integer(std::int64_t value) { return set(RawType::integer, value); }
    bool number_unsigned(std::uint64_t value) {
        if (value > static_cast<std::uint64_t>(INT64_MAX)) return set(RawType::other, 0);
        return set(RawType::integer, static_cast<std::int64_t>(value));
    }
    bool number_float(double, const std::string&) { return set(RawType::other, 0); }
    bool binary(Json::binary_t&) { return set(RawType::other, 0); }
    bool string(std::string& value) {
        if (depth_ == 2 && registers_) return add_register(value);
        if (depth_ == 1 && field_ != kUnknownField) slot().text.swap(value);
        return set(RawType::text, 0);
    }
    bool start_object(std::size_t) {
        if (depth_ == 1) {
            registers_ = field_ == field("saved")    ? &event_.saved
                         : field_ == field("loaded") ? &event_.loaded
                                                     : nullptr;
            if (registers_) registers_->clear();
            set(RawType::object, 0);
        }
        return enter();
    }
    bool start_array(std::size_t) {
        if (depth_ == 1) set(RawType::other, 0);
        return enter();
    }
    bool end_object() { return leave(); }
    bool end_array() { return leave(); }
    bool key(std::string& name) {
        if (depth_ == 1)
            field_ = field_of(name);
        else if (depth_ == 2 && registers_)
            register_.swap(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
        const std::string what = error.what();
        // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error while parsing …"
        const std::size_t colon = what.find(": ");
        result_.error =
            message("not valid JSON ({0})", printable(what.substr(colon == std::string::npos ? 0 : colon + 2)));
        result_.error_at = position == 0 ? 0 : position - 1;
        result_.at_end = result_.error_at >= length_;
        return false;
    }

  private:
    RawField& slot() { return event_.fields[static_cast<std::size_t>(field_)]; }
    bool set(RawType type, std::int64_t number) {
        if (depth_ == 0) return refuse(message("expected an object"));
        if (depth_ == 2 && registers_)
            return refuse(message("expected the value of register {0} as a string", printable(register_)));
        if (depth_ != 1 || field_ == kUnknownField) return true;
        slot().type = type;
        slot().number = number;
        event_.present |= std::uint64_t{1} << static_cast<unsigned>(field_);
        return true;
    }
    bool add_register(std::string& value) {
        if (registers_->size() == kMostRawRegisters)
            return refuse(message("expected at most {0} registers", kMostRawRegisters));
        registers_->emplace_back(register_, value);
        return true;
    }
    bool enter() {
        if (depth_ == 2 && registers_)
            return refuse(message("expected the value of register {0} as a string", printable(register_)));
        ++depth_;
        return true;
    }
    bool leave() {
        if (--depth_ == 1) registers_ = nullptr;
        return true;
    }
    bool refuse(std::string why) {
        result_.error = std::move(why);
        return false;
    }

    RawEvent& event_;
    RawResult& result_;
    std::size_t length_;
    int depth_ = 0;
    Field field_ = kUnknownField;
    RawEvent::Pairs* registers_ = nullptr;
    std::string register_;
};
static_assert(kFields <= 64, "RawEvent::present has a bit for each field");

}  // namespace

RawResult parse_raw(std::string_view text, RawEvent& event) {
    RawResult result;
    event.present = 0;
    event.saved.clear();
    event.loaded.clear();
    Handler handler(event, result, text.size());
    result.ok = Json::sax_parse(text.begin(), text.end(), &handler);
    return result;
}

}  // namespace fiberscope::trace
