// Hardware files: their keys, layers and rows, parts, and limits of eager messages.
#include <doctest/doctest.h>

#include "tests/loading/hardware_text.hpp"

namespace warpfront::machine {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

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

TEST_CASE("cores and groups are read") {
    const HardwareFile file = read(kHead + "cores: 16\ngroups: 4\nlayers:\n" + kNetwork).file;
    CHECK(file.cores == 16);
    CHECK(file.groups.value == 4);
    CHECK(only(faults(kHead + "cores: 0\nlayers:\n" + kNetwork), DiagnosticKind::out_of_range).range.source);
}

}  // namespace warpfront::machine
