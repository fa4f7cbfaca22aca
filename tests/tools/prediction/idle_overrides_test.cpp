// Notes on overrides of a machine that have no effect with the program of a scenario.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace warpfront::tools::idle_overrides_test {

using namespace warpfront::test;

namespace {

using Sets = std::vector<std::string>;
using Notes = std::vector<std::string>;

/// Returns a machine of two cores per node; the rows of `network` have the protocols eager and rendezvous.
std::string hardware(const std::string& more) {
    return "name: m\nsize: exact\ncores: 2\nprocessor: {speed: 1Gflops}\n"
           "topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 0us}\n" +
           more +
           "layers:\n  chip: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: 1ns/B}]\n  network:\n"
           "    - {up_to: 1KiB, protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [bus]}\n"
           "    - {protocol: rendezvous, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [bus]}\n";
}

const std::string kBus = "bus: {o_dma: 1us, G_dma: 1ns/B}\n";
const std::string kProcessing = kBus + "message_processing: {}\n";

/// Returns the notes of two ranks, each on a node of its own, of which one sends 500 B to the other.
Notes notes(const Sets& sets, const std::string& more = kBus, const std::string& scenario = "") {
    const Scratch scratch;
    scratch.file("h.yaml", hardware(more));
    scratch.file(
        "m.psl",
        "application m { param wg: time = 1us iteration k { compute wg recv from west send 500B to east } }\n");
    const auto file = scratch.file("s.yaml",
                                   "model: m.psl\nplatform: h.yaml\nranks: {columns: 2, rows: 1}\n"
                                   "node: {columns: 1, rows: 1}\n" +
                                       scenario);
    return notes_on_idle_overrides(experiment_of(file, sets));
}

}  // namespace

TEST_CASE("overrides that change the run have no note") {
    CHECK(notes({}) == Notes{});
    CHECK(notes({"platform.layers.network.o_send=9us", "platform.layers.network[up_to=1024B].L=9us",
                 "platform.layers.network.o_dma=9us", "platform.bus.o_dma=9us"}) == Notes{});
    CHECK(notes({"platform.processor.speed=2Gflops"}, kBus, "parameters: {wg: 3us}\n") == Notes{});
}

TEST_CASE("costs of a layer and of a row that no message has are noted") {
    CHECK(notes({"platform.layers.chip.L=9us"}) ==
          Notes{"`platform.layers.chip` has no effect: no message of the program has this layer"});
    // 500 B belong to the row up to 1 KiB.
    CHECK(notes({"platform.layers.network[last].L=9us"}) ==
          Notes{"`platform.layers.network[last]` has no effect: no message of the program has a size of this row"});
}

TEST_CASE("NICs and links are noted if no message leaves its node") {
    CHECK(notes({"node.columns=2", "platform.nic.g=9us", "platform.nic.injection=1GBps", "platform.nic.ejection=1GBps"})
              .front()
              .starts_with("`platform.nic.g`, `platform.nic.injection`, `platform.nic.ejection` have no effect: no "
                           "message of the program leaves its node"));
}

TEST_CASE("keys of a rendezvous are noted if no message is one") {
    CHECK(notes({"platform.layers.network.sender_goes_on=received"}) ==
          Notes{"`platform.layers.network.sender_goes_on` has no effect: no message of these rows is a rendezvous"});
    const Sets rendezvous{"platform.layers.network.protocol=rendezvous", "platform.layers.network.o_ack=9us"};
    CHECK(notes(rendezvous) == Notes{});
    // Up to 2 kB the library sends eagerly, whatever the row: the message keeps the costs of the handshake, but its
    // sender does not wait.
    const std::string eager = kBus + "eager: {network: {limit: 2kB}}\n";
    CHECK(notes(rendezvous, eager) == Notes{});
    CHECK(notes({"platform.layers.network.protocol=rendezvous", "platform.layers.network.sender_goes_on=received"},
                eager) ==
          Notes{"`platform.layers.network.sender_goes_on` has no effect: no message of these rows is a rendezvous"});
}

TEST_CASE("a bus that message processing replaces is noted, key by key") {
    const Notes replaced{
        "`platform.bus.o_dma`, `platform.bus.count` have no effect: message processing replaces the bus "
        "in the engines `event` and `simgrid`, not in closed forms"};
    const Sets sets{"platform.bus.o_dma=9us", "platform.bus.count=2", "platform.layers.network.processing=1us"};
    CHECK(notes(sets, kProcessing) == replaced);
    CHECK(notes({"platform.layers.network.processing=1us", "platform.layers.network.o_dma=9us"}, kProcessing) ==
          Notes{"`platform.layers.network.o_dma` has no effect: no message of these rows occupies a bus in the event "
                "engine"});
    CHECK(notes({"platform.message_processing.count=2"}, kProcessing) ==
          Notes{"`platform.message_processing.count` has no effect: no row of `layers` states `processing`"});
    CHECK(notes({"platform.layers.network.processing=1us"}, kBus + "message_processing: {enabled: off}\n") ==
          Notes{"`platform.layers.network.processing` has no effect: the machine has no `message_processing`"});
}

TEST_CASE("the speed of a processor is noted if the scenario's file has no time that it scales") {
    CHECK(notes({"platform.processor.speed=2Gflops"}) ==
          Notes{"`platform.processor.speed` has no effect: it scales only times in `parameters` of a scenario's file, "
                "and there are no such times"});
}

TEST_CASE("algorithms of collectives, and keys of task lists, that the program has not are noted") {
    CHECK(notes({"platform.collectives.bcast=linear"}) ==
          Notes{"`platform.collectives.bcast` has no effect: the program has no such collective"});
    CHECK(notes({"platform.task_manager.service=9us"}) ==
          Notes{"`platform.task_manager.service` has no effect: the program has no lists of tasks"});
}

}  // namespace warpfront::tools::idle_overrides_test
