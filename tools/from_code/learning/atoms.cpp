#include "tools/from_code/learning/atoms.hpp"

#include <cstdlib>

#include <fmt/format.h>

namespace warpfront::learning {

namespace {

using Rule = Atom::Rule;

std::int64_t rounded_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Returns the number that the atom multiplies or divides. It is the variable, a power of two with the variable as its
/// exponent, or the variable with the points of the boundary.
std::int64_t operand_of(const Atom& atom, const Values& values) {
    const std::int64_t a = values[atom.a];
    if (atom.power > 0) return std::int64_t{1} << (atom.power * a);
    return is_of_blocks(atom) ? a + atom.more : a;
}

std::string operand_text(const Atom& atom, const Variables& variables) {
    const std::string& a = variables.names[atom.a];
    if (atom.power == 1) return fmt::format("(2 ^ {})", a);
    if (atom.power > 1) return fmt::format("(2 ^ ({} * {}))", atom.power, a);
    return is_of_blocks(atom) && atom.more != 0 ? with_more(a, atom) : a;
}

}  // namespace

Atom last_of(const Atom& blocks) {
    Atom last = blocks;
    last.rule = Rule::last_block;
    return last;
}

Atom whole_of(const Atom& blocks) {
    Atom whole = blocks;
    whole.rule = Rule::variable;
    whole.b = 0;
    return whole;
}

Atom without_more(const Atom& atom) {
    Atom plain = atom;
    plain.more = 0;
    return plain;
}

std::string with_more(const std::string& plain, const Atom& atom) {
    return fmt::format("({} {} {})", plain, atom.more < 0 ? "-" : "+", std::abs(atom.more));
}

bool has_value(const Atom& atom, const Values& values) {
    constexpr std::int64_t kMostPower = 48;
    const std::int64_t a = values[atom.a];
    if (atom.power > 0 && (a < 0 || atom.power * a > kMostPower)) return false;
    if (atom.rule == Rule::variable) return true;
    const std::int64_t workers = values[atom.b] - (atom.rule == Rule::worker_share ? 1 : 0);
    return (atom.rule == Rule::parts ? a : workers) > 0;
}

namespace {

std::int64_t share_of(const Atom& atom, const Values& values) {
    const std::int64_t a = operand_of(atom, values);
    const std::int64_t b = values[atom.b];
    const std::int64_t at = values[atom.at];
    switch (atom.rule) {
        case Rule::share_up: return rounded_up(a, b);
        case Rule::share_first: return a / b + (at <= a % b ? 1 : 0);
        case Rule::share_last: return at == b ? a - (b - 1) * (a / b) : a / b;
        case Rule::cut_last: return at == b ? a - (b - 1) * rounded_up(a, b) : rounded_up(a, b);
        case Rule::share_between: return a * at / b - a * (at - 1) / b;
        case Rule::worker_share: return a / (b - 1);
        default: return a / b;
    }
}

std::string share_text(const Atom& atom, const Variables& variables) {
    const std::string a = operand_text(atom, variables);
    const std::string& b = variables.names[atom.b];
    const std::string& at = variables.names[atom.at];
    switch (atom.rule) {
        case Rule::share_up: return fmt::format("share({}, {})", a, b);
        case Rule::share_first:
            return fmt::format("quotient({0}, {1}) + (if {2} <= {0} % {1} then 1 else 0)", a, b, at);
        case Rule::share_last:
            return fmt::format("if {2} == {1} then {0} - ({1} - 1) * quotient({0}, {1}) else quotient({0}, {1})", a, b,
                               at);
        case Rule::cut_last:
            return fmt::format("if {2} == {1} then {0} - ({1} - 1) * share({0}, {1}) else share({0}, {1})", a, b, at);
        case Rule::share_between:
            return fmt::format("quotient({0} * {2}, {1}) - quotient({0} * ({2} - 1), {1})", a, b, at);
        case Rule::worker_share: return fmt::format("quotient({}, {} - 1)", a, b);
        default: return fmt::format("quotient({}, {})", a, b);
    }
}

}  // namespace

std::int64_t value_of(const Atom& atom, const Values& values) {
    if (atom.more != 0 && !is_of_blocks(atom)) return value_of(without_more(atom), values) + atom.more;
    const std::int64_t a = operand_of(atom, values);
    if (atom.rule == Rule::variable) return a;
    if (atom.rule == Rule::parts) return std::int64_t{atom.b} / a;
    const std::int64_t b = values[atom.b];
    switch (atom.rule) {
        case Rule::blocks: return rounded_up(a, b);
        case Rule::whole_blocks: return a / b;
        case Rule::last_block: return a - (rounded_up(a, b) - 1) * b;
        default: break;
    }
    const std::int64_t share = share_of(atom, values);
    if (!atom.inner) return share;
    const std::int64_t at = values[atom.at];
    return share - (at == 1 ? 1 : 0) - (at == b ? 1 : 0);
}

std::string text_of(const Atom& atom, const Variables& variables) {
    if (atom.more != 0 && !is_of_blocks(atom)) return with_more(text_of(without_more(atom), variables), atom);
    const std::string a = operand_text(atom, variables);
    if (atom.rule == Rule::variable) return a;
    if (atom.rule == Rule::parts) return fmt::format("quotient({}, {})", atom.b, a);
    const std::string& b = variables.names[atom.b];
    switch (atom.rule) {
        case Rule::blocks: return fmt::format("quotient({0} + {1} - 1, {1})", a, b);
        case Rule::whole_blocks: return fmt::format("quotient({}, {})", a, b);
        case Rule::last_block: return fmt::format("{0} - quotient({0} - 1, {1}) * {1}", a, b);
        default: break;
    }
    const std::string share = share_text(atom, variables);
    if (!atom.inner) return share;
    return fmt::format("({0}) - (if {1} == 1 then 1 else 0) - (if {1} == {2} then 1 else 0)", share,
                       variables.names[atom.at], b);
}

}  // namespace warpfront::learning
