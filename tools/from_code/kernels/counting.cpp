#include "tools/from_code/kernels/counting.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::kernels {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using Column = std::vector<Rational>;  // a value of each deck
using Coefficients = std::vector<Rational>;

constexpr std::size_t kMostDecks = 128;
constexpr double kMostLeftOut = 0.1;  // largest share of the instructions that may be left out, on any deck

/// Instructions that are executed equally often on every deck.
struct Group {
    Column counts;  // executions in a call, by deck
    std::vector<CodeAddress> members;
    std::set<SourceLine> lines;
};

Rational count_in(const Profile& profile, const CodeAddress& at) {
    const auto found = profile.instructions.find(at);
    return found == profile.instructions.end() ? Rational(0) : Rational(found->second.times, profile.calls);
}

/// One side of a branch.
struct Side {
    SourceLine line;
    Column counts;    // number of times that the side is taken, by deck
    Column executed;  // number of times that the branch is executed, by deck
};

class Counting {
public:
    Counting(const std::string& kernel, const std::vector<DeckParameter>& parameters, const CountingSources& sources)
        : kernel_(kernel), parameters_(parameters), sources_(sources), degrees_(parameters.size(), 0) {
        for (std::size_t k = 0; k < parameters.size(); ++k) degrees_[k] = parameters[k].is_constant() ? 0 : 1;
        for (const DeckParameter& parameter : parameters) held_out_.push_back(parameter.value(parameter.values() - 1));
    }

    KernelCounts run() {
        lay_out();
        if (!misfits().empty()) raise_degrees();
        leave_out_libraries();
        std::vector<Side> sides;
        if (!misfits().empty() && sources_.branches) sides = sides_that_vary();
        sides_ = independent(std::move(sides));
        const std::vector<const Group*> wrong = misfits();
        if (!wrong.empty()) refuse(wrong);
        return result();
    }

private:
    const Profile& profile(const Deck& deck) {
        const auto known = profiles_.find(deck);
        if (known != profiles_.end()) return known->second;
        Profile profile = sources_.profile(deck);
        if (profile.is_recursive) {
            throw BadInput(DiagnosticKind::recursive_kernel, {}, fmt::format("`{}` calls itself", kernel_),
                           "expected a kernel without recursion, or the function that calls it");
        }
        if (profile.calls == 0) {
            throw BadInput(DiagnosticKind::not_called, {},
                           fmt::format("`{}` is never called in the run with {}", kernel_, text_of(deck, parameters_)),
                           "expected a call of the function; if the compiler has inlined it, compile with -fno-inline "
                           "or the attribute `noinline`");
        }
        return profiles_.emplace(deck, std::move(profile)).first->second;
    }

    /// Chooses the decks: the grid, `more_` further decks, and the held-out deck. Groups instructions by their counts.
    void lay_out() {
        decks_ = grid_of_decks(parameters_, degrees_);
        products_ = products(degrees_);
        for (std::size_t k = 0; k < more_; ++k) decks_.push_back(further_deck(k));
        decks_.push_back(held_out_);
        std::set<CodeAddress> addresses;
        std::map<CodeAddress, SourceLine> lines;
        for (const Deck& deck : decks_) {
            for (const auto& [at, executed] : profile(deck).instructions) {
                if (executed.times == 0 || left_out_.contains({at.object, executed.function})) continue;
                addresses.insert(at);
                lines.emplace(at, executed.line);
            }
        }
        std::map<Column, std::size_t> known;
        groups_.clear();
        for (const CodeAddress& at : addresses) {
            Column counts;
            for (const Deck& deck : decks_) counts.push_back(count_in(profile(deck), at));
            const auto [group, is_new] = known.emplace(counts, groups_.size());
            if (is_new) groups_.push_back({std::move(counts), {}, {}});
            groups_[group->second].members.push_back(at);
            groups_[group->second].lines.insert(lines.at(at));
        }
    }

