#include "tools/from_code/learning/loops.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "tools/from_code/learning/occasions.hpp"

namespace warpfront::learning {

namespace {

// Lengths of loops and conditions as parts of a text. The length of a body is added.
constexpr std::size_t kLengthOfLoop = 1;
constexpr std::size_t kLengthOfCondition = 2;

/// Symbols, loops and optional nodes with numbers. Equal loops have the same number, so that they are compared in one
/// step.
class Numbered {
public:
    std::uint32_t leaf(std::uint32_t symbol, std::int64_t begins) {
        Node node;
        node.symbol = symbol;
        return number({0, {symbol}}, node, begins);
    }
    std::uint32_t loop(std::int64_t iterations, const std::vector<std::uint32_t>& body) {
        Node node;
        node.iterations = iterations;
        std::int64_t begins = 0;
        for (const std::uint32_t each : body) {
            node.body.push_back(nodes_[each]);
            begins += begins_[each];
        }
        return number({iterations, body}, node, iterations * begins);
    }
    std::uint32_t optional(const std::vector<std::uint32_t>& body) {
        Node node;
        node.optional = true;
        for (const std::uint32_t each : body) node.body.push_back(nodes_[each]);
        return number({kOptional, body}, node, 0);
    }
    /// Returns the length of a symbol, loop or optional node, written as a text.
    std::size_t length(std::uint32_t number) const {
        const auto& [iterations, body] = keys_[number];
        return iterations == 0 ? 1 : length(body) + (iterations == kOptional ? kLengthOfCondition : kLengthOfLoop);
    }
    std::size_t length(const std::vector<std::uint32_t>& row) const {
        std::size_t sum = 0;
        for (const std::uint32_t each : row) sum += length(each);
        return sum;
    }
    /// Appends a symbol, or all symbols of a loop.
    void expand(std::uint32_t number, std::vector<std::uint32_t>& symbols) const {
        const auto& [iterations, body] = keys_[number];
        if (iterations == 0) symbols.push_back(number);
        for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
            for (const std::uint32_t each : body) expand(each, symbols);
        }
    }
    std::vector<Node> nodes_of(const std::vector<std::uint32_t>& numbers) const {
        std::vector<Node> nodes;
        for (const std::uint32_t each : numbers) nodes.push_back(nodes_[each]);
        return nodes;
    }
    /// Returns the number of requests that a symbol starts, minus the number that it waits for.
    std::int64_t begins(std::uint32_t number) const { return begins_[number]; }
    /// Returns the number of iterations of a loop, 0 for a leaf, and a negative number for an optional node.
    std::int64_t iterations(std::uint32_t number) const { return keys_[number].first; }
    /// Returns the body of a loop or of an optional node.
    std::vector<std::uint32_t> body(std::uint32_t number) const { return keys_[number].second; }
    /// Returns the number of a loop or an optional node with another body.
    std::uint32_t with_body(std::uint32_t number, const std::vector<std::uint32_t>& body) {
        return iterations(number) == kOptional ? optional(body) : loop(iterations(number), body);
    }

private:
    static constexpr std::int64_t kOptional = -1;
    using Key = std::pair<std::int64_t, std::vector<std::uint32_t>>;
    std::uint32_t number(Key key, const Node& node, std::int64_t begins) {
        const auto [known, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
        if (is_new) {
            nodes_.push_back(node);
            begins_.push_back(begins);
            keys_.push_back(std::move(key));
        }
        return known->second;
    }
    std::map<Key, std::uint32_t> numbers_;
    std::vector<Node> nodes_;
    std::vector<Key> keys_;
    std::vector<std::int64_t> begins_;
};

/// Returns the position from `at` to `at` + `slack` at which the fewest requests are open.
std::size_t fewest_open(const std::vector<std::uint32_t>& row, std::size_t at, std::size_t slack,
                        const Numbered& numbered) {
    std::size_t best = at;
    std::int64_t open = 0;
    std::int64_t fewest = 0;
    for (std::size_t shift = 0; shift < slack; ++shift) {
        open += numbered.begins(row[at + shift]);
        if (open >= fewest) continue;
        fewest = open;
        best = at + shift + 1;
    }
    return best;
}

/// Returns where the body of an already known loop begins in a stretch of a row that repeats with this period. There
/// must be as many iterations as with any other beginning, or as many as the known loop has.
std::optional<std::size_t> begin_of_known(const std::vector<std::uint32_t>& row, std::size_t at, std::size_t length,
                                          std::size_t period, const std::vector<std::uint32_t>& known,
                                          const Numbered& numbered) {
    for (const std::uint32_t loop : known) {
        const std::vector<std::uint32_t> body = numbered.body(loop);
        if (body.size() != period) continue;
        for (std::size_t shift = 0; shift < period && shift + 2 * period <= length; ++shift) {
            const std::size_t iterations = (length - shift) / period;
            const bool as_known = static_cast<std::int64_t>(iterations) == numbered.iterations(loop);
            if (iterations < length / period && !as_known) continue;
            if (std::equal(body.begin(), body.end(), row.begin() + static_cast<std::ptrdiff_t>(at + shift))) {
                return at + shift;
            }
        }
    }
    return std::nullopt;
}

/// Folds all repeats of this period with at least `least` iterations into loops. Returns true if there were any. If a
/// loop can begin at several positions, it begins like an equal loop found before.
bool fold(std::size_t period, std::size_t least, std::vector<std::uint32_t>& row, Numbered& numbered) {
    std::vector<std::uint32_t> result;
    std::vector<std::uint32_t> known;  // numbers of the loops found so far
    std::ranges::copy_if(row, std::back_inserter(known),
                         [&](std::uint32_t each) { return numbered.iterations(each) > 0; });
    bool any = false;
    std::size_t at = 0;
    while (at < row.size()) {
        std::size_t equal = 0;  // length on which the row equals itself shifted by one period
        while (at + equal + period < row.size() && row[at + equal] == row[at + equal + period]) ++equal;
        if (equal < period * (least - 1)) {
            // a repeat that begins later in this stretch would be even shorter
            result.insert(result.end(), row.begin() + static_cast<std::ptrdiff_t>(at),
                          row.begin() + static_cast<std::ptrdiff_t>(at + equal + 1));
            at += equal + 1;
            continue;
        }
        // the loop could also begin later, with the same number of iterations
        const std::size_t slack = equal % period;
        const std::size_t first = begin_of_known(row, at, equal + period, period, known, numbered)
                                      .value_or(fewest_open(row, at, slack, numbered));
        const std::size_t iterations = (at + equal + period - first) / period;
        result.insert(result.end(), row.begin() + static_cast<std::ptrdiff_t>(at),
                      row.begin() + static_cast<std::ptrdiff_t>(first));
        at = first;
        const auto begin = row.begin() + static_cast<std::ptrdiff_t>(at);
        result.push_back(
            numbered.loop(static_cast<std::int64_t>(iterations), {begin, begin + static_cast<std::ptrdiff_t>(period)}));
        known.push_back(result.back());
        at += iterations * period;
        any = true;
    }
    if (any) row = std::move(result);
    return any;
}

/// Looks for a copy of a loop's body directly before or after the loop, and makes it an iteration of the loop.
bool absorb(std::vector<std::uint32_t>& row, Numbered& numbered) {
    for (std::size_t at = 0; at < row.size(); ++at) {
        if (numbered.iterations(row[at]) <= 0) continue;
        const std::vector<std::uint32_t> body = numbered.body(row[at]);
        const auto length = static_cast<std::ptrdiff_t>(body.size());
        const auto here = row.begin() + static_cast<std::ptrdiff_t>(at);
        if (here - row.begin() >= length && std::equal(body.begin(), body.end(), here - length)) {
            *here = numbered.loop(numbered.iterations(*here) + 1, body);
            row.erase(here - length, here);
            return true;
        }
        if (row.end() - here > length && std::equal(body.begin(), body.end(), here + 1)) {
            *here = numbered.loop(numbered.iterations(*here) + 1, body);
            row.erase(here + 1, here + 1 + length);
            return true;
        }
    }
    return false;
}

/// Folds all repeats in a row, the smallest period first. Calls `at_stage` with the row before and after each change.
template <class AtStage>
void fold_all(std::vector<std::uint32_t>& row, std::size_t longest, Numbered& numbered, const AtStage& at_stage) {
    // limits the time for millions of symbols without short repeats
    constexpr std::size_t kMostCompared = 400'000'000;
    at_stage(row);
    for (const std::size_t least : {std::size_t{3}, std::size_t{2}}) {
        for (std::size_t period = 1;
             period <= std::min({longest, row.size() / least, kMostCompared / (row.size() + 1)}); ++period) {
            if (!fold(period, least, row, numbered)) continue;
            while (absorb(row, numbered)) {}
            at_stage(row);
            period = 0;
        }
    }
}

using Row = std::vector<std::uint32_t>;

/// Returns the pairs of positions of a longest common subsequence of two rows.
std::vector<std::pair<std::size_t, std::size_t>> common_subsequence(const Row& a, const Row& b) {
    std::vector<std::vector<std::uint32_t>> lengths(a.size() + 1, std::vector<std::uint32_t>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            lengths[i][j] = a[i] == b[j] ? lengths[i + 1][j + 1] + 1 : std::max(lengths[i + 1][j], lengths[i][j + 1]);
        }
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j]) {
            pairs.emplace_back(i++, j++);
        } else {
            (lengths[i + 1][j] >= lengths[i][j + 1] ? i : j)++;
        }
    }
    return pairs;
}

