// Searches for expressions that compute the numbers of a model from the process grid and the parameters.
//
// An integer is a sum of at most two products of atoms, with whole coefficients and a constant. It must be exact on all
// samples. If there are few distinct samples, only simpler expressions are allowed, down to one product of two atoms.
// The simplest expression is chosen. Other exact expressions of equal complexity are reported, together with a run that
// would distinguish them.
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
    std::vector<Expression> others;  // other expressions that are also exact on all samples, and nearly as simple
    int cost = 0;                    // complexity of the expression for a reader
};
/// Finds the simplest expression that is exact on all samples. Returns nothing if there is none. A parameter with the
/// same value in all samples is used only in shares, and not at all if it is `unlikely`. These shares and the
/// `unlikely` parameters are used only if nothing else is exact. If `at_last` is true, the numbers belong to the last
/// iteration of a loop, so they may be those of a last block.
std::optional<Found> integer(const std::vector<Sample>& samples, const Variables& variables,
                             const std::set<std::uint32_t>& unlikely = {}, bool at_last = false);

/// Returns the form of an expression: the expression with the first parameter and the first side of the process grid in
/// place of all others, except in blocks.
Expression form_of(const Expression& expression);
/// Returns the expressions of a form that are exact on all samples. The faces of one block have sizes of one form.
std::vector<Expression> integers_like(const Expression& form, const std::vector<Sample>& samples,
                                      const Variables& variables);

/// A parameter that the runs do not have, but with which the samples have an expression.
struct Derived {
    std::string name;
    std::string text;        // the parameter in terms of others
    std::int64_t first = 0;  // its value in the first sample
    Expression expression;   // the samples in terms of `variables`
    Variables variables;     // the variables of the runs, followed by the new parameter
};
/// Finds a product, sum or difference of two parameters. With it as a further parameter, the samples have an
/// expression.
std::optional<Derived> derived_parameter(const std::vector<Sample>& samples, const Variables& variables);

}  // namespace warpfront::learning
