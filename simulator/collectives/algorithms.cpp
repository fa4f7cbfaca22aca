#include "simulator/collectives/algorithms.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "simulator/collectives/blocks.hpp"

namespace warpfront::collectives {

namespace {

constexpr std::array<std::string_view, kKinds> kKindNames{
    "barrier",    "bcast",    "reduce",    "allreduce",      "gather", "gatherv", "scatter", "allgather",
    "allgatherv", "alltoall", "alltoallv", "reduce_scatter", "scan",   "exscan",  "scatterv"};
constexpr std::array<std::string_view, kAlgorithms> kAlgorithmNames{"dissemination",
                                                                    "linear",
                                                                    "sequential",
                                                                    "linear_sync",
                                                                    "scattered",
                                                                    "binomial",
                                                                    "binomial_doubling",
                                                                    "knomial",
                                                                    "binary",
                                                                    "in_order_binary",
                                                                    "split_binary",
                                                                    "chain",
                                                                    "ring",
                                                                    "neighbour_exchange",
                                                                    "bruck",
                                                                    "pairwise",
                                                                    "pairwise_xor",
                                                                    "hypercube",
                                                                    "recursive_doubling",
                                                                    "recursive_halving",
                                                                    "butterfly",
                                                                    "rabenseifner",
                                                                    "halving_doubling",
                                                                    "scatter_allgather",
                                                                    "scatter_ring",
                                                                    "reduce_bcast",
                                                                    "gather_bcast",
                                                                    "reduce_then_scatter",
                                                                    "reduce_then_scatterv"};
static_assert(static_cast<std::size_t>(Algorithm::reduce_then_scatterv) + 1 == kAlgorithms);

std::string range_of(std::optional<std::int64_t> above, std::optional<std::int64_t> up_to, const std::string& unit) {
    if (above && up_to) return std::to_string(*above + 1) + " to " + std::to_string(*up_to) + unit;
    if (up_to) return "up to " + std::to_string(*up_to) + unit;
    return above ? "more than " + std::to_string(*above) + unit : std::string();
}

std::optional<std::int64_t> count_of(const std::optional<Bytes>& bytes) {
    return bytes ? std::optional(bytes->count) : std::nullopt;
}

std::string_view words_of(Condition condition) {
    switch (condition) {
        case Condition::none: return "";
        case Condition::power_of_two: return "a power of two of ranks";
        case Condition::equal_shares: return "equal shares";
        case Condition::fewer_elements: return "fewer elements than ranks";
        case Condition::fewer_elements_by_power: return "fewer elements than the power of two in the ranks";
    }
    return "";
}

/// Describes the limits of a rule. Its lower limits are the upper limits of earlier rules.
std::string words_of(const std::vector<Rule>& rules, std::size_t at) {
    const Rule& rule = rules[at];
    std::optional<std::int64_t> each, total, elements, ranks;
    for (std::size_t above = 0; above < at; ++above) {
        const Rule& other = rules[above];
        if (other.condition != Condition::none) continue;
        const int sizes = (other.up_to ? 1 : 0) + (other.total ? 1 : 0) + (other.elements ? 1 : 0);
        const bool has_all_ranks = !other.ranks || (rule.ranks && *rule.ranks <= *other.ranks);
        if (sizes == 0 && other.ranks) ranks = *other.ranks;
        if (sizes != 1 || !has_all_ranks) continue;
        if (other.up_to) each = other.up_to->count;
        if (other.total) total = other.total->count;
        if (other.elements) elements = other.elements;
    }
    std::string text;
    const auto add = [&text](const std::string& part, std::string_view separator = ", ") {
        if (!part.empty()) text += (text.empty() ? "" : std::string(separator)) + part;
    };
    add(range_of(each, count_of(rule.up_to), " B"));
    add(range_of(total, count_of(rule.total), " B of all ranks"));
    add(range_of(elements, rule.elements, " elements of all ranks"));
    const std::optional<std::int64_t> most = rule.ranks ? std::optional<std::int64_t>(*rule.ranks) : std::nullopt;
    if (ranks && most && *ranks + 1 == *most) {
        add(std::to_string(*most) + " ranks", " on ");
    } else {
        add(range_of(ranks, most, " ranks"), " on ");
    }
    add(std::string(words_of(rule.condition)));
    return text;
}

bool holds(Condition condition, const Sizes& sizes, std::uint32_t members) {
    switch (condition) {
        case Condition::none: return true;
        case Condition::power_of_two: return std::has_single_bit(members);
        case Condition::equal_shares: return sizes.equal_shares;
        case Condition::fewer_elements: return sizes.elements < members;
        case Condition::fewer_elements_by_power: return sizes.elements < std::bit_floor(members);
    }
    return false;
}

/// Returns the algorithm, or a substitute if the algorithm needs an even number of members or a power of two.
Algorithm available(Algorithm named, std::uint32_t members) {
    if (named == Algorithm::neighbour_exchange && members % 2 != 0) return Algorithm::ring;
    if (named == Algorithm::pairwise_xor && !std::has_single_bit(members)) return Algorithm::pairwise;
    return named;
}

}  // namespace

std::string_view name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::optional<Kind> kind_named(std::string_view name) {
    const auto found = std::ranges::find(kKindNames, name);
    if (found == kKindNames.end()) return std::nullopt;
    return static_cast<Kind>(found - kKindNames.begin());
}

std::string_view name_of(Algorithm algorithm) { return kAlgorithmNames[static_cast<std::size_t>(algorithm)]; }

Bytes element_of(const Collective& collective, Bytes total) {
    constexpr std::int64_t kLargest = 8;  // size of a double
    const bool fits = collective.element.count > 0 && total.count % collective.element.count == 0;
    return fits ? collective.element : Bytes{std::gcd(total.count, kLargest)};
}

std::optional<Sizes> sizes_of(const Collective& collective, std::uint32_t members) {
    using enum Kind;
    const Kind kind = collective.kind;
    if (kind == gatherv || kind == scatterv || kind == alltoallv) return std::nullopt;
    Sizes sizes{collective.bytes, collective.bytes};
    if (!collective.shares.empty()) {
        sizes.total = Blocks::of(collective.shares).all().size;
        sizes.each = {sizes.total.count / std::max<std::int64_t>(members, 1)};
        sizes.equal_shares =
            std::ranges::all_of(collective.shares, [&](Bytes share) { return share == collective.shares.front(); });
    } else if (kind == gather || kind == scatter || kind == allgather || kind == alltoall || kind == reduce_scatter) {
        sizes.total = Blocks::equal(collective.bytes, members).all().size;
    }
    const Bytes element = element_of(collective, collective.shares.empty() ? collective.bytes : sizes.total);
    sizes.elements = sizes.total.count / element.count;
    return sizes;
}

const std::vector<Offer>& offers() {
    using enum Algorithm;
    static const std::vector<Offer> all{
        {Kind::barrier, {dissemination, recursive_doubling, linear, binomial}},
        {Kind::bcast,
         {binomial, linear, binomial_doubling, knomial, binary, split_binary, chain, scatter_allgather, scatter_ring}},
        {Kind::reduce, {binomial, linear, sequential, binary, in_order_binary, chain, rabenseifner, halving_doubling}},
        {Kind::allreduce, {recursive_doubling, reduce_bcast, linear, ring, rabenseifner, halving_doubling}},
        {Kind::gather, {linear, binomial, sequential, linear_sync}},
        {Kind::gatherv, {linear, sequential}},
        {Kind::scatter, {binomial, linear, sequential}},
        {Kind::allgather, {ring, linear, bruck, recursive_doubling, neighbour_exchange}},
        {Kind::allgatherv, {ring, linear, bruck, recursive_doubling, neighbour_exchange, gather_bcast}},
        {Kind::alltoall, {pairwise, linear, bruck, pairwise_xor, scattered}},
        {Kind::alltoallv, {pairwise, linear, scattered}},
        {Kind::reduce_scatter,
         {pairwise, reduce_then_scatter, reduce_then_scatterv, recursive_halving, recursive_doubling, ring, butterfly}},
        {Kind::scan, {recursive_doubling, linear, chain, hypercube}},
        {Kind::exscan, {recursive_doubling, linear, chain, hypercube}},
        {Kind::scatterv, {linear, sequential}}};
    return all;
}

Algorithms::Algorithms() {
    for (const Offer& offer : offers()) set(offer.kind, {{offer.algorithms.front()}}, "default");
}

void Algorithms::set(Kind kind, std::vector<Rule> rules, std::string_view source) {
    OfKind& of = kinds_[static_cast<std::size_t>(kind)];
    of.rules = std::move(rules);
    of.words.clear();
    for (std::size_t at = 0; at < of.rules.size(); ++at) {
        const std::string limits = words_of(of.rules, at);
        of.words.push_back(std::string(source) + (limits.empty() ? "" : ": ") + limits);
    }
}

Choice Algorithms::choose(const Collective& collective, std::uint32_t members) const {
    const std::optional<Sizes> sizes = sizes_of(collective, members);
    const auto applies = [&](const Rule& rule) {
        if (rule.ranks && members > *rule.ranks) return false;
        const bool by_size = rule.up_to || rule.total || rule.elements || rule.condition != Condition::none;
        if (!sizes) return !by_size;
        return (!rule.up_to || sizes->each <= *rule.up_to) && (!rule.total || sizes->total <= *rule.total) &&
               (!rule.elements || sizes->elements <= *rule.elements) && holds(rule.condition, *sizes, members);
    };
    const OfKind& all = of(collective.kind);
    const auto found = std::find_if(all.rules.begin(), all.rules.end() - 1, applies);
    return {available(found->algorithm, members), found->algorithm,
            &all.words[static_cast<std::size_t>(found - all.rules.begin())]};
}

std::string reason_of(const Choice& choice) {
    if (choice.algorithm == choice.named) return *choice.rule;
    const bool even = choice.named == Algorithm::neighbour_exchange;
    return *choice.rule + "; " + std::string(name_of(choice.named)) + " needs " +
           (even ? "an even number of ranks" : "a power of two of ranks");
}

}  // namespace warpfront::collectives
