// Polynomials of the parameters of a deck with rational coefficients, fitted exactly: a system of linear equations, a
// row for each deck, solved by elimination over the rationals. There is no rounding, so a count either is such a
// polynomial on all decks or it is not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace warpfront::kernels {

using Rational = boost::multiprecision::cpp_rational;
using Exponents = std::vector<unsigned>;  // by parameter
using Deck = std::vector<std::int64_t>;   // the value of each parameter

/// All products of parameters in which each has at most its degree: 1, i, j, i j for two of degree 1.
std::vector<Exponents> products(std::span<const unsigned> degrees);

Rational value_of(const Exponents& product, const Deck& deck);

/// `products` as they are on a deck.
std::vector<Rational> values_of(std::span<const Exponents> products, const Deck& deck);

/// For each of `ys` the coefficients x with rows * x = y; nothing where there are none. A column that depends on those
/// before it gets 0.
std::vector<std::optional<std::vector<Rational>>> solve(std::vector<std::vector<Rational>> rows,
                                                        std::span<const std::vector<Rational>> ys);

Rational product_of(std::span<const Rational> coefficients, std::span<const Rational> values);

/// `94 + 36 m + 27 m k`; `names` are those of the parameters, those beyond products of further columns.
std::string text_of(std::span<const Rational> coefficients, std::span<const Exponents> products,
                    std::span<const std::string> names);

/// `m * k`, `i^2`; empty for 1.
std::string text_of(const Exponents& product, std::span<const std::string> names, const std::string& times);

/// A number as a model has it: `3`, `-2`, `1 / 4`.
std::string text_of(const Rational& number);

}  // namespace warpfront::kernels
