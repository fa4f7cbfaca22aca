// `warpfront check`: every file by what it is, all faults at once.
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::end_to_end;

TEST_CASE("check --platform describes the parts of a node and the routing") {
    const Outcome epyc = invoke("check --platform platforms/epyc.yaml");
    CHECK(epyc.out.find("node            16 of `complex`, 8 of `die`, 2 of `socket`, 16 of `bus`\n") !=
          std::string::npos);
    const Outcome slingshot = invoke("check --platform platforms/slingshot.yaml");
    CHECK(slingshot.out.find(", adaptive routing\n") != std::string::npos);
}

TEST_CASE("a requirement that fails on every small array is noted, one that holds on some is not") {
    const warpfront::test::Scratch scratch;
    const auto text = [&](const std::string& items) {
        const auto file = scratch.file("m.psl", "application m {\n" + items + "\niteration { compute 1us }\n}\n");
        return invoke("check " + quoted(file)).out;
    };
    CHECK(text("require rank > 0, \"never\"").find("runs this model with its defaults: never") != std::string::npos);
    CHECK(text("param n: int = 1  require n > 1, \"two\"").find("defaults: two") != std::string::npos);
    CHECK(text("param n: int  require n > 100, \"many\"").find("note: ") == std::string::npos);
    CHECK(text("require rows == 1, \"one row\"").find("note: ") == std::string::npos);
    CHECK(text("require is_power_of_two(columns) and ranks >= 16, \"many\"").find("note: ") == std::string::npos);
}

TEST_CASE("every shipped file is good") {
    const std::filesystem::path root = WARPFRONT_SOURCE_DIR;
    std::string files;
    for (const char* folder : {"models", "platforms"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".psl" || extension == ".yaml") files += quoted(entry.path()) + " ";
        }
    }
    const Outcome outcome = invoke("check " + files);
    CHECK(outcome.err == "");
    CHECK(outcome.status == 0);
    // none describes anything without effect: the notes are on cores, on shares that were rounded up, on iterations
    // with fix-ups, on analytic regions, on the points of studies, and on tables whose cells are those of one rank
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK((!line.starts_with("note: ") || holds(line, "rounded up to") || holds(line, "iterations with fix-ups") ||
               holds(line, "as the hardware file says") || holds(line, "calibrated by") || holds(line, " points by ") ||
               holds(line, "are cells of one rank") || holds(line, "analytic regions stand under compute")));
    }
}

TEST_CASE("what is described and never used is noted by `check` of its file, and not by `run`") {
    const Scratch scratch;
    const auto hardware =
        scratch.file("h.yaml",
                     "name: m\nsize: exact\ncores: 1\ntopology: {kind: torus, dimensions: [4], bandwidth: 1GBps, "
                     "latency: 0us}\nlinks: {choice: adaptive}\nlayers:\n  network: [{protocol: eager, o_send: 1us, "
                     "o_recv: 1us, L: 1us, G: 1ns/B, holds: [links]}]\n");
    const auto model = scratch.file("m.psl", "application m { param idle: int = 1  iteration { compute 1us } }");
    const auto scenario =
        scratch.file("s.yaml", "model: m.psl\nplatform: h.yaml\nranks: {columns: 2, rows: 1}\nparameters: {idle: 2}\n");
    const std::vector<std::pair<std::filesystem::path, std::string>> noted{
        {hardware, "h.yaml:5:17: `choice` has no effect: there is no parallel link\n"},
        {model, "m.psl:1:23: parameter `idle` is never used\n"},
        {scenario, "s.yaml:4:20: `idle` has no effect: `m` never uses it\n"}};
    const std::string run = invoke("run " + quoted(scenario)).out;
    for (const auto& [file, note] : noted) {
        CAPTURE(note);
        CHECK(holds(invoke("check " + quoted(file)).out, note));
        CHECK_FALSE(holds(run, note));
    }
}

TEST_CASE("a good file is reported as ok") {
    CHECK(invoke("check platforms/xt4.yaml models/lu/lu.psl").out == "platforms/xt4.yaml: ok\nmodels/lu/lu.psl: ok\n");
}

