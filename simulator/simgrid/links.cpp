#include "simulator/simgrid/links.hpp"

#include <array>
#include <string_view>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::machine {

namespace s4u = simgrid::s4u;

namespace {

constexpr std::size_t kMostNamesTried = 1000;

std::string kind_of(const SingleCluster& cluster) {
    constexpr std::array names{"flat", "torus", "fat_tree", "dragonfly"};
    return names[cluster.shape.index()];
}

/// Whether `name` includes the link.
bool includes(const std::string& name, const s4u::Link* link, const std::optional<SingleCluster>& cluster) {
    if (name == "all" || name == link->get_name()) return true;
    if (name == "limiter" || name == "backbone") return is_named(link, "_" + name);
    for (const std::string_view ending : {"_limiter", "_backbone", "_loopback"}) {
        if (is_named(link, ending)) return false;
    }
    if (cluster) return name == cluster->id || name == kind_of(*cluster);
    return link->get_name().starts_with(name + "_link_");
}

void apply(const LinkOverride& overriding, s4u::Link* link) {
    const auto value = [](const LinkOverride::Value& it, double now) {
        return it.relative ? it.number * now : it.number;
    };
    if (overriding.bandwidth) link->set_bandwidth(value(*overriding.bandwidth, link->get_bandwidth()));
    if (overriding.latency) link->set_latency(value(*overriding.latency, link->get_latency()));
}

std::string suggestion_for(const std::string& name, const std::vector<s4u::Link*>& links,
                           const std::optional<SingleCluster>& cluster) {
    std::vector<std::string> names;
    if (cluster) names = {kind_of(*cluster), cluster->id, "limiter", "backbone"};
    names.emplace_back("all");
    for (std::size_t k = 0; !cluster && k < links.size() && k < kMostNamesTried; ++k) {
        names.push_back(links[k]->get_name());
    }
    return input::suggestion(name, names);
}

}  // namespace

bool is_named(const s4u::Link* link, std::string_view ending) {
    return std::string_view(link->get_name()).ends_with(ending);
}

UnknownLinks override_links(const s4u::Engine& engine, const std::vector<LinkOverride>& overrides,
                            const std::optional<SingleCluster>& cluster) {
    UnknownLinks unknown;
    const std::vector<s4u::Link*> links = engine.get_all_links();
    for (std::size_t k = 0; k < overrides.size(); ++k) {
        bool found = false;
        for (s4u::Link* link : links) {
            if (!includes(overrides[k].name, link, cluster)) continue;
            found = true;
            apply(overrides[k], link);
        }
        if (!found) unknown.emplace_back(k, suggestion_for(overrides[k].name, links, cluster));
    }
    return unknown;
}

}  // namespace warpfront::machine
