#include "simulator/collectives/exchanges.hpp"

#include <bit>

#include "simulator/collectives/member.hpp"
#include "simulator/collectives/patterns.hpp"

namespace warpfront::collectives {

namespace {

/// Returns the collectives that an algorithm combines, such as a reduce and a bcast. Their root is member 0. The result
/// is empty if the algorithm consists of messages.
std::vector<Collective> parts_of(const Collective& call, Algorithm algorithm, std::uint32_t member,
                                 std::uint32_t members) {
    const auto part = [&](Kind kind, Bytes bytes) { return Collective{kind, 0, bytes, {}, call.element}; };
    const auto of_shares = [&](Kind kind) {
        return Collective{kind, 0, call.shares.empty() ? call.bytes : call.shares[member], call.shares, call.element};
    };
    const auto total = [&] { return sizes_of(call, members)->total; };
    switch (algorithm) {
        case Algorithm::reduce_bcast: return {part(Kind::reduce, call.bytes), part(Kind::bcast, call.bytes)};
        case Algorithm::gather_bcast: return {of_shares(Kind::gatherv), part(Kind::bcast, total())};
        case Algorithm::reduce_then_scatter:
            return {part(Kind::reduce, total()), of_shares(call.shares.empty() ? Kind::scatter : Kind::scatterv)};
        case Algorithm::reduce_then_scatterv: return {part(Kind::reduce, total()), of_shares(Kind::scatterv)};
        default: return {};
    }
}

void barrier(const Member& member, Algorithm algorithm) {
    if (algorithm == Algorithm::dissemination) return dissemination(member);
    if (algorithm == Algorithm::recursive_doubling) return reduce_by_doubling(member);
    if (algorithm == Algorithm::binomial) {
        collect_binomial(member);
        return spread_binomial(member);
    }
    collect_linear(member);
    spread_linear(member);
}

void bcast(const Member& member, Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::binomial: return spread_binomial(member);
        case Algorithm::linear: return spread_linear(member);
        case Algorithm::split_binary: return spread_split_binary(member);
        case Algorithm::scatter_allgather: scatter_message(member); return spread_by_doubling(member);
        case Algorithm::scatter_ring: scatter_message(member); return spread_ring(member);
        default: return spread_tree(member, algorithm);
    }
}

void reduce(const Member& member, Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::binomial: return collect_binomial(member);
        case Algorithm::linear: return collect_linear(member);
        case Algorithm::sequential: return collect_sequential(member);
        case Algorithm::rabenseifner: return reduce_halving(member, true);
        case Algorithm::halving_doubling: return reduce_halving(member, false);
        default: return collect_tree(member, algorithm);
    }
}

void allreduce(const Member& member, Algorithm algorithm) {
    if (algorithm == Algorithm::recursive_doubling) return reduce_by_doubling(member);
    if (algorithm == Algorithm::ring) return allreduce_ring(member);
    if (algorithm != Algorithm::linear) return allreduce_halving(member, algorithm == Algorithm::rabenseifner);
    collect_linear(member);
    spread_linear(member);
}

void gather(const Member& member, Algorithm algorithm) {
    if (algorithm == Algorithm::binomial) return gather_binomial(member);
    if (algorithm == Algorithm::linear_sync) return gather_linear_sync(member);
    algorithm == Algorithm::sequential ? collect_sequential(member) : collect_linear(member);
}

void scatter(const Member& member, Algorithm algorithm) {
    if (algorithm == Algorithm::binomial) return scatter_binomial(member);
    algorithm == Algorithm::sequential ? spread_sequential(member) : spread_linear(member);
}

void allgather(const Member& member, Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::ring: return allgather_ring(member);
        case Algorithm::bruck: return allgather_bruck(member);
        case Algorithm::recursive_doubling: return allgather_by_doubling(member);
        case Algorithm::neighbour_exchange: return neighbour_exchange(member);
        default: return allgather_linear(member);
    }
}

