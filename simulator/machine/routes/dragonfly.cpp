#include "simulator/machine/routes/dragonfly.hpp"

#include <algorithm>
#include <utility>

#include "simulator/machine/routes/routing.hpp"

namespace warpfront::machine {

// --- global links that follow a rule ---------------------------------------------------------------------------------

/// Returns the links between two groups that are on a router. Link k is on the router if k (G - 1) + d - 1 is at least
/// `router` H and below (`router` + 1) H.
GlobalLinks::Range GlobalLinks::on_router(std::uint32_t from, std::uint32_t to, std::uint32_t router) const {
    const std::uint64_t first_port = port(from, to, 0);
    const auto links_before = [&](std::uint64_t limit) {
        const std::uint64_t before = limit <= first_port ? 0 : (limit - first_port + groups - 2) / (groups - 1);
        return std::min<std::uint32_t>(parallel(), static_cast<std::uint32_t>(before));
    };
    const std::uint64_t ports_before = std::uint64_t{router} * per_router;
    const std::uint32_t first = links_before(ports_before);
    return {first, links_before(ports_before + per_router) - first};
}

std::uint32_t GlobalLinks::choose(std::uint32_t from, std::uint32_t at, std::uint32_t to, std::uint32_t end) const {
    const Range leaving = on_router(from, to, at);
    if (leaving.count > 0) return leaving.first + end % leaving.count;
    const Range entering = on_router(to, from, end);
    if (entering.count > 0) return entering.first + at % entering.count;
    return end % parallel();
}

// --- routes ----------------------------------------------------------------------------------------------------------

namespace {

/// The first number of each kind of link.
struct FirstNumbers {
    std::uint64_t green, black, blue, limiters;

    explicit FirstNumbers(const DragonflyRoutes& it)
        : green(it.hosts() * (it.duplex ? 2 : 1)),
          black(green + std::uint64_t{it.blades_in_all()} * it.blades),
          blue(black + std::uint64_t{it.blades_in_all()} * it.chassis),
          limiters(blue + it.groups * it.blue_per_group()) {}
};

/// A router of the dragonfly: a blade in a chassis.
struct Blade {
    std::uint32_t group, chassis, number;
};

/// Returns the blade with this number among all blades.
Blade blade_at(const DragonflyRoutes& dragonfly, std::uint32_t number) {
    return {number / dragonfly.blades_of_group(), number / dragonfly.blades % dragonfly.chassis,
            number % dragonfly.blades};
}

/// A blue link: the blades at its beginning and end, and its number among the blue links that leave the same group.
struct BlueLink {
    Blade leaves, enters;
    std::uint32_t number;
};

/// Returns link `k` from group `from` to group `to`.
BlueLink blue_link(const DragonflyRoutes& it, std::uint32_t from, std::uint32_t to, std::uint32_t k) {
    if (it.global == 0) return {{from, 0, to}, {to, 0, from}, to};
    const GlobalLinks links = it.global_links();
    const std::uint32_t port = links.port(from, to, k);
    const auto blade = [&](std::uint32_t group, std::uint32_t at) {
        return blade_at(it, group * it.blades_of_group() + links.router(at));
    };
    return {blade(from, port), blade(to, links.port(to, from, k)), port};
}

/// Returns the blue link of a minimal route.
BlueLink blue_link(const DragonflyRoutes& it, Blade at, Blade end) {
    if (it.global == 0) return blue_link(it, at.group, end.group, 0);
    const auto within_group = [&](Blade blade) { return blade.chassis * it.blades + blade.number; };
    const std::uint32_t k = it.global_links().choose(at.group, within_group(at), end.group, within_group(end));
    return blue_link(it, at.group, end.group, k);
}

/// Follows a route and calls `visit` with each link and limiter on it. The route may lead over an intermediate blade.
template <class Visit>
class DragonflyWalk {
public:
    DragonflyWalk(const DragonflyRoutes& dragonfly, Host from, Host to, std::optional<std::uint32_t> over, Visit visit)
        : dragonfly_(dragonfly), visit_(visit), at_(blade_at(dragonfly, from.index / dragonfly.nodes)) {
        visit_.host_limiter(from.index);
        visit_.local(from.index, false);
        if (over) move_to(blade_at(dragonfly, *over));
        move_to(blade_at(dragonfly, to.index / dragonfly.nodes));
        visit_.blade_limiter(at_);
        visit_.local(to.index, true);
        visit_.host_limiter(to.index);
    }

private:
    void move_to(Blade end) {
        if (at_.group != end.group) change_group(blue_link(dragonfly_, at_, end));
        if (at_.number != end.number) {
            green(end.number);
            if (dragonfly_.forgets_chassis) at_.chassis = 0;
        }
        if (at_.chassis != end.chassis) black(end.chassis);
    }
    void change_group(const BlueLink& link) {
        if (at_.number != link.leaves.number) green(link.leaves.number);
        if (at_.chassis != link.leaves.chassis) black(link.leaves.chassis);
        visit_.blue(at_.group, link.enters.group, link.number);
        visit_.blade_limiter(at_);
        at_ = link.enters;
    }
    void green(std::uint32_t number) {
        visit_.blade_limiter(at_);
        visit_.green(at_, number);
        at_.number = number;
    }
    void black(std::uint32_t chassis) {
        visit_.blade_limiter(at_);
        visit_.black(at_, chassis);
        at_.chassis = chassis;
    }

