#include "simulator/engine/parallel/division.hpp"

#include <algorithm>
#include <vector>

namespace warpfront::engine {

namespace {

constexpr std::size_t kStripes = 8;  // number of stripes in a partition
/// The largest allowed size of a partition, relative to the mean. Up to this size, it is faster to let each partition
/// grant its links itself.
constexpr double kMostUneven = 1.25;

/// Groups of nodes. The first node of a group represents it.
using NodeGroups = DisjointSets<Node>;

/// Returns the groups of nodes that share links. A node without shared links is a group of its own.
NodeGroups joined_by_links(const Layout& layout) {
    NodeGroups groups(layout.nodes);
    IndexedVector<ServerId, Node> user(layout.server_count, kNone);
    for (const SendEndpointId sender : layout.all_send_endpoints()) {
        if (layout.is_of_collective(sender)) break;
        if (!layout.stored_routes.contains(sender)) continue;
        const Node node = layout.node_of[layout.rank_of(sender)];
        for (const RouteLink& link : layout.stored_routes.of(sender)) {
            if (user[link.server] == kNone) user[link.server] = node;
            groups.join(node, user[link.server]);
        }
    }
    return groups;
}

/// Divides the groups among partitions, in the order of their first nodes. All groups that begin in the same stripe go
/// to one partition: the one with the fewest nodes when the stripe begins, or the first of several.
class Stripes {
public:
    Stripes(const Layout& layout, std::size_t count)
        : nodes_(layout.nodes), stripes_(count * (layout.shares ? kStripes : 1)), sizes_(count, 0) {}

    Division divide(NodeGroups groups) {
        IndexedVector<Node, std::uint32_t> group_sizes(nodes_, 0);
        for (const Node node : group_sizes.ids()) ++group_sizes[groups.representative(node)];
        Division division;
        for (const Node node : group_sizes.ids()) {
            const Node first = groups.representative(node);
            division.partition_of.push_back(first == node ? place(group_sizes[node]) : division.partition_of[first]);
        }
        return division;
    }
    bool are_even() const {
        const double mean = static_cast<double>(nodes_) / static_cast<double>(sizes_.size());
        const auto [least, most] = std::minmax_element(sizes_.begin(), sizes_.end());
        return *least > 0 && static_cast<double>(*most) <= kMostUneven * mean;
    }

private:
    /// Returns the partition of the next group.
    std::uint16_t place(std::uint32_t size) {
        const std::size_t stripe = placed_ * stripes_ / nodes_;
        if (placed_ == 0 || stripe != stripe_) {
            current_ = static_cast<std::size_t>(std::min_element(sizes_.begin(), sizes_.end()) - sizes_.begin());
            stripe_ = stripe;
        }
        placed_ += size;
        sizes_[current_] += size;
        return static_cast<std::uint16_t>(current_);
    }

    std::size_t nodes_;
    std::size_t stripes_;
    std::size_t placed_ = 0;  // number of nodes that already have a partition
    std::size_t stripe_ = 0;
    std::size_t current_ = 0;         // the partition of that stripe
    std::vector<std::size_t> sizes_;  // number of nodes in each partition
};

}  // namespace

Division divide(const Layout& layout, std::size_t count) {
    if (count > 1 && !layout.stored_routes.links.empty()) {
        Stripes stripes(layout, count);
        Division division = stripes.divide(joined_by_links(layout));
        division.keeps_groups = true;
        if (stripes.are_even()) return division;
    }
    return Stripes(layout, count).divide(NodeGroups(layout.nodes));
}

}  // namespace warpfront::engine