/// The body of a loop in which some iterations do not execute all parts.
class LooseBody {
public:
    explicit LooseBody(std::size_t iterations) : iterations_(iterations) {}

    /// Aligns the body of the given iterations with the bodies that have been added before.
    void add(const Row& row, const std::vector<std::size_t>& iterations) {
        std::vector<Item> merged;
        std::size_t own = 0;
        std::size_t known = 0;
        const auto take_until = [&](std::size_t known_end, std::size_t own_end) {
            for (; known < known_end; ++known) merged.push_back(std::move(items_[known]));
            for (; own < own_end; ++own) {
                merged.push_back({row[own], std::vector<bool>(iterations_)});
                mark(merged.back(), iterations);
            }
        };
        for (const auto& [at_known, at_own] : common_subsequence(symbols(), row)) {
            take_until(at_known, at_own);
            merged.push_back(std::move(items_[known++]));
            mark(merged.back(), iterations);
            ++own;
        }
        take_until(items_.size(), row.size());
        items_ = std::move(merged);
    }

    Row symbols() const {
        Row all;
        for (const Item& each : items_) all.push_back(each.symbol);
        return all;
    }

    /// Returns the body with its optional nodes. Returns nothing if there are too many or none of them, or if one is
    /// executed in irregular iterations.
    std::optional<Row> body(Numbered& numbered) const {
        constexpr std::size_t kMostOptional = 6;
        Row body;
        std::size_t optional = 0;
        for (std::size_t at = 0; at < items_.size();) {
            const std::vector<bool>& executed = items_[at].executed;
            Row part;
            while (at < items_.size() && items_[at].executed == executed) part.push_back(items_[at++].symbol);
            if (std::ranges::find(executed, false) == executed.end()) {
                body.insert(body.end(), part.begin(), part.end());
                continue;
            }
            if (++optional > kMostOptional || !is_regular(executed)) return std::nullopt;
            body.push_back(numbered.optional(part));
        }
        return optional == 0 ? std::nullopt : std::optional(body);
    }

private:
    struct Item {
        std::uint32_t symbol = 0;
        std::vector<bool> executed;  // for each iteration, true if it executes the symbol
    };
    static void mark(Item& item, const std::vector<std::size_t>& iterations) {
        for (const std::size_t each : iterations) item.executed[each] = true;
    }

