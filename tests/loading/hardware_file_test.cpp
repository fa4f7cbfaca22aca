#include <doctest/doctest.h>

#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/hardware_reader.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

const std::string kHead = "name: m\nplatform: p.xml\nsize: fit\n";
const std::string kNetwork = "  network:\n    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n";

struct Read {
    HardwareFile file;
    Diagnostics faults;
};

Read read(const std::string& text) {
    const Workspace files;
    Read result;
    result.file = read_hardware_file(files.write("m.yaml", text), {}, result.faults);
    return result;
}

Diagnostics faults(const std::string& text) { return read(text).faults; }
/// The faults of a file whose network layer has these rows, from line 6.
Diagnostics row_faults(const std::string& rows, const std::string& head = kHead) {
    return faults(head + "layers:\n  network:\n" + rows);
}

}  // namespace

TEST_CASE("a short hardware file has defaults for the rest") {
    const auto [file, found] = read(kHead + "layers:\n" + kNetwork);
    CHECK(found.render() == "");
    CHECK(file.name == "m");
    CHECK(file.platform.value.filename() == "p.xml");
    CHECK(file.fit.value);
    CHECK(file.parts.front().value.count == 1);
    CHECK(file.links_in_L == 1);
    CHECK_FALSE(file.bus);
}

TEST_CASE("a row has its costs") {
    const auto [file, found] = read(kHead + R"(bus: {o_dma: 2us, G_dma: 1ns/B}
layers:
  network:
    - {up_to: 1KiB, protocol: rendezvous, o_send: 1us, o_recv: 2us, L: 3us, G: 4ns/B, G_recv: 2GBps, holds: [bus]}
    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: 1ns/B}
)");
    CHECK(found.render() == "");
    const Profile& network = file.layers.back().profile;
    REQUIRE(network.size() == 2);
    CHECK(network[0].up_to == Bytes{1024});
    CHECK(network[0].protocol == Protocol::rendezvous);
    CHECK(network[0].o_send == Time{1'000'000});
    CHECK(network[0].o_recv == Time{2'000'000});
    CHECK(network[0].L == Time{3'000'000});
    CHECK(cost_of(Bytes{1000}, network[0].G) == Time{4'000'000});
    CHECK(cost_of(Bytes{1000}, network[0].G_recv) == Time{500'000});  // 1000 B / 2 GB/s
    CHECK(network[0].holds_bus);
    CHECK_FALSE(network[1].holds_bus);
}

TEST_CASE("a row that holds the bus may say how long, and when its receiver requests it") {
    const auto [file, found] = read(kHead + R"(bus: {o_dma: 2us, G_dma: 1ns/B}
layers:
  network:
    - {up_to: 1KiB, protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [bus], o_dma: 3us,
       receiver_hold: before_overhead}
    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [bus]}
)");
    CHECK(found.render() == "");
    const Profile& network = file.layers.back().profile;
    CHECK(network[0].o_dma == Time{3'000'000});
    CHECK(network[0].receiver_hold == ReceiverHold::before_overhead);
    CHECK_FALSE(network[1].o_dma);
    CHECK(network[1].receiver_hold == ReceiverHold::after_overhead);
}

TEST_CASE("a hold of a row that does not hold the bus is a fault") {
    for (const char* key : {"o_dma: 3us", "receiver_hold: before_overhead"}) {
        const std::string row =
            "bus: {o_dma: 2us, G_dma: 1ns/B}\nlayers:\n  network:\n    - {protocol: eager, o_send: 1us, "
            "o_recv: 1us, L: 1us, G: 1ns/B, ";
        const auto [file, found] = read(kHead + row + key + "}\n");
        REQUIRE(found.count() == 1);
        CHECK(found.all().front().kind == DiagnosticKind::conflicting_keys);
        CHECK(found.all().front().expected == "expected `holds: [bus]`");
    }
}

TEST_CASE("a bus that is disabled is not held") {
    const auto [file, found] = read(kHead + R"(bus: {enabled: off, o_dma: 2us, G_dma: 1ns/B}
layers:
  network:
    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [bus]}
)");
    CHECK(found.render() == "");
    CHECK_FALSE(file.bus);
    CHECK_FALSE(file.layers.back().profile[0].holds_bus);
}

