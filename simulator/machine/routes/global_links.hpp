// The global links of a dragonfly by rule: which port of a group leads to which port of another.
//
// A group has R routers with H global ports each, P = R * H in all; port p is on router p / H. With G groups, at most
// P + 1, each ordered pair of groups has K = P / (G - 1) links, rounded down. Offset by offset, then around again:
//   port p of group a leads to group (a + 1 + p mod (G - 1)) mod G, for p < K (G - 1); later ports are unused.
// So link k from a to b = (a + d) mod G leaves port k (G - 1) + d - 1 of a and enters port k (G - 1) + (G - d) - 1 of
// b, which is also where link k from b to a leaves. This is the relative arrangement of Hastings et
// al. 2015 (CLUSTER), "Comparing global link arrangements for dragonfly networks", repeated K times.
//
// A route from router s to router t of another group takes, of these K links, one on s if there is one, else one that
// enters t, else link t mod K. Of n links on s it takes number t mod n, of n that enter t number s mod n. Routers are
// numbered within their groups.
#pragma once

#include <cstdint>

namespace warpfront::machine {

struct GlobalLinks {
    std::uint32_t groups = 1;
    std::uint32_t routers = 1;     // of a group
    std::uint32_t per_router = 0;  // global ports

    std::uint64_t ports() const { return std::uint64_t{routers} * per_router; }
    /// Links of an ordered pair of groups.
    std::uint32_t parallel() const { return groups < 2 ? 0 : static_cast<std::uint32_t>(ports() / (groups - 1)); }
    /// The group to which a port in use leads.
    std::uint32_t target(std::uint32_t group, std::uint32_t port) const {
        return static_cast<std::uint32_t>((std::uint64_t{group} + 1 + port % (groups - 1)) % groups);
    }
    /// The port that link `k` leaves in group `from`; exchanged, the one that it enters.
    std::uint32_t port(std::uint32_t from, std::uint32_t to, std::uint32_t k) const {
        return k * (groups - 1) + offset(from, to) - 1;
    }
    std::uint32_t router(std::uint32_t port) const { return port / per_router; }
    /// The link that a route from router `at` of group `from` to router `end` of group `to` takes.
    std::uint32_t choose(std::uint32_t from, std::uint32_t at, std::uint32_t to, std::uint32_t end) const;

private:
    std::uint32_t offset(std::uint32_t from, std::uint32_t to) const {
        return to > from ? to - from : groups - (from - to);
    }
    /// The links from `from` to `to` whose ports are on this router of `from`.
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    Range on_router(std::uint32_t from, std::uint32_t to, std::uint32_t router) const;
};

}  // namespace warpfront::machine
