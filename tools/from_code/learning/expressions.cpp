#include "tools/from_code/learning/expressions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace warpfront::learning {

namespace {

using Rule = Atom::Rule;

constexpr std::uint32_t kColumn = Variables::kColumn;
constexpr std::uint32_t kFirstParameter = Variables::kParameters;

/// Returns how complex an atom is for a reader.
int cost_of(const Atom& atom) {
    constexpr int kInner = 2;
    constexpr int kPower = 3;
    if (atom.power > 0) {
        Atom plain = atom;
        plain.power = 0;
        return kPower + atom.power + cost_of(plain);
    }
    if (atom.more != 0) {
        // A parameter or a block plus a number is less common than a share with ghost points.
        const bool is_rare = !is_share(atom) && atom.a >= kFirstParameter;
        return (is_rare ? 2 : 0) + std::abs(atom.more) + cost_of(without_more(atom));
    }
    const int inner = atom.inner ? kInner : 0;
    switch (atom.rule) {
        case Rule::variable: return atom.a < kFirstParameter ? 2 : 1;
        case Rule::share_up: return 2 + inner;
        case Rule::blocks: return 2;
        case Rule::share_first: return 3 + inner;
        case Rule::share_down:
        case Rule::share_between: return 4 + inner;
        case Rule::whole_blocks:
        case Rule::parts: return 4;
        case Rule::share_last:
        case Rule::worker_share:
        case Rule::cut_last: return 5 + inner;
        case Rule::last_block: return 5;
    }
    return 5;
}

/// The atoms that an expression may contain.
struct Allowed {
    std::set<std::uint32_t> unlikely;  // parameters that must not occur
    std::set<std::uint32_t> shared;    // parameters that may occur only in shares
    bool more = false;                 // true for shares with ghost points, and sizes of the process grid minus one
    bool powers = false;               // true for powers of two whose exponents are parameters
    bool last_block = false;           // true if the last block of a parameter replaces its blocks
    bool only_lines = false;           // true for only an atom times a number plus any constant, on three values
};

/// Returns the least common multiple of all values of a variable. Returns nothing if the multiple is large.
std::optional<std::uint32_t> common_multiple(const std::vector<Sample>& samples, std::uint32_t variable) {
    constexpr std::int64_t kSmall = 120;
    std::int64_t common = 1;
    for (const Sample& sample : samples) {
        const std::int64_t value = (*sample.at)[variable];
        if (value <= 0) return std::nullopt;
        common = std::lcm(common, value);
        if (common > kSmall) return std::nullopt;
    }
    return static_cast<std::uint32_t>(common);
}

/// Adds the share of a parameter with ghost points on one side, and on both sides.
void add_ghosts(std::uint32_t parameter, std::uint32_t side, std::vector<Atom>& atoms) {
    for (const Rule rule : {Rule::share_up, Rule::share_first, Rule::share_down}) {
        for (const std::int8_t more : {std::int8_t{1}, std::int8_t{2}}) {
            atoms.push_back({rule, parameter, side, kColumn + side, false, more});
        }
    }
}

/// Adds the blocks of a parameter, or its last block. There is one atom for all points, and one without the points of
/// the boundary.
void add_blocks(std::uint32_t parameter, std::uint32_t size, bool last, std::vector<Atom>& atoms) {
    for (const std::int8_t more : {std::int8_t{0}, std::int8_t{-1}, std::int8_t{-2}}) {
        for (const Rule rule : {Rule::blocks, Rule::whole_blocks, Rule::last_block}) {
            if ((rule == Rule::last_block) == last) atoms.push_back({rule, parameter, size, 0, false, more});
        }
    }
}

/// Adds the powers of two of a parameter, and their shares: the points of a line, a plane or a cube.
void add_powers(std::uint32_t parameter, std::vector<Atom>& atoms) {
    for (const std::uint8_t power : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{3}}) {
        atoms.push_back({Rule::variable, parameter, 0, 0, false, 0, power});
        for (std::uint32_t side = 0; side < 3; ++side) {
            for (const Rule rule : {Rule::share_up, Rule::share_first, Rule::share_down}) {
                atoms.push_back({rule, parameter, side, kColumn + side, false, 0, power});
            }
        }
    }
}

