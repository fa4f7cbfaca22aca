// Shared resources of a hardware file: bus, NIC, links, memory, and the rows that occupy them.
#include "tests/loading/hardware_text.hpp"
#include "tests/loading/platforms.hpp"

namespace warpfront::machine {

TEST_CASE("a row that occupies the bus may state the time, and when its receiver requests it") {
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
        CHECK(found.all().front().kind == conflicting_keys);
        CHECK(found.all().front().expected == "expected the key only in a row with `holds: [bus]`");
    }
}

TEST_CASE("a resource that is disabled is not held, and message processing that is disabled is not waited for") {
    const Read machine = read(kHead + R"(bus: {enabled: off, o_dma: 2us, G_dma: 1ns/B}
nic: {enabled: off, injection: 2GBps, ejection: 2GBps}
links: {enabled: off}
message_processing: {enabled: off}
layers:
  network:
)" + row_with(", holds: [bus, nic, links], processing: 4us"));
    CHECK(machine.faults.render() == "");
    CHECK_FALSE(machine.file.bus);
    CHECK_FALSE(machine.file.nic);
    CHECK_FALSE(machine.file.links);
    CHECK_FALSE(machine.file.processing);
    const ProfileRow& row = machine.row(0);
    CHECK_FALSE(row.holds_bus);
    CHECK_FALSE(row.holds_nic);
    CHECK_FALSE(row.holds_links);
    CHECK_FALSE(row.processing);
}

TEST_CASE("a row can hold only what there is to share, and only what is described") {
    const std::string row = "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: ";
    CHECK(only(row_faults(row + "[buss]}\n"), bad_choice).expected == "did you mean `bus`?");
    CHECK(marked(only(row_faults(row + "[bus]}\n"), undescribed_resource)) == "bus");
    CHECK(only(row_faults(row + "bus}\n"), wrong_yaml_type).expected ==
          "expected some of `[bus, nic, links]`, or `[]`");
}

TEST_CASE("a message within a node may hold the bus, but no NIC and no links") {
    const auto chip = [](const std::string& held) {
        return kHead + "bus: {o_dma: 1us, G_dma: 1ns/B}\nnic: {injection: 1GBps, ejection: 1GBps}\nlayers:\n  chip:\n" +
               "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: " + held + "}\n" + kNetwork;
    };
    CHECK(read(chip("[bus]")).file.layers.front().profile.front().holds_bus);
    CHECK(summary_of(only(faults(chip("[bus, nic]")), bad_choice)) ==
          "m.yaml:8:82 bad_choice [nic] messages within a node cannot hold `nic` | expected `bus` alone: only messages "
          "between nodes use NICs and links");
    CHECK(only(faults(chip("bus")), wrong_yaml_type).expected == "expected `[bus]` or `[]`");
}

TEST_CASE("a row states for how long a message is processed, on any layer") {
    const Read machine = read(kHead + "message_processing: {count: 2}\nlayers:\n  chip:\n" +
                              row_with(", processing: 2us") + "  network:\n" + row_with(", processing: 4us"));
    CHECK(machine.faults.render() == "");
    CHECK(machine.file.processing.value().count == 2);
    CHECK(machine.file.layers.front().profile[0].processing == Time{2'000'000});
    CHECK(machine.row(0).processing == Time{4'000'000});
}

TEST_CASE("a row that is processed needs message processing, and message processing such a row") {
    const Diagnostic undescribed = only(row_faults(row_with(", processing: 4us")), undescribed_resource);
    CHECK(marked(undescribed) == "4us");
    CHECK(undescribed.expected == "expected `message_processing: {enabled: on}` in this file");
    const Read unused = read(kHead + "message_processing: {enabled: on}\nlayers:\n" + kNetwork);
    REQUIRE(unused.file.notes.size() == 1);
    CHECK(
        unused.file.notes[0].ends_with("`message_processing` delays no message: no row of `layers` has `processing`"));
}

