// Formatting of counts in messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpfront::input {

/// Formats a count with separators: "8,192".
std::string grouped(std::uint64_t count);

/// Returns the noun in the plural: "boxes", "nodes", "memories".
std::string plural(std::string_view noun);

/// Formats a count with its noun: "1 node", "8,192 nodes".
std::string counted(std::uint64_t count, std::string_view noun);

/// Formats a number of repetitions: "once", "8,192 times".
std::string times(std::uint64_t count);

}  // namespace warpfront::input
