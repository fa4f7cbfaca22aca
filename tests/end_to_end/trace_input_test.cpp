// `trace: DIR` in place of a model: traces as they are written, replayed, wrong, and deadlocked.
#include "tests/end_to_end/replayed.hpp"

namespace {

const std::string kEagerMachine =
    kLikeSmpi + "    - {protocol: eager, o_send: 3.85us, o_recv: 3.85us, L: 0.36us, G: 0.0004us/B}\n";

/// A scenario on the folder `traces` beside it.
class TracedScenario {
public:
    explicit TracedScenario(unsigned columns, unsigned rows = 1, const std::string& more = "") {
        scratch_.file("eager.yaml", kEagerMachine);
        scratch_.file("s.yaml", fmt::format("trace: traces\nplatform: eager.yaml\nranks: {{columns: {}, rows: {}}}\n{}",
                                            columns, rows, more));
    }

    void write(unsigned rank, const std::string& body) {
        scratch_.file(fmt::format("traces/rank-{}.txt", rank), fmt::format("{0} init\n{1}{0} finalize\n", rank, body));
        list_ += fmt::format("rank-{}.txt\n", rank);
        scratch_.file("traces/traces.txt", list_);
    }
    std::filesystem::path folder() const { return scratch_.folder() / "traces"; }
    std::string platform() const {
        return fmt::format("--set 'platform={}' ", (scratch_.folder() / "eager.yaml").string());
    }
    std::string argument() const { return quoted(scratch_.folder() / "s.yaml") + " "; }

private:
    Scratch scratch_;
    std::string list_;
};

}  // namespace

TEST_CASE("a model and its traces take the same time, to the picosecond, on the event engine and on SimGrid") {
    TracedScenario traced(4, 4, "node: {columns: 2, rows: 1}\n");
    for (const std::string code : {"models/chimaera/chimaera.yaml ", "models/lu/lu.yaml "}) {
        CAPTURE(code);
        const std::string scenario = code +
                                     "--set 'ranks={columns: 4, rows: 4}' --set 'node={columns: 2, rows: 1}' --set "
                                     "'cells_per_rank={x: 4, y: 4}' --set parameters.nz=12 --set iterations=2 " +
                                     traced.platform();
        REQUIRE(invoke("trace " + scenario + "--out " + quoted(traced.folder())).status == 0);
        const json model = json_of("run " + scenario);
        const json trace = json_of("run " + traced.argument());
        CHECK(trace.at("digest") == model.at("digest"));
        CHECK(trace.at("time_s") == model.at("time_s"));
        CHECK(trace.at("context").at("scenario").at("trace") == "traces");
        CHECK(trace.at("context").at("inputs").size() >= 18);  // scenario, list, 16 traces, platform
        CHECK(json_of("run " + traced.argument() + "--engine simgrid").at("digest") == model.at("digest"));
    }
}

TEST_CASE("allreduces of the rows of an array take as long as those of the model, and with all ranks they do not") {
    TracedScenario traced(4, 4);
    Scratch scratch;
    scratch.file("rows.psl",
                 "application rows { iteration { repeat 5 { compute 1us * column allreduce 8B over row } } }\n");
    scratch.file("eager.yaml", kEagerMachine);
    const auto model =
        scratch.file("rows.yaml", "model: rows.psl\nplatform: eager.yaml\nranks: {columns: 4, rows: 4}\n");
    const auto communicators = scratch.file(
        "communicators.yaml", "communicators: {row: [0..3, 4..7, 8..11, 12..15]}\ncollectives: [{over: [row x 5]}]\n");
    const std::string with_rows =
        fmt::format("run {}--set 'communicators={}'", traced.argument(), communicators.string());
    for (unsigned rank = 0; rank < 16; ++rank) {
        std::string body;
        for (int k = 0; k < 5; ++k)
            body += fmt::format("{0} compute {1}\n{0} allreduce 8 0\n", rank, (1 + rank % 4) * 1'000'000);
        traced.write(rank, body);
    }
    const json result = json_of(with_rows);
    CHECK(result.at("digest") == json_of("run " + quoted(model)).at("digest"));
    CHECK_FALSE(holds(result.at("notes").dump(), "assumed to be over all ranks"));
    CHECK(result.at("context").at("inputs").contains(communicators.string()));
    const json without = json_of("run " + traced.argument());
    CHECK(without.at("time_s").get<double>() > result.at("time_s").get<double>());
    CHECK(holds(without.at("notes").dump(), "traces: collectives are assumed to be over all ranks"));
}

TEST_CASE("computing takes the time that follows from the speed") {
    TracedScenario traced(1);
    traced.write(0, "0 compute 3e9\n");
    CHECK(json_of("run " + traced.argument() + "--set speed=2Gflops").at("time_s").get<double>() == approx(1.5));
}

TEST_CASE("traces that wait for each other end in a deadlock with lines") {
    TracedScenario traced(2);
    traced.write(0, "0 recv 1 4 8\n0 send 1 5 8\n");
    traced.write(1, "1 compute 1000\n1 recv 0 5 8\n1 send 0 4 8\n");
    for (const std::string engine : {"event", "simgrid"}) {
        CAPTURE(engine);
        const Outcome outcome = invoke("run " + traced.argument() + "--engine " + engine);
        CHECK(outcome.status == 1);
        CHECK(holds(outcome.err, "deadlock: 2 ranks wait for each other"));
        CHECK(std::regex_search(outcome.err,
                                std::regex("rank 0 .* waits in `recv` at .*traces/\\*:2:1 for rank 1, tag 4")));
        CHECK(std::regex_search(outcome.err,
                                std::regex("rank 1 .* waits in `recv` at .*traces/\\*:3:1 for rank 0, tag 5")));
    }
}

TEST_CASE("a trace has no tile height and no parameters") {
    TracedScenario traced(1);
    traced.write(0, "0 compute 5\n");
    const Scratch scratch;
    const auto refused = [&](const std::string& table, const std::string& why) {
        const Outcome outcome = invoke("compare " + traced.argument() + "--engines event --against " +
                                       quoted(scratch.file("t.csv", table)));
        CHECK(outcome.status == 2);
        CHECK(holds(outcome.err, why));
    };
    refused("n,m,htile,pred\n1,1,2,1\n", "t.csv:2:5: error: a trace has no tile height to set");
    refused("n,m,Wg,pred\n1,1,1e-6,1\n", "t.csv:2:5: error: a trace has no parameters to set");
}
