// Nodes that keep company: those whose messages meet on links.
//
// Where a route has several links, as at the folds of a torus, messages of one node cross links of another. What such
// nodes do depends on each other within a window, by the order in which links are granted; so they can only be said to
// recur together, links included. On a folded torus a company has two to eight nodes; most nodes are alone.
//
// Only channels count. A message of a collective may cross any link, and then `user` says who has to know.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/engine/layout.hpp"

namespace warpfront::engine {

class Companies {
public:
    /// Larger ones are hardly ever worth seeing as one.
    static constexpr std::size_t kMost = 32;

    Companies(const Layout& layout, const Channels& channels);

    /// Those in the company of this node, ascending, itself included.
    std::span<const std::uint32_t> of(std::uint32_t node) const { return part(members_, places_[node].members); }
    /// The first servers of the links that their messages meet on.
    std::span<const std::uint32_t> links_of(std::uint32_t node) const { return part(links_, places_[node].links); }
    /// One of those whose channels take the link with this first server; kNone if no channel does.
    std::uint32_t user(std::uint32_t server) const;
    std::uint64_t bytes() const;

private:
    struct Part {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    struct Place {
        Part members;
        Part links;
    };
    static std::span<const std::uint32_t> part(const std::vector<std::uint32_t>& all, Part of) {
        return {all.data() + of.first, of.count};
    }
    void gather(const std::vector<std::uint32_t>& leaders);

    const Layout& layout_;
    std::vector<std::uint32_t> users_;    // by server that is on nobody's desk
    std::vector<std::uint32_t> members_;  // company by company, as the next
    std::vector<std::uint32_t> links_;
    std::vector<Place> places_;           // by node
};

}  // namespace warpfront::engine