void alltoall(const Member& member, Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::pairwise: return pairwise(member);
        case Algorithm::pairwise_xor: return pairwise_xor(member);
        case Algorithm::bruck: return alltoall_bruck(member);
        case Algorithm::scattered: return alltoall_scattered(member);
        default: return member.call.kind == Kind::alltoallv ? alltoallv_linear(member) : alltoall_linear(member);
    }
}

void reduce_scatter(const Member& member, Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::recursive_halving: return reduce_scatter_halving(member);
        case Algorithm::recursive_doubling: return reduce_scatter_by_doubling(member);
        case Algorithm::ring: return reduce_scatter_ring(member);
        case Algorithm::butterfly: return reduce_scatter_butterfly(member);
        default: return pairwise(member);
    }
}

void scan(const Member& member, Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::recursive_doubling: return scan_by_doubling(member);
        case Algorithm::chain: return scan_chain(member);
        case Algorithm::hypercube: return scan_hypercube(member);
        default: return scan_linear(member);
    }
}

}  // namespace

void for_each_exchange(const Collective& collective, const Algorithms& algorithms, std::uint32_t member,
                       std::uint32_t members, const Visit& visit) {
    const Algorithm algorithm = algorithms.choose(collective, members).algorithm;
    const std::vector<Collective> parts = parts_of(collective, algorithm, member, members);
    for (const Collective& part : parts) for_each_exchange(part, algorithms, member, members, visit);
    if (!parts.empty()) return;
    const Collective without_data{collective.kind};
    const Member here(collective.kind == Kind::barrier ? without_data : collective, member, members, visit);
    switch (collective.kind) {
        case Kind::barrier: return barrier(here, algorithm);
        case Kind::bcast: return bcast(here, algorithm);
        case Kind::reduce: return reduce(here, algorithm);
        case Kind::allreduce: return allreduce(here, algorithm);
        case Kind::gather:
        case Kind::gatherv: return gather(here, algorithm);
        case Kind::scatter:
        case Kind::scatterv: return scatter(here, algorithm);
        case Kind::allgather:
        case Kind::allgatherv: return allgather(here, algorithm);
        case Kind::alltoall:
        case Kind::alltoallv: return alltoall(here, algorithm);
        case Kind::reduce_scatter: return reduce_scatter(here, algorithm);
        case Kind::scan:
        case Kind::exscan: return scan(here, algorithm);
    }
}

std::uint64_t most_exchanges(const Collective& collective, const Algorithms& algorithms, std::uint32_t members) {
    using enum Algorithm;
    const Algorithm algorithm = algorithms.choose(collective, members).algorithm;
    const std::vector<Collective> parts = parts_of(collective, algorithm, 0, members);
    std::uint64_t most = 0;
    for (const Collective& part : parts) most += most_exchanges(part, algorithms, members);
    if (!parts.empty()) return most;
    switch (algorithm) {
        case dissemination:
        case binomial:
        case binomial_doubling:
        case binary:
        case in_order_binary:
        case split_binary:
        case chain:
        case hypercube:
        case recursive_doubling:
        case recursive_halving:
        case butterfly:
        case rabenseifner:
        case halving_doubling:
        case scatter_allgather:
        case bruck:
        case knomial: return 4 * std::uint64_t{std::bit_width(members)} + 4;
        default: return 4 * std::uint64_t{members} + 4;
    }
}

std::vector<Description> descriptions_of(const Collective& collective, const Algorithms& algorithms,
                                         std::uint32_t members) {
    std::vector<Description> all;
    const auto add = [&](const Collective& call, const std::string& within) {
        const Choice choice = algorithms.choose(call, members);
        const std::optional<Sizes> sizes = sizes_of(call, members);
        all.push_back({std::string(name_of(call.kind)) + within, std::string(name_of(choice.algorithm)),
                       reason_of(choice), sizes ? std::optional(sizes->each) : std::nullopt});
        return choice.algorithm;
    };
    const Algorithm algorithm = add(collective, "");
    for (const Collective& part : parts_of(collective, algorithm, 0, members)) {
        add(part, " in " + std::string(name_of(collective.kind)));
    }
    return all;
}

}  // namespace warpfront::collectives