std::vector<Atom> all_atoms(const Variables& variables, const std::vector<Sample>& samples, const Allowed& allowed) {
    std::vector<Atom> atoms;
    const auto count = static_cast<std::uint32_t>(variables.names.size());
    const auto is_whole_allowed = [&allowed](std::uint32_t v) {
        return !allowed.unlikely.contains(v) && !allowed.shared.contains(v);
    };
    for (std::uint32_t v = 0; v < count; ++v) {
        if (is_whole_allowed(v)) atoms.push_back({Rule::variable, v});
        if (allowed.more && v < kColumn) atoms.push_back({Rule::variable, v, 0, 0, false, -1});
    }
    for (std::uint32_t v = kFirstParameter; v < count; ++v) {
        if (allowed.unlikely.contains(v)) continue;
        for (std::uint32_t side = 0; side < 3; ++side) {
            for (const Rule rule : {Rule::share_up, Rule::share_first, Rule::share_down, Rule::share_last,
                                    Rule::cut_last, Rule::share_between}) {
                atoms.push_back({rule, v, side, kColumn + side});
                atoms.push_back({rule, v, side, kColumn + side, true});
            }
            if (allowed.more) {
                add_ghosts(v, side, atoms);
                atoms.push_back({Rule::worker_share, v, side, kColumn + side});
            }
        }
        if (!is_whole_allowed(v)) continue;
        if (allowed.powers) add_powers(v, atoms);
        atoms.push_back({Rule::variable, v, 0, 0, false, 1});
        for (std::uint32_t other = kFirstParameter; other < count; ++other) {
            if (other != v && is_whole_allowed(other)) add_blocks(v, other, allowed.last_block, atoms);
        }
        if (const auto whole = common_multiple(samples, v)) atoms.push_back({Rule::parts, v, *whole});
    }
    std::stable_sort(atoms.begin(), atoms.end(), [](const Atom& a, const Atom& b) { return cost_of(a) < cost_of(b); });
    return atoms;
}

/// An atom with its values on all samples. Atoms that never vary are omitted, since a coefficient has the same effect.
/// If several atoms have the same values, the simplest represents them.
struct Column {
    Atom atom;
    std::vector<double> values;
    std::vector<Atom> alike;
};

std::vector<Column> columns_of(const std::vector<Sample>& samples, const std::vector<Atom>& atoms) {
    std::vector<Column> columns;
    std::map<std::vector<double>, std::size_t> known;
    const auto undivided = [&samples](const Atom& atom) {
        return is_share(atom) && std::all_of(samples.begin(), samples.end(),
                                             [&atom](const Sample& sample) { return (*sample.at)[atom.b] == 1; });
    };
    for (const Atom& atom : atoms) {
        if (undivided(atom)) continue;
        std::vector<double> values;
        bool sound = true;
        for (const Sample& sample : samples) {
            sound = sound && has_value(atom, *sample.at);
            values.push_back(sound ? static_cast<double>(value_of(atom, *sample.at)) : 0.0);
            sound = sound && values.back() > 0;
        }
        const bool varies =
            std::any_of(values.begin(), values.end(), [&values](double each) { return each != values.front(); });
        if (!sound || !varies) continue;
        const auto [at, is_new] = known.try_emplace(values, columns.size());
        if (is_new) {
            columns.push_back({atom, values, {}});
        } else {
            columns[at->second].alike.push_back(atom);
        }
    }
    return columns;
}

/// A product of columns. Its atoms are in ascending order of the columns.
struct Product {
    std::vector<std::size_t> columns;
    std::vector<double> values;
    int cost = 0;
};