TEST_CASE("an unknown key names the nearest") {
    const Diagnostic fault = only(faults(kHead + "chip: 2\nlayers:\n" + kNetwork), DiagnosticKind::unknown_key);
    CHECK(line_of(fault) == 4);
    CHECK(fault.expected == "did you mean `chips`?");
}

TEST_CASE("a key given twice is a fault") {
    CHECK(line_of(only(faults(kHead + "size: fit\nlayers:\n" + kNetwork), DiagnosticKind::duplicate_key)) == 4);
}

TEST_CASE("each missing required key is reported, all in one run") {
    std::vector<std::string> missing;
    const Diagnostics all = faults("chips: 1\n");
    for (const Diagnostic& fault : all.all()) {
        CHECK(fault.kind == DiagnosticKind::missing_key);
        missing.push_back(fault.message);
    }
    CHECK(missing == std::vector<std::string>{"a hardware file has no `name`", "a hardware file has no `platform`",
                                              "a hardware file has no `size`", "a hardware file has no `layers`"});
}

TEST_CASE("each missing required key of a row is reported; G_recv suffices for G") {
    const Diagnostics found = row_faults(
        "    - {up_to: 8B}\n"
        "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G_recv: 1ns/B}\n");
    std::vector<std::string> missing;
    for (const Diagnostic& fault : found.all()) missing.push_back(fault.message);
    CHECK(missing == std::vector<std::string>{"a row of `network` has no `protocol`",
                                              "a row of `network` has no `o_send`",
                                              "a row of `network` has no `o_recv`", "a row of `network` has no `L`",
                                              "a row of `network` has no `G`"});
}

TEST_CASE("a cost without a unit, of the wrong unit, or negative is a fault") {
    const std::string rest = "protocol: eager, o_recv: 1us, L: 1us, G: 1ns/B}\n";
    CHECK(marked(only(row_faults("    - {o_send: 3.85, " + rest), DiagnosticKind::missing_unit)).find("3.85") == 0);
    CHECK(line_of(only(row_faults("    - {o_send: 3B, " + rest), DiagnosticKind::wrong_unit)) == 6);
    CHECK(line_of(only(row_faults("    - {o_send: -1us, " + rest), DiagnosticKind::out_of_range)) == 6);
}

TEST_CASE("a rendezvous may cost its processors time, an eager message has none") {
    const std::string rest = " o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, o_request: 2us, o_ack: 3us}\n";
    const auto [file, found] = read(kHead + "layers:\n  network:\n    - {protocol: rendezvous," + rest);
    CHECK(found.render() == "");
    const ProfileRow& row = file.layers.back().profile[0];
    CHECK(row.o_request == Time{2'000'000});
    CHECK(row.o_ack == Time{3'000'000});
    const Diagnostics eager = row_faults("    - {protocol: eager," + rest);
    REQUIRE(eager.count() == 2);
    CHECK(eager.all()[0].kind == DiagnosticKind::conflicting_keys);
    CHECK(eager.all()[0].message == "`o_request` of an eager message");
    CHECK(marked(eager.all()[1]) == "3us");
}

TEST_CASE("rows must ascend") {
    const std::string costs = "protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n";
    const std::string rows = "    - {up_to: 2KiB, " + costs + "    - {up_to: 2KiB, " + costs + "    - {" + costs;
    const Diagnostic fault = only(row_faults(rows), DiagnosticKind::profile_row_order);
    CHECK(fault.message == "`up_to` is 2048 B after a row up to 2048 B");
    CHECK(line_of(fault) == 7);
}

TEST_CASE("a row below one without a limit is never reached") {
    const std::string costs = "protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n";
    CHECK(line_of(only(row_faults("    - {" + costs + "    - {" + costs), DiagnosticKind::profile_row_order)) == 7);
}

TEST_CASE("the largest messages need a row") {
    const std::string costs = "protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n";
    CHECK(only(row_faults("    - {up_to: 1KiB, " + costs), DiagnosticKind::profile_row_unlimited).expected ==
          "expected a last row without `up_to`");
    CHECK(only(faults(kHead + "layers:\n  network: []\n"), DiagnosticKind::profile_row_unlimited).message ==
          "layer `network` has no row for the largest messages");
}