    const DragonflyRoutes& dragonfly_;
    Visit visit_;
    Blade at_;
};

class Append {
public:
    Append(const DragonflyRoutes& dragonfly, std::vector<LinkId>& links)
        : dragonfly_(dragonfly), numbers_(dragonfly), links_(links) {}

    void host_limiter(std::uint32_t host) {
        if (dragonfly_.limiter) push(numbers_.limiters + host);
    }
    void blade_limiter(Blade blade) {
        if (dragonfly_.limiter) push(numbers_.limiters + dragonfly_.hosts() + router(blade));
    }
    void local(std::uint32_t host, bool down) {
        push(dragonfly_.duplex ? 2 * std::uint64_t{host} + (down ? 1 : 0) : host);
    }
    void green(Blade from, std::uint32_t to) {
        const auto [a, b] = ends(from.number, to);
        from.number = a;
        push(numbers_.green + router(from) * dragonfly_.blades + b);
    }
    void black(Blade from, std::uint32_t to) {
        const auto [a, b] = ends(from.chassis, to);
        from.chassis = a;
        push(numbers_.black + router(from) * dragonfly_.chassis + b);
    }
    void blue(std::uint32_t from, std::uint32_t to, std::uint32_t number) {
        const bool shared_downwards =
            !dragonfly_.duplex && to < from;  // a shared link has the number of the upward direction
        push(numbers_.blue + (shared_downwards ? to : from) * dragonfly_.blue_per_group() +
             (shared_downwards ? from : number));
    }

private:
    std::pair<std::uint32_t, std::uint32_t> ends(std::uint32_t from, std::uint32_t to) const {
        return dragonfly_.duplex ? std::pair(from, to) : std::minmax({from, to});
    }
    std::uint64_t router(Blade blade) const {
        return (std::uint64_t{blade.group} * dragonfly_.chassis + blade.chassis) * dragonfly_.blades + blade.number;
    }
    void push(std::uint64_t number) { links_.push_back({static_cast<std::uint32_t>(number)}); }

    const DragonflyRoutes& dragonfly_;
    FirstNumbers numbers_;
    std::vector<LinkId>& links_;
};

struct Crossed {
    std::uint32_t links = 0;
    std::uint32_t limiters = 0;
};

class Count {
public:
    explicit Count(Crossed& crossed) : crossed_(crossed) {}
    void host_limiter(std::uint32_t) { ++crossed_.limiters; }
    void blade_limiter(Blade) { ++crossed_.limiters; }
    void local(std::uint32_t, bool) { ++crossed_.links; }
    void green(Blade, std::uint32_t) { ++crossed_.links; }
    void black(Blade, std::uint32_t) { ++crossed_.links; }
    void blue(std::uint32_t, std::uint32_t, std::uint32_t) { ++crossed_.links; }

private:
    Crossed& crossed_;
};

Crossed crossed(const DragonflyRoutes& dragonfly, Host from, Host to, std::optional<std::uint32_t> over = {}) {
    Crossed count;
    if (from != to) DragonflyWalk(dragonfly, from, to, over, Count(count));
    if (!dragonfly.limiter) count.limiters = 0;
    return count;
}

}  // namespace

std::uint32_t DragonflyRoutes::links(Host from, Host to) const {
    const Crossed count = crossed(*this, from, to);
    return count.links + count.limiters;
}

Time DragonflyRoutes::latency(Host from, Host to) const { return link_latency * crossed(*this, from, to).links; }

std::uint64_t DragonflyRoutes::link_count() const {
    return FirstNumbers(*this).limiters + (limiter ? hosts() + blades_in_all() : 0);
}

void DragonflyRoutes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    DragonflyWalk(*this, from, to, {}, Append(*this, links));
}

std::optional<std::uint32_t> DragonflyRoutes::intermediate(Host from, Host to) const {
    const std::uint32_t a = from.index / nodes;
    const std::uint32_t b = to.index / nodes;
    const std::uint32_t group = a / blades_of_group();
    const std::uint32_t other = b / blades_of_group();
    Random hash = intermediate_hash(from, to);
    if (group == other) {
        if (a == b || blades_of_group() < 3) return std::nullopt;
        const std::uint32_t first = group * blades_of_group();
        return first + other_than(a - first, b - first, blades_of_group(), hash);
    }
    if (groups < 3) return std::nullopt;
    const std::uint32_t third = other_than(group, other, groups, hash);
    const auto link = static_cast<std::uint32_t>(hash.below(blue_per_pair()));
    const Blade enters = blue_link(*this, group, third, link).enters;
    return (enters.group * chassis + enters.chassis) * blades + enters.number;
}

std::uint32_t DragonflyRoutes::links_over(std::uint32_t blade, Host from, Host to) const {
    const Crossed count = crossed(*this, from, to, blade);
    return count.links + count.limiters;
}

void DragonflyRoutes::append_links_over(std::uint32_t blade, Host from, Host to, std::vector<LinkId>& links) const {
    DragonflyWalk(*this, from, to, blade, Append(*this, links));
}

Gap DragonflyRoutes::gap(LinkId link) const {
    const FirstNumbers first(*this);
    if (link.index < first.green) return local;
    if (link.index < first.black) return green;
    if (link.index < first.blue) return black;
    if (link.index < first.limiters) return blue;
    return limiter.value_or(Gap{});
}

}  // namespace warpfront::machine