TEST_CASE("a machine is described by its nodes, links, diameter and bisection") {
    const Outcome xt4 = invoke("check --platform platforms/xt4.yaml");
    CHECK(xt4.status == 0);
    for (const char* line : {"network         torus 14 x 18 x 25\n", "links           37800\n",
                             "cables          6 per node, 36 GB/s together\n", "diameter        28 links\n",
                             "bisection       at least 3.024 TB/s each way\n"}) {
        CAPTURE(line);
        CHECK(holds(xt4.out, line));
    }
}

TEST_CASE("the links and the bisection of a machine count its parallel links") {
    // 48 SMPs of 4 one-way links of 100 MB/s, four in parallel, or two; cut twice across 6 of the 8 x 6
    const std::string four = invoke("check --platform platforms/hippi.yaml").out;
    CHECK(holds(four, "links           768: 4 in parallel for each of 192\n"));
    CHECK(holds(four, "bisection       4.8 GB/s each way\n"));
    const std::string two = invoke("check --platform platforms/hippi-two-channels.yaml").out;
    CHECK(holds(two, "links           384: 2 in parallel for each of 192\n"));
    CHECK(holds(two, "bisection       2.4 GB/s each way\n"));
}

TEST_CASE("a machine is described with the cables of its nodes' NICs") {
    // 2,048 nodes of four cables of 25 GB/s; 128 leaves of 32 links up: 2 * (8,192 + 4,096) links, half of 4,096 cut
    const std::string per_nic = invoke("check --platform platforms/gpus.yaml").out;
    for (const char* line : {"cables          4 per node, one plane for all NICs, 100 GB/s together\n",
                             "links           24576\n", "bisection       51.2 TB/s each way\n"}) {
        CAPTURE(line);
        CHECK(holds(per_nic, line));
    }
    const Scratch scratch;
    const auto described = [&](const std::string& topology) {
        const std::string base = std::string(WARPFRONT_SOURCE_DIR) + "/platforms/gpus.yaml";
        return invoke("check --platform " +
                      quoted(scratch.file("m.yaml", "like: " + base + "\ntopology: {" + topology + "}\n")))
            .out;
    };
    CHECK(holds(described("cabling: rails"), "cables          4 per node, a plane for each NIC, 100 GB/s together\n"));
    CHECK(holds(described("cabling: shared"), "cables          1 per node, shared by 4 NICs, 25 GB/s together\n"));
}

TEST_CASE("with a scenario, a machine reports how far its ranks are apart") {
    // 4 x 4 ranks, 2 to a node, are 2 x 4 nodes, which a torus holds as they are
    CHECK(holds(invoke("check --scenario " + kSmall).out, "1.00 links apart on average, 1 at most"));
    CHECK(holds(invoke("check --platform platforms/infiniband.yaml --scenario " + kSmall).out,
                "2.00 links apart on average, 2 at most"));
}

TEST_CASE("faults of several files are reported in one go, and good files among them as ok") {
    const Scratch scratch;
    const auto model = scratch.file("m.psl", "application {\n");
    const auto platform = scratch.file("p.yaml", "layers: 5\n");
    const auto scenario = scratch.file("s.yaml", "model: m.psl\n");
    const Outcome outcome =
        invoke(fmt::format("check {} platforms/xt3.yaml {} {}", quoted(model), quoted(platform), quoted(scenario)));
    CHECK(outcome.status == 2);
    CHECK(outcome.out == "platforms/xt3.yaml: ok\n");
    for (const char* part : {"m.psl:1:", "p.yaml:1:", "s.yaml:1:"}) {
        CAPTURE(part);
        CHECK(holds(outcome.err, part));
    }
}

TEST_CASE("a scenario is checked through to its model and its machine") {
    const Scratch scratch;
    const auto file = scratch.file("s.yaml", "model: none.psl\nplatform: none.yaml\nranks: {columns: 2, rows: 2}\n");
    const Outcome outcome = invoke("check " + quoted(file));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "s.yaml:1:8: error:"));
    CHECK(holds(outcome.err, "s.yaml:2:11: error:"));
}

TEST_CASE("a file of no known kind is refused") {
    const Scratch scratch;
    const Outcome yaml = invoke("check " + quoted(scratch.file("x.yaml", "a: 1\n")));
    CHECK(yaml.status == 2);
    CHECK(holds(yaml.err, "neither a scenario nor a hardware file"));
    CHECK(invoke("check README.md").status == 2);
}