    std::size_t iterations_;
    std::vector<Item> items_;
};

/// Searches for foldings with optional nodes.
class LooseFolder {
public:
    LooseFolder(Numbered& numbered, std::size_t longest) : numbered_(numbered), longest_(longest) {}

    /// Returns several foldings of symbols. First come the foldings with optional nodes that are shorter than the exact
    /// one, the shortest first. Then comes the exact folding with the same search applied within its loops. The exact
    /// folding itself is the last.
    std::vector<Row> all(const Row& symbols) {
        std::map<Row, std::size_t> loose;  // foldings with their lengths
        Row exact = symbols;
        fold_all(exact, longest_, numbered_, [&](const Row& row) { search(row, loose); });
        Row within;
        for (const std::uint32_t each : exact) within.push_back(loosened(each));
        std::vector<std::pair<std::size_t, Row>> found;
        for (auto& [row, length] : loose) {
            if (length < numbered_.length(within)) found.emplace_back(length, row);
        }
        std::ranges::sort(found);
        if (found.size() > kMostFoldings) found.resize(kMostFoldings);
        std::vector<Row> rows;
        for (auto& [length, row] : found) rows.push_back(std::move(row));
        if (within != exact) rows.push_back(std::move(within));
        rows.push_back(std::move(exact));
        return rows;
    }