std::vector<Product> products_of(const std::vector<Column>& columns, std::size_t samples, std::size_t most) {
    constexpr int kSimple = 3;  // highest cost of an atom in a product of three
    std::vector<Product> all{{{}, std::vector<double>(samples, 1.0), 0}};
    std::size_t begin = 0;
    const auto is_simple = [&columns](std::size_t column) {
        const Atom& atom = columns[column].atom;
        return cost_of(atom) <= kSimple || (atom.more != 0 && !is_of_blocks(atom));
    };
    for (std::size_t length = 1; length <= most; ++length) {
        const std::size_t end = all.size();
        for (std::size_t at = begin; at < end; ++at) {
            if (length > 2 && !std::ranges::all_of(all[at].columns, is_simple)) continue;
            const std::size_t from = all[at].columns.empty() ? 0 : all[at].columns.back();
            for (std::size_t column = from; column < columns.size(); ++column) {
                if (length > 2 && !is_simple(column)) continue;
                Product next = all[at];
                next.columns.push_back(column);
                next.cost += 1 + cost_of(columns[column].atom);
                // A product rarely contains the same number twice, as itself or as a share.
                for (const std::size_t other : all[at].columns) {
                    if (columns[other].atom.a == columns[column].atom.a) next.cost += 3;
                }
                for (std::size_t s = 0; s < samples; ++s) next.values[s] *= columns[column].values[s];
                all.push_back(std::move(next));
            }
        }
        begin = end;
        if (all.size() > 40'000) break;
    }
    all.erase(all.begin());
    std::stable_sort(all.begin(), all.end(), [](const Product& a, const Product& b) { return a.cost < b.cost; });
    return all;
}

bool is_size_of_number(double coefficient) {
    return coefficient == 1 || coefficient == sizeof(float) || coefficient == sizeof(double) ||
           coefficient == sizeof(std::complex<double>);
}

bool is_whole(double value) { return std::abs(value) < 9e15 && value == std::floor(value); }

/// Searches for sums of products that are exact on all samples.
class IntegerSearch {
public:
    IntegerSearch(const std::vector<Sample>& samples, const Variables& variables, const Allowed& allowed)
        : samples_(samples),
          columns_(columns_of(samples, all_atoms(variables, samples, allowed))),
          only_lines_(allowed.only_lines) {
        // The number of blocks without boundary points is an alternative to that of all points, but rarely correct
        // elsewhere.
        std::erase_if(columns_, [&allowed](const Column& each) {
            return !allowed.more && each.atom.more != 0 && is_of_blocks(each.atom) &&
                   each.atom.rule != Rule::last_block;
        });
        for (const Sample& sample : samples) wanted_.push_back(static_cast<double>(sample.value));
        products_ = products_of(columns_, samples.size(), 3);
    }

    std::optional<Found> find() {
        if (std::all_of(wanted_.begin(), wanted_.end(), [this](double each) { return each == wanted_.front(); })) {
            return Found{{{}, samples_.front().value}, {}, 0};
        }
        const std::size_t known = points();
        // For any three numbers, some product of three atoms or some sum fits.
        const bool few = known <= 3;
        if (only_lines_) {
            if (known == 3) one_product({.atoms = 1, .most_constant = kAny});
            return found_.empty() ? std::nullopt : std::optional(result());
        }
        one_product({.atoms = few ? 2U : 3U});
        if (known >= 3) {
            one_product({.atoms = known <= 5 ? 1U : 3U, .most_constant = kAny, .few_points = few});
            // A product minus one occurs if a loop begins or ends with half of an iteration.
            if (known <= 5 && found_.empty()) one_product({.atoms = few ? 2U : 3U, .most_constant = 1});
            if (few && found_.empty()) one_product({.atoms = 3, .most_constant = 1, .alone = true});
        }
        if (found_.empty() && known >= 6) two_products();
        if (found_.empty()) return std::nullopt;
        return result();
    }

private:
    /// Returns how many distinct values an expression must reproduce: one for each run, or more if ranks of a run
    /// differ.
    std::size_t points() const {
        std::map<Values, std::set<std::int64_t>> of_run;
        for (const Sample& sample : samples_) {
            Values run = *sample.at;
            run[kColumn] = run[kColumn + 1] = run[kColumn + 2] = 0;
            of_run[run].insert(sample.value);
        }
        std::size_t points = 0;
        for (const auto& [run, values] : of_run) points += values.size();
        return points;
    }

    struct Candidate {
        int cost = 0;
        Expression expression;
        std::vector<std::size_t> columns;
    };

    Term term_of(double coefficient, const Product& product) const {
        Term term{static_cast<std::int64_t>(coefficient), {}};
        for (std::size_t at = 0; at < product.columns.size(); ++at) {
            const Column& column = columns_[product.columns[at]];
            const bool again = at > 0 && product.columns[at - 1] == product.columns[at];
            // A factor that occurs twice may also be two different parameters that were equal in all runs.
            const auto other = std::ranges::find_if(column.alike, [&column](const Atom& atom) {
                return atom.rule == column.atom.rule && atom.a != column.atom.a;
            });
            term.atoms.push_back(again && other != column.alike.end() ? *other : column.atom);
        }
        // Multiply the coefficient into the constant: 2 * (6 / a) becomes 12 / a, which is exact for more divisors.
        const auto parts = std::ranges::find(term.atoms, Rule::parts, &Atom::rule);
        if (parts != term.atoms.end() && term.coefficient > 0) {
            parts->b *= static_cast<std::uint32_t>(std::exchange(term.coefficient, 1));
        }
        return term;
    }

    bool exact(double a, const Product& p, double b, const Product* q, double constant) const {
        for (std::size_t s = 0; s < wanted_.size(); ++s) {
            if (a * p.values[s] + (q != nullptr ? b * q->values[s] : 0.0) + constant != wanted_[s]) return false;
        }
        return true;
    }

    void add(double a, const Product& p, double b, const Product* q, double constant) {
        constexpr int kFalls = 4;  // cost of a number that falls while another grows, which is rarely intended
        Candidate candidate{p.cost + (constant != 0 ? 2 : 0) + (a < 0 ? kFalls : 0),
                            {{term_of(a, p)}, static_cast<std::int64_t>(constant)},
                            p.columns};
        if (q != nullptr) {
            candidate.expression.terms.push_back(term_of(b, *q));
            candidate.cost += q->cost + 1;
            candidate.columns.insert(candidate.columns.end(), q->columns.begin(), q->columns.end());
        }
        least_ = std::min(least_, candidate.cost);
        found_.push_back(std::move(candidate));
    }

    /// Returns a sample on which the product differs from its value on the first sample.
    std::optional<std::size_t> other(const Product& p) const {
        for (std::size_t s = 1; s < p.values.size(); ++s) {
            if (p.values[s] != p.values[0]) return s;
        }
        return std::nullopt;
    }

    /// Returns how many different values the products have on the samples.
    std::size_t distinct(std::initializer_list<const Product*> products) const {
        std::set<std::vector<double>> points;
        for (std::size_t s = 0; s < wanted_.size(); ++s) {
            std::vector<double> point;
            for (const Product* each : products) point.push_back(each->values[s]);
            points.insert(std::move(point));
        }
        return points.size();
    }

    static constexpr double kAny = 9e15;
    /// A coefficient times a product, and optionally a constant.
    struct Form {
        std::size_t atoms = 3;       // largest number of atoms in the product
        double most_constant = 0.0;  // largest absolute value of the constant
        bool alone = false;          // true if the coefficient is 1, or the size of a number
        bool few_points = false;     // true if the constant is at most 2, or at most 2 times the coefficient
    };

    static bool is_few_points(double coefficient, double constant) {
        const double points = constant / coefficient;
        return std::abs(constant) <= 2 || (is_whole(points) && std::abs(points) <= 2);
    }

    void one_product(const Form& form) {
        const bool only_products = !found_.empty();
        for (const Product& p : products_) {
            if (p.cost > least_) return;
            if (p.columns.size() > form.atoms) continue;
            double a = wanted_[0] / p.values[0];
            double constant = 0;
            if (form.most_constant > 0) {
                const auto s = other(p);
                if (!s) continue;
                a = (wanted_[*s] - wanted_[0]) / (p.values[*s] - p.values[0]);
                constant = wanted_[0] - a * p.values[0];
            }
            // A line passes through any two points.
            if (constant != 0 && !is_few_points(a, constant) && !is_size_of_number(std::abs(a)) && distinct({&p}) < 3)
                continue;
            // Exact products are more likely than sums, except a number minus one or two, such as the number of
            // interior planes.
            const bool likely = a == 1 && std::abs(constant) <= 2 && p.columns.size() == 1;
            if (form.most_constant > 0 && only_products && !likely) continue;
            if (is_whole(a) && is_whole(constant) && a != 0 && (!form.alone || is_size_of_number(a)) &&
                std::abs(constant) <= form.most_constant && (!form.few_points || is_few_points(a, constant)) &&
                exact(a, p, 0, nullptr, constant)) {
                add(a, p, 0, nullptr, constant);
            }
        }
    }

    void two_products() {
        constexpr std::size_t kMost = 400;
        const std::size_t count = std::min(products_.size(), kMost);
        int least = 1'000;
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const Product& p = products_[i];
                const Product& q = products_[j];
                if (p.cost + q.cost > least) continue;
                if (solve(p, q)) least = std::min(least, p.cost + q.cost);
            }
        }
        std::erase_if(found_, [this](const Candidate& each) {
            return each.cost > std::min_element(found_.begin(), found_.end(), cheaper)->cost;
        });
    }
    static bool cheaper(const Candidate& a, const Candidate& b) { return a.cost < b.cost; }

    /// Solves p, q and a constant for three independent samples, then checks all samples.
    bool solve(const Product& p, const Product& q) {
        const std::size_t n = wanted_.size();
        for (std::size_t s = 1; s < n; ++s) {
            const double p1 = p.values[s] - p.values[0];
            const double q1 = q.values[s] - q.values[0];
            if (p1 == 0 && q1 == 0) continue;
            for (std::size_t t = s + 1; t < n; ++t) {
                const double p2 = p.values[t] - p.values[0];
                const double q2 = q.values[t] - q.values[0];
                const double determinant = p1 * q2 - p2 * q1;
                if (determinant == 0) continue;
                const double w1 = wanted_[s] - wanted_[0];
                const double w2 = wanted_[t] - wanted_[0];
                const double a = (w1 * q2 - w2 * q1) / determinant;
                const double b = (p1 * w2 - p2 * w1) / determinant;
                const double constant = wanted_[0] - a * p.values[0] - b * q.values[0];
                if (a == 0 || b == 0 || !is_whole(a) || !is_whole(b) || !is_whole(constant)) return false;
                if (!exact(a, p, b, &q, constant)) return false;
                if (constant != 0 && distinct({&p, &q}) < 4) return false;  // three points are always on some plane
                add(a, p, b, &q, constant);
                return true;
            }
            return false;  // the samples do not distinguish the two products
        }
        return false;
    }

    Found result() {
        std::stable_sort(found_.begin(), found_.end(), cheaper);
        Found found{found_.front().expression, {}, found_.front().cost};
        for (std::size_t at = 1; at < found_.size(); ++at) {
            if (found_[at].cost == found_.front().cost) found.others.push_back(found_[at].expression);
        }
        // Each atom with the same values on all samples gives another expression.
        const std::vector<std::size_t>& used = found_.front().columns;
        for (const std::size_t column : std::set<std::size_t>(used.begin(), used.end())) {
            for (const Atom& atom : columns_[column].alike) {
                Expression other = found.expression;
                for (Term& term : other.terms) {
                    std::replace(term.atoms.begin(), term.atoms.end(), columns_[column].atom, atom);
                }
                found.others.push_back(std::move(other));
            }
        }
        return found;
    }

    const std::vector<Sample>& samples_;
    std::vector<double> wanted_;
    std::vector<Column> columns_;
    const bool only_lines_;
    std::vector<Product> products_;
    std::vector<Candidate> found_;
    int least_ = std::numeric_limits<int>::max();  // lowest cost of the expressions found
};

}  // namespace