TEST_CASE("check --ir lists what every class of ranks does, with nothing left to evaluate") {
    const Outcome outcome = invoke("check --ir models/sweep3d/billion.yaml");
    CHECK(outcome.status == 0);
    CHECK(holds(outcome.out, "sweep3d: 8192 ranks in 9 classes\n"));
    // 128 x 64 ranks of 8 x 16 cells, blocks of 2 planes and 6 angles: 500 steps; 2 * 128 cells of 0.414 us = 105.984
    // us, 0.9577 of it by the calibration; 8 B * 6 * 2 * 16 = 1,536 B to the east and west.
    CHECK(holds(outcome.out, "loop 500 times"));
    CHECK(holds(outcome.out, "compute 101.500877us"));
    CHECK(holds(outcome.out, "send 1536 B to rank + 1, tag 0"));
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
        static const std::regex known(
            "|\\w+: \\d+ ranks in \\d+ classes|class \\d+ of \\d+: rank .*|"
            " +(compute [\\d.]+us|send \\d+ B to rank [+-] \\d+, tag \\d+|recv from rank [+-] \\d+, tag \\d+|loop \\d+ "
            "times|"
            "allreduce \\d+ B|end of loop|end of iteration|finish)( +[\\w.]+:\\d+)?");
        CHECK_MESSAGE(std::regex_match(line, known), line);
    }
}

TEST_CASE("check takes one of --ir, --costs and --format, and --ir a scenario") {
    CHECK(holds(invoke("check --ir --costs models/lu/lu.yaml").err, "several of `--costs`, `--ir` and `--format`"));
    CHECK(holds(invoke("check --ir").err, "nothing to check"));
    CHECK(holds(invoke("check --ir a.psl b.yaml c.yaml").err, "`--ir` of no scenario"));
}

TEST_CASE(
    "a model whose ranks wait for each other on 2 x 2 ranks is a fault of `check`, and a warning of a large `run`") {
    const Scratch scratch;
    scratch.file("m.psl",
                 "application m {\n"
                 "let next = rank_at(column % columns + 1, row)\n"
                 "let before = rank_at((column + columns - 2) % columns + 1, row)\n"
                 "iteration { recv from before send 8B to next } }\n");
    const auto scenario = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                                 "/platforms/xt4.yaml\nranks: {columns: 32, rows: 32}\n");
    const Outcome checked = invoke("check " + quoted(scenario));
    CHECK(checked.status == 2);
    CHECK(holds(checked.err,
                "m.psl:4:13: error: on 2 x 2 ranks rank 0 (column 1, row 1) waits here for ever for rank 1\n"));
    const Outcome ran = invoke("run " + quoted(scenario));
    CHECK(ran.status == 1);
    CHECK(
        ran.err.starts_with("warning: on 2 x 2 ranks deadlock: 2 ranks wait for each other; 4 ranks blocked in all\n"));
}

TEST_CASE("a ring of sends that `run` reports as a deadlock is a fault of `check`, with the same remedy") {
    const Scratch scratch;
    scratch.file("m.psl",
                 "application m {\n"
                 "let next = rank_at(column % columns + 1, row)\n"
                 "let before = rank_at((column + columns - 2) % columns + 1, row)\n"
                 "iteration { send 1MiB to next recv from before } }\n");
    const auto scenario = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                                 "/platforms/xt4.yaml\nranks: {columns: 8, rows: 8}\n");
    const std::string remedy =
        "these sends end only once their messages are received: expected one that receives first, or `isend` or "
        "`sendrecv`";
    const Outcome checked = invoke("check " + quoted(scenario));
    CHECK(checked.status == 2);
    CHECK(holds(checked.err,
                "m.psl:4:13: error: on 2 x 2 ranks rank 0 (column 1, row 1) waits here for ever for rank 1 "
                "to receive: on this machine its message is not buffered\n"));
    CHECK(holds(checked.err, remedy));
    const Outcome ran = invoke("run " + quoted(scenario));
    CHECK(ran.status == 1);
    CHECK(holds(ran.err, "deadlock: 8 ranks wait for each other; 64 ranks blocked in all"));
    CHECK(holds(ran.err, remedy));
}