TEST_CASE("eager messages of a layer have a limit, and a cost if they are unexpected") {
    const Read machine = read(kHead + "layers:\n" + kNetwork +
                              "eager:\n  network: {limit: 128000B, o_unexpected: 3us, G_unexpected: 1GBps}\n");
    CHECK(machine.faults.render() == "");
    CHECK(machine.row(0).eager == EagerSends{Bytes{128'000}, Time{3'000'000}, Gap{1e-9}});
    CHECK_FALSE(read(kHead + "layers:\n" + kNetwork).row(0).eager);
    for (const std::string without : {"eager: off\n", "eager: {network: off}\n"}) {
        const Read off = read(kHead + "layers:\n" + kNetwork + without);
        CHECK(off.faults.render() == "");
        CHECK_FALSE(off.row(0).eager);
    }
    CHECK(only(faults(kHead + "layers:\n" + kNetwork + "eager: {network: 64KiB}\n"), wrong_yaml_type).expected ==
          "expected `{limit: 64KiB}`, or `off`");
}

TEST_CASE("a layer of `eager` must be one of the machine, and not like SMPI") {
    CHECK(only(faults(kHead + "layers:\n" + kNetwork + "eager: {networ: {limit: 1B}}\n"), unknown_key).expected ==
          "did you mean `network`?");
    CHECK(only(faults(kHead + "layers:\n  network: {like: smpi}\neager: {network: {limit: 1B}}\n"), conflicting_keys)
              .expected ==
          "expected no limit in this file: `smpi/send-is-detached-thresh` of the platform is the limit of eager "
          "messages");
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
                      out_of_range)) == "0");
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
    CHECK(only(refused("{bandwidth: 100GBps}"), missing_key).message == "`memory` has no `per_core`");
    CHECK(only(refused("{bandwidth: 0GBps, per_core: 1GBps}"), out_of_range).message ==
          "`bandwidth` is below a byte per second");
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

TEST_CASE("a shared resource that no row holds is noted with its position") {
    const std::string shared = "bus: {o_dma: 1us, G_dma: 1ns/B}\nnic: {injection: 1GBps, ejection: 1GBps}\nlinks: {}\n";
    const auto notes = read(kHead + shared + "layers:\n" + kNetwork).file.notes;
    REQUIRE(notes.size() == 3);
    CHECK(notes[0].ends_with("m.yaml:4:6: `bus` delays no message: no row of `layers` holds this resource"));
    CHECK(notes[1].ends_with("m.yaml:5:6: `nic` delays no message: no row of `layers` holds this resource"));
    CHECK(notes[2].ends_with("m.yaml:6:8: `links` delays no message: no row of `layers` holds this resource"));
    const std::string held =
        "layers:\n  network:\n    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, "
        "holds: [bus, nic, links]}\n";
    CHECK(read(kHead + shared + held).file.notes.empty());
    CHECK(read(kHead + "bus: {enabled: off, o_dma: 1us, G_dma: 1ns/B}\nlayers:\n" + kNetwork).file.notes.empty());
}

TEST_CASE("a NIC and links that are held but not described are a fault each") {
    const Diagnostics found =
        row_faults("    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [nic, links]}\n");
    REQUIRE(found.count() == 2);
    CHECK(found.all()[0].kind == undescribed_resource);
    CHECK(marked(found.all()[0]) == "nic");
    CHECK(marked(found.all()[1]) == "links");
}

TEST_CASE("a NIC has both its rates, and may have a gap g between messages, a time") {
    const auto nic = [](const std::string& more) {
        return kHead + "nic: {injection: 2GBps" + more + "}\nlayers:\n" + kNetwork;
    };
    const std::string both = ", ejection: 2GBps";
    CHECK(only(faults(nic("")), missing_key).message == "`nic` has no `ejection`");
    CHECK(read(nic(both + ", g: 6.5ns")).file.nic.value().g == Time{6'500});
    CHECK(read(nic(both)).file.nic.value().g == Time{});
    CHECK(marked(only(faults(nic(both + ", g: 6.5")), missing_unit)) == "6.5");
    CHECK(marked(only(faults(nic(both + ", g: 2GBps")), wrong_unit)) == "GBps");
    CHECK(marked(only(faults(nic(both + ", g: -1ns")), out_of_range)) == "-1ns");
    CHECK(marked(only(faults(nic(both + ", message_rate: 150e6/s")), unknown_key)) == "message_rate");
}

TEST_CASE("packets of nothing, no link at all, or a choice that is none are faults") {
    const auto links = [](const std::string& body) {
        return faults(kHead + "links: {" + body + "}\nlayers:\n" + kNetwork);
    };
    CHECK(only(links("packet: 0B"), out_of_range).message == "a packet cannot have 0 B");
    CHECK(marked(only(links("parallel: 0"), out_of_range)) == "0");
    CHECK(only(links("choice: adaptiv"), bad_choice).expected == "did you mean `adaptive`?");
}

}  // namespace warpfront::machine

// Packets in hardware files: segmentation of messages, costs of a packet beyond its bytes.

namespace warpfront::machine::link_packets_test {

namespace {

const std::string kRow = row_with(", holds: [links]");

/// Returns a hardware file with this body of `links`, on line 4.
Read with(const std::string& links, const std::string& rows = kRow) {
    return read(kHead + "links: {" + links + "}\nlayers:\n  network:\n" + rows);
}

}  // namespace

TEST_CASE("packets are those of the rows that hold links") {
    const std::string other = row_with(", up_to: 1KiB");
    const Read all = with("packet: 16KiB, overhead: 70us, buffers: {size: 1MiB, overhead: 3us}", other + kRow);
    CHECK(all.faults.render() == "");
    CHECK_FALSE(all.row(0).packet.size);
    CHECK(all.row(1).packet.size == Bytes{16 * 1024});
    CHECK(all.row(1).packet.overhead == Time{70'000'000});
    CHECK(all.row(1).packet.buffers == Bytes{1024 * 1024});
    CHECK(all.row(1).packet.full == Time{3'000'000});
}

TEST_CASE("a message costs what its packets cost even if links are not shared") {
    const Read off = with("enabled: off, packet: 16KiB, overhead: 70us");
    CHECK(off.faults.render() == "");
    CHECK_FALSE(off.file.links);
    CHECK(off.row(0).packet.overhead == Time{70'000'000});
}

TEST_CASE("links are whole messages that cost their bytes, on one link each, chosen by the sender, by default") {
    const Read plain = with("enabled: on");
    const Links& links = plain.file.links.value();
    CHECK(links.parallel == 1);
    CHECK(links.choice == LinkChoice::deterministic);
    CHECK_FALSE(links.arbitration);
    CHECK_FALSE(plain.row(0).packet.size);
    CHECK(plain.row(0).packet.overhead == Time{});
    CHECK_FALSE(plain.row(0).packet.buffers);
}

TEST_CASE("arbitration has the pairs without overhead and the overhead per packet of each further pair") {
    const Arbitration arbitration =
        with("arbitration: {pairs: 16, overhead: 2us}").file.links.value().arbitration.value();
    CHECK(arbitration.pairs == 16);
    CHECK(arbitration.overhead == Time{2'000'000});
}

TEST_CASE("buffers and arbitration need all their keys, which are above nothing, with units; buffers need packets") {
    const auto message = [](const std::string& links, DiagnosticKind kind) {
        return only(with(links).faults, kind).message;
    };
    CHECK(message("packet: 1KiB, buffers: {size: 1MiB}", missing_key) == "`buffers` has no `overhead`");
    CHECK(message("packet: 1KiB, buffers: {overhead: 1us}", missing_key) == "`buffers` has no `size`");
    CHECK(message("arbitration: {pairs: 3}", missing_key) == "`arbitration` has no `overhead`");
    CHECK(message("arbitration: {overhead: 1us}", missing_key) == "`arbitration` has no `pairs`");
    CHECK(summary_of(only(with("buffers: {size: 1MiB, overhead: 1us}").faults, missing_key)) ==
          "m.yaml:4:18 missing_key [] `links` has `buffers` but no `packet` | expected `packet`, since buffers delay "
          "packets: the key states their size");
    CHECK(only(with("packet: 1KiB, buffers: {size: 1MiB, overhead: 1us, overhed: 2us}").faults, unknown_key).expected ==
          "did you mean `overhead`?");
    CHECK(only(with("arbitration: {pairs: 3, overhead: 1us, pair: 4}").faults, unknown_key).expected ==
          "did you mean `pairs`?");
    CHECK(message("packet: 1KiB, buffers: {size: 0B, overhead: 1us}", out_of_range) == "buffers cannot have 0 B");
    CHECK(marked(only(with("arbitration: {pairs: -1, overhead: 1us}").faults, out_of_range)) == "-1");
    CHECK(marked(only(with("overhead: 70").faults, missing_unit)) == "70");
}

TEST_CASE("packets that make the largest message of a row take longer than a cost may are a fault") {
    const std::string costs = "protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [links]}\n";
    const Read all = with("packet: 1B, overhead: 1s", "    - {up_to: 1MiB, " + costs + "    - {" + costs);
    CHECK(summary_of(only(all.faults, cost_too_large)) ==
          "m.yaml:7:15 cost_too_large [1MiB] the 1048576 packets of a message of 1048576 B take too long | "
          "expected at most 576460.7523034235 s");
}

TEST_CASE("the sender's time per byte is read, as a time or a bandwidth") {
    const auto row = [](const std::string& gap) {
        return "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, G_send: " + gap + "}\n";
    };
    CHECK(cost_of(Bytes{1000}, with("enabled: on", row("2GBps")).row(0).G_send) == Time{500'000});
    CHECK(cost_of(Bytes{1000}, with("enabled: on", row("3ns/B")).row(0).G_send) == Time{3'000'000});
    CHECK(marked(only(with("enabled: on", row("3us")).faults, wrong_unit)) == "us");
}

}  // namespace warpfront::machine::link_packets_test

// Messages that cost more than virtual time can represent: faults at the value that is too large.

namespace warpfront::machine::cost_limits_test {

namespace {

/// Returns the faults of two ranks that exchange messages of 10 and of 6000 B, on one node or on two.
input::Diagnostics refused(const std::string& shared, const std::string& network, Patch patch = {1, 1},
                           const std::string& chip_gap = "1ns/B") {
    const Workspace files;
    files.write("p.xml", star_xml(2));
    MachineRequest request = request_for(
        files.write("m.yaml",
                    "name: m\nplatform: p.xml\nsize: exact\n" + shared +
                        "layers:\n  chip: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: " + chip_gap +
                        "}]\n  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, " + network + "}]\n"),
        {2, 1}, patch);
    request.sizes = {{6000}, {10}};
    return faults_of([&] { build(request); });
}

Diagnostic fault(const std::string& shared, const std::string& network, Patch patch = {1, 1},
                 const std::string& chip_gap = "1ns/B") {
    return only(refused(shared, network, patch, chip_gap), cost_too_large);
}

}  // namespace

TEST_CASE("an unexpected message that is copied for longer than virtual time allows is a fault of its time per byte") {
    const Diagnostic found = fault("eager: {network: {G_unexpected: 1000s/B}}\n", "G: 1ns/B");
    CHECK(marked(found) == "1000s/B");
    CHECK(found.message == "a message of 6000 B takes 6000000 s");
}

TEST_CASE("a time per byte that is too long for the largest message is a fault at its position") {
    const Diagnostic too_long = fault("", "G: 100s/B");
    CHECK(marked(too_long) == "100s/B");
    CHECK(too_long.message == "a message of 6000 B takes 600000 s");
    CHECK(too_long.expected == "expected at most 576460.7523034235 s");  // 2^59 ps
    CHECK(marked(fault("", "G: 1ns/B, G_send: 101s/B")) == "101s/B");
    CHECK(marked(fault("", "G_recv: 102s/B")) == "102s/B");
    CHECK(refused("", "G: 90s/B").empty());  // 540,000 s
}

TEST_CASE("costs of a locality that no message crosses do not matter") {
    CHECK(refused("", "G: 100s/B", {2, 1}).empty());
    CHECK(marked(fault("", "G: 100s/B", {2, 1}, "103s/B")) == "103s/B");
}

TEST_CASE("a bus or a NIC that a message holds too long is a fault at its time per byte") {
    const std::string bus = "bus: {o_dma: 1us, G_dma: 100s/B}\n";
    CHECK(marked(fault(bus, "G: 1ns/B, holds: [bus]")) == "100s/B");
    CHECK(refused(bus, "G: 1ns/B").empty());
    CHECK(marked(fault("nic: {injection: 1ns/B, ejection: 104s/B}\n", "G: 1ns/B, holds: [nic]")) == "104s/B");
}

}  // namespace warpfront::machine::cost_limits_test
