// Search for expressions that give the numbers of a model from the process grid and the parameters.
//
// An integer is a sum of at most two products of atoms with whole coefficients and a constant, exact on all samples.
// With fewer distinct samples only simpler forms are allowed, down to one product of two atoms. The simplest expression
// is chosen. Others of the same kind that are exact too are reported, together with a run that would distinguish them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/from_code/learning/atoms.hpp"

namespace warpfront::learning {

struct Term {
    std::int64_t coefficient = 1;
    std::vector<Atom> atoms;
    friend bool operator==(const Term&, const Term&) = default;
};

struct Expression {
    std::vector<Term> terms;
    std::int64_t constant = 0;
    friend bool operator==(const Expression&, const Expression&) = default;
};
std::int64_t value_of(const Expression& expression, const Values& values);

struct Sample {
    const Values* at = nullptr;
    std::int64_t value = 0;
};

struct Found {
    Expression expression;
    std::vector<Expression> others;  // equally simple expressions that are exact on all samples too
};
/// Finds the simplest expression that is exact on all samples; returns nothing if there is none. A parameter that is
/// the same in all samples is used only in shares, and in none if it is `unlikely`. Such shares and the `unlikely`
/// parameters are used only if nothing else is exact. `at_last` means numbers of the last iteration of a loop, which
/// may be those of a last block.
std::optional<Found> integer(const std::vector<Sample>& samples, const Variables& variables,
                             const std::set<std::uint32_t>& unlikely = {}, bool at_last = false);

/// A parameter that the runs lack, and the expression that gives the samples with it.
struct Derived {
    std::string name;
    std::string text;        // its expression of the parameters
    std::int64_t first = 0;  // its value in the first sample
    Expression expression;   // over `variables`
    Variables variables;     // with the new name at their end
};
/// Finds a product, sum or difference of two parameters with which the samples have an expression.
std::optional<Derived> derived_parameter(const std::vector<Sample>& samples, const Variables& variables);

}  // namespace warpfront::learning
