// Networks of the trial's own, generated and as SimGrid platforms. Each begins with a few hosts and, if it is regular,
// grows to hold the ranks.
#include "tests/campaign/draw.hpp"

namespace warpfront::campaign {

namespace {

using Numbers = std::vector<std::int64_t>;

Numbers draw_numbers(Choices& choices, const std::string& name, std::int64_t count, std::int64_t least,
                     std::int64_t most) {
    Numbers numbers;
    for (std::int64_t k = 0; k < count; ++k) {
        numbers.push_back(choices.size(fmt::format("network.{}{}", name, k), least, most));
    }
    return numbers;
}

std::string list(const Numbers& numbers) { return fmt::format("{}", fmt::join(numbers, ", ")); }

std::string draw_latency(Choices& choices) { return draw_time(choices, "network.latency", 0, 5 * kMicrosecond); }

std::string torus(Choices& choices) {
    Numbers dimensions = draw_numbers(choices, "dimension", choices.size("network.dimensions", 1, 4), 1, 5);
    dimensions.front() += 1;  // a network of one host is refused
    return fmt::format("kind: torus, dimensions: [{}]", list(dimensions));
}

std::string fat_tree(Choices& choices) {
    const std::int64_t levels = choices.size("network.levels", 1, 3);
    Numbers parents = draw_numbers(choices, "parents", levels, 1, 3);
    parents.front() = 1;
    return fmt::format("kind: fat_tree, children: [{}], parents: [{}], cables: [{}]",
                       list(draw_numbers(choices, "children", levels, 2, 5)), list(parents),
                       list(draw_numbers(choices, "cables", levels, 1, 2)));
}

/// Draws a dragonfly, two of three with global ports: for these one more blade and port than groups suffice.
std::string dragonfly(Choices& choices) {
    const std::int64_t blades = choices.size("network.blades", 2, 5);
    const std::int64_t chassis = choices.size("network.chassis", 1, 3);
    const std::int64_t ports = choices.size("network.global", 0, 3);
    const std::int64_t groups = choices.size("network.groups", 1, ports == 0 ? blades : blades * chassis * ports + 1);
    return fmt::format("kind: dragonfly, groups: {}, chassis: {}, blades: {}, nodes: {}, blue: {}{}", groups, chassis,
                       blades, choices.size("network.nodes", 1, 3), choices.size("network.blue", 1, 4),
                       ports == 0 ? "" : fmt::format(", global: {}", ports));
}

std::string hyperx(Choices& choices) {
    return fmt::format("kind: hyperx, dimensions: [{}], hosts: {}",
                       list(draw_numbers(choices, "dimension", choices.size("network.dimensions", 1, 3), 2, 4)),
                       choices.size("network.hosts", 1, 4));
}

std::string random_regular(Choices& choices) {
    return fmt::format("kind: random_regular, switches: {}, degree: 4, hosts: {}, seed: {}",
                       choices.size("network.switches", 6, 40), choices.size("network.hosts", 1, 4),
                       choices.below("network.seed", 100));
}

std::string by_rule(Draw& draw) { return fmt::format("topology: {}\nsize: fit\n", draw_topology(draw.choices)); }

/// Draws a ring of switches with chords, one edge per line. It does not grow.
std::string of_edges(Draw& draw) {
    Choices& choices = draw.choices;
    const std::int64_t hosts = choices.size("network.hosts", 1, 4);
    const std::int64_t switches = std::max<std::int64_t>((2 * draw.nodes + hosts - 1) / hosts, 4);
    const std::int64_t chord = choices.size("network.chord", 1, switches - 1);
    std::string edges;
    for (std::int64_t k = 0; k < switches; ++k) {
        edges += fmt::format("s{} s{}\n", k, (k + 1) % switches);
        if (chord > 1 && chord < switches - 1 && k % 3 == 0 && k + chord < switches) {
            edges += fmt::format("s{} s{}\n", k, k + chord);
        }
    }
    draw.trial.files["edges.txt"] = edges;
    const std::string bandwidth = draw_bandwidth(choices, "network.bandwidth");
    return fmt::format(
        "topology: {{kind: graph, file: edges.txt, hosts: {}, bandwidth: {}, latency: {}}}\n"
        "size: exact\n",
        hosts, bandwidth, draw_latency(choices));
}

/// The attributes of a cluster with a number of hosts.
struct Cluster {
    std::string topology;
    std::int64_t hosts = 1;
};

Cluster draw_cluster(Choices& choices) {
    const auto whole = [](const Numbers& numbers) {
        std::int64_t all = 1;
        for (const std::int64_t number : numbers) all *= number;
        return all;
    };
    switch (choices.weighted("network.cluster", {1, 1, 1, 1})) {
        case 1: {
            const Numbers sides = draw_numbers(choices, "side", choices.size("network.sides", 1, 3), 2, 5);
            return {fmt::format("topology=\"TORUS\" topo_parameters=\"{}\"", fmt::join(sides, ",")), whole(sides)};
        }
        case 2: {
            const Numbers children = draw_numbers(choices, "children", 2, 2, 5);
            return {fmt::format("topology=\"FAT_TREE\" topo_parameters=\"2;{};1,{};1,{}\"", fmt::join(children, ","),
                                choices.size("network.parents", 1, 3), choices.size("network.cables", 1, 2)),
                    whole(children)};
        }
        case 3: {
            const std::int64_t blades = choices.size("network.blades", 2, 4);
            const Numbers counts{choices.size("network.groups", 1, blades), choices.size("network.chassis", 1, 3),
                                 blades, choices.size("network.nodes", 1, 3)};
            return {fmt::format("topology=\"DRAGONFLY\" topo_parameters=\"{},3;{},2;{},1;{}\"", counts[0], counts[1],
                                counts[2], counts[3]),
                    whole(counts)};
        }
        default: return {"", choices.size("network.hosts", 2, 64)};
    }
}

/// Draws a SimGrid platform that is one cluster.
std::string of_cluster(Draw& draw) {
    Choices& choices = draw.choices;
    constexpr std::array<const char*, 3> kSharing{"SPLITDUPLEX", "SHARED", "FATPIPE"};
    const Cluster cluster = draw_cluster(choices);
    std::string backbone;
    if (cluster.topology.empty() && choices.chance("network.backbone", 0.3)) {
        backbone = fmt::format(" bb_bw=\"{}\" bb_lat=\"{}\"", draw_bandwidth(choices, "network.backbone.bandwidth"),
                               draw_time(choices, "network.backbone.latency", 0, kMicrosecond));
    }
    draw.trial.files["platform.xml"] = fmt::format(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n  <cluster id=\"generated\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" "
        "speed=\"1Gf\" core=\"1\" {} bw=\"{}\" lat=\"{}\" sharing_policy=\"{}\"{}/>\n</platform>\n",
        cluster.hosts - 1, cluster.topology, draw_bandwidth(choices, "network.bandwidth"), draw_latency(choices),
        choices.of<const char*>("network.sharing", kSharing), backbone);
    return "platform: platform.xml\nsize: fit\n";
}

/// Draws one of the platforms of the machine library's tests, whose routes are stored; the number of hosts is fixed.
std::string of_zones(Draw& draw) {
    const char* file = draw.nodes <= 12 && draw.choices.chance("network.three_clusters", 0.5)
                           ? "tests/loading/platforms/three_clusters.xml"
                           : "tests/loading/platforms/nested.xml";
    return fmt::format("platform: {}\nsize: exact\n", draw.trial.from_folder(file));
}

}  // namespace

std::string draw_topology(Choices& choices) {
    constexpr std::array<std::string (*)(Choices&), 5> kKinds{torus, fat_tree, dragonfly, hyperx, random_regular};
    const std::string keys = choices.of<std::string (*)(Choices&)>("network.kind", kKinds)(choices);
    const bool fixed = keys.starts_with("kind: fat_tree") || keys.starts_with("kind: random_regular");
    const std::string routing = fixed ? "minimal" : draw_routing(choices, "network.routing");
    const std::string bandwidth = draw_bandwidth(choices, "network.bandwidth");
    return fmt::format("{{{}, routing: {}, bandwidth: {}, latency: {}}}", keys, routing, bandwidth,
                       draw_latency(choices));
}

std::string draw_routing(Choices& choices, const std::string& name) {
    constexpr std::array<const char*, 3> kRoutings{"minimal", "adaptive", "valiant"};
    return choices.of<const char*>(name, kRoutings);
}

std::string draw_network(Draw& draw) {
    constexpr std::int64_t kHostsOfZones = 16;
    switch (draw.choices.weighted("network", {5, 3, 1, 1})) {
        case 1: return of_cluster(draw);
        case 2: return of_edges(draw);
        case 3: return draw.nodes <= kHostsOfZones ? of_zones(draw) : by_rule(draw);
        default: return by_rule(draw);
    }
}

}  // namespace warpfront::campaign
