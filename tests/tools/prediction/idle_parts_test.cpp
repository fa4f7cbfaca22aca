// Notes on parts of a node, and on parallel links, that no rank uses.
#include "tools/answer/prediction/context.hpp"

#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"

namespace warpfront::tools::idle_parts_test {

namespace {

using Sets = std::vector<std::string>;
using Notes = std::vector<std::string>;

const std::string kRow = "{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B";

/// Returns a node of 16 cores: two sockets of two dies each, four NICs, eight memories, two buses.
std::string hardware() {
    return "name: m\nsize: exact\ncores: 16\nparts: {die: 4, socket: 2}\n"
           "topology: {kind: torus, dimensions: [16], bandwidth: 1GBps, latency: 0us}\n"
           "nic: {count: 4, injection: 1GBps, ejection: 1GBps}\n"
           "memory: {count: 8, bandwidth: 1GBps, per_core: 1GBps}\n"
           "bus: {count: 2, o_dma: 1us, G_dma: 1ns/B}\n"
           "links: {parallel: 4}\n"
           "layers:\n  die: [" +
           kRow + "}]\n  socket: [" + kRow + "}]\n  node: [" + kRow + "}]\n  network: [" + kRow +
           ", holds: [bus, nic, links]}]\n";
}

/// Returns the notes of sixteen ranks that send to the east.
Notes notes(const std::string& node, const Sets& sets = {}, const std::string& model = "send 8B to east") {
    const Scratch scratch;
    scratch.file("m.yaml", hardware());
    scratch.file("m.psl", "application m { iteration { " + model + " recv from west } }\n");
    Sets all{"platform.links.enabled=off"};
    all.insert(all.end(), sets.begin(), sets.end());
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: m.yaml\nranks: {columns: 16, rows: 1}\n" + node);
    return notes_on_idle_parts(experiment_of(file, all));
}

}  // namespace

TEST_CASE("ranks that leave parts of their node empty are noted with the key that spreads them") {
    // cores 0 to 7: one socket with two dies, NICs and memories of two cores each
    CHECK(notes("node: {columns: 8, rows: 1}\n") ==
          Notes{"the 8 ranks of a node use 1 of 2 sockets, 2 of 4 dies, 1 of 2 buses, 2 of 4 NICs and 4 of 8 memories; "
                "with `node.fill: spread` 2, 4, 2, 4 and 8"});
    CHECK(notes("node: {columns: 8, rows: 1, fill: spread}\n") == Notes{});
    CHECK(notes("node: {columns: 16, rows: 1}\n") == Notes{});
}

TEST_CASE("ranks that are too few for all parts are noted, spread or not") {
    CHECK(notes("node: {columns: 2, rows: 1, fill: spread}\n") ==
          Notes{"the 2 ranks of a node use 2 of 4 dies, 2 of 4 NICs and 2 of 8 memories"});
    CHECK(notes("node: {columns: 1, rows: 1}\n", {"platform.memory.enabled=off", "platform.bus.enabled=off"}) ==
          Notes{"the only rank of a node uses 1 of 2 sockets, 1 of 4 dies and 1 of 4 NICs"});
}

TEST_CASE("listed cores are noted without the key that they replace") {
    CHECK(notes("node: {columns: 4, rows: 1, cores: [0, 4, 8, 12]}\n") ==
          Notes{"the 4 ranks of a node use 4 of 8 memories"});
    CHECK(notes("node: {columns: 4, rows: 1, cores: [0..3]}\n").front().find("spread") == std::string::npos);
}

TEST_CASE("resources that are switched off, and scenarios without `node`, have no such note") {
    CHECK(notes("node: {columns: 4, rows: 1, fill: spread}\n", {"platform.memory.enabled=off"}) == Notes{});
    CHECK(notes("") == Notes{});
}

TEST_CASE("a patch larger than the array of ranks counts the ranks that are there") {
    CHECK(notes("node: {columns: 4, rows: 4, fill: spread}\n", {"ranks.columns=2"}) ==
          Notes{"the 2 ranks of a node use 2 of 4 dies, 2 of 4 NICs and 2 of 8 memories"});
}

TEST_CASE("only the memory that cores share is noted of tasks, which send no messages") {
    const Scratch scratch;
    scratch.file("m.yaml", hardware());
    scratch.file("t.psl", "application t { tasks on core { task a[i in 1..10] { compute 1us } } }\n");
    const auto file = scratch.file(
        "s.yaml", "model: t.psl\nplatform: m.yaml\nranks: {columns: 4, rows: 1}\nnode: {columns: 4, rows: 1}\n");
    CHECK(notes_on_idle_parts(experiment_of(file)) ==
          Notes{"the 4 ranks of a node use 2 of 8 memories; with `node.fill: spread` 4"});
}

TEST_CASE("parallel links that no rank of a node chooses are noted") {
    const Sets on{"platform.links.enabled=on", "platform.memory.enabled=off"};
    const std::string two = "node: {columns: 2, rows: 1, cores: [0, 8]}\n";
    const Notes noted = notes(two, on);
    REQUIRE(noted.size() == 2);
    CHECK(noted.back() ==
          "the ranks of a node send over 2 of 4 parallel links, which `links.choice: deterministic` selects "
          "by sender; `adaptive` and `round_robin` use all");
    Sets adaptive = on;
    adaptive.emplace_back("platform.links.choice=adaptive");
    CHECK(notes(two, adaptive).size() == 1);
    CHECK(notes("node: {columns: 4, rows: 1, cores: [0, 4, 8, 12]}\n", on) == Notes{});
    CHECK(notes("node: {columns: 16, rows: 1}\n", on) == Notes{});  // one node: no message over links
}

TEST_CASE("servers of cluster memory are noted if no record has an item for each") {
    const auto of_items = [](int items, const std::string& memory) {
        const Scratch scratch;
        scratch.file("m.yaml", hardware() + "cluster_memory: {" + memory + "}\n");
        scratch.file("t.psl",
                     "application t { record bricks[i in 1.." + std::to_string(items) +
                         "]: 1kB given  tasks on core { task a[i in 1..2] { read bricks[i] compute 1us } } }\n");
        const auto file = scratch.file(
            "s.yaml", "model: t.psl\nplatform: m.yaml\nranks: {columns: 16, rows: 1}\nnode: {columns: 16, rows: 1}\n");
        return notes_on_idle_parts(experiment_of(file));
    };
    const std::string four = "servers: 4, server: {read: 1GBps, write: 1GBps}";
    CHECK(of_items(3, four) ==
          Notes{"no record has more than 3 items, so 1 of 4 servers of cluster memory hold no item"});
    CHECK(of_items(4, four) == Notes{});
    CHECK(of_items(3, "servers: 4") == Notes{});  // which limit nothing
    CHECK(of_items(3, "servers: nodes, node: {read: 1GBps, write: 1GBps}") == Notes{});
}

}  // namespace warpfront::tools::idle_parts_test
