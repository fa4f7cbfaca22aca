// Polynomials of the parameters of a deck with rational coefficients, fitted exactly: a system of linear equations with
// a row for each deck (tools/study/regression/rational.hpp). There is no rounding, so a count is either exactly such a
// polynomial on all decks, or it is not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/study/regression/rational.hpp"

namespace warpfront::kernels {

using regression::Rational;
using Exponents = std::vector<unsigned>;  // exponent of each parameter
using Deck = std::vector<std::int64_t>;   // the value of each parameter

/// Returns all products of parameters in which each has at most its degree: 1, i, j, i j for two of degree 1.
std::vector<Exponents> products(std::span<const unsigned> degrees);

Rational value_of(const Exponents& product, const Deck& deck);

/// Returns the values of `products` on a deck.
std::vector<Rational> values_of(std::span<const Exponents> products, const Deck& deck);

Rational product_of(std::span<const Rational> coefficients, std::span<const Rational> values);

/// Formats a polynomial: `94 + 36 m + 27 m k`. `names` are the names of the parameters.
std::string text_of(std::span<const Rational> coefficients, std::span<const Exponents> products,
                    std::span<const std::string> names);

/// Formats a product: `m * k`, `i^2`; empty for 1.
std::string text_of(const Exponents& product, std::span<const std::string> names, const std::string& times);

/// Formats a number in the syntax of a model: `3`, `-2`, `1 / 4`.
std::string text_of(const Rational& number);

}  // namespace warpfront::kernels