std::int64_t value_of(const Expression& expression, const Values& values) {
    std::int64_t sum = expression.constant;
    for (const Term& term : expression.terms) {
        std::int64_t product = term.coefficient;
        for (const Atom& atom : term.atoms) product *= value_of(atom, values);
        sum += product;
    }
    return sum;
}

namespace {

/// Returns the parameters that have the same value in all samples.
std::set<std::uint32_t> unvaried(const std::vector<Sample>& samples, const Variables& variables) {
    std::set<std::uint32_t> result;
    for (std::uint32_t v = kFirstParameter; v < variables.names.size(); ++v) {
        const std::int64_t first = (*samples.front().at)[v];
        if (std::ranges::all_of(samples, [&](const Sample& each) { return (*each.at)[v] == first; })) result.insert(v);
    }
    return result;
}

}  // namespace

namespace {

/// Adds powers of two that have the same values as an expression on all samples. If sizes double from run to run, they
/// may also be multiples of the number of ranks, provided that this number doubles too.
void add_rival_powers(const std::vector<Sample>& samples, const Variables& variables,
                      const std::set<std::uint32_t>& unlikely, Found& found) {
    if (found.expression.terms.empty()) return;
    std::vector<Atom> atoms;
    for (std::uint32_t v = kFirstParameter; v < variables.names.size(); ++v) {
        if (!unlikely.contains(v)) add_powers(v, atoms);
    }
    for (const Column& column : columns_of(samples, atoms)) {
        const double size = static_cast<double>(samples.front().value) / column.values.front();
        bool agrees = is_size_of_number(size);
        for (std::size_t at = 0; agrees && at < samples.size(); ++at) {
            agrees = size * column.values[at] == static_cast<double>(samples[at].value);
        }
        const Expression rival{{{static_cast<std::int64_t>(size), {column.atom}}}, 0};
        if (agrees && !(rival == found.expression)) found.others.push_back(rival);
    }
}

}  // namespace