    /// Returns the row in which also the repeats of two iterations within loops are folded.
    Row refolded(const Row& row) {
        Row result;
        for (const std::uint32_t each : row) {
            const bool is_leaf = numbered_.iterations(each) == 0;
            result.push_back(is_leaf ? each
                                     : numbered_.with_body(each, exactly_folded(refolded(numbered_.body(each)))));
        }
        return result;
    }

private:
    static constexpr std::size_t kMostFoldings = 8;
    static constexpr std::size_t kMostBodies = 12;  // largest number of different bodies of one loop
    static constexpr std::size_t kLongestBody = 1'000;
    static constexpr std::size_t kMostSymbols = 200'000;

    /// Returns the loop with the shortest folding of its body, including optional nodes.
    std::uint32_t loosened(std::uint32_t number) {
        if (numbered_.iterations(number) <= 0) return number;
        const Row body = numbered_.body(number);
        if (std::ranges::all_of(body, [this](std::uint32_t each) { return numbered_.iterations(each) == 0; }))
            return number;
        Row symbols;
        for (const std::uint32_t each : body) numbered_.expand(each, symbols);
        if (symbols.size() > kMostSymbols) return number;
        const Row best = all(symbols).front();
        return numbered_.length(best) < numbered_.length(body) ? numbered_.loop(numbered_.iterations(number), best)
                                                               : number;
    }

    /// Searches loops around the symbols of a row that occur at least three times. If several symbols occur equally
    /// often, only the first of them is tried.
    void search(const Row& row, std::map<Row, std::size_t>& found) {
        if (row.size() > kMostSymbols) return;
        std::map<std::uint32_t, std::vector<std::size_t>> positions;
        for (std::size_t at = 0; at < row.size(); ++at) positions[row[at]].push_back(at);
        // by number of occurrences, the position of the first symbol that occurs so often
        std::map<std::size_t, std::size_t> first_of;
        for (const auto& [symbol, all] : positions) {
            if (all.size() < 3) continue;
            const auto [known, is_new] = first_of.try_emplace(all.size(), all.front());
            if (!is_new) known->second = std::min(known->second, all.front());
        }
        for (const auto& [count, at] : first_of) {
            std::vector<std::size_t>& all = positions.at(row[at]);
            // the part before a loop often contains one of the loop's calls
            for (const std::size_t skipped : {std::size_t{0}, std::size_t{1}}) {
                if (all.size() < 3 + skipped) continue;
                std::optional<Row> loose = around(row, {all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end()});
                if (loose) found.try_emplace(*loose, numbered_.length(*loose));
            }
        }
    }

    /// Returns the row with a loop whose iterations begin at these positions. Returns nothing if there is no such loop.
    std::optional<Row> around(const Row& row, const std::vector<std::size_t>& begins) {
        std::map<Row, std::vector<std::size_t>> bodies;  // iterations of each body
        const auto cut = [&row](std::size_t begin, std::size_t end) {
            return Row(row.begin() + static_cast<std::ptrdiff_t>(begin),
                       row.begin() + static_cast<std::ptrdiff_t>(end));
        };
        for (std::size_t at = 0; at + 1 < begins.size(); ++at) {
            bodies[cut(begins[at], begins[at + 1])].push_back(at);
            if (bodies.size() > kMostBodies) return std::nullopt;
        }
        std::vector<std::pair<Row, std::vector<std::size_t>>> by_length;
        for (auto& [body, iterations] : bodies) by_length.emplace_back(exactly_folded(body), std::move(iterations));
        std::ranges::stable_sort(by_length, std::ranges::greater{}, [](const auto& each) { return each.first.size(); });
        Row last = exactly_folded(cut(begins.back(), row.size()));
        if (by_length.front().first.size() > kLongestBody || last.size() > kLongestBody) return std::nullopt;
        LooseBody loose(begins.size());
        for (const auto& [body, iterations] : by_length) loose.add(body, iterations);
        // The last iteration ends with the last of its symbols that other iterations have too.
        const auto common = common_subsequence(loose.symbols(), last);
        const auto end = last.begin() + static_cast<std::ptrdiff_t>(common.back().second) + 1;
        loose.add({last.begin(), end}, {begins.size() - 1});
        const std::optional<Row> body = loose.body(numbered_);
        if (!body) return std::nullopt;
        Row result = exactly_folded(cut(0, begins.front()));
        result.push_back(numbered_.loop(static_cast<std::int64_t>(begins.size()), *body));
        result.insert(result.end(), end, last.end());
        return result;
    }

