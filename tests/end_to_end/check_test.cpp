// `warpfront check`: every file by its kind, all faults at once.
#include "tests/end_to_end/program.hpp"

TEST_CASE("a requirement that fails on every small array is noted, one that holds on some is not") {
    const Scratch scratch;
    const auto text = [&](const std::string& items) {
        const auto file = scratch.file("m.psl", "application m {\n" + items + "\niteration { compute 1us }\n}\n");
        return invoke("check " + quoted(file)).out;
    };
    CHECK(holds(text("require rank > 0, \"never\""), "runs this model with its defaults: never"));
    CHECK(holds(text("param n: int = 1  require n > 1, \"two\""), "defaults: two"));
    CHECK_FALSE(holds(text("param n: int  require n > 100, \"many\""), "note: "));
    CHECK_FALSE(holds(text("require rows == 1, \"one row\""), "note: "));
    CHECK_FALSE(holds(text("require is_power_of_two(columns) and ranks >= 16, \"many\""), "note: "));
}

TEST_CASE(
    "tasks that wait for ever: a note of the model by its defaults, a fault of the scenario with its parameters") {
    const Scratch scratch;
    const auto model = scratch.file("m.psl",
                                    "application m {\n    param n: int = 2\n    tasks pass[p in 1..n] on core {\n"
                                    "        task x after x[p + 1] { compute 1us }\n    }\n}\n");
    const Outcome noted = invoke("check " + quoted(model));
    CHECK(noted.status == 0);
    CHECK(holds(noted.out,
                "m.psl:4:22: no process grid of up to 32 x 32 ranks runs this model with its defaults: `x[1]` waits "
                "for `x[2]`, which comes later in the list"));
    const std::string text = fmt::format("model: m.psl\nplatform: {}\nranks: {{columns: 2, rows: 1}}\n",
                                         (kRoot / "platforms/origin2000.yaml").string());
    const auto scenario = scratch.file("s.yaml", text);
    for (const std::string command : {"check ", "run "}) {
        const Outcome refused = invoke(command + quoted(scenario));
        CHECK(refused.status == 2);
        CHECK(holds(refused.err,
                    "m.psl:4:22: error: `x[1]` waits for `x[2]`, which comes later in the list\n"
                    "    4 |         task x after x[p + 1] { compute 1us }\n"
                    "      |                      ^^^^^^^^ expected earlier tasks: the tasks of this list begin in "
                    "order, unless it has `among N`"));
    }
    CHECK(invoke("run " + quoted(scratch.file("one.yaml", text + "parameters: {n: 1}\n"))).status == 0);
}

TEST_CASE("every shipped file is good") {
    std::string files;
    for (const char* folder : {"models", "platforms"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".psl" || extension == ".yaml") files += quoted(entry.path()) + " ";
        }
    }
    const Outcome outcome = invoke("check " + files);
    CHECK(outcome.err == "");
    CHECK(outcome.status == 0);
    // none describes anything without effect: the notes are on cores, on calibrations, on shares that were rounded up,
    // on iterations with fix-ups, on analytic regions, on the points of studies, on tables whose cells are those of one
    // rank, and on the cores for lists of tasks
    for (const std::string& line : lines_of(outcome.out)) {
        CAPTURE(line);
        CHECK((!line.starts_with("note: ") || holds(line, " and rounds ") || holds(line, "iterations with fix-ups") ||
               holds(line, "which the hardware file states; the platform") || holds(line, "calibrated by") ||
               holds(line, "has no terms for this run") || holds(line, "gives the 95 % interval") ||
               holds(line, " points by ") || holds(line, "are cells of one rank") ||
               holds(line, "ranks run their lists of tasks on") || holds(line, "analytic regions count as compute")));
    }
}

TEST_CASE("unused descriptions are noted by `check` of their file, and not by `run`") {
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
        {scenario, "s.yaml:4:20: `idle` has no effect: `m` never uses this parameter\n"}};
    const std::string run = invoke("run " + quoted(scenario)).out;
    for (const auto& [file, note] : noted) {
        CAPTURE(note);
        CHECK(holds(invoke("check " + quoted(file)).out, note));
        CHECK_FALSE(holds(run, note));
    }
}

