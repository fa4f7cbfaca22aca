// Atoms: the numbers that expressions and laws are made of. An atom is a parameter, a size of the process grid or a
// coordinate; or a share of a parameter along one side of the grid, by one of the usual rules; or a quotient of two
// parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfront::learning {

/// Names of the variables on which a number may depend: columns, rows, planes, column, row, plane, then the parameters.
struct Variables {
    std::vector<std::string> names;
    std::size_t parameters() const { return names.size() - kParameters; }
    static constexpr std::uint32_t kColumn = 3;  // the first coordinate
    static constexpr std::uint32_t kParameters = 6;
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
        parts           // b / a for a constant b: the number of blocks of size a
    };
    Rule rule = Rule::variable;
    std::uint32_t a = 0;  // variables
    std::uint32_t b = 0;
    std::uint32_t at = 0;  // of a share: the coordinate
    bool inner = false;    // of a share: without the boundary point on the first and on the last coordinate
    std::int8_t more =
        0;  // added to a variable or a share, as for ghost points; of blocks, added to a before it is cut
    std::uint8_t power = 0;  // above 0, 2 to the power of this times a replaces a: a is the logarithm of a size
    friend constexpr auto operator<=>(const Atom&, const Atom&) = default;
};
constexpr bool is_share(const Atom& atom) { return atom.rule > Atom::Rule::variable && atom.rule < Atom::Rule::blocks; }
/// Returns whether the atom depends on `a` alone.
constexpr bool has_one_variable(const Atom& atom) {
    return atom.rule == Atom::Rule::variable || atom.rule == Atom::Rule::parts;
}
/// Returns whether the atom is one of the block rules.
constexpr bool is_of_blocks(const Atom& atom) {
    return atom.rule >= Atom::Rule::blocks && atom.rule <= Atom::Rule::last_block;
}
/// Returns the atom of the last block.
Atom last_of(const Atom& blocks);
/// Returns the atom of the number that is cut into the blocks.
Atom whole_of(const Atom& blocks);
/// Returns the atom without the number that is added to it.
Atom without_more(const Atom& atom);
/// Formats the sum of `plain`, the text of the atom without its added number, and this number.
std::string with_more(const std::string& plain, const Atom& atom);
std::int64_t value_of(const Atom& atom, const Values& values);
/// Returns whether the atom has a value, that is, does not divide by 0.
bool has_value(const Atom& atom, const Values& values);
/// Formats the atom in PSL.
std::string text_of(const Atom& atom, const Variables& variables);

}  // namespace warpfront::learning