    Row exactly_folded(Row row) {
        fold_all(row, longest_, numbered_, [](const Row&) {});
        return row;
    }

    Numbered& numbered_;
    const std::size_t longest_;
};

/// Matches a sequence with a shape, and determines the numbers of iterations of the shape's loops.
class Fitting {
public:
    Fitting(const std::vector<std::uint32_t>& symbols, const LeafRule& rule) : symbols_(symbols), rule_(rule) {}

    bool fit(std::vector<Node>& nodes) {
        for (Node& node : nodes) {
            if (node.is_leaf() ? !fit_leaf(node) : node.is_loop() ? !fit_loop(node) : !fit_optional(node)) {
                return false;
            }
        }
        return true;
    }
    bool at_end() const { return at_ == symbols_.size(); }
    std::vector<Choice> choices() { return std::move(choices_); }
    /// Returns the mismatch that is farthest in the sequence: a leaf that did not match, or the end of the shape.
    Mismatch farthest() const { return at_ > farthest_.at ? Mismatch{at_, std::nullopt} : farthest_; }

private:
    bool fit_leaf(Node& node) {
        if (rule_.absent(node.symbol)) return true;
        if (!node.lacking && at_ < symbols_.size() && rule_.same(node.symbol, symbols_[at_])) {
            ++at_;
            node.has = true;
            return true;
        }
        node.lacking = !node.has && rule_.may_lack(node.symbol);
        if (!node.lacking && at_ >= farthest_.at) farthest_ = {at_, node.symbol};
        return node.lacking;
    }
    /// Fits a body from the current position on. If it does not fit, returns to that position.
    bool fit_body(std::vector<Node>& nodes) {
        const std::size_t before = at_;
        const std::size_t choices = choices_.size();
        std::vector<Node> body = nodes;
        if (fit(body) && at_ != before) {
            nodes = std::move(body);
            return true;
        }
        at_ = before;
        choices_.resize(choices);
        return false;
    }
    bool fit_loop(Node& loop) {
        const std::int64_t around = std::exchange(iteration_, 0);
        while ((loop.iterations == 0 || iteration_ < loop.iterations) && fit_body(loop.body)) ++iteration_;
        const std::int64_t iterations = std::exchange(iteration_, around);
        if (iterations == 0 && nothing(loop.body)) return true;
        if (iterations == 0 || (loop.iterations > 0 && iterations != loop.iterations)) return false;
        loop.iterations = iterations;
        return true;
    }
    bool fit_optional(Node& node) {
        const bool taken = fit_body(node.body);
        choices_.push_back({node.symbol, iteration_, taken});
        return true;
    }
    bool nothing(const std::vector<Node>& nodes) const {
        return std::all_of(nodes.begin(), nodes.end(), [this](const Node& node) {
            return node.is_leaf() ? rule_.absent(node.symbol) : nothing(node.body);
        });
    }

    const std::vector<std::uint32_t>& symbols_;
    const LeafRule& rule_;
    std::size_t at_ = 0;
    std::int64_t iteration_ = 0;  // iteration of the innermost loop
    std::vector<Choice> choices_;
    Mismatch farthest_;
};

void forget_iterations(std::vector<Node>& nodes) {
    for (Node& node : nodes) {
        node.iterations = 0;
        forget_iterations(node.body);
    }
}