namespace {

/// Finds products of shares that are equal in all samples, as in runs of one block per rank on different numbers of
/// ranks. A number of bytes that is such a product is rarely a constant of the code. Returns nothing if a sample
/// differs, or if there is no product.
std::optional<Found> equal_shares(const std::vector<Sample>& samples, const Variables& variables,
                                  const std::set<std::uint32_t>& unlikely) {
    constexpr std::int64_t kFewPoints = 8;
    const auto is_equal = [&samples](const auto& number) {
        return std::ranges::all_of(samples,
                                   [&](const Sample& each) { return number(each) == number(samples.front()); });
    };
    if (!is_equal([](const Sample& each) { return each.value; })) return std::nullopt;
    std::vector<Atom> shares;
    for (auto v = kFirstParameter; v < variables.names.size(); ++v) {
        for (std::uint32_t side = 0; side < 3 && !unlikely.contains(v); ++side) {
            const Atom share{Rule::share_up, v, side, kColumn + side};
            const bool is_same = is_equal([&share](const Sample& each) { return value_of(share, *each.at); });
            const bool is_divided = !is_equal([side](const Sample& each) { return (*each.at)[side]; });
            if (is_same && is_divided && value_of(share, *samples.front().at) >= kFewPoints) shares.push_back(share);
        }
    }
    const std::int64_t value = samples.front().value;
    Found found{{{}, value}, {}, 0};
    const auto add = [&](std::vector<Atom> atoms) {
        std::int64_t product = 1;
        for (const Atom& atom : atoms) product *= value_of(atom, *samples.front().at);
        const bool is_number = value % product == 0 && is_size_of_number(static_cast<double>(value / product));
        if (is_number && value != product) found.others.push_back({{{value / product, std::move(atoms)}}, 0});
    };
    for (const Atom& a : shares) {
        add({a});
        for (const Atom& b : shares) {
            if (a.a != b.a ? a < b : a.b <= b.b) add({a, b});
        }
    }
    if (found.others.empty()) return std::nullopt;
    std::swap(found.expression, found.others.front());
    return found;
}

}  // namespace

