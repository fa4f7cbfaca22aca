#include "tools/from_code/learning/loops.hpp"

#include <algorithm>
#include <map>
#include <utility>

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
    std::vector<Node> nodes_of(const std::vector<std::uint32_t>& numbers) const {
        std::vector<Node> nodes;
        for (const std::uint32_t each : numbers) nodes.push_back(nodes_[each]);
        return nodes;
    }
    /// Returns the number of requests that a symbol starts, less those that it waits for.
    std::int64_t begins(std::uint32_t number) const { return begins_[number]; }
    /// Returns the number of iterations of a loop; 0 for a leaf.
    std::int64_t trips(std::uint32_t number) const { return keys_[number].first; }
    /// Returns the body of a loop.
    std::vector<std::uint32_t> body(std::uint32_t number) const { return keys_[number].second; }

private:
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
        if (numbered.trips(row[at]) == 0) continue;
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

/// Matches a sequence with a shape and finds the numbers of iterations of its loops.
class Fitting {
public:
    Fitting(const std::vector<std::uint32_t>& symbols, const LeafRule& rule) : symbols_(symbols), rule_(rule) {}

    bool fit(std::vector<Node>& nodes) {
        for (Node& node : nodes) {
            if (node.is_loop() ? !fit_loop(node) : !fit_leaf(node)) return false;
        }
        return true;
    }
    bool at_end() const { return at_ == symbols_.size(); }
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
    bool fit_loop(Node& loop) {
        std::int64_t trips = 0;
        for (;;) {
            const std::size_t before = at_;
            std::vector<Node> body = loop.body;
            if (loop.trips > 0 && trips == loop.trips) break;
            if (!fit(body) || at_ == before) {
                at_ = before;
                break;
            }
            loop.body = std::move(body);
            ++trips;
        }
        if (trips == 0 && nothing(loop.body)) return true;
        if (trips == 0 || (loop.trips > 0 && trips != loop.trips)) return false;
        loop.trips = trips;
        return true;
    }
    bool nothing(const std::vector<Node>& nodes) const {
        return std::all_of(nodes.begin(), nodes.end(), [this](const Node& node) {
            return node.is_loop() ? nothing(node.body) : rule_.absent(node.symbol);
        });
    }

    const std::vector<std::uint32_t>& symbols_;
    const LeafRule& rule_;
    std::size_t at_ = 0;
    Mismatch farthest_;
};

void forget_trips(std::vector<Node>& nodes) {
    for (Node& node : nodes) {
        node.trips = 0;
        forget_trips(node.body);
    }
}

}  // namespace

std::vector<Node> folded(const std::vector<std::uint32_t>& symbols,
                         const std::function<std::int64_t(std::uint32_t)>& begins, std::size_t longest) {
    Numbered numbered;
    std::vector<std::uint32_t> row;
    for (const std::uint32_t symbol : symbols) row.push_back(numbered.leaf(symbol, begins(symbol)));
    for (const std::size_t least : {std::size_t{3}, std::size_t{2}}) {
        for (std::size_t period = 1; period <= std::min(longest, row.size() / least); ++period) {
            if (!fold(period, least, row, numbered)) continue;
            while (absorb(row, numbered)) {}
            period = 0;
        }
    }
    return numbered.nodes_of(row);
}

std::optional<std::vector<Node>> fitted(std::vector<Node> shape, const std::vector<std::uint32_t>& symbols,
                                        const LeafRule& rule, Mismatch* mismatch) {
    forget_trips(shape);
    Fitting fitting(symbols, rule);
    if (fitting.fit(shape) && fitting.at_end()) return shape;
    if (mismatch != nullptr) *mismatch = fitting.farthest();
    return std::nullopt;
}

}  // namespace warpfront::learning
