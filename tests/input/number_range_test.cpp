// Ranges of whole numbers: `A`, `A..B`, `A..B..STEP`.
#include "simulator/input/decimal.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::input;

namespace {

std::vector<std::int64_t> numbers(const std::string& text) {
    std::vector<std::int64_t> all;
    const auto range = number_range(text);
    for (std::int64_t k = 0; range && k < range->count(); ++k) all.push_back(range->first + k * range->step);
    return all;
}

}  // namespace

TEST_CASE("a number, a range with both ends, and one with a step") {
    CHECK(numbers("7") == std::vector<std::int64_t>{7});
    CHECK(numbers("0..3") == std::vector<std::int64_t>{0, 1, 2, 3});
    CHECK(numbers("0..6..3") == std::vector<std::int64_t>{0, 3, 6});
    CHECK(numbers("1..6..3") == std::vector<std::int64_t>{1, 4});
    CHECK(numbers("5..6..9223372036854775807") == std::vector<std::int64_t>{5});
}

TEST_CASE("descending numbers, zero steps, and numbers that are not whole are no range") {
    for (const std::string text : {"", "x", "3..1", "0..3..0", "0..", "..3", "0..1..1..1", "1.5", "0...3", " 1"}) {
        CAPTURE(text);
        CHECK_FALSE(number_range(text));
    }
}