TEST_CASE("a row whose largest message takes longer than a cost may is a fault") {
    const std::string costs = "protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, ";
    const std::string rows = "    - {up_to: 1GiB, " + costs + "G: 1s/B}\n    - {" + costs + "G: 1ns/B}\n";
    const Diagnostic fault = only(row_faults(rows), DiagnosticKind::cost_too_large);
    CHECK(marked(fault) == "1s/B");
}

TEST_CASE("a row can hold only what there is to share, and only what is described") {
    const std::string row = "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: ";
    CHECK(only(row_faults(row + "[buss]}\n"), DiagnosticKind::bad_choice).expected == "did you mean `bus`?");
    CHECK(marked(only(row_faults(row + "[bus]}\n"), DiagnosticKind::undescribed_resource)) == "bus");
    CHECK(only(row_faults(row + "bus}\n"), DiagnosticKind::wrong_yaml_type).expected ==
          "expected some of `[bus, nic, links]`, or `[]`");
}

TEST_CASE("a message within a node may hold the bus, but no NIC and no links") {
    const auto chip = [](const std::string& held) {
        return kHead + "bus: {o_dma: 1us, G_dma: 1ns/B}\nnic: {injection: 1GBps, ejection: 1GBps}\nlayers:\n  chip:\n" +
               "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: " + held + "}\n" + kNetwork;
    };
    CHECK(read(chip("[bus]")).file.layers.front().profile.front().holds_bus);
    const Diagnostic fault = only(faults(chip("[bus, nic]")), DiagnosticKind::bad_choice);
    CHECK(marked(fault) == "nic");
    CHECK(fault.message == "messages within a node hold `nic`");
    CHECK(only(faults(chip("bus")), DiagnosticKind::wrong_yaml_type).expected == "expected `[bus]` or `[]`");
}

TEST_CASE("buses and NICs have numbers of their own, by default that of the groups") {
    const auto machine = [](const std::string& groups, const std::string& count) {
        return read(kHead + groups + "bus: {o_dma: 1us, G_dma: 1ns/B" + count +
                    "}\nnic: {injection: 1GBps, ejection: 1GBps}\nlayers:\n" + kNetwork)
            .file;
    };
    CHECK(machine("", "").bus->count == 1);
    CHECK(machine("groups: 4\n", "").bus->count == 4);
    CHECK(machine("groups: 4\n", "").nic->count == 4);
    CHECK(machine("groups: 4\n", ", count: 8").bus->count == 8);
    CHECK(machine("groups: 4\n", ", count: 8").nic->count == 4);
    CHECK(marked(only(faults(kHead + "bus: {o_dma: 1us, G_dma: 1ns/B, count: 0}\nlayers:\n" + kNetwork),
                      DiagnosticKind::out_of_range)) == "0");
}

TEST_CASE("memory bandwidth is shared by so many cores of a host, if it is enabled") {
    const auto machine = [](const std::string& memory) {
        return read(kHead + "cores: 8\nmemory: " + memory + "\nlayers:\n" + kNetwork).file.memory;
    };
    CHECK(machine("{bandwidth: 100GBps, per_core: 25GBps, count: 2}").value().count == 2);
    CHECK(machine("{bandwidth: 100GBps, per_core: 25GBps}").value().bandwidth == Bandwidth{100e9});
    CHECK(machine("{bandwidth: 100GBps, per_core: 25GBps}").value().per_core == Bandwidth{25e9});
    CHECK_FALSE(machine("{enabled: off, bandwidth: 100GBps, per_core: 25GBps}"));
    const auto refused = [](const std::string& memory) {
        return faults(kHead + "memory: " + memory + "\nlayers:\n" + kNetwork);
    };
    CHECK(only(refused("{bandwidth: 100GBps}"), DiagnosticKind::missing_key).message == "`memory` has no `per_core`");
    CHECK(only(refused("{bandwidth: 0GBps, per_core: 1GBps}"), DiagnosticKind::out_of_range).message ==
          "`bandwidth` below a byte per second");
}

