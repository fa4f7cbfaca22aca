#include "simulator/input/words.hpp"

#include <fmt/format.h>

namespace warpfront::input {

std::string grouped(std::uint64_t count) {
    const std::string digits = fmt::format("{}", count);
    std::string text;
    for (std::size_t at = 0; at < digits.size(); ++at) {
        if (at > 0 && (digits.size() - at) % 3 == 0) text += ',';
        text += digits[at];
    }
    return text;
}

std::string plural(std::string_view noun) {
    const bool y_changes = noun.size() > 1 && noun.ends_with('y') &&
                           std::string_view("aeiou").find(noun[noun.size() - 2]) == std::string_view::npos;
    if (y_changes) return fmt::format("{}ies", noun.substr(0, noun.size() - 1));
    return fmt::format("{}{}", noun, noun.ends_with('s') || noun.ends_with('x') ? "es" : "s");
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return count == 1 ? fmt::format("1 {}", noun) : fmt::format("{} {}", grouped(count), plural(noun));
}

std::string times(std::uint64_t count) { return count == 1 ? "once" : fmt::format("{} times", grouped(count)); }

}  // namespace warpfront::input
