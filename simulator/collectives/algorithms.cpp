#include "simulator/collectives/algorithms.hpp"

#include <algorithm>

namespace warpfront::collectives {

namespace {

constexpr std::array<std::string_view, kKinds> kKindNames{
    "barrier",    "bcast",    "reduce",    "allreduce",      "gather", "gatherv", "scatter", "allgather",
    "allgatherv", "alltoall", "alltoallv", "reduce_scatter", "scan",   "exscan",  "scatterv"};
constexpr std::array<std::string_view, 10> kAlgorithmNames{
    "dissemination", "linear",   "binomial", "recursive_doubling", "reduce_bcast",
    "ring",          "pairwise", "bruck",    "open_mpi",           "reduce_then_scatter"};

}  // namespace

std::string_view name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
std::string_view name_of(Algorithm algorithm) { return kAlgorithmNames[static_cast<std::size_t>(algorithm)]; }

const std::vector<Offer>& offers() {
    using enum Algorithm;
    static const std::vector<Offer> all{{Kind::barrier, {dissemination, recursive_doubling, linear}, linear},
                                        {Kind::bcast, {binomial, linear}, binomial},
                                        {Kind::reduce, {binomial, linear}, linear},
                                        {Kind::allreduce, {recursive_doubling, reduce_bcast}, reduce_bcast},
                                        {Kind::gather, {linear, binomial}, linear},
                                        {Kind::gatherv, {linear}, linear},
                                        {Kind::scatter, {binomial, linear}, linear},
                                        {Kind::allgather, {ring, linear}, linear},
                                        {Kind::allgatherv, {ring, linear}, linear},
                                        {Kind::alltoall, {pairwise, linear, bruck, open_mpi}, open_mpi},
                                        {Kind::alltoallv, {pairwise, linear}, linear},
                                        {Kind::reduce_scatter, {pairwise, reduce_then_scatter}, reduce_then_scatter},
                                        {Kind::scan, {recursive_doubling, linear}, linear},
                                        {Kind::exscan, {recursive_doubling, linear}, linear},
                                        {Kind::scatterv, {linear}, linear}};
    return all;
}

Algorithms::Algorithms() {
    for (const Offer& offer : offers()) set(offer.kind, offer.algorithms.front());
}

Algorithms Algorithms::of_smpi() {
    Algorithms algorithms;
    for (const Offer& offer : offers()) algorithms.set(offer.kind, offer.smpi);
    return algorithms;
}

Algorithm Algorithms::of(Kind kind, Bytes bytes, std::uint32_t ranks) const {
    const auto applies = [&](const Rule& rule) {
        return (!rule.up_to || bytes <= *rule.up_to) && (!rule.ranks || ranks <= *rule.ranks);
    };
    const std::vector<Rule>& all = rules(kind);
    return std::find_if(all.begin(), all.end() - 1, applies)->algorithm;
}

}  // namespace warpfront::collectives
