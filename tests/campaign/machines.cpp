// Shipped machines, changed as by `--set platform...`.
#include "simulator/collectives/algorithms.hpp"
#include "tests/campaign/draw.hpp"

namespace warpfront::campaign {

namespace {

struct Shipped {
    const char* file;
    std::int64_t cores;
    std::int64_t divided_by;         // cores of another number must be a multiple, of chips or of groups
    bool bus, nic, links;            // described
    const char* innermost = "chip";  // layer
    bool routed = false;             // its topology has more than one routing
};

constexpr std::array<Shipped, 16> kMachines{{
    {"xt4.yaml", 2, 1, true, true, true},
    {"xt4-single.yaml", 1, 1, true, true, true},
    {"xt4-quad.yaml", 4, 1, true, true, true},
    {"xt4-8core.yaml", 8, 1, true, true, true},
    {"xt4-16core.yaml", 16, 1, true, true, true},
    {"xt4-16core-grouped.yaml", 16, 4, true, true, true},
    {"xt3.yaml", 2, 1, true, true, true},
    {"infiniband.yaml", 4, 2, false, true, false},
    {"infiniband-two-levels.yaml", 4, 2, false, true, true},
    {"infiniband-three-levels.yaml", 4, 2, false, true, true},
    {"hippi.yaml", 128, 1, false, false, true},
    {"hippi-two-channels.yaml", 128, 1, false, false, true},
    {"sp2.yaml", 4, 1, false, false, false},
    {"pentium3.yaml", 2, 1, false, false, false},
    {"epyc.yaml", 64, 16, true, true, true, "complex"},
    {"slingshot.yaml", 64, 8, true, true, true, "socket", true},
}};

struct Changes {
    Draw& draw;

