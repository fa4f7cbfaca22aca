#include "tools/from_code/learning/loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "tools/from_code/learning/occasions.hpp"

namespace warpfront::learning {

namespace {

/// Symbols and loops with numbers, so that equal loops are compared in one step.
class Numbered {
public:
    std::uint32_t leaf(std::uint32_t symbol, std::int64_t begins) {
        Node node;
        node.symbol = symbol;
        return number({0, {symbol}}, node, begins);
    }
    std::uint32_t loop(std::int64_t trips, const std::vector<std::uint32_t>& body) {
        Node node;
        node.trips = trips;
        std::int64_t begins = 0;
        for (const std::uint32_t each : body) {
            node.body.push_back(nodes_[each]);
            begins += begins_[each];
        }
        return number({trips, body}, node, trips * begins);
    }
    std::uint32_t optional(const std::vector<std::uint32_t>& body) {
        Node node;
        node.optional = true;
        for (const std::uint32_t each : body) node.body.push_back(nodes_[each]);
        return number({kOptional, body}, node, 0);
    }
    /// Returns the length of a symbol, loop or optional node as a text.
    std::size_t length(std::uint32_t number) const {
        constexpr std::size_t kLoop = 1;
        constexpr std::size_t kCondition = 2;
        const auto& [trips, body] = keys_[number];
        return trips == 0 ? 1 : length(body) + (trips == kOptional ? kCondition : kLoop);
    }
    std::size_t length(const std::vector<std::uint32_t>& row) const {
        std::size_t sum = 0;
        for (const std::uint32_t each : row) sum += length(each);
        return sum;
    }
    /// Appends a symbol, or all symbols of a loop.
    void expand(std::uint32_t number, std::vector<std::uint32_t>& symbols) const {
        const auto& [trips, body] = keys_[number];
        if (trips == 0) symbols.push_back(number);
        for (std::int64_t trip = 0; trip < trips; ++trip) {
            for (const std::uint32_t each : body) expand(each, symbols);
        }
    }
    std::vector<Node> nodes_of(const std::vector<std::uint32_t>& numbers) const {
        std::vector<Node> nodes;
        for (const std::uint32_t each : numbers) nodes.push_back(nodes_[each]);
        return nodes;
    }
    /// Returns the number of requests that a symbol starts, less those that it waits for.
    std::int64_t begins(std::uint32_t number) const { return begins_[number]; }
    /// Returns the number of iterations of a loop; 0 for a leaf, less for an optional node.
    std::int64_t trips(std::uint32_t number) const { return keys_[number].first; }
    /// Returns the body of a loop.
    std::vector<std::uint32_t> body(std::uint32_t number) const { return keys_[number].second; }

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

/// Returns the place, from `at` to `slack` symbols later, at which the fewest requests are open.
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

/// Folds all repeats of this period with at least `least` iterations into loops; returns whether there were any.
bool fold(std::size_t period, std::size_t least, std::vector<std::uint32_t>& row, Numbered& numbered) {
    std::vector<std::uint32_t> result;
    bool any = false;
    std::size_t at = 0;
    while (at < row.size()) {
        std::size_t equal = 0;  // length for which the row equals itself one period later
        while (at + equal + period < row.size() && row[at + equal] == row[at + equal + period]) ++equal;
        if (equal < period * (least - 1)) {
            // A repeat that begins later in this stretch would be even shorter.
            result.insert(result.end(), row.begin() + static_cast<std::ptrdiff_t>(at),
                          row.begin() + static_cast<std::ptrdiff_t>(at + equal + 1));
            at += equal + 1;
            continue;
        }
        const std::size_t trips = equal / period + 1;
        // The loop could begin later as well, with the same number of iterations.
        const std::size_t first = fewest_open(row, at, equal - (trips - 1) * period, numbered);
        result.insert(result.end(), row.begin() + static_cast<std::ptrdiff_t>(at),
                      row.begin() + static_cast<std::ptrdiff_t>(first));
        at = first;
        const auto begin = row.begin() + static_cast<std::ptrdiff_t>(at);
        result.push_back(
            numbered.loop(static_cast<std::int64_t>(trips), {begin, begin + static_cast<std::ptrdiff_t>(period)}));
        at += trips * period;
        any = true;
    }
    if (any) row = std::move(result);
    return any;
}

/// Makes another copy of a loop's body, before or after the loop, an iteration of the loop.
bool absorb(std::vector<std::uint32_t>& row, Numbered& numbered) {
    for (std::size_t at = 0; at < row.size(); ++at) {
        if (numbered.trips(row[at]) <= 0) continue;
        const std::vector<std::uint32_t> body = numbered.body(row[at]);
        const auto length = static_cast<std::ptrdiff_t>(body.size());
        const auto here = row.begin() + static_cast<std::ptrdiff_t>(at);
        if (here - row.begin() >= length && std::equal(body.begin(), body.end(), here - length)) {
            *here = numbered.loop(numbered.trips(*here) + 1, body);
            row.erase(here - length, here);
            return true;
        }
        if (row.end() - here > length && std::equal(body.begin(), body.end(), here + 1)) {
            *here = numbered.loop(numbered.trips(*here) + 1, body);
            row.erase(here + 1, here + 1 + length);
            return true;
        }
    }
    return false;
}

/// Folds all repeats of a row, the smallest period first. Calls `at_stage` with the row before and after each change.
template <class AtStage>
void fold_all(std::vector<std::uint32_t>& row, std::size_t longest, Numbered& numbered, const AtStage& at_stage) {
    at_stage(row);
    for (const std::size_t least : {std::size_t{3}, std::size_t{2}}) {
        for (std::size_t period = 1; period <= std::min(longest, row.size() / least); ++period) {
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

/// The body of a loop whose iterations lack parts of it.
class LooseBody {
public:
    explicit LooseBody(std::size_t iterations) : iterations_(iterations) {}

    /// Aligns the body of some iterations with what is known.
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

    /// Returns the body with its optional nodes; nothing if there are too many, none, or one that is executed in
    /// irregular iterations.
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
        std::vector<bool> executed;  // by iteration
    };
    static void mark(Item& item, const std::vector<std::size_t>& iterations) {
        for (const std::size_t each : iterations) item.executed[each] = true;
    }

    std::size_t iterations_;
    std::vector<Item> items_;
};

/// Search for foldings with optional nodes.
class LooseFolder {
public:
    LooseFolder(Numbered& numbered, std::size_t longest) : numbered_(numbered), longest_(longest) {}

    /// Returns foldings of symbols: those with optional nodes that are shorter than the exact one, the shortest first,
    /// then the exact one in whose loops the same search was made, then the exact one.
    std::vector<Row> all(const Row& symbols) {
        std::map<Row, std::size_t> loose;  // lengths
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

private:
    static constexpr std::size_t kMostFoldings = 8;
    static constexpr std::size_t kMostBodies = 12;  // different bodies of one loop
    static constexpr std::size_t kLongestBody = 1'000;
    static constexpr std::size_t kMostSymbols = 200'000;

    /// Returns a loop in whose body the same search was made.
    std::uint32_t loosened(std::uint32_t number) {
        if (numbered_.trips(number) <= 0) return number;
        const Row body = numbered_.body(number);
        if (std::ranges::all_of(body, [this](std::uint32_t each) { return numbered_.trips(each) == 0; })) return number;
        Row symbols;
        for (const std::uint32_t each : body) numbered_.expand(each, symbols);
        if (symbols.size() > kMostSymbols) return number;
        const Row best = all(symbols).front();
        return numbered_.length(best) < numbered_.length(body) ? numbered_.loop(numbered_.trips(number), best) : number;
    }

    /// Searches loops around the symbols of a row that occur at least three times. Of symbols that occur equally often
    /// the first is tried.
    void search(const Row& row, std::map<Row, std::size_t>& found) {
        if (row.size() > kMostSymbols) return;
        std::map<std::uint32_t, std::vector<std::size_t>> positions;
        for (std::size_t at = 0; at < row.size(); ++at) positions[row[at]].push_back(at);
        std::map<std::size_t, std::size_t> first_of;  // position of the first symbol, by number of occurrences
        for (const auto& [symbol, all] : positions) {
            if (all.size() < 3) continue;
            const auto [known, is_new] = first_of.try_emplace(all.size(), all.front());
            if (!is_new) known->second = std::min(known->second, all.front());
        }
        for (const auto& [count, at] : first_of) {
            std::vector<std::size_t>& all = positions.at(row[at]);
            // The part before a loop often contains one of its calls.
            for (const std::size_t skipped : {std::size_t{0}, std::size_t{1}}) {
                if (all.size() < 3 + skipped) continue;
                std::optional<Row> loose = around(row, {all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end()});
                if (loose) found.try_emplace(*loose, numbered_.length(*loose));
            }
        }
    }

    /// Returns the row with a loop whose iterations begin at these positions.
    std::optional<Row> around(const Row& row, const std::vector<std::size_t>& begins) {
        std::map<Row, std::vector<std::size_t>> bodies;  // iterations
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
        // The last iteration ends with the last symbol that the others have too.
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

/// Matches a sequence with a shape and finds the numbers of iterations of its loops.
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
    /// Returns the mismatch that is farthest in the sequence: a leaf that failed, or the end of the shape.
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
    /// Fits a body at the current place, or returns to that place.
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
        while ((loop.trips == 0 || iteration_ < loop.trips) && fit_body(loop.body)) ++iteration_;
        const std::int64_t trips = std::exchange(iteration_, around);
        if (trips == 0 && nothing(loop.body)) return true;
        if (trips == 0 || (loop.trips > 0 && trips != loop.trips)) return false;
        loop.trips = trips;
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
    std::int64_t iteration_ = 0;  // of the innermost loop
    std::vector<Choice> choices_;
    Mismatch farthest_;
};

void forget_trips(std::vector<Node>& nodes) {
    for (Node& node : nodes) {
        node.trips = 0;
        forget_trips(node.body);
    }
}

/// Returns whether two nodes are the same except for numbers of iterations.
bool same_shape(const Node& a, const Node& b) {
    return a.optional == b.optional && (!a.is_leaf() || a.symbol == b.symbol) &&
           std::ranges::equal(a.body, b.body, same_shape);
}

/// Adds the leaves of a node.
void add_leaves(const Node& node, std::set<std::uint32_t>& leaves) {
    if (node.is_leaf()) leaves.insert(node.symbol);
    for (const Node& each : node.body) add_leaves(each, leaves);
}

/// Returns whether two nodes are loops with a leaf in common.
bool are_similar_loops(const Node& a, const Node& b) {
    if (!a.is_loop() || !b.is_loop()) return false;
    std::set<std::uint32_t> of_a;
    std::set<std::uint32_t> of_b;
    add_leaves(a, of_a);
    add_leaves(b, of_b);
    return std::ranges::any_of(of_a, [&of_b](std::uint32_t leaf) { return of_b.contains(leaf); });
}

/// Merges nodes of two shapes between nodes that both have: similar loops in order, and everything else as optional.
void merge_between(std::span<const Node> a, std::span<const Node> b, std::vector<Node>& result) {
    const auto add_optional = [&result](std::span<const Node> nodes) {
        if (nodes.empty()) return;
        Node node;
        node.optional = true;
        node.body.assign(nodes.begin(), nodes.end());
        result.push_back(std::move(node));
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto similar = std::ranges::find_if(b, [&](const Node& each) { return are_similar_loops(a[i], each); });
        if (similar == b.end()) continue;
        const auto j = static_cast<std::size_t>(similar - b.begin());
        add_optional(a.first(i));
        add_optional(b.first(j));
        Node loop = a[i];
        loop.body = merged(a[i].body, b[j].body);
        result.push_back(std::move(loop));
        return merge_between(a.subspan(i + 1), b.subspan(j + 1), result);
    }
    add_optional(a);
    add_optional(b);
}

/// Numbers the optional nodes.
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
    std::vector<Folding> all;
    for (const Row& each : LooseFolder(numbered, longest).all(row)) {
        all.push_back({numbered.nodes_of(each), numbered.length(each)});
        std::uint32_t next = 0;
        number_optional(all.back().nodes, next);
    }
    return all;
}

std::vector<Node> merged(const std::vector<Node>& a, const std::vector<Node>& b) {
    std::vector<const Node*> shapes;  // by number
    const auto numbers_of = [&shapes](const std::vector<Node>& nodes) {
        Row row;
        for (const Node& node : nodes) {
            const auto known = std::ranges::find_if(shapes, [&](const Node* each) { return same_shape(*each, node); });
            row.push_back(static_cast<std::uint32_t>(known - shapes.begin()));
            if (known == shapes.end()) shapes.push_back(&node);
        }
        return row;
    };
    std::vector<Node> result;
    std::span<const Node> rest_a = a;
    std::span<const Node> rest_b = b;
    const Row row_a = numbers_of(a);
    for (const auto& [i, j] : common_subsequence(row_a, numbers_of(b))) {
        const std::size_t before_a = i - (a.size() - rest_a.size());
        const std::size_t before_b = j - (b.size() - rest_b.size());
        merge_between(rest_a.first(before_a), rest_b.first(before_b), result);
        result.push_back(a[i]);
        rest_a = rest_a.subspan(before_a + 1);
        rest_b = rest_b.subspan(before_b + 1);
    }
    merge_between(rest_a, rest_b, result);
    std::uint32_t next = 0;
    number_optional(result, next);
    return result;
}

std::optional<Fit> fitted(std::vector<Node> shape, const std::vector<std::uint32_t>& symbols, const LeafRule& rule,
                          Mismatch* mismatch) {
    forget_trips(shape);
    Fitting fitting(symbols, rule);
    if (fitting.fit(shape) && fitting.at_end()) return Fit{std::move(shape), fitting.choices()};
    if (mismatch != nullptr) *mismatch = fitting.farthest();
    return std::nullopt;
}

}  // namespace warpfront::learning