TEST_CASE("a machine is described by its nodes and their parts, links, diameter, bisection and routing") {
    const auto describes = [](const std::string& platform, const std::vector<std::string>& lines) {
        const Outcome outcome = invoke("check --platform platforms/" + platform);
        CHECK(outcome.status == 0);
        for (const std::string& line : lines) CHECK_MESSAGE(holds(outcome.out, line), line);
    };
    describes("xt4.yaml", {"network         torus 14 x 18 x 25\n", "links           37800\n",
                           "cables          6 per node, 36 GB/s together\n", "diameter        28 links\n",
                           "bisection       at least 3.024 TB/s each way\n"});
    describes("epyc.yaml", {"node            16 of `complex`, 8 of `die`, 2 of `socket`, 16 of `bus`\n",
                            "spread          ranks use cores in the order [0, 32, 8, 40, 16, 48, 24, 56, 4, 36, 12, "
                            "44, 20, 52, 28, 60, ...]\n"});
    describes("slingshot.yaml", {", adaptive routing\n"});
    // 48 SMPs of 4 one-way links of 100 MB/s, four in parallel, or two; cut twice across 6 of the 8 x 6
    describes("hippi.yaml",
              {"links           768: 4 in parallel for each of 192\n", "bisection       4.8 GB/s each way\n"});
    describes("hippi-two-channels.yaml",
              {"links           384: 2 in parallel for each of 192\n", "bisection       2.4 GB/s each way\n"});
    // 2,048 nodes of four cables of 25 GB/s; 128 leaves of 32 links up: 2 * (8,192 + 4,096) links, half of 4,096 cut
    describes("gpus.yaml", {"cables          4 per node, one plane for all NICs, 100 GB/s together\n",
                            "links           24576\n", "bisection       51.2 TB/s each way\n"});
}

TEST_CASE("a machine is described with the cables of its nodes' NICs, however they are laid") {
    const Scratch scratch;
    const auto described = [&](const std::string& topology) {
        const std::string base = (kRoot / "platforms/gpus.yaml").string();
        const auto file = scratch.file("m.yaml", "like: " + base + "\ntopology: {" + topology + "}\n");
        return invoke("check --platform " + quoted(file)).out;
    };
    CHECK(holds(described("cabling: rails"), "cables          4 per node, a plane for each NIC, 100 GB/s together\n"));
    CHECK(holds(described("cabling: shared"), "cables          1 per node, shared by 4 NICs, 25 GB/s together\n"));
}

TEST_CASE("with a scenario, a machine reports how far its ranks are apart, and the cores of a node's ranks") {
    // 4 x 4 ranks, 2 to a node, are 2 x 4 nodes, which fit a torus unchanged
    CHECK(holds(invoke("check --scenario " + kSmall).out, "1.00 links apart on average, 1 at most"));
    CHECK(holds(invoke("check --platform platforms/infiniband.yaml --scenario models/sweep3d/billion.yaml "
                       "--set 'ranks={columns: 4, rows: 4}'")
                    .out,
                "2.00 links apart on average, 2 at most"));
    CHECK(holds(invoke("check --scenario " + kSmall + "--set platform=../../platforms/epyc.yaml " +
                       "--set 'node={columns: 4, rows: 4, cores: [8..15, 40..46, 63]}'")
                    .out,
                "cores           of the 4 x 4 ranks of a node: [8..15, 40..46, 63]\n"));
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
    CHECK(lacking(outcome.err, {"m.psl:1:", "p.yaml:1:", "s.yaml:1:"}) == "");
}

TEST_CASE("check --ir lists what every class of ranks does") {
    const Outcome outcome = invoke("check --ir models/sweep3d/billion.yaml");
    CHECK(outcome.status == 0);
    CHECK(holds(outcome.out, "sweep3d: 8192 ranks in 9 classes\n"));
    // 128 x 64 ranks of 8 x 16 cells, blocks of 2 planes and 6 angles: 500 steps; 2 * 128 cells of 0.414 us = 105.984
    // us, 1.044 times that by the calibration; 8 B * 6 * 2 * 16 = 1,536 B to the east and west.
    CHECK(holds(outcome.out, "loop 500 times"));
    CHECK(holds(outcome.out, "compute 110.647296us"));
    CHECK(holds(outcome.out, "send 1536 B to rank + 1, tag 0"));
}

TEST_CASE("check takes one of --ir, --costs and --format, and --ir a scenario") {
    CHECK(holds(invoke("check --ir --costs models/lu/lu.yaml").err,
                "`--costs`, `--ir` and `--format` exclude each other"));
    CHECK(holds(invoke("check --ir").err, "nothing to check"));
    CHECK(holds(invoke("check --ir a.psl b.yaml c.yaml").err, "`--ir` requires a scenario"));
}

TEST_CASE("ranks that wait for each other on 2 x 2 ranks are a fault of `check`, and a warning of a large `run`") {
    const OwnModel receives(
        "application m {\n"
        "let next = rank_at(column % columns + 1, row)\n"
        "let before = rank_at((column + columns - 2) % columns + 1, row)\n"
        "iteration { recv from before send 8B to next } }\n",
        "{columns: 32, rows: 32}");
    const Outcome checked = invoke("check " + receives.argument());
    CHECK(checked.status == 2);
    CHECK(holds(checked.err,
                "m.psl:4:13: error: on 2 x 2 ranks rank 0 (column 1, row 1) waits here forever for rank 1\n"));
    const Outcome ran = invoke("run " + receives.argument());
    CHECK(ran.status == 1);
    CHECK(
        ran.err.starts_with("warning: on 2 x 2 ranks deadlock: 2 ranks wait for each other; 4 ranks blocked in all\n"));
}
