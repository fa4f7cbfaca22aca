#include "simulator/machine/routes/dragonfly.hpp"

#include <algorithm>
#include <utility>

namespace warpfront::machine {

namespace {

/// The first number of each kind of link.
struct FirstNumbers {
    std::uint64_t green, black, blue, limiters;

    explicit FirstNumbers(const DragonflyRoutes& it)
        : green(it.hosts() * (it.duplex ? 2 : 1)),
          black(green + std::uint64_t{it.blades_in_all()} * it.blades),
          blue(black + std::uint64_t{it.blades_in_all()} * it.chassis),
          limiters(blue + std::uint64_t{it.groups} * it.groups) {}
};

/// A router.
struct Blade {
    std::uint32_t group, chassis, number;
};

Blade blade_of(const DragonflyRoutes& dragonfly, std::uint32_t host) {
    const std::uint32_t router = host / dragonfly.nodes;
    return {router / (dragonfly.chassis * dragonfly.blades), router / dragonfly.blades % dragonfly.chassis,
            router % dragonfly.blades};
}

/// Follows a route and calls `visit` with each link and limiter that it crosses.
template <class Visit>
class DragonflyWalk {
public:
    DragonflyWalk(const DragonflyRoutes& dragonfly, Host from, Host to, Visit visit)
        : dragonfly_(dragonfly),
          visit_(visit),
          at_(blade_of(dragonfly, from.index)),
          end_(blade_of(dragonfly, to.index)) {
        visit_.host_limiter(from.index);
        visit_.local(from.index, false);
        if (at_.group != end_.group) change_group();
        if (at_.number != end_.number) {
            green(end_.number);
            if (dragonfly.forgets_chassis) at_.chassis = 0;
        }
        if (at_.chassis != end_.chassis) black(end_.chassis);
        visit_.blade_limiter(at_);
        visit_.local(to.index, true);
        visit_.host_limiter(to.index);
    }

private:
    void change_group() {
        if (at_.number != end_.group) green(end_.group);
        if (at_.chassis != 0) black(0);
        visit_.blue(at_.group, end_.group);
        visit_.blade_limiter(at_);
        at_ = {end_.group, 0, at_.group};
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
    Blade at_, end_;
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
    void blue(std::uint32_t from, std::uint32_t to) {
        const auto [a, b] = ends(from, to);
        push(numbers_.blue + std::uint64_t{a} * dragonfly_.groups + b);
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
    void blue(std::uint32_t, std::uint32_t) { ++crossed_.links; }

private:
    Crossed& crossed_;
};

Crossed crossed(const DragonflyRoutes& dragonfly, Host from, Host to) {
    Crossed count;
    if (from != to) DragonflyWalk(dragonfly, from, to, Count(count));
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
    DragonflyWalk(*this, from, to, Append(*this, links));
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