    /// Sets the key to a drawn `value` with this probability.
    template <typename Value>
    void maybe(double probability, const std::string& key, const Value& value) const {
        if (draw.choices.chance(key, probability)) draw.trial.set("platform." + key, value(key + ".value"));
    }
    auto factor() const {
        return [this](const std::string& name) {
            constexpr std::array<const char*, 6> kFactors{"2x", "10x", "0.5x", "0.1x", "0.02x", "50x"};
            return std::string(draw.choices.of<const char*>(name, kFactors));
        };
    }
    auto time(std::int64_t most) const {
        return [this, most](const std::string& name) { return draw_time(draw.choices, name, 0, most); };
    }
    auto bandwidth() const {
        return [this](const std::string& name) { return draw_bandwidth(draw.choices, name); };
    }
    auto divisor(std::int64_t whole) const {
        return
            [this, whole](const std::string& name) { return fmt::to_string(draw_divisor(draw.choices, name, whole)); };
    }
    auto number(std::int64_t most) const {
        return [this, most](const std::string& name) { return fmt::to_string(draw.choices.size(name, 1, most)); };
    }
};

const auto kOff = [](const std::string&) { return std::string("off"); };
const auto kOn = [](const std::string&) { return std::string("on"); };

void change_resources(const Changes& changes, const Shipped& machine) {
    if (machine.bus) {
        changes.maybe(0.2, "bus.enabled", kOff);
        changes.maybe(0.3, "bus.o_dma", changes.time(20 * kMicrosecond));
        changes.maybe(0.1, "bus.G_dma.gap", changes.factor());
        changes.maybe(0.1, "bus.count", changes.divisor(machine.cores));
    }
    if (machine.bus || machine.nic) {
        changes.maybe(0.1, "groups", changes.divisor(machine.cores));
        changes.maybe(0.2, "core_order", [](const std::string&) { return std::string("squares"); });
    }
    if (machine.nic) {
        changes.maybe(0.25, "nic.enabled", kOff);
        changes.maybe(0.15, "nic.injection.bandwidth", changes.factor());
        changes.maybe(0.15, "nic.ejection", changes.bandwidth());
        changes.maybe(0.1, "nic.g", changes.time(20 * kMicrosecond));
        changes.maybe(0.1, "nic.count", changes.divisor(machine.cores));
    }
    if (!machine.links) return;
    changes.maybe(0.25, "links.enabled", kOff);
    changes.maybe(0.15, "links.all.bandwidth", changes.factor());
    changes.maybe(0.1, "links.all.latency", changes.factor());
    changes.maybe(0.08, "links.parallel", changes.number(4));
    changes.maybe(0.08, "links.packet", [&](const std::string& name) {
        return fmt::format("{}B", changes.draw.choices.size(name, 256, 65536));
    });
    changes.maybe(0.08, "links.overhead", changes.time(5 * kMicrosecond));
    changes.maybe(0.08, "links.choice", [&](const std::string& name) {
        constexpr std::array<const char*, 2> kChoices{"adaptive", "round_robin"};
        return std::string(changes.draw.choices.of<const char*>(name, kChoices));
    });
}

void change_costs(const Changes& changes, const Shipped& machine) {
    changes.maybe(0.2, "eager.network",
                  [&](const std::string& name) { return draw_eager_sends(changes.draw.choices, name); });
    if (machine.innermost == std::string_view("chip") && machine.bus) {
        changes.maybe(0.2, "message_processing.enabled", kOff);
        changes.maybe(0.1, "layers.chip.processing", changes.time(10 * kMicrosecond));
    }
    changes.maybe(0.08, "layers.network.L", changes.time(20 * kMicrosecond));
    changes.maybe(0.08, "layers.network.o_send", changes.factor());
    changes.maybe(0.08, "layers.network.o_recv", [&](const std::string& name) {
        Choices& choices = changes.draw.choices;
        const bool endless = choices.chance(name + ".endless", 0.1);  // virtual time may end before the run does
        return endless ? fmt::format("{}s", choices.size(name + ".seconds", 10, 500'000))
                       : draw_time(choices, name, 0, 10 * kMicrosecond);
    });
    changes.maybe(0.08, "layers.network.G", changes.bandwidth());
    changes.maybe(0.15, "layers.network.progress", [](const std::string&) { return std::string("in_calls"); });
    changes.maybe(0.15, "layers.network.sender_goes_on",
                  [&](const std::string& name) { return draw_sender_goes_on(changes.draw.choices, name); });
    changes.maybe(0.05, fmt::format("layers.{}.L", machine.innermost), changes.time(kMicrosecond));
    changes.maybe(0.05, "links_in_L", changes.number(3));
}

}  // namespace

void draw_collectives(Draw& draw) {
    const Changes changes{draw};
    changes.maybe(0.2, "collectives.like", [&](const std::string& name) {
        return std::string(draw.choices.of<std::string_view>(name, collectives::kLibraries));
    });
    for (const collectives::Offer& offer : collectives::offers()) {
        changes.maybe(0.1, fmt::format("collectives.{}", name_of(offer.kind)), [&](const std::string& name) {
            return std::string(name_of(draw.choices.of<collectives::Algorithm>(name, offer.algorithms)));
        });
    }
}

void draw_shipped_machine(Draw& draw) {
    Choices& choices = draw.choices;
    const Shipped& machine = choices.of<Shipped>("machine.shipped", kMachines);
    draw.trial.machine = machine.file;
    draw.trial.set("platform", draw.trial.from_scenario(std::filesystem::path("platforms") / machine.file));
    std::int64_t cores = machine.cores;
    const bool other_network = choices.chance("machine.topology", 0.08);
    if (other_network) draw.trial.set("platform.topology", draw_topology(choices));
    if (other_network || choices.chance("machine.cores", 0.1)) {  // a topology has no number of cores
        cores = machine.divided_by * choices.size("machine.cores.number", 1, 128 / machine.divided_by);
        draw.trial.set("platform.cores", fmt::to_string(cores));
    }
    const Changes changes{draw};
    if (machine.routed && !other_network) {
        changes.maybe(0.6, "topology.routing", [&](const std::string& name) { return draw_routing(choices, name); });
        changes.maybe(0.3, "topology.global", changes.number(17));
        changes.maybe(0.3, "topology.cabling", [&](const std::string& name) {
            constexpr std::array<const char*, 2> kCablings{"rails", "shared"};
            return std::string(choices.of<const char*>(name, kCablings));
        });
    }
    change_resources(changes, machine);
    change_costs(changes, machine);
    draw_patch(draw, cores);
}

}  // namespace warpfront::campaign
