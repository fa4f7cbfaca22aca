// Models with regions that are not simulated message by message, on shipped machines.
#include "tests/end_to_end/program.hpp"

namespace {

/// Overrides so that the ranks of a node do not share the processing of messages. Of two messages at the same instant,
/// the one of the earlier statement is processed first, and each line of a trace is a statement.
const std::string kNothingShared = "--set calibration=off --set platform.message_processing.enabled=off";

/// A model and a scenario of it on the XT4, two ranks to a node.
class Hybrid : public OwnModel {
public:
    explicit Hybrid(const std::string& model, int columns = 4, int rows = 2, int iterations = 3)
        : OwnModel(model, fmt::format("{{columns: {}, rows: {}}}", columns, rows),
                   fmt::format("node: {{columns: 2, rows: 1}}\niterations: {}\n", iterations)) {}
    json run(const std::string& options = kNothingShared) const { return json_of("run " + argument() + options); }
    /// Returns the result of a scenario that has only the traces in `list`.
    json run_alone(const std::string& list) const {
        const auto alone = file("t.yaml", fmt::format("trace: {}\nplatform: {}/platforms/xt4.yaml\n"
                                                      "ranks: {{columns: 2, rows: 1}}\nnode: {{columns: 2, rows: 1}}\n",
                                                      list, kRoot.string()));
        return json_of("run " + quoted(alone) + " " + kNothingShared);
    }
};

/// Writes the traces of two ranks: rank 0 computes 2,000 flops and sends 8 bytes to rank 1, with both waits.
void write_traces(const Hybrid& hybrid) {
    hybrid.file("traces.txt", "0.txt\n1.txt\n");
    hybrid.file("0.txt", "0 init\n0 compute 2000\n0 isend 1 5 8\n0 barrier\n0 wait 0 1 5\n0 finalize\n");
    hybrid.file("1.txt", "1 init\n1 irecv 0 5 8\n1 barrier\n1 wait 0 1 5\n1 finalize\n");
}

}  // namespace

TEST_CASE("a model that is one analytic region takes what its closed form takes, iteration by iteration") {
    const std::string form =
        "work = 3us * k tiles = 10 + k east_west = 8B * k north_south = 8B corners = [northwest, southeast] "
        "allreduces = 2 allreduce_bytes = 8B exchanges = [1KiB, 1KiB, 64B] other = 5us";
    const Hybrid whole("application m { iteration k { analytic { " + form + " } } closed_form { " + form + " } }", 16,
                       16, 5);
    const json stepped = whole.run("");
    const json closed = whole.run("--engine analytic");
    CHECK(stepped.at("time_s") == closed.at("time_s"));
    CHECK(stepped.at("iteration_s") == closed.at("iteration_s"));
}

TEST_CASE("hybrids are the same with and without skipping, and on SimGrid if nothing is shared") {
    const Hybrid hybrid(iterating("analytic { work = 2us tiles = 5 east_west = 8B north_south = 8B corners = "
                                  "[northwest] } compute column * 1us allreduce 8B send 2KiB to east recv from west"),
                        4, 2, 40);
    const json skipped = hybrid.run();
    const json full = hybrid.run(kNothingShared + " --replay full");
    CHECK(skipped.at("digest") == full.at("digest"));
    CHECK(skipped.at("iteration_s") == full.at("iteration_s"));
    CHECK(skipped.at("work").at("messages_replayed") < full.at("work").at("messages_replayed"));
    std::string alone = "--set calibration=off --set node.columns=1 ";
    for (const char* resource : {"bus", "nic", "links"})
        alone += fmt::format("--set platform.{}.enabled=off ", resource);
    CHECK(hybrid.run(alone).at("digest") == hybrid.run(alone + "--engine simgrid").at("digest"));
}

TEST_CASE("a phase has the time of its region alone, and a note names the part under which it stands") {
    // 3 iterations of 4 ms and 1 ms
    const Hybrid hybrid(iterating("phase sweeps { analytic 4ms } compute 1ms"), 2, 1, 3);
    const Outcome outcome = invoke("run " + hybrid.argument() + "--set calibration=off");
    CHECK(holds(outcome.out, "  compute           15.000ms   100.0 %"));
    CHECK(holds(outcome.out, "  sweeps            12.000ms    80.0 %"));
    CHECK(holds(outcome.out, "note: analytic regions count as compute"));
}

TEST_CASE("a model of nothing but a trace takes what the trace alone takes, each time") {
    const Hybrid hybrid(iterating("trace \"traces.txt\""), 2, 1, 1);
    write_traces(hybrid);
    const json once = hybrid.run_alone("traces.txt");
    CHECK(hybrid.run().at("digest") == once.at("digest"));
    CHECK(holds(hybrid.run().at("context").at("inputs").dump(), "1.txt"));
    CHECK(hybrid.run("--set calibration=off --set iterations=3").at("work").at("messages") ==
          3 * once.at("work").at("messages").get<int>());
}

