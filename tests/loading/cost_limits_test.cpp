// Messages that cost more than virtual time can represent: faults at the figure that is too large.
#include <doctest/doctest.h>

#include "simulator/machine/loading/build.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine::cost_limits_test {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;

/// Two ranks that exchange messages of 10 and of 6000 B, on one node or on two.
input::Diagnostics refused(const std::string& shared, const std::string& network, Patch patch = {1, 1},
                           const std::string& chip_gap = "1ns/B") {
    const Workspace files;
    files.write("p.xml", star_xml(2));
    MachineRequest request;
    request.hardware_file = files.write(
        "m.yaml", "name: m\nplatform: p.xml\nsize: exact\n" + shared +
                      "layers:\n  chip: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: " + chip_gap +
                      "}]\n  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, " + network + "}]\n");
    request.grid = {2, 1};
    request.patch = patch;
    request.pairs = [](const std::function<void(Rank, Rank)>& say) { say({0}, {1}); };
    request.sizes = {{6000}, {10}};
    return faults_of([&] { build(request); });
}

Diagnostic fault(const std::string& shared, const std::string& network, Patch patch = {1, 1},
                 const std::string& chip_gap = "1ns/B") {
    return only(refused(shared, network, patch, chip_gap), DiagnosticKind::cost_too_large);
}

}  // namespace

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