/// Returns true if two nodes differ at most in numbers of iterations.
bool same_shape(const Node& a, const Node& b) {
    return a.optional == b.optional && (!a.is_leaf() || a.symbol == b.symbol) &&
           std::ranges::equal(a.body, b.body, same_shape);
}

/// Counts how often each symbol occurs among the leaves of a node.
void count_leaves(const Node& node, std::map<std::uint32_t, std::size_t>& leaves) {
    if (node.is_leaf()) ++leaves[node.symbol];
    for (const Node& each : node.body) count_leaves(each, leaves);
}

std::size_t length_of(const Node& node) {
    return node.is_leaf() ? 1 : learning::length_of(node.body) + (node.optional ? kLengthOfCondition : kLengthOfLoop);
}

/// A node of a shape that is aligned with another one.
struct Aligned {
    explicit Aligned(const Node& of) : node(&of), length(length_of(of)) {
        if (of.is_loop()) count_leaves(of, leaves);
    }

    const Node* node;
    std::size_t length;
    std::map<std::uint32_t, std::size_t> leaves{};  // of a loop, their numbers by symbol
};

/// Returns the length of the node that represents both nodes in a merged shape. Equal nodes have their own length, and
/// loops with common leaves about that of one of them. Returns nothing for other nodes.
std::optional<std::size_t> merged_length(const Aligned& a, const Aligned& b) {
    if (same_shape(*a.node, *b.node)) return a.length;
    if (!a.node->is_loop() || !b.node->is_loop()) return std::nullopt;
    std::size_t common = 0;
    for (const auto& [leaf, times] : a.leaves) {
        if (const auto found = b.leaves.find(leaf); found != b.leaves.end()) common += std::min(times, found->second);
    }
    if (common == 0) return std::nullopt;
    return a.length + b.length - common;
}

/// Aligns two shapes so that the merged shape is as short as possible. Between two nodes that both shapes have, it
/// contains optional nodes of the first shape and then of the second, each with a condition. Here, a condition costs
/// more than its length. Otherwise a few nodes that both have by chance would divide two different parts.
class Alignment {
public:
    Alignment(const std::vector<Node>& a, const std::vector<Node>& b)
        : a_(a.begin(), a.end()), b_(b.begin(), b.end()), cells_((a.size() + 1) * (b.size() + 1)) {
        for (std::size_t i = a_.size() + 1; i-- > 0;) {
            for (std::size_t j = b_.size() + 1; j-- > 0;) fill(i, j);
        }
    }

    /// Returns the pairs of indices of nodes that both shapes have.
    std::vector<std::pair<std::size_t, std::size_t>> pairs() const {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        std::size_t i = 0;
        std::size_t j = 0;
        for (Gap gap = kNone; i < a_.size() || j < b_.size();) {
            switch (cell(i, j).step[gap]) {
                case Step::both:
                    pairs.emplace_back(i++, j++);
                    gap = kNone;
                    break;
                case Step::first:
                    ++i;
                    gap = kFirst;
                    break;
                case Step::second: ++j; gap = kSecond;
            }
        }
        return pairs;
    }

private:
    /// The only shape to which the nodes just before a position belong: none, the first or the second.
    enum Gap : std::uint8_t { kNone, kFirst, kSecond, kGaps };
    enum class Step : std::uint8_t { both, first, second };
    struct Cell {
        std::array<std::size_t, kGaps> length{};  // by gap, length of the merged shape from here on
        std::array<Step, kGaps> step{};
    };

    const Cell& cell(std::size_t i, std::size_t j) const { return cells_[i * (b_.size() + 1) + j]; }

