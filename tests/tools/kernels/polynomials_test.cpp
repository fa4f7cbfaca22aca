// Exact fits over the rationals.
#include "tools/from_code/kernels/polynomials.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::kernels;

namespace {

const std::vector<std::string> kNames{"i", "j"};

}  // namespace

TEST_CASE("products of parameters up to their degrees") {
    const std::vector<unsigned> degrees{2, 1};
    std::vector<std::string> texts;
    for (const Exponents& product : products(degrees)) texts.push_back(text_of(product, kNames, " * "));
    CHECK(texts == std::vector<std::string>{"", "i", "i^2", "j", "i * j", "i^2 * j"});
    CHECK(value_of({2, 1}, {3, 5}) == 45);
}

TEST_CASE("a polynomial is written from its lowest degree on") {
    const std::vector<Exponents> all{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    CHECK(text_of(std::vector<Rational>{94, 0, -3, Rational(1, 4)}, all, kNames) == "94 - 3 j + 1/4 i j");
    CHECK(text_of(std::vector<Rational>{0, 1, 0, 0}, all, kNames) == "i");
    CHECK(text_of(std::vector<Rational>{0, 0, 0, 0}, all, kNames) == "0");
    CHECK(text_of(Rational(-1, 4)) == "-1 / 4");
}
