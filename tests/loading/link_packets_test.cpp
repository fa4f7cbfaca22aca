// Packets in hardware files: segmentation of messages, costs of a packet beyond its bytes.
#include <doctest/doctest.h>

#include "simulator/machine/loading/hardware_file.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine::link_packets_test {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

const std::string kRow = "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [links]}\n";

struct Read {
    HardwareFile file;
    Diagnostics faults;
    const ProfileRow& row(std::size_t k) const { return file.layers.back().profile.at(k); }
};

/// The body of `links` is on line 4.
Read read(const std::string& links, const std::string& rows = kRow) {
    const Workspace files;
    Read result;
    const std::string text =
        "name: m\nplatform: p.xml\nsize: fit\nlinks: {" + links + "}\nlayers:\n  network:\n" + rows;
    result.file = read_hardware_file(files.write("m.yaml", text), {}, result.faults);
    return result;
}

}  // namespace

TEST_CASE("packets are those of the rows that hold links") {
    const std::string other = "    - {up_to: 1KiB, protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n";
    const Read all = read("packet: 16KiB, overhead: 70us, buffers: {size: 1MiB, overhead: 3us}", other + kRow);
    CHECK(all.faults.render() == "");
    CHECK_FALSE(all.row(0).packet.size);
    CHECK(all.row(1).packet.size == Bytes{16 * 1024});
    CHECK(all.row(1).packet.overhead == Time{70'000'000});
    CHECK(all.row(1).packet.buffers == Bytes{1024 * 1024});
    CHECK(all.row(1).packet.full == Time{3'000'000});
}

TEST_CASE("a message costs what its packets cost even if links are not shared") {
    const Read off = read("enabled: off, packet: 16KiB, overhead: 70us");
    CHECK(off.faults.render() == "");
    CHECK_FALSE(off.file.links);
    CHECK(off.row(0).packet.overhead == Time{70'000'000});
}

TEST_CASE("messages are whole and cost their bytes by default") {
    const Read plain = read("enabled: on");
    CHECK_FALSE(plain.row(0).packet.size);
    CHECK(plain.row(0).packet.overhead == Time{});
    CHECK_FALSE(plain.row(0).packet.buffers);
    CHECK_FALSE(plain.file.links.value().arbitration);
}

TEST_CASE("arbitration has the pairs without overhead and the overhead per packet of each further pair") {
    const Arbitration arbitration =
        read("arbitration: {pairs: 16, overhead: 2us}").file.links.value().arbitration.value();
    CHECK(arbitration.pairs == 16);
    CHECK(arbitration.overhead == Time{2'000'000});
}

TEST_CASE("buffers and arbitration need all their keys") {
    CHECK(only(read("packet: 1KiB, buffers: {size: 1MiB}").faults, DiagnosticKind::missing_key).message ==
          "`buffers` has no `overhead`");
    CHECK(only(read("packet: 1KiB, buffers: {overhead: 1us}").faults, DiagnosticKind::missing_key).message ==
          "`buffers` has no `size`");
    CHECK(only(read("arbitration: {pairs: 3}").faults, DiagnosticKind::missing_key).message ==
          "`arbitration` has no `overhead`");
    CHECK(only(read("arbitration: {overhead: 1us}").faults, DiagnosticKind::missing_key).message ==
          "`arbitration` has no `pairs`");
}

TEST_CASE("buffers fill packet by packet, so there must be packets") {
    const Diagnostic fault = only(read("buffers: {size: 1MiB, overhead: 1us}").faults, DiagnosticKind::missing_key);
    CHECK(fault.message == "`links` has `buffers` and no `packet`");
    CHECK(line_of(fault) == 4);
}

TEST_CASE("an unknown key of buffers or arbitration names the nearest") {
    CHECK(only(read("packet: 1KiB, buffers: {size: 1MiB, overhead: 1us, overhed: 2us}").faults,
               DiagnosticKind::unknown_key)
              .expected == "did you mean `overhead`?");
    CHECK(only(read("arbitration: {pairs: 3, overhead: 1us, pair: 4}").faults, DiagnosticKind::unknown_key).expected ==
          "did you mean `pairs`?");
}

TEST_CASE("buffers of nothing, pairs below nothing, an overhead without a unit are faults") {
    CHECK(only(read("packet: 1KiB, buffers: {size: 0B, overhead: 1us}").faults, DiagnosticKind::out_of_range).message ==
          "buffers of 0 B");
    CHECK(marked(only(read("arbitration: {pairs: -1, overhead: 1us}").faults, DiagnosticKind::out_of_range)) == "-1");
    CHECK(marked(only(read("overhead: 70").faults, DiagnosticKind::missing_unit)) == "70");
}

TEST_CASE("packets that make the largest message of a row take longer than a cost may are a fault") {
    const std::string costs = "protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [links]}\n";
    const Read all = read("packet: 1B, overhead: 1s", "    - {up_to: 1MiB, " + costs + "    - {" + costs);
    const Diagnostic fault = only(all.faults, DiagnosticKind::cost_too_large);
    CHECK(fault.message == "the 1048576 packets of a message of 1048576 B take too long");
    CHECK(marked(fault) == "1MiB");
}

TEST_CASE("the sender's time per byte is read, as a time or a bandwidth") {
    const auto row = [](const std::string& gap) {
        return "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, G_send: " + gap + "}\n";
    };
    CHECK(cost_of(Bytes{1000}, read("enabled: on", row("2GBps")).row(0).G_send) == Time{500'000});
    CHECK(cost_of(Bytes{1000}, read("enabled: on", row("3ns/B")).row(0).G_send) == Time{3'000'000});
    CHECK(marked(only(read("enabled: on", row("3us")).faults, DiagnosticKind::wrong_unit)) == "us");
}

}  // namespace warpfront::machine::link_packets_test
