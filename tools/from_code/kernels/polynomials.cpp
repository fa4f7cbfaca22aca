#include "tools/from_code/kernels/polynomials.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warpfront::kernels {

std::vector<Exponents> products(std::span<const unsigned> degrees) {
    std::vector<Exponents> all{Exponents(degrees.size(), 0)};
    for (std::size_t parameter = 0; parameter < degrees.size(); ++parameter) {
        const std::vector<Exponents> before = all;
        for (unsigned degree = 1; degree <= degrees[parameter]; ++degree) {
            for (Exponents product : before) {
                product[parameter] = degree;
                all.push_back(std::move(product));
            }
        }
    }
    return all;
}

Rational value_of(const Exponents& product, const Deck& deck) {
    Rational value = 1;
    for (std::size_t parameter = 0; parameter < product.size(); ++parameter) {
        for (unsigned power = 0; power < product[parameter]; ++power) value *= deck[parameter];
    }
    return value;
}

std::vector<Rational> values_of(std::span<const Exponents> products, const Deck& deck) {
    std::vector<Rational> values;
    for (const Exponents& product : products) values.push_back(value_of(product, deck));
    return values;
}

Rational product_of(std::span<const Rational> coefficients, std::span<const Rational> values) {
    Rational sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) sum += coefficients[k] * values[k];
    return sum;
}

std::string text_of(std::span<const Rational> coefficients, std::span<const Exponents> products,
                    std::span<const std::string> names) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < products.size(); ++k) {
        if (coefficients[k] != 0) order.push_back(k);
    }
    const auto degree = [&](std::size_t k) {
        unsigned sum = 0;
        for (const unsigned power : products[k]) sum += power;
        return sum;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return degree(a) < degree(b); });
    std::string text;
    for (const std::size_t k : order) {
        const bool negative = coefficients[k] < 0;
        const Rational size = negative ? Rational(-coefficients[k]) : coefficients[k];
        const std::string product = text_of(products[k], names, " ");
        if (!text.empty()) text += negative ? " - " : " + ";
        if (text.empty() && negative) text += "-";
        if (size != 1 || product.empty()) text += size.str();
        if (size != 1 && !product.empty()) text += " ";
        text += product;
    }
    return text.empty() ? "0" : text;
}

std::string text_of(const Exponents& product, std::span<const std::string> names, const std::string& times) {
    std::string text;
    for (std::size_t parameter = 0; parameter < product.size(); ++parameter) {
        if (product[parameter] == 0) continue;
        if (!text.empty()) text += times;
        text += names[parameter];
        if (product[parameter] > 1) text += fmt::format("^{}", product[parameter]);
    }
    return text;
}

std::string text_of(const Rational& number) {
    if (denominator(number) == 1) return numerator(number).str();
    return fmt::format("{} / {}", numerator(number).str(), denominator(number).str());
}

}  // namespace warpfront::kernels