TEST_CASE("a hybrid written as traces takes as long as the hybrid") {
    const Hybrid hybrid(iterating("trace \"traces.txt\" analytic 3us send 8B to east recv from west"), 2, 1, 2);
    write_traces(hybrid);
    const auto out = hybrid.folder() / "written";
    REQUIRE(invoke("trace " + hybrid.argument() + "--out " + quoted(out)).status == 0);
    CHECK(hybrid.run_alone("written").at("digest") == hybrid.run().at("digest"));
}

TEST_CASE("faults of traces are reported in their files, at the ranks, or where the model names them") {
    const Hybrid hybrid(iterating("trace \"traces.txt\""), 2, 1, 1);
    const Outcome missing = invoke("check " + hybrid.argument());
    CHECK(missing.status == 2);
    CHECK(holds(missing.err, "m.psl:2:7: error: cannot read"));
    write_traces(hybrid);
    CHECK(invoke("check " + hybrid.argument()).status == 0);
    const Outcome ranks = invoke("run " + hybrid.argument() + "--set ranks.rows=2");
    CHECK(ranks.status == 2);
    CHECK(holds(ranks.err, "4 ranks"));
    CHECK(holds(ranks.err, "expected 2 ranks, as many as `"));
    hybrid.file("0.txt", "0 init\n0 compute 2000\n0 isend 1 5 -8\n0 finalize\n");
    const Outcome line = invoke("check " + hybrid.argument());
    CHECK(line.status == 2);
    CHECK(holds(line.err, "0.txt:3:13: error: -8 is out of range"));
}

TEST_CASE("event minus analytic has no parts if regions are not simulated") {
    const Hybrid hybrid(
        "application m { iteration { analytic 1us } closed_form { work = 0us tiles = 1 east_west = 0B "
        "north_south = 0B corners = [] } }");
    CHECK(invoke("compare " + hybrid.argument()).status == 0);
    const Outcome parts = invoke("compare " + hybrid.argument() + "--parts");
    CHECK(parts.status == 2);
    CHECK(holds(parts.err, "s.yaml:1:8: error: `--parts` does not accept a model with regions that are not simulated"));
}

TEST_CASE("a machine with a fault is reported once, by its own file") {
    const Hybrid hybrid(iterating("analytic { work = 2us tiles = 5 east_west = 8B north_south = 8B corners = [] }"));
    const Outcome outcome = invoke("run " + hybrid.argument() + "--set platform.bus.o_dma=1");
    CHECK(outcome.status == 2);
    CHECK(count(outcome.err, "error") == 1);
}

TEST_CASE("check --costs has the times of regions, check --ir their delays") {
    const Hybrid hybrid(
        iterating("analytic { work = 2us tiles = 5 east_west = 0B north_south = 0B corners = [northwest] "
                  "}\nanalytic 3us"),
        1, 1, 1);
    const Outcome costs = invoke("check --costs " + hybrid.argument());
    CHECK(holds(costs.out, "10  analytic "));  // one rank: 5 tiles of 2 us
    CHECK(holds(costs.out, " 3  analytic 3us"));
    const Outcome listing = invoke("check --ir " + hybrid.argument());
    CHECK(holds(listing.out, "  delay 10us"));
    CHECK(holds(listing.out, "  delay 3us"));
}

TEST_CASE("the shipped hybrid has the same result with and without skipping; estimate counts only its simulated part") {
    const std::string small = "models/multiphysics/multiphysics.yaml --set ranks.columns=4 --set ranks.rows=4 ";
    CHECK(json_of("run " + small).at("digest") == json_of("run " + small + "--replay full").at("digest"));
    // 10 iterations of 4 steps; a halo of 4 x 4 ranks has 2 * (12 + 12) messages.
    CHECK(json_of("estimate " + small).at("messages") == 10 * 4 * 48);
}

TEST_CASE("ranks that run a list of tasks have the cores of their node, divided among them") {
    // 3 tasks of 10 us on the XT4's two cores: two rounds; a rank on each core: three, one after another
    const OwnModel model(
        "subtask tile(): time { tasks on core { task t[i in 1..3] { compute 10us } } }\n"
        "application a { iteration { compute tile() } }\n",
        "{columns: 2, rows: 1}", "calibration: off\n");
    const json one = json_of("run " + model.argument() + "--set node.columns=1 --set node.rows=1");
    CHECK(one.at("time_s") == approx(20e-6));
    CHECK(holds(one.at("notes").dump(), "ranks run their lists of tasks on 2 cores each"));
    const json two = json_of("run " + model.argument() + "--set node.columns=2 --set node.rows=1");
    CHECK(two.at("time_s") == approx(30e-6));
    const json five =
        json_of("run " + model.argument() + "--set node.columns=2 --set node.rows=1 --set platform.cores=5");
    CHECK(holds(five.at("notes").dump(), "on 2 cores each, and leave 1 core of a node idle"));
}
