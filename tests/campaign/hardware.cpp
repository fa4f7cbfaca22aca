// Hardware files of the trial's own: any number of cores, protocols by size, any shared resources.
#include "tests/campaign/draw.hpp"

namespace warpfront::campaign {

namespace {

/// The resources that the machine shares, as `holds` lists them.
struct Shared {
    std::string described;  // lines of the file
    std::string names;      // "bus, nic"
    bool bus = false;
    bool processing = false;  // described

    void add(const std::string& name, const std::string& values) {
        described += fmt::format("{}: {{{}}}\n", name, values);
        names += (names.empty() ? "" : ", ") + name;
    }
};

std::string draw_enabled(Choices& choices, const std::string& name) {
    return choices.chance(name + ".off", 0.08) ? "enabled: off" : "enabled: on";
}

std::string draw_links(Choices& choices) {
    std::string links = draw_enabled(choices, "links");
    if (choices.chance("links.packets", 0.2)) {
        links += fmt::format(", packet: {}B, overhead: {}", choices.size("links.packet", 256, 65536),
                             draw_time(choices, "links.overhead", 0, 20 * kMicrosecond));
        if (choices.chance("links.buffers", 0.3)) {
            links += fmt::format(", buffers: {{size: {}B, overhead: {}}}", choices.size("links.buffer", 1024, 65536),
                                 draw_time(choices, "links.full", 0, 20 * kMicrosecond));
        }
    }
    if (choices.chance("links.parallel_for", 0.2)) {
        constexpr std::array<const char*, 3> kChoices{"deterministic", "adaptive", "round_robin"};
        links += fmt::format(", parallel: {}, choice: {}", choices.size("links.parallel", 1, 4),
                             choices.of<const char*>("links.choice", kChoices));
    }
    if (choices.chance("links.arbitration", 0.1)) {
        links += fmt::format(", arbitration: {{pairs: {}, overhead: {}}}", choices.size("links.pairs", 0, 16),
                             draw_time(choices, "links.arbitration.overhead", 0, 5 * kMicrosecond));
    }
    return links;
}

/// Draws the number of a resource on a node, or leaves it out of the file.
std::string draw_count(Choices& choices, const std::string& name, std::int64_t cores) {
    if (!choices.chance(name, 0.3)) return "";
    return fmt::format(", count: {}", draw_divisor(choices, name + ".number", cores));
}

Shared draw_shared(Choices& choices, std::int64_t cores) {
    Shared shared;
    if (choices.chance("bus", 0.5)) {
        shared.bus = true;
        shared.add("bus", fmt::format("{}, o_dma: {}, G_dma: {}{}", draw_enabled(choices, "bus"),
                                      draw_time(choices, "bus.o_dma", 0, 20 * kMicrosecond),
                                      draw_bandwidth(choices, "bus.G_dma"), draw_count(choices, "bus.count", cores)));
    }
    if (choices.chance("nic", 0.5)) {
        const bool has_rate = choices.chance("nic.rate", 0.3);
        const std::string g = has_rate ? ", g: " + draw_time(choices, "nic.g", 0, 20 * kMicrosecond) : "";
        shared.add("nic", fmt::format("{}, injection: {}, ejection: {}{}{}", draw_enabled(choices, "nic"),
                                      draw_bandwidth(choices, "nic.injection"), draw_bandwidth(choices, "nic.ejection"),
                                      g, draw_count(choices, "nic.count", cores)));
    }
    if (choices.chance("links", 0.5)) shared.add("links", draw_links(choices));
    if (choices.chance("message_processing", 0.3)) {
        shared.processing = true;
        shared.described += fmt::format("message_processing: {{{}{}}}\n", draw_enabled(choices, "message_processing"),
                                        draw_count(choices, "message_processing.count", cores));
    }
    if (choices.chance("memory", 0.2)) {
        shared.described +=
            fmt::format("memory: {{bandwidth: {}, per_core: {}{}}}\n", draw_bandwidth(choices, "memory.bandwidth"),
                        draw_bandwidth(choices, "memory.per_core"), draw_count(choices, "memory.count", cores));
    }
    return shared;
}

/// Draws one row; its choices begin with `name`.
std::string draw_row(Choices& choices, const std::string& name, bool network, const std::string& limit) {
    const bool rendezvous = choices.chance(name + ".rendezvous", 0.4);
    const auto time = [&](const char* key, std::int64_t most) {
        return fmt::format(", {}: {}", key, draw_time(choices, fmt::format("{}.{}", name, key), 0, most));
    };
    const auto per_byte = [&](const char* key) {
        return fmt::format(", {}: {}", key, draw_bandwidth(choices, fmt::format("{}.{}", name, key)));
    };
    std::string row = fmt::format("{}protocol: {}", limit, rendezvous ? "rendezvous" : "eager");
    row += time("o_send", 20 * kMicrosecond) + time("o_recv", 20 * kMicrosecond);
    row += time("L", (network ? 50 : 2) * kMicrosecond);
    if (rendezvous && choices.chance(name + ".processors", 0.3)) {
        row += time("o_request", 20 * kMicrosecond) + time("o_ack", 20 * kMicrosecond);
    }
    if (rendezvous && choices.chance(name + ".in_calls", 0.3)) row += ", progress: in_calls";
    if (rendezvous && choices.chance(name + ".sender_waits", 0.3)) {
        row += ", sender_goes_on: " + draw_sender_goes_on(choices, name + ".sender_goes_on");
    }
    const std::int64_t bytes = choices.weighted(name + ".bytes", {3, 1, 1});
    if (bytes != 1) row += per_byte("G");
    if (bytes != 0) row += per_byte("G_recv");
    if (choices.chance(name + ".copies", 0.2)) row += per_byte("G_send");
    return row;
}

/// Draws the resources that the messages of a row occupy, with or without a separate time for the bus or an early
/// start.
std::string draw_holds(Choices& choices, const std::string& name, const std::string& held, bool bus) {
    std::string holds = fmt::format("holds: [{}]", held);
    if (bus && choices.chance(name + ".o_dma", 0.2)) {
        holds += fmt::format(", o_dma: {}", draw_time(choices, name + ".o_dma.time", 0, 20 * kMicrosecond));
    }
    if (bus && choices.chance(name + ".receiver_hold", 0.3)) holds += ", receiver_hold: before_overhead";
    return holds;
}

/// Draws rows by ascending limits. The last one between nodes occupies all resources that the machine shares, so that
/// all descriptions have an effect; messages within a node may occupy the bus.
std::string draw_layer(Choices& choices, const std::string& locality, const Shared& shared) {
    const bool network = locality == "network";
    const std::string held = network ? shared.names : shared.bus ? "bus" : "";
    constexpr std::array<std::int64_t, 6> kLimits{1024, 64, 512, 2047, 4095, 23552};
    std::int64_t limit = 0;
    std::string rows = fmt::format("  {}:\n", locality);
    const std::int64_t count = choices.size("layers." + locality, 1, 3);
    for (std::int64_t k = 1; k <= count; ++k) {
        const std::string name = fmt::format("layers.{}.{}", locality, k);
        const bool last = k == count;
        if (!last) limit += choices.of<std::int64_t>(name + ".limit", kLimits);
        std::string row = draw_row(choices, name, network, last ? "" : fmt::format("up_to: {}B, ", limit));
        const bool holds = (network && last) || (!held.empty() && choices.chance(name + ".holds", network ? 0.8 : 0.3));
        if (shared.processing && ((network && last) || choices.chance(name + ".processed", 0.5))) {
            row += fmt::format(", processing: {}", draw_time(choices, name + ".processing", 0, 20 * kMicrosecond));
        }
        if (holds && !held.empty()) row += ", " + draw_holds(choices, name, held, shared.bus);
        rows += fmt::format("    - {{{}}}\n", row);
    }
    return rows;
}

/// Draws the limit and the costs of eager messages between nodes; most machines have none.
std::string draw_eager(Choices& choices) {
    if (!choices.chance("eager", 0.3)) return "";
    return fmt::format("eager: {{network: {}}}\n", draw_eager_sends(choices, "eager"));
}

/// The kinds of parts of a node, and the layers of all its localities within it.
struct Parts {
    std::string described;
    std::string layers;
};

Parts draw_parts(Choices& choices, std::int64_t cores, const Shared& shared) {
    constexpr std::array<const char*, 3> kKinds{"complex", "die", "socket"};
    Parts parts;
    std::int64_t inner = cores;
    const std::int64_t kinds = choices.size("machine.kinds", 1, kKinds.size());
    for (std::int64_t k = 0; k < kinds; ++k) {
        const std::string kind = kKinds[static_cast<std::size_t>(k)];
        const std::int64_t count =
            choices.chance("machine." + kind, 0.4) ? draw_divisor(choices, "machine." + kind + ".number", inner) : 1;
        parts.described += fmt::format("{}{}: {}", k == 0 ? "" : ", ", kind, count);
        if (inner > count) parts.layers += draw_layer(choices, kind, shared);
        inner = count;
    }
    if (inner > 1) parts.layers += draw_layer(choices, "node", shared);
    return parts;
}

}  // namespace

void draw_hardware(Draw& draw) {
    Choices& choices = draw.choices;
    Trial& trial = draw.trial;
    const std::int64_t cores = choices.size("machine.cores", 1, 128);
    draw_patch(draw, cores);
    const Shared shared = draw_shared(choices, cores);
    const Parts parts = draw_parts(choices, cores, shared);
    std::string file =
        fmt::format("name: a generated machine\n{}cores: {}\nparts: {{{}}}\nlinks_in_L: {}\n{}", draw_network(draw),
                    cores, parts.described, choices.size("machine.links_in_L", 0, 2), shared.described);
    file += "layers:\n" + parts.layers + draw_layer(choices, "network", shared) + draw_eager(choices);
    trial.machine = "generated";
    trial.files["machine.yaml"] = file;
    trial.set("platform", trial.from_scenario(trial.folder / "machine.yaml"));
}

}  // namespace warpfront::campaign