TEST_CASE("kinds of parts are nested, and called as a layer can be") {
    const auto parts = [](const std::string& value) { return faults(kHead + value + "layers:\n" + kNetwork); };
    CHECK(parts("parts: {complex: 16, die: 8, socket: 2}\n").empty());
    const Diagnostic uneven = only(parts("parts: {complex: 12, die: 8}\n"), DiagnosticKind::bad_parts);
    CHECK(uneven.message == "12 of `complex` cannot be shared out over 8 of `die`");
    CHECK(marked(uneven) == "12");
    CHECK(marked(only(parts("parts: {node: 2}\n"), DiagnosticKind::bad_parts)) == "node");
    CHECK(marked(only(parts("parts: {Die: 2}\n"), DiagnosticKind::bad_parts)) == "Die");
    CHECK(marked(only(parts("parts: {die: 0}\n"), DiagnosticKind::out_of_range)) == "0");
    CHECK(only(parts("parts: 4\n"), DiagnosticKind::wrong_yaml_type).message ==
          "`parts` is no mapping of kinds to numbers");
    CHECK(marked(only(parts("chips: 2\nparts: {die: 2}\n"), DiagnosticKind::conflicting_keys)) == "2");
}

TEST_CASE("a layer of a kind of parts that the node does not have is unknown") {
    const Diagnostic fault =
        only(faults(kHead + "parts: {die: 2}\nlayers:\n  dye: []\n" + kNetwork), DiagnosticKind::unknown_key);
    CHECK(fault.expected == "did you mean `die`?");
}

TEST_CASE("layers and rows of the wrong form are faults") {
    CHECK(only(faults(kHead + "layers:\n  network: 5us\n"), DiagnosticKind::wrong_yaml_type).message ==
          "layer `network` is no list");
    CHECK(line_of(only(faults(kHead + "layers: [1, 2]\n"), DiagnosticKind::wrong_yaml_type)) == 4);
    CHECK(marked(only(row_faults("    - 5us\n"), DiagnosticKind::wrong_yaml_type)) == "5us");
}

TEST_CASE("a hardware file that does not exist is a fault at the position of its name") {
    const Workspace files;
    Diagnostics none;
    const Diagnostics found = faults_of([&] { read_hardware_file(files.write("x", "") / "m.yaml", {}, none); });
    CHECK(only(found, DiagnosticKind::unreadable_file).message.find("m.yaml") != std::string::npos);
}

TEST_CASE("a NIC and links are read, their rows holding them") {
    const auto [file, found] = read(kHead + R"(nic: {injection: 2GBps, ejection: 4ns/B}
links: {packet: 16KiB, parallel: 4, choice: round_robin}
layers:
  network:
    - {up_to: 1KiB, protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [nic]}
    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [links, nic]}
)");
    CHECK(found.render() == "");
    REQUIRE(file.nic);
    CHECK(cost_of(Bytes{1000}, file.nic->injection) == Time{500'000});  // 1000 B / 2 GB/s
    CHECK(cost_of(Bytes{1000}, file.nic->ejection) == Time{4'000'000});
    REQUIRE(file.links);
    CHECK(file.links->parallel == 4);
    CHECK(file.links->choice == LinkChoice::round_robin);
    const Profile& network = file.layers.back().profile;
    CHECK(network[1].packet.size == Bytes{16 * 1024});
    CHECK_FALSE(network[0].packet.size);
    CHECK(network[0].holds_nic);
    CHECK_FALSE(network[0].holds_links);
    CHECK(network[1].holds_nic);
    CHECK(network[1].holds_links);
    CHECK_FALSE(network[1].holds_bus);
}

TEST_CASE("links are whole messages on one link each, chosen by the sender, by default") {
    const Links links = read(kHead + "links: {enabled: on}\nlayers:\n" + kNetwork).file.links.value();
    CHECK(links.parallel == 1);
    CHECK(links.choice == LinkChoice::deterministic);
    CHECK_FALSE(links.circuit);
}

TEST_CASE("links are circuits if the file has `circuit`") {
    const auto links = [](const std::string& body) { return kHead + "links: {" + body + "}\nlayers:\n" + kNetwork; };
    CHECK(read(links("parallel: 4, choice: adaptive, circuit: on")).file.links.value().circuit);
    CHECK_FALSE(read(links("circuit: off")).file.links.value().circuit);
    CHECK(marked(only(faults(links("circuit: sometimes")), DiagnosticKind::bad_choice)) == "sometimes");
}

TEST_CASE("a NIC or links that are disabled are not held") {
    const auto [file, found] = read(kHead + R"(nic: {enabled: off, injection: 2GBps, ejection: 2GBps}
links: {enabled: off}
layers:
  network:
    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [nic, links]}
)");
    CHECK(found.render() == "");
    CHECK_FALSE(file.nic);
    CHECK_FALSE(file.links);
    const ProfileRow& row = file.layers.back().profile[0];
    CHECK_FALSE(row.holds_nic);
    CHECK_FALSE(row.holds_links);
}