    void fill(std::size_t i, std::size_t j) {
        Cell& own = cells_[i * (b_.size() + 1) + j];
        if (i == a_.size() && j == b_.size()) return;
        const bool both = i < a_.size() && j < b_.size();
        const std::optional<std::size_t> common = both ? merged_length(a_[i], b_[j]) : std::nullopt;
        for (const Gap gap : {kNone, kFirst, kSecond}) {
            constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
            std::size_t least = kNever;
            const auto consider = [&](Step step, std::size_t length) {
                if (length >= least) return;
                least = length;
                own.step[gap] = step;
            };
            if (common) consider(Step::both, *common + cell(i + 1, j + 1).length[kNone]);
            if (i < a_.size() && gap != kSecond) {
                const std::size_t condition = gap == kFirst ? 0 : kCondition;
                consider(Step::first, condition + a_[i].length + cell(i + 1, j).length[kFirst]);
            }
            if (j < b_.size()) {
                const std::size_t condition = gap == kSecond ? 0 : kCondition;
                consider(Step::second, condition + b_[j].length + cell(i, j + 1).length[kSecond]);
            }
            // In a gap, nodes of the second shape always follow those of the first.
            own.length[gap] = least == kNever ? kImpossible : least;
        }
    }

    static constexpr std::size_t kCondition = 2 * kLengthOfCondition;
    static constexpr std::size_t kImpossible = std::numeric_limits<std::size_t>::max() / 4;

    std::vector<Aligned> a_;
    std::vector<Aligned> b_;
    std::vector<Cell> cells_;
};

/// Numbers the optional nodes in their order.
void number_optional(std::vector<Node>& nodes, std::uint32_t& next) {
    for (Node& node : nodes) {
        if (node.optional) node.symbol = next++;
        number_optional(node.body, next);
    }
}

Row leaves(const std::vector<std::uint32_t>& symbols, const std::function<std::int64_t(std::uint32_t)>& begins,
           Numbered& numbered) {
    Row row;
    for (const std::uint32_t symbol : symbols) row.push_back(numbered.leaf(symbol, begins(symbol)));
    return row;
}

}  // namespace

std::vector<Folding> foldings(const std::vector<std::uint32_t>& symbols,
                              const std::function<std::int64_t(std::uint32_t)>& begins, std::size_t longest) {
    Numbered numbered;
    const Row row = leaves(symbols, begins, numbered);
    LooseFolder folder(numbered, longest);
    std::vector<Folding> all;
    const auto add = [&](const Row& each) {
        all.push_back({numbered.nodes_of(each), numbered.length(each)});
        std::uint32_t next = 0;
        number_optional(all.back().nodes, next);
    };
    for (const Row& each : folder.all(row)) {
        add(each);
        // A loop with three iterations in one run may have two in another, so two iterations may be a loop as well.
        if (const Row again = folder.refolded(each); again != each) add(again);
    }
    return all;
}

std::size_t length_of(const std::vector<Node>& nodes) {
    std::size_t sum = 0;
    for (const Node& each : nodes) sum += length_of(each);
    return sum;
}

std::vector<Node> merged(const std::vector<Node>& a, const std::vector<Node>& b) {
    constexpr std::size_t kMostPairs = 40'000;
    if (a.size() * b.size() > kMostPairs) return {};
    std::vector<Node> result;
    const auto add_optional = [&result](const std::vector<Node>& from, std::size_t begin, std::size_t end) {
        if (begin == end) return;
        Node node;
        node.optional = true;
        node.body.assign(from.begin() + static_cast<std::ptrdiff_t>(begin),
                         from.begin() + static_cast<std::ptrdiff_t>(end));
        result.push_back(std::move(node));
    };
    std::size_t next_a = 0;
    std::size_t next_b = 0;
    for (const auto& [i, j] : Alignment(a, b).pairs()) {
        add_optional(a, next_a, i);
        add_optional(b, next_b, j);
        Node node = a[i];
        if (!same_shape(a[i], b[j])) node.body = merged(a[i].body, b[j].body);
        if (node.body.empty() != a[i].body.empty()) return {};
        result.push_back(std::move(node));
        next_a = i + 1;
        next_b = j + 1;
    }
    add_optional(a, next_a, a.size());
    add_optional(b, next_b, b.size());
    std::uint32_t next = 0;
    number_optional(result, next);
    return result;
}

std::optional<Fit> fitted(std::vector<Node> shape, const std::vector<std::uint32_t>& symbols, const LeafRule& rule,
                          Mismatch* mismatch) {
    forget_iterations(shape);
    Fitting fitting(symbols, rule);
    if (fitting.fit(shape) && fitting.at_end()) return Fit{std::move(shape), fitting.choices()};
    if (mismatch != nullptr) *mismatch = fitting.farthest();
    return std::nullopt;
}

}  // namespace warpfront::learning