    /// Returns a deck outside the grid, with different values for each number.
    Deck further_deck(std::size_t number) const {
        Deck deck;
        for (std::size_t k = 0; k < parameters_.size(); ++k) {
            const auto values = static_cast<std::size_t>(parameters_[k].values());
            deck.push_back(parameters_[k].value(static_cast<std::int64_t>((2 + number * (k + 1) + k) % values)));
        }
        return deck;
    }

    std::vector<Rational> row(std::size_t deck) const {
        std::vector<Rational> values = values_of(products_, decks_[deck]);
        for (const Side& side : sides_) values.push_back(side.counts[deck]);
        return values;
    }

    /// Returns the coefficients of each column, from all decks except the held-out one; nothing for a column whose
    /// value on the held-out deck they do not predict.
    std::vector<std::optional<Coefficients>> fitted(const std::vector<Column>& columns) const {
        std::vector<std::vector<Rational>> rows;
        for (std::size_t deck = 0; deck + 1 < decks_.size(); ++deck) rows.push_back(row(deck));
        std::vector<Column> known;
        for (const Column& column : columns) known.emplace_back(column.begin(), column.end() - 1);
        std::vector<std::optional<Coefficients>> all = regression::solve(std::move(rows), known);
        const std::vector<Rational> last = row(decks_.size() - 1);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (all[k] && product_of(*all[k], last) != columns[k].back()) all[k].reset();
        }
        return all;
    }

    std::vector<std::optional<Coefficients>> fitted_groups() const {
        std::vector<Column> columns;
        for (const Group& group : groups_) columns.push_back(group.counts);
        return fitted(columns);
    }

    std::vector<const Group*> misfits() const {
        std::vector<const Group*> wrong;
        const auto fits = fitted_groups();
        for (std::size_t k = 0; k < groups_.size(); ++k) {
            if (!fits[k]) wrong.push_back(&groups_[k]);
        }
        return wrong;
    }

    /// Returns the degree of an instruction's counts in one parameter; 3 if it is neither 0, 1 nor 2.
    static unsigned degree_of(const std::vector<std::pair<Rational, Rational>>& points) {
        Column divided;
        for (const auto& [at, value] : points) divided.push_back(value);
        unsigned degree = 0;
        for (std::size_t order = 1; order < points.size(); ++order) {
            for (std::size_t k = 0; k + order < points.size(); ++k) {
                divided[k] = (divided[k + 1] - divided[k]) / (points[k + order].first - points[k].first);
                if (divided[k] != 0) degree = std::max(degree, static_cast<unsigned>(order));
            }
        }
        return degree;
    }

    /// Tries further values of each parameter alone, and raises the degree of those that need a square.
    void raise_degrees() {
        constexpr std::int64_t kTried = 4;
        bool raised = false;
        for (std::size_t k = 0; k < parameters_.size(); ++k) {
            if (parameters_[k].is_constant()) continue;
            std::vector<Deck> tried;
            for (std::int64_t number = 0; number < std::min(kTried, parameters_[k].values()); ++number) {
                tried.push_back(grid_of_decks(parameters_, degrees_).front());
                tried.back()[k] = parameters_[k].value(number);
            }
            for (const Group& group : groups_) {
                std::vector<std::pair<Rational, Rational>> points;
                for (const Deck& deck : tried) {
                    points.emplace_back(deck[k], count_in(profile(deck), group.members.front()));
                }
                const unsigned degree = degree_of(points);
                if (degree == 2) degrees_[k] = 2;
                raised |= degree == 2;
                if (degree > 2) uneven_.insert(parameters_[k].name);
            }
        }
        std::size_t decks = 1;
        for (const unsigned degree : degrees_) decks *= degree + 1;
        if (decks > kMostDecks) {
            throw BadInput(DiagnosticKind::counts_do_not_fit, {},
                           fmt::format("the counts of `{}` are quadratic and need {} decks", kernel_, decks),
                           fmt::format("expected at most {} decks, by more constant parameters", kMostDecks));
        }
        if (raised) lay_out();
    }

    /// Returns the sides of the kernel's own branches whose counts are not polynomials. Adds decks until their number
    /// suffices to determine the counts of all these sides.
    std::vector<Side> sides_that_vary() {
        while (true) {
            std::vector<Side> sides = sides_of_branches();
            const std::vector<std::optional<Coefficients>> fits = fitted(counts_of(sides));
            std::vector<Side> varying;
            for (std::size_t k = 0; k < sides.size(); ++k) {
                if (!fits[k]) varying.push_back(std::move(sides[k]));
            }
            if (varying.size() <= more_ || decks_.size() + varying.size() > kMostDecks) return varying;
            more_ = varying.size();
            lay_out();
        }
    }

    /// Leaves out library functions with instructions whose counts are not polynomials, unless they are too many.
    void leave_out_libraries() {
        if (sources_.program.empty()) return;
        for (const Group* group : misfits()) {
            for (const CodeAddress& at : group->members) {
                if (at.object == sources_.program) continue;
                for (const Deck& deck : decks_) {
                    const auto found = profile(deck).instructions.find(at);
                    if (found == profile(deck).instructions.end()) continue;
                    left_out_.insert({at.object, found->second.function});
                    break;
                }
            }
        }
        for (const LeftOut& each : shares_left_out()) {
            if (each.most <= kMostLeftOut) continue;
            throw BadInput(
                DiagnosticKind::counts_do_not_fit, {},
                fmt::format("`{}` of {} has {:.3g} % of the instructions of `{}`, but its counts are not "
                            "polynomials of the parameters",
                            each.function, each.library, 100.0 * each.most, kernel_),
                fmt::format("expected at most {:.3g} % in such a library function; if the compiler has replaced a loop "
                            "by a call of this function, compile with -fno-tree-loop-distribute-patterns",
                            100.0 * kMostLeftOut));
        }
        if (!left_out_.empty()) lay_out();
    }

    std::vector<LeftOut> shares_left_out() {
        std::vector<LeftOut> all;
        for (const auto& [object, function] : left_out_) {
            LeftOut here{function, file_name(object), 1.0, 0.0};
            for (const Deck& deck : decks_) {
                double own = 0.0;
                double sum = 0.0;
                for (const auto& [at, executed] : profile(deck).instructions) {
                    sum += static_cast<double>(executed.times);
                    if (at.object == object && executed.function == function)
                        own += static_cast<double>(executed.times);
                }
                here.least = std::min(here.least, own / sum);
                here.most = std::max(here.most, own / sum);
            }
            all.push_back(std::move(here));
        }
        return all;
    }

    static std::vector<Column> counts_of(const std::vector<Side>& sides) {
        std::vector<Column> counts;
        for (const Side& side : sides) counts.push_back(side.counts);
        return counts;
    }

    const std::vector<BranchLine>& branches(const Deck& deck) {
        const auto known = branches_.find(deck);
        return known != branches_.end() ? known->second
                                        : branches_.emplace(deck, sources_.branches(deck)).first->second;
    }

    std::vector<Side> sides_of_branches() {
        std::set<std::pair<std::string, unsigned>> own;  // lines that the kernel executes
        for (const Group& group : groups_) {
            for (const SourceLine& line : group.lines) own.emplace(file_name(line.file), line.line);
        }
        std::map<SourceLine, std::vector<std::vector<Rational>>> taken;  // the counts of branches, by line and by deck
        for (std::size_t deck = 0; deck < decks_.size(); ++deck) {
            const Rational calls(profile(decks_[deck]).calls);
            for (const BranchLine& branch : branches(decks_[deck])) {
                if (!own.contains({file_name(branch.line.file), branch.line.line})) continue;
                auto& by_deck = taken[branch.line];
                by_deck.resize(decks_.size());
                for (const std::uint64_t times : branch.taken) by_deck[deck].push_back(Rational(times) / calls);
            }
        }
        std::vector<Side> sides;
        for (const auto& [line, by_deck] : taken) {
            const std::size_t number = by_deck.front().size();
            for (std::size_t k = 0; k < number; ++k) {
                if (number % 2 == 0 && k % 2 == 1) continue;  // the complement of the other side of its pair
                Side side{line, {}, {}};
                for (const std::vector<Rational>& times : by_deck) {
                    if (times.size() != number) break;
                    side.counts.push_back(times[k]);
                    Rational executed = 0;
                    for (std::size_t other = 0; other < number; ++other) {
                        if (number % 2 == 1 || other / 2 == k / 2) executed += times[other];
                    }
                    side.executed.push_back(executed);
                }
                if (side.counts.size() == decks_.size()) sides.push_back(std::move(side));
            }
        }
        return sides;
    }

    static std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

    /// Returns the sides whose counts are not a linear combination of products and of counts of earlier sides.
    std::vector<Side> independent(std::vector<Side> sides) {
        std::vector<Side> kept;
        for (Side& side : sides) {
            sides_ = kept;
            if (fitted({side.counts}).front()) continue;
            kept.push_back(std::move(side));
        }
        sides_.clear();
        return kept;
    }

    [[noreturn]] void refuse(const std::vector<const Group*>& wrong) const {
        std::set<SourceLine> lines;
        std::size_t instructions = 0;
        std::set<std::string> packed;
        for (const Group* group : wrong) {
            lines.insert(group->lines.begin(), group->lines.end());
            instructions += group->members.size();
            for (const CodeAddress& at : group->members) {
                for (const std::string_view name : sources_.instruction(at).operations) {
                    if (name.find("_x") != std::string_view::npos) packed.insert(std::string(name));
                }
            }
        }
        std::vector<std::string> places;
        for (const SourceLine& line : lines) {
            if (line.line > 0) places.push_back(fmt::format("{}:{}", file_name(line.file), line.line));
        }
        const std::size_t found = places.size();
        places.resize(std::min<std::size_t>(found, 4));
        std::string message = fmt::format("the counts of {} of `{}` are not polynomials of the parameters",
                                          input::counted(instructions, "instruction"), kernel_);
        if (!places.empty()) {
            message += fmt::format(", at {}{}", fmt::join(places, ", "), found > places.size() ? ", ..." : "");
        }
        if (!uneven_.empty())
            message += fmt::format("; the counts are neither linear nor quadratic in {}", fmt::join(uneven_, ", "));
        std::string expected =
            sources_.branches ? "no branch that gcov has counted explains them; "
                              : "if a branch depends on data, add `--gcov` with the program compiled with --coverage; ";
        expected += packed.empty() ? "if a loop performs N iterations at a time, use a step of N in `--deck`"
                                   : fmt::format(
                                         "since some instructions are packed ({}), use a step of as many iterations in "
                                         "`--deck`, such as `i=8..32..8`",
                                         fmt::join(packed, ", "));
        throw BadInput(DiagnosticKind::counts_do_not_fit, range_of(lines), message, expected);
    }

    /// Returns the first line whose file exists.
    static input::SourceRange range_of(const std::set<SourceLine>& lines) {
        for (const SourceLine& line : lines) {
            if (line.line == 0 || !std::filesystem::is_regular_file(line.file)) continue;
            const input::SourceRange range = input::range_of_line(input::read_file(line.file), line.line);
            const std::string_view text = range.source->text().substr(range.offset, range.length);
            const std::size_t blanks = std::min(text.find_first_not_of(" \t"), text.size());
            return {range.source, range.offset + blanks, range.length - blanks};
        }
        return {};
    }

    /// Adds `times` times the coefficients `more` to the sum.
    static void add(Coefficients& sum, const Coefficients& more, unsigned times) {
        sum.resize(more.size(), 0);
        for (std::size_t k = 0; k < more.size(); ++k) sum[k] += more[k] * times;
    }

    KernelCounts result() {
        KernelCounts counts;
        counts.parameters = parameters_;
        counts.products = products_;
        counts.calls = profile(decks_.front()).calls;
        counts.left_out = shares_left_out();
        const auto fits = fitted_groups();
        for (std::size_t k = 0; k < groups_.size(); ++k) {
            for (const CodeAddress& at : groups_[k].members) {
                const Instruction instruction = sources_.instruction(at);
                for (const std::string_view name : instruction.operations) {
                    add(counts.operations[std::string(name)], *fits[k], 1);
                    add(counts.flops, *fits[k], flops_of(name));
                    if (name == "other") counts.unclassed.insert(instruction.mnemonic);
                }
                add(counts.instructions, *fits[k], 1);
            }
        }
        for (const Side& side : sides_) counts.sides.push_back(described(side));
        for (std::size_t deck = 0; deck < decks_.size(); ++deck) counts.decks.push_back(row_of(counts, deck));
        return counts;
    }

    /// Describes a side. If the execution of the branch depends on another branch, its host is the rarest polynomial
    /// group that is executed at least as often as this side.
    BranchSide described(const Side& side) const {
        const Counting plain = without_sides();
        std::optional<Coefficients> host = plain.fitted({side.executed}).front();
        if (!host) {
            const auto fits = plain.fitted_groups();
            const Group* rarest = nullptr;
            for (std::size_t k = 0; k < groups_.size(); ++k) {
                const Column& counts = groups_[k].counts;
                const bool encloses =
                    std::equal(counts.begin(), counts.end(), side.counts.begin(), std::greater_equal<>());
                if (!fits[k] || !encloses || (rarest != nullptr && rarest->counts.back() <= counts.back())) continue;
                rarest = &groups_[k];
                host = fits[k];
            }
        }
        if (!host) {  // the host is executed once in each call
            host = Coefficients(products_.size(), 0);
            host->front() = 1;
        }
        BranchSide described{side.line, *host, 0, 1e300, 0.0};
        Rational taken = 0, executed = 0;
        for (std::size_t deck = 0; deck < decks_.size(); ++deck) {
            const Rational times = product_of(*host, values_of(products_, decks_[deck]));
            if (times == 0) continue;
            taken += side.counts[deck];
            executed += times;
            const auto share = Rational(side.counts[deck] / times).convert_to<double>();
            described.least = std::min(described.least, share);
            described.most = std::max(described.most, share);
        }
        if (executed != 0) described.probability = taken / executed;
        return described;
    }

    Counting without_sides() const {
        Counting plain(*this);
        plain.sides_.clear();
        return plain;
    }

    CountedDeck row_of(const KernelCounts& counts, std::size_t deck) {
        CountedDeck row{decks_[deck], deck + 1 == decks_.size(), 0, 0, 0};
        for (const Group& group : groups_) row.counted += group.counts[deck] * group.members.size();
        row.predicted = product_of(counts.instructions, this->row(deck));
        std::vector<Rational> values = values_of(products_, decks_[deck]);
        const std::vector<Rational> alone = values;
        for (const BranchSide& side : counts.sides) values.push_back(side.probability * product_of(side.host, alone));
        row.by_probability = product_of(counts.instructions, values);
        return row;
    }

    std::string kernel_;
    std::vector<DeckParameter> parameters_;
    const CountingSources& sources_;
    std::vector<unsigned> degrees_;
    Deck held_out_;
    std::size_t more_ = 0;
    std::map<Deck, Profile> profiles_;
    std::map<Deck, std::vector<BranchLine>> branches_;
    std::vector<Deck> decks_;  // the last deck is held out
    std::vector<Exponents> products_;
    std::vector<Group> groups_;
    std::vector<Side> sides_;
    std::set<std::pair<std::string, std::string>> left_out_;  // objects and functions
    std::set<std::string> uneven_;  // parameters in which counts are neither linear nor square
};

}  // namespace

KernelCounts count_kernel(const std::string& kernel, const std::vector<DeckParameter>& parameters,
                          const CountingSources& sources) {
    return Counting(kernel, parameters, sources).run();
}

}  // namespace warpfront::kernels
