#include "simulator/machine/routes/fat_tree.hpp"

namespace warpfront::machine {

namespace {

constexpr std::uint32_t kNoPort = 0xFFFFFFFF;

/// The current level of a route, with the first numbers of its links and limiters.
struct Position {
    std::size_t level = 0;
    std::uint32_t low = 0;
    std::uint32_t roots = 1;        // parents[0] * ... * parents[level - 1]
    std::uint32_t below = 1;        // children[0] * ... * children[level - 1]
    std::uint64_t first_cable = 0;  // number of up ports of all levels below
    std::uint64_t first_node = 0;   // number of hosts and switches of all levels below
    std::uint64_t nodes = 0;        // number of hosts or switches of this level
};

class FatTreeWalk {
public:
    FatTreeWalk(const FatTreeRoutes& tree, Host from, Host to, std::vector<LinkId>& links)
        : tree_(tree),
          from_(from.index),
          to_(to.index),
          links_(links),
          first_limiter_(tree.limiter ? tree.cable_count() : 0) {
        at_.nodes = tree.hosts();
    }

    void climb(std::uint32_t top) {
        std::uint32_t spread = to_;  // to / (parents[0] * ... * parents[level - 1])
        while (at_.level < top) {
            const std::uint32_t parents = tree_.parents[at_.level];
            const std::uint32_t port = spread % ports();
            limit(from_ / at_.below);
            take(from_ / at_.below, port, false);
            spread /= parents;
            const std::uint32_t low = at_.low + at_.roots * (port % parents);
            rise();
            at_.low = low;
        }
    }

    void descend() {
        // port by which the route has left the switch above; kNoPort if it has not been there
        std::uint32_t last = kNoPort;
        while (at_.level > 0) {
            const std::uint32_t high = to_ / at_.below;
            const Position above = at_;
            fall();
            const std::uint32_t children = tree_.children[at_.level];
            const std::uint32_t child = to_ / at_.below % children;
            std::uint32_t port = last == kNoPort ? kNoPort : port_from(last + 1, child);
            if (port == kNoPort) port = port_from(from_ % tree_.cables[at_.level] * children, child);
            const std::uint32_t parent = above.low / at_.roots;
            take(to_ / at_.below, parent + port / children * tree_.parents[at_.level], true);
            limit(above, high);
            last = port;
        }
        limit(to_);
    }

private:
    std::uint32_t ports() const { return tree_.parents[at_.level] * tree_.cables[at_.level]; }

    void rise() {
        const std::size_t level = at_.level;
        at_.first_cable += at_.nodes * ports();
        at_.first_node += at_.nodes;
        at_.nodes = at_.nodes / tree_.children[level] * tree_.parents[level];
        at_.roots *= tree_.parents[level];
        at_.below *= tree_.children[level];
        ++at_.level;
    }

    void fall() {
        const std::size_t level = --at_.level;
        at_.roots /= tree_.parents[level];
        at_.below /= tree_.children[level];
        at_.nodes = at_.nodes / tree_.parents[level] * tree_.children[level];
        at_.first_node -= at_.nodes;
        at_.first_cable -= at_.nodes * ports();
        at_.low %= at_.roots;
    }

    /// Returns the first down port, from `start` on, by which a switch above this level reaches `child`.
    std::uint32_t port_from(std::uint32_t start, std::uint32_t child) const {
        const std::uint32_t children = tree_.children[at_.level];
        const std::uint32_t port = start + (child + children - start % children) % children;
        return port < children * tree_.cables[at_.level] ? port : kNoPort;
    }

    /// Takes the link of an up port. The port belongs to the vertex of this level that is a root of subtree `high`.
    void take(std::uint32_t high, std::uint32_t port, bool down) {
        const std::uint64_t position = at_.low + std::uint64_t{high} * at_.roots;
        const std::uint64_t cable = at_.first_cable + position * ports() + port;
        links_.push_back({static_cast<std::uint32_t>(tree_.duplex ? 2 * cable + (down ? 1 : 0) : cable)});
    }

    void limit(std::uint32_t high) { limit(at_, high); }
    void limit(const Position& at, std::uint32_t high) {
        if (!tree_.limiter) return;
        const std::uint64_t position = at.low + std::uint64_t{high} * at.roots;
        links_.push_back({static_cast<std::uint32_t>(first_limiter_ + at.first_node + position)});
    }

    const FatTreeRoutes& tree_;
    std::uint32_t from_, to_;
    std::vector<LinkId>& links_;
    std::uint64_t first_limiter_;
    Position at_;
};

}  // namespace

std::uint64_t FatTreeRoutes::hosts() const { return nodes(0); }

std::uint64_t FatTreeRoutes::nodes(std::size_t level) const {
    std::uint64_t count = 1;
    for (std::size_t k = 0; k < children.size(); ++k) count *= k < level ? parents[k] : children[k];
    return count;
}

std::uint32_t FatTreeRoutes::top(Host from, Host to) const {
    std::uint32_t level = 0;
    for (std::uint32_t a = from.index, b = to.index; a != b; ++level) {
        a /= children[level];
        b /= children[level];
    }
    return level;
}

std::uint32_t FatTreeRoutes::links(Host from, Host to) const {
    const std::uint32_t crossed = 2 * top(from, to);
    return limiter ? 2 * crossed + 1 : crossed;
}

Time FatTreeRoutes::latency(Host from, Host to) const { return link_latency * (std::int64_t{2} * top(from, to)); }

std::uint64_t FatTreeRoutes::cable_count() const {
    std::uint64_t count = 0;
    for (std::size_t k = 0; k < children.size(); ++k) count += nodes(k) * parents[k] * cables[k];
    return duplex ? 2 * count : count;
}

std::uint64_t FatTreeRoutes::link_count() const {
    std::uint64_t count = cable_count();
    for (std::size_t level = 0; limiter && level <= children.size(); ++level) count += nodes(level);
    return count;
}

void FatTreeRoutes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    FatTreeWalk walk(*this, from, to, links);
    walk.climb(top(from, to));
    walk.descend();
}

Gap FatTreeRoutes::gap(LinkId link) const { return limiter && link.index >= cable_count() ? *limiter : link_gap; }

}  // namespace warpfront::machine