std::optional<Found> integer(const std::vector<Sample>& samples, const Variables& variables,
                             const std::set<std::uint32_t>& unlikely, bool at_last) {
    constexpr int kSimple = 5;  // highest cost of an expression that no expression with ghost points can replace
    const std::set<std::uint32_t> same = unvaried(samples, variables);
    std::set<std::uint32_t> neither = unlikely;
    neither.insert(same.begin(), same.end());
    std::set<std::uint32_t> both;
    std::ranges::set_intersection(unlikely, same, std::inserter(both, both.end()));
    if (auto shares = equal_shares(samples, variables, unlikely)) return shares;
    const auto find = [&](Allowed allowed) {
        allowed.last_block = at_last;
        return IntegerSearch(samples, variables, allowed).find();
    };
    std::optional<Found> found = find({neither, {}});
    std::optional<Found> rival;
    if (found && found->cost > kSimple) {
        if (auto with_ghosts = find({neither, {}, true}); with_ghosts && with_ghosts->cost < found->cost) {
            rival = std::exchange(found, std::move(with_ghosts));
        }
    }
    // Many lines pass through three values, so lines with any constant come last.
    for (const bool only_lines : {false, true}) {
        const auto search = [&](Allowed allowed) {
            allowed.only_lines = only_lines;
            if (!found) found = find(allowed);
        };
        if (only_lines) search({neither, {}});
        if (!same.empty()) search({unlikely, same});
        if (!unlikely.empty()) search({both, same});
        search({neither, {}, true});
        search({neither, {}, false, true});
    }
    if (!found) return std::nullopt;
    if (!rival && found->cost > kSimple) {
        Allowed lines{neither, {}};
        lines.only_lines = true;
        rival = find(lines);
    }
    if (rival && !(rival->expression == found->expression)) found->others.push_back(rival->expression);
    add_rival_powers(samples, variables, neither, *found);
    return found;
}