TEST_CASE("a shared resource that no row holds is noted with its position") {
    const std::string shared = "bus: {o_dma: 1us, G_dma: 1ns/B}\nnic: {injection: 1GBps, ejection: 1GBps}\nlinks: {}\n";
    const auto notes = read(kHead + shared + "layers:\n" + kNetwork).file.notes;
    REQUIRE(notes.size() == 3);
    CHECK(notes[0].ends_with("m.yaml:4:6: no message waits for `bus`: no row of `layers` holds it"));
    CHECK(notes[1].ends_with("m.yaml:5:6: no message waits for `nic`: no row of `layers` holds it"));
    CHECK(notes[2].ends_with("m.yaml:6:8: no message waits for `links`: no row of `layers` holds it"));
    const std::string held =
        "layers:\n  network:\n    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, "
        "holds: [bus, nic, links]}\n";
    CHECK(read(kHead + shared + held).file.notes.empty());
    CHECK(read(kHead + "bus: {enabled: off, o_dma: 1us, G_dma: 1ns/B}\nlayers:\n" + kNetwork).file.notes.empty());
}

TEST_CASE("a NIC and links that are held but not described are a fault each") {
    const Diagnostics found = row_faults(
        "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B,"
        " holds: [nic, links]}\n");
    REQUIRE(found.count() == 2);
    CHECK(found.all()[0].kind == DiagnosticKind::undescribed_resource);
    CHECK(marked(found.all()[0]) == "nic");
    CHECK(marked(found.all()[1]) == "links");
}

TEST_CASE("a NIC needs both its rates") {
    CHECK(only(faults(kHead + "nic: {injection: 2GBps}\nlayers:\n" + kNetwork), DiagnosticKind::missing_key).message ==
          "`nic` has no `ejection`");
}

TEST_CASE("packets of nothing, no link at all, or a choice that is none are faults") {
    const auto links = [](const std::string& body) {
        return faults(kHead + "links: {" + body + "}\nlayers:\n" + kNetwork);
    };
    CHECK(only(links("packet: 0B"), DiagnosticKind::out_of_range).message == "a packet of 0 B");
    CHECK(marked(only(links("parallel: 0"), DiagnosticKind::out_of_range)) == "0");
    CHECK(only(links("choice: adaptiv"), DiagnosticKind::bad_choice).expected == "did you mean `adaptive`?");
}

TEST_CASE("cores and groups are read") {
    const HardwareFile file = read(kHead + "cores: 16\ngroups: 4\nlayers:\n" + kNetwork).file;
    CHECK(file.cores == 16);
    CHECK(file.groups.value == 4);
    CHECK(only(faults(kHead + "cores: 0\nlayers:\n" + kNetwork), DiagnosticKind::out_of_range).range.source);
}

TEST_CASE("eager messages are limited by their number, their bytes or both") {
    const auto limit = [](const std::string& text) {
        const auto [file, found] = read(kHead + text + "layers:\n" + kNetwork);
        CHECK(found.render() == "");
        return file.eager_limit;
    };
    CHECK_FALSE(limit(""));
    CHECK_FALSE(limit("eager_limit: off\n"));
    CHECK(limit("eager_limit: {messages: 64}\n")->messages == 64U);
    CHECK_FALSE(limit("eager_limit: {messages: 64}\n")->bytes);
    CHECK(limit("eager_limit: {messages: 64, bytes: 2KiB}\n")->bytes == Bytes{2048});
}

TEST_CASE("a limit of eager messages that limits nothing is a fault") {
    const Diagnostics found = faults(kHead + "eager_limit: {}\nlayers:\n" + kNetwork);
    REQUIRE(found.count() == 1);
    CHECK(found.all()[0].kind == DiagnosticKind::missing_key);
    CHECK(faults(kHead + "eager_limit: {messages: 0}\nlayers:\n" + kNetwork).all()[0].kind ==
          DiagnosticKind::out_of_range);
}

}  // namespace warpfront::machine
