// Atoms are the simple numbers from which expressions and laws are built. An atom is one of these:
//   - a parameter, a size of the process grid, or a coordinate
//   - one rank's share of a parameter along one side of the process grid, rounded by one of the usual rules
//   - a quotient of two parameters
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfront::learning {

/// The names of the variables: columns, rows, planes, column, row, plane, then the parameters. Numbers may depend on
/// any of them.
struct Variables {
    std::vector<std::string> names;
    std::size_t parameters() const { return names.size() - kParameters; }
    static constexpr std::uint32_t kColumn = 3;  // index of the first coordinate
    static constexpr std::uint32_t kParameters = 6;
};
/// The values of the variables on one rank of one run, in the order of their names.
using Values = std::vector<std::int64_t>;

struct Atom {
    enum class Rule : std::uint8_t {
        variable,       // the variable a itself
        share_up,       // a / b rounded up, on every rank
        share_first,    // a / b rounded down, plus one on the first a % b ranks
        share_down,     // a / b rounded down
        share_last,     // a / b rounded down, plus the remainder on the last rank
        cut_last,       // a / b rounded up; the remainder on the last rank
        share_between,  // the points from a (at - 1) / b to a at / b, both rounded down
        worker_share,   // a / (b - 1) rounded down, if one rank gives work to the others
        blocks,         // for two parameters: a / b rounded up
        whole_blocks,   // for two parameters: a / b rounded down
        last_block,     // the size of the last block, which contains the remainder
        parts           // b / a for a constant b: the number of blocks of size a
    };
    Rule rule = Rule::variable;
    std::uint32_t a = 0;  // indices of variables
    std::uint32_t b = 0;
    std::uint32_t at = 0;  // for a share: index of the coordinate
    /// for a share: true if the first and the last rank each exclude one point, which belongs to the boundary
    bool inner = false;
    std::int8_t more =
        /// a number that is added to a variable or a share, such as ghost points; for blocks, it is added to a before
        /// the division
        0;
    std::uint8_t power = 0;  // if above 0, 2^(power * a) replaces a, since the parameter a is the logarithm of a size
    friend constexpr auto operator<=>(const Atom&, const Atom&) = default;
};
constexpr bool is_share(const Atom& atom) { return atom.rule > Atom::Rule::variable && atom.rule < Atom::Rule::blocks; }
/// Returns true if the value of the atom depends only on `a`.
constexpr bool has_one_variable(const Atom& atom) {
    return atom.rule == Atom::Rule::variable || atom.rule == Atom::Rule::parts;
}
/// Returns true if the atom describes blocks of a parameter.
constexpr bool is_of_blocks(const Atom& atom) {
    return atom.rule >= Atom::Rule::blocks && atom.rule <= Atom::Rule::last_block;
}
/// Returns the atom for the size of the last block.
Atom last_of(const Atom& blocks);
/// Returns the atom for the number that is divided into blocks.
Atom whole_of(const Atom& blocks);
/// Returns the atom without its added number.
Atom without_more(const Atom& atom);
/// Formats the atom in PSL. `plain` is its text without the added number.
std::string with_more(const std::string& plain, const Atom& atom);
std::int64_t value_of(const Atom& atom, const Values& values);
/// Returns true if the atom has a value, that is, does not divide by 0.
bool has_value(const Atom& atom, const Values& values);
/// Formats the atom in PSL.
std::string text_of(const Atom& atom, const Variables& variables);

}  // namespace warpfront::learning
