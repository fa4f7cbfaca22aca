// Numbers of a model as expressions of the array and of the parameters, found from samples.
//
// An atom is a parameter, a size of the array or a coordinate; a share of a parameter along one side of the array, by
// one of the usual rules; or a quotient of two parameters. An integer is a sum of at most two products of atoms with
// whole coefficients and a constant, exact on all samples; fewer numbers to meet allow simpler forms alone, down to one
// product of two atoms. The simplest is taken; others of the same kind that are exact too are named, with what would
// tell them apart. A number that depends on the code's data is a mean. Times are laws (laws.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpfront::learning {

/// Names of what a number may depend on: columns, rows, planes, column, row, plane, then the parameters.
struct Variables {
    std::vector<std::string> names;
    std::size_t parameters() const { return names.size() - kParameters; }
    static constexpr std::size_t kParameters = 6;
};
/// What the variables are on one rank of one run, in their order.
using Values = std::vector<std::int64_t>;

struct Atom {
    enum class Rule : std::uint8_t {
        variable,       // a
        share_up,       // a / b rounded up, on every rank
        share_first,    // a / b rounded down, and one more on the first a % b
        share_down,     // a / b rounded down
        share_last,     // a / b rounded down, and the rest on the last
        cut_last,       // a / b rounded up, and what is left on the last
        share_between,  // from a (at - 1) / b to a at / b, both rounded down
        blocks,         // of two parameters: a / b rounded up
        whole_blocks,   // a / b rounded down
        last_block,     // what is left for the last of the blocks
        parts,          // the constant b / a: blocks of a of a number that never varies
        power           // 2 to the power of a, which a benchmark is given in place of its size
    };
    Rule rule = Rule::variable;
    std::uint32_t a = 0;  // variables
    std::uint32_t b = 0;
    std::uint32_t at = 0;  // of a share: the coordinate
    bool inner = false;    // of a share: less one point on the first and on the last, the boundary of the whole
    friend constexpr auto operator<=>(const Atom&, const Atom&) = default;
};
std::int64_t value_of(const Atom& atom, const Values& values);
/// Whether the atom has a value: it does not divide by 0.
bool has_value(const Atom& atom, const Values& values);
/// In PSL.
std::string text_of(const Atom& atom, const Variables& variables);

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
    std::vector<Expression> others;  // exact on all samples too, and as simple
};
/// Nothing where none is exact. A parameter that is the same in all samples is used as what is shared alone. That and
/// the `unlikely` parameters are used where nothing else is exact.
std::optional<Found> integer(const std::vector<Sample>& samples, const Variables& variables,
                             const std::set<std::uint32_t>& unlikely = {});

/// A parameter, or one over a size of the array, or both: a real share.
struct Unit {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    std::uint32_t factor = kNone;  // variables
    std::uint32_t divisor = kNone;
    friend constexpr bool operator==(const Unit&, const Unit&) = default;
};
/// A number that is not the same each time, nor an expression of the variables: a coefficient times a product of units.
/// Where three runs or more need it, a coefficient of some of these, and a constant, times the others.
struct Mean {
    std::vector<Unit> inner;
    std::vector<Unit> outer;
    double slope = 0.0;
    double constant = 0.0;  // beside the inner ones
    double residual = 0.0;  // the largest relative difference of a run's mean
};
struct MeanSample {
    const Values* at = nullptr;
    double mean = 0.0;
    double error = 0.0;  // standard error of the mean
};
double value_of(const Mean& mean, const Values& values);
/// In PSL, with these texts for its two coefficients.
std::string text_of(const Mean& mean, const Variables& variables, const std::string& slope,
                    const std::string& constant);
/// One sample for each run. The form with fewest numbers whose residual is below 1 %, or within what the errors
/// allow; else that with the least residual.
/// `others` gets those that are as good. `unlikely` are sizes of the array that count for more: a face between
/// neighbours in a row has a share along the other sides.
Mean mean_law(const std::vector<MeanSample>& samples, const Variables& variables,
              const std::vector<std::uint32_t>& unlikely, std::vector<Mean>& others);

}  // namespace warpfront::learning