Expression form_of(const Expression& expression) {
    Expression form = expression;
    for (Term& term : form.terms) {
        for (Atom& atom : term.atoms) {
            if (is_of_blocks(atom) || atom.a < kFirstParameter) continue;
            atom.a = kFirstParameter;
            if (is_share(atom)) atom.b = atom.at = 0;
        }
        std::ranges::sort(term.atoms);
    }
    return form;
}

namespace {

/// Adds the expressions that result if each of the term's atoms from `at` on has any parameter and any side of the
/// process grid, without a side of one rank in all samples. A product has no parameter twice.
void add_like(Expression& expression, std::size_t at, const std::vector<Sample>& samples, const Variables& variables,
              std::vector<Expression>& all) {
    std::vector<Atom>& atoms = expression.terms.front().atoms;
    if (at == atoms.size()) {
        const auto is_exact = [&](const Sample& each) { return value_of(expression, *each.at) == each.value; };
        if (std::ranges::all_of(samples, is_exact)) all.push_back(expression);
        return;
    }
    const Atom form = atoms[at];
    if (is_of_blocks(form) || form.a < kFirstParameter) return add_like(expression, at + 1, samples, variables, all);
    for (auto v = kFirstParameter; v < variables.names.size(); ++v) {
        const auto begin = atoms.begin();
        if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(at), [v](const Atom& each) { return each.a == v; }))
            continue;
        atoms[at].a = v;
        for (std::uint32_t side = 0; side < (is_share(form) ? 3 : 1); ++side) {
            const auto is_divided = [side](const Sample& each) { return (*each.at)[side] > 1; };
            if (is_share(form)) {
                if (std::ranges::none_of(samples, is_divided)) continue;
                atoms[at].b = side;
                atoms[at].at = kColumn + side;
            }
            add_like(expression, at + 1, samples, variables, all);
        }
    }
    atoms[at] = form;
}

}  // namespace

std::vector<Expression> integers_like(const Expression& form, const std::vector<Sample>& samples,
                                      const Variables& variables) {
    std::vector<Expression> all;
    if (form.terms.size() != 1) return all;
    Expression expression = form;
    add_like(expression, 0, samples, variables, all);
    return all;
}

std::optional<Derived> derived_parameter(const std::vector<Sample>& samples, const Variables& variables) {
    struct Way {
        const char* word;
        const char* sign;
        std::int64_t (*of)(std::int64_t, std::int64_t);
    };
    constexpr std::array kWays{Way{"times", "*", [](std::int64_t a, std::int64_t b) { return a * b; }},
                               Way{"and", "+", [](std::int64_t a, std::int64_t b) { return a + b; }},
                               Way{"less", "-", [](std::int64_t a, std::int64_t b) { return a - b; }}};
    constexpr std::size_t kMostParameters = 8;
    const std::set<std::uint32_t> same = unvaried(samples, variables);
    if (variables.parameters() - same.size() > kMostParameters) return std::nullopt;
    Derived derived{{}, {}, 0, {}, variables};
    derived.variables.names.emplace_back();
    const auto count = static_cast<std::uint32_t>(variables.names.size());
    for (const Way& way : kWays) {
        for (std::uint32_t a = kFirstParameter; a < count; ++a) {
            for (std::uint32_t b = kFirstParameter; b < count; ++b) {
                const bool twice = *way.sign != '-' && b < a;
                if (a == b || twice || same.contains(a) || same.contains(b)) continue;
                derived.name = fmt::format("{}_{}_{}", variables.names[a], way.word, variables.names[b]);
                derived.variables.names.back() = derived.name;
                std::vector<Values> values;
                for (const Sample& sample : samples) {
                    values.push_back(*sample.at);
                    values.back().push_back(way.of(values.back()[a], values.back()[b]));
                }
                std::vector<Sample> with;
                for (std::size_t at = 0; at < samples.size(); ++at) with.push_back({&values[at], samples[at].value});
                const std::optional<Found> found = IntegerSearch(with, derived.variables, {same, {}}).find();
                if (!found) continue;
                derived.text = fmt::format("{} {} {}", variables.names[a], way.sign, variables.names[b]);
                derived.first = values.front().back();
                derived.expression = found->expression;
                return derived;
            }
        }
    }
    return std::nullopt;
}

}  // namespace warpfront::learning
