// Search for expressions that give the numbers of a model from the process grid and the parameters.
//
// An atom is a parameter, a size of the process grid or a coordinate; or a share of a parameter along one side of the
// grid, by one of the usual rules; or a quotient of two parameters. An integer is a sum of at most two products of
// atoms with whole coefficients and a constant, exact on all samples. With fewer distinct samples only simpler forms
// are allowed, down to one product of two atoms. The simplest expression is chosen. Others of the same kind that are
// exact too are reported, together with a run that would distinguish them. A number that depends on the code's data is
// represented by a mean. Times are laws (laws.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpfront::learning {

/// Names of the variables on which a number may depend: columns, rows, planes, column, row, plane, then the parameters.
struct Variables {
    std::vector<std::string> names;
    std::size_t parameters() const { return names.size() - kParameters; }
    static constexpr std::size_t kParameters = 6;
};
/// The values of the variables on one rank of one run, in the order of their names.
using Values = std::vector<std::int64_t>;

struct Atom {
    enum class Rule : std::uint8_t {
        variable,       // a
        share_up,       // a / b rounded up, on every rank
        share_first,    // a / b rounded down, and one more on the first a % b
        share_down,     // a / b rounded down
        share_last,     // a / b rounded down, and the remainder on the last
        cut_last,       // a / b rounded up, and the remainder on the last
        share_between,  // from a (at - 1) / b to a at / b, both rounded down
        blocks,         // of two parameters: a / b rounded up
        whole_blocks,   // a / b rounded down
        last_block,     // the remainder in the last of the blocks
        parts,          // the constant b / a: blocks of a of a number that never varies
        power           // 2 to the power of a, for a benchmark whose parameter is the logarithm of its size
    };
    Rule rule = Rule::variable;
    std::uint32_t a = 0;  // variables
    std::uint32_t b = 0;
    std::uint32_t at = 0;  // of a share: the coordinate
    bool inner = false;    // of a share: without the boundary point on the first and on the last coordinate
    friend constexpr auto operator<=>(const Atom&, const Atom&) = default;
};
std::int64_t value_of(const Atom& atom, const Values& values);
/// Returns whether the atom has a value, that is, does not divide by 0.
bool has_value(const Atom& atom, const Values& values);
/// Formats the atom in PSL.
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
    std::vector<Expression> others;  // equally simple expressions that are exact on all samples too
};
/// Finds the simplest expression that is exact on all samples; returns nothing if there is none. A parameter that is
/// the same in all samples is used only in shares. Such shares and the `unlikely` parameters are used only if nothing
/// else is exact.
std::optional<Found> integer(const std::vector<Sample>& samples, const Variables& variables,
                             const std::set<std::uint32_t>& unlikely = {});

/// A parameter, or one over a size of the process grid, or both: a real share.
struct Unit {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    std::uint32_t factor = kNone;  // variables
    std::uint32_t divisor = kNone;
    friend constexpr bool operator==(const Unit&, const Unit&) = default;
};
/// The mean of a number that varies from time to time and is no expression of the variables: a coefficient times a
/// product of units. If three or more runs require it, `outer` units times the sum of a constant and a coefficient
/// times the `inner` units.
struct Mean {
    std::vector<Unit> inner;
    std::vector<Unit> outer;
    double slope = 0.0;
    double constant = 0.0;  // added to the inner product
    double residual = 0.0;  // the largest relative difference of a run's mean
};
struct MeanSample {
    const Values* at = nullptr;
    double mean = 0.0;
    double error = 0.0;  // standard error of the mean
};
double value_of(const Mean& mean, const Values& values);
/// Formats the mean in PSL, with these texts for its two coefficients.
std::string text_of(const Mean& mean, const Variables& variables, const std::string& slope,
                    const std::string& constant);
/// Fits a mean to one sample for each run. Chooses the form with the fewest numbers whose residual is below 1 % or
/// within the standard errors; if there is none, the form with the smallest residual.
/// Appends equally good forms to `others`. The sizes of the process grid in `unlikely` cost more: a face between
/// neighbours in a row has a share along the other sides.
Mean mean_law(const std::vector<MeanSample>& samples, const Variables& variables,
              const std::vector<std::uint32_t>& unlikely, std::vector<Mean>& others);

}  // namespace warpfront::learning
