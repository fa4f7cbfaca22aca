// Refusals of the commands before they run or write anything.
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/program/checking/checking.hpp"
#include "tools/program/commands/commands.hpp"

namespace {

const std::string kShipped = WARPFRONT_SOURCE_DIR;
const std::string kSweep3d = kShipped + "/models/sweep3d/billion.yaml";

const std::string kChimaera = kShipped + "/models/chimaera/chimaera.yaml";

input::Diagnostics faults_of_plan(const std::string& table, const std::string& terms, const std::string& run = {}) {
    const Scratch scratch;
    scratch.file("t.csv", table);
    CalibrateOptions options;
    options.plan = scratch.file("plan.yaml", "writes: out.yaml\nruns: [{scenario: " + kChimaera + ", against: t.csv" +
                                                 run + "}]\nterms:\n" + terms);
    return faults_of([&] { calibrate(options); });
}

Kinds refused_plan(const std::string& table, const std::string& terms, const std::string& run = {}) {
    return kinds_of(faults_of_plan(table, terms, run));
}

const std::string kTable = "n,m,exec\n2,2,1.0\n4,2,1.0\n";

const std::string kTerm = "  noise.jitter: {prior: 1us +- 1us, least: 0us, most: 9us}\n";

Kinds refused_check(const CheckOptions& options) {
    return kinds_of(faults_of([&] { check(options); }));
}

/// Returns the faults of a run of three seeds, or of other numbers of seeds and samples.
Kinds refused_ensemble(std::vector<std::string> sets, Engine engine, std::optional<std::uint32_t> seeds = 3,
                       std::optional<std::uint32_t> samples = {}) {
    RunOptions options;
    options.scenario = kSweep3d;
    options.sets = std::move(sets);
    options.sets.insert(options.sets.end(), {"ranks={columns: 2, rows: 1}", "cells_per_rank={x: 2, y: 2}",
                                             "parameters.nz=2", "calibration=off"});
    options.engine = engine;
    options.seeds = seeds;
    options.samples = samples;
    options.quiet = true;
    return kinds_of(faults_of([&] { run(options); }));
}

/// Returns the faults of a refused `trace`; checks that nothing is written.
Kinds refused_trace(const std::filesystem::path& scenario, const std::vector<std::string>& sets = {}) {
    const Scratch scratch;
    TraceOptions options;
    options.scenario = scenario;
    options.sets = sets;
    options.out = scratch.folder() / "traces";
    const Kinds kinds = kinds_of(faults_of([&] { trace_scenario(options); }));
    CHECK_FALSE(std::filesystem::exists(options.out));
    return kinds;
}

}  // namespace

TEST_CASE("a term needs two rows") { CHECK(refused_plan("n,m,exec\n2,2,1.0\n", kTerm) == Kinds{too_many_terms}); }

TEST_CASE("a plan needs measured rows") {
    CHECK(refused_plan("n,m,pred\n2,2,1.0\n", kTerm) == Kinds{nothing_to_compare});
}

TEST_CASE("rows that no machine can hold are faults of their table") {
    CHECK(refused_plan("n,m,exec\n0,2,1.0\n", kTerm) == Kinds{out_of_range});
}

TEST_CASE("the unit of a term against that of its path is a fault of the plan, at its place") {
    const auto of_noise = faults_of_plan(kTable, "  noise.jitter: {prior: 3 +- 2, least: 0, most: 20}\n");
    CHECK(kinds_of(of_noise) == Kinds{missing_unit});
    CHECK(holds(of_noise.render(), "plan.yaml:4:25: error: "));
    CHECK(holds(of_noise.render(), "    4 |   noise.jitter: {prior: 3 +- 2, least: 0, most: 20}\n"));
    const auto of_machine =
        faults_of_plan(kTable, "  platform.layers.network.o_send: {prior: 3B +- 2B, least: 0B, most: 20B}\n");
    CHECK(of_machine.all().front().kind == wrong_unit);
    CHECK(holds(of_machine.render(), "plan.yaml:4:43: error: "));
}

TEST_CASE("a bound that the path cannot have is a fault before the fit comes to it") {
    const auto faults = faults_of_plan(kTable, "  noise.cv: {prior: 1 +- 1, least: 0, most: 20}\n");  // up to 10
    CHECK(kinds_of(faults) == Kinds{out_of_range});
    CHECK(holds(faults.render(), "plan.yaml:4:45: error: `cv` cannot be 20"));
}

TEST_CASE("a path that no calibration has, or that leads through a value of `fixed`, is a fault at its place") {
    CHECK(refused_plan(kTable, "  nose.cv: {prior: 1 +- 1, least: 0, most: 2}\n") == Kinds{unknown_key});
    CHECK(refused_plan(kTable, "  noise.cv: {prior: 1 +- 1, least: 0, most: 2}\nfixed: {noise: off}\n") ==
          Kinds{bad_override});
}

TEST_CASE("a term that no fitted run depends on is a fault") {
    const Kinds unused{nothing_to_compare};
    const std::string figures = ": {prior: 1 +- 0.1, least: 0.5, most: 2}\n";
    const auto of_others = faults_of_plan(kTable, "  computing.sweep3d.factor" + figures);
    CHECK(kinds_of(of_others) == unused);
    CHECK(holds(of_others.render(), "plan.yaml:4:3: error: no fitted run depends on `computing.sweep3d.factor`"));
    CHECK(holds(of_others.render(), "expected a term of an application that runs: `chimaera`"));
    CHECK(refused_plan(kTable, kTerm, ", set: [noise=off]") == unused);
    CHECK(refused_plan(kTable,
                       "  noise.jitter: {prior: 1us +- 1us, least: 0us, most: 9us, sets: [noise.jitter, "
                       "computing.sweep3d.per_block]}\n",
                       ", set: [noise=off]") == unused);
}

TEST_CASE("a file of no known kind is refused: other keys, other extensions, a directory") {
    const Scratch scratch;
    const Kinds unknown{unknown_file_kind};
    CHECK(refused_check({.files = {scratch.file("x.yaml", "nodes: 5\n")}}) == unknown);
    for (const char* name : {"x.xml", "x.csv", "x.txt", "x"}) {
        CAPTURE(name);
        CHECK(refused_check({.files = {scratch.file(name, "text")}}) == unknown);
    }
    CHECK(refused_check({.files = {scratch.folder()}}) == unknown);
}

TEST_CASE("a file that does not exist is refused as missing, whatever its extension") {
    const Scratch scratch;
    const auto file = scratch.folder() / "gone.xml";
    CHECK(refused_check({.files = {file}}) == Kinds{unreadable_file});
}

TEST_CASE("a note of a model that differs from rank to rank is refused, since every run refuses it") {
    const Scratch scratch;
    const auto kinds = [&](const std::string& items) {
        const auto file = scratch.file("m.psl", "application m {\n" + items + "\niteration { compute 1us }\n}\n");
        return refused_check({.files = {file}});
    };
    CHECK(kinds("note rank > 0, \"not the first\"") == Kinds{rank_dependent});
    CHECK(kinds("param n: int  note n > column, \"{}\", row") == Kinds{rank_dependent});
    CHECK(kinds("note ranks > 1, \"several\"").empty());
    CHECK(kinds("note (if columns > 1 then rank else 0) > 0, \"on one column alone\"").empty());
    CHECK(kinds("note rank - rank > 0, \"never\"") == Kinds{rank_dependent});
}

TEST_CASE("nothing to check, or changes of no scenario, are refused") {
    CHECK(refused_check({}) == Kinds{bad_option});
    const std::string platform = kShipped + "/platforms/xt4.yaml";
    CHECK(refused_check({.platform = platform, .sets = {"iterations=2"}}) == Kinds{bad_option});
}

TEST_CASE("costs are those of one scenario, with its own model or another") {
    const Scratch scratch;
    const auto model = scratch.file("a.psl", "application a { param w: time = 1us iteration { compute 2 * w } }\n");
    const auto other = scratch.file("b.psl", "application b { param w: time = 1us iteration { compute 3 * w } }\n");
    const auto scenario =
        scratch.file("s.yaml", "model: a.psl\nplatform: " + kShipped +
                                   "/platforms/pentium3.yaml\nranks: {columns: 2, rows: 1}\ncalibration: off\n");
    const auto text = [&](const std::vector<std::string>& sets) { return costs_text(experiment_of(scenario, sets)); };
    CHECK(holds(text({"parameters.w=5us"}), "10  compute 2 * w  w = 5 us"));
    CHECK(holds(text({"parameters.w=5us"}), "w     5 us   --set parameters.w=5us:1"));
    CHECK(text({}).find("processor of " + kShipped + "/platforms/pentium3.yaml: Pentium 3, 110 Mflop/s\n") == 0);
    CHECK(holds(text({"model=b.psl"}), "3  compute 3 * w  w = 1 us"));
    for (const std::vector<std::filesystem::path>& files :
         {std::vector<std::filesystem::path>{}, std::vector<std::filesystem::path>{model, other, scenario}}) {
        CHECK(refused_check({.files = files, .costs = true}) == Kinds{bad_option});
    }
}

TEST_CASE("one model is printed in canonical layout, and nothing else") {
    const Scratch scratch;
    const auto model = scratch.file("a.psl", "application a{iteration{}}\n");
    const auto other = scratch.file("b.yaml", "model: a.psl\n");
    for (const std::vector<std::filesystem::path>& files :
         {std::vector<std::filesystem::path>{}, std::vector<std::filesystem::path>{other},
          std::vector<std::filesystem::path>{model, model}}) {
        CHECK(refused_check({.files = files, .format = true}) == Kinds{bad_option});
    }
    const auto faulty = scratch.file("c.psl", "application c {\n");
    CHECK(refused_check({.files = {faulty}, .format = true}) == Kinds{psl_syntax});
}

TEST_CASE("a tolerance without anything to compare with is refused before anything runs") {
    CompareOptions options;
    options.scenario = kSweep3d;
    options.engines = {Engine::event};
    options.tolerance = Percent{1.0};
    CHECK(kinds_of(faults_of([&] { compare(options); })) == Kinds{nothing_to_compare});
}

TEST_CASE("several seeds need a run that depends on the seed, and the event engine") {
    const Kinds not_random{nothing_random};
    CHECK(refused_ensemble({}, Engine::event) == not_random);
    CHECK(refused_ensemble({"noise={detours: {period: 1ms, length: 1us, aligned: on}}"}, Engine::event) == not_random);
    CHECK(refused_ensemble({"noise.cv=0.1"}, Engine::analytic) == not_random);
    CHECK(refused_ensemble({"noise.cv=0.1"}, Engine::simgrid) == Kinds{bad_option});
    CHECK(refused_ensemble({"noise.cv=0.1"}, Engine::event).empty());
    CHECK(refused_ensemble({"heterogeneity={classes: [{share: 0.5, speed: 1}, {share: 0.5, speed: 2}]}"}, Engine::event)
              .empty());
}

TEST_CASE("several seeds of a model that computes nothing are refused: the model has no block that noise could vary") {
    RunOptions options;
    options.scenario = kShipped + "/models/bandwidth/hippi.yaml";
    options.sets = {"noise.cv=0.1", "iterations=1"};
    options.seeds = 3;
    const input::Diagnostics faults = faults_of([&] { run(options); });
    REQUIRE(kinds_of(faults) == Kinds{nothing_random});
    CHECK(holds(faults.all()[0].message, "the model has no block that noise could vary"));
}

TEST_CASE("samples of a closed form are refused in favour of its row `one sigma`") {
    RunOptions options;
    options.scenario = kSweep3d;
    options.sets = {"parameters.wg=0.866us +- 0.05us"};
    options.engine = Engine::analytic;
    options.samples = 3;
    const input::Diagnostics faults = faults_of([&] { run(options); });
    REQUIRE(faults.count() == 1);
    CHECK(holds(faults.all()[0].message, "a closed form needs no samples"));
    CHECK(holds(faults.all()[0].expected, "`one sigma`"));
}

TEST_CASE("samples need an uncertain value, and the event engine without seeds") {
    const std::vector<std::string> uncertain{"parameters.wg=0.866us +- 0.05us"};
    CHECK(refused_ensemble({}, Engine::event, {}, 3) == Kinds{nothing_random});
    CHECK(refused_ensemble(uncertain, Engine::analytic, {}, 3) == Kinds{nothing_random});
    CHECK(refused_ensemble(uncertain, Engine::event, 3, 3) == Kinds{nothing_random});
    CHECK(refused_ensemble(uncertain, Engine::event, {}, 3).empty());
}

TEST_CASE("more traces than files, and more lines than a gigabyte, are refused") {
    const Kinds too_large{trace_too_large};
    CHECK(refused_trace(kSweep3d) == too_large);
    CHECK(refused_trace(kSweep3d, {"ranks={columns: 65537, rows: 1}", "iterations=1", "cells_per_rank={x: 1, y: 1}",
                                   "parameters.nz=2"}) == too_large);
}

TEST_CASE("models that take messages by arrival, or send synchronously, are refused: SMPI's replay has neither") {
    CHECK(refused_trace(kShipped + "/models/master_worker/master_worker.yaml") == Kinds{messages_chosen});
    const Scratch scratch;
    scratch.file("m.psl", "application pair { iteration { ssend 8B to east recv from west } }\n");
    CHECK(refused_trace(scratch.file("s.yaml", "model: m.psl\nplatform: " + kShipped +
                                                   "/platforms/xt4.yaml\nranks: {columns: 2, rows: 1}\n")) ==
          Kinds{synchronous_send});
}

TEST_CASE("features that follow messages refuse self-scheduled tasks") {
    const std::string ppm = kShipped + "/models/ppm/origin.yaml";
    const Kinds unknown{tasks_unknown};
    CHECK(refused_trace(ppm) == unknown);
    const auto refused_run = [&](const auto& set) {
        RunOptions options;
        options.scenario = ppm;
        set(options);
        return kinds_of(faults_of([&] { run(options); }));
    };
    CHECK(refused_run([](RunOptions& options) { options.engine = Engine::simgrid; }) == unknown);
    CHECK(refused_run([](RunOptions& options) { options.engine = Engine(Engine::analytic.number() + 1); }) == unknown);
}

TEST_CASE("cores that come by turns do not do fixed shares") {
    const Scratch scratch;
    scratch.file("m.psl", "application m { tasks on core take fixed { task t[i in 1..4] { compute 1us } } }\n");
    RunOptions options;
    options.scenario = scratch.file("s.yaml", "model: m.psl\nplatform: " + kShipped +
                                                  "/platforms/xt4.yaml\nranks: {columns: 2, rows: 1}\n"
                                                  "workers: {drawn: {every: 1s}, joining: by_turn}\n");
    CHECK(kinds_of(faults_of([&] { run(options); })) == Kinds{conflicting_keys});
}

TEST_CASE("a task of a node that computes on all its cores needs all of them") {
    const Scratch scratch;
    scratch.file("m.psl", "application m { tasks on node { task t[i in 1..4] { compute 1us } } }\n");
    const auto faults_with = [&](const std::string& workers) {
        RunOptions options;
        options.quiet = true;
        options.scenario = scratch.file("s.yaml", "model: m.psl\nplatform: " + kShipped +
                                                      "/platforms/xt4.yaml\nranks: {columns: 2, rows: 1}\n" + workers);
        return faults_of([&] { run(options); });
    };
    CHECK(kinds_of(faults_with("workers: {drawn: {every: 1s}}\n")) == Kinds{conflicting_keys});
    CHECK(kinds_of(faults_with("workers: {lost: [{node: 1, at: 1us}]}\n")).empty());
}

TEST_CASE("a trace has no closed form, which is reported at its place in the scenario") {
    const Scratch scratch;
    scratch.file("t/traces.txt", "r0.txt\n");
    scratch.file("t/r0.txt", "0 init\n0 compute 1000000\n0 finalize\n");
    RunOptions options;
    options.scenario = scratch.file(
        "s.yaml", "trace: t\nplatform: " WARPFRONT_SOURCE_DIR "/platforms/xt4.yaml\nranks: {columns: 1, rows: 1}\n");
    options.engine = Engine::analytic;
    const input::Diagnostics faults = faults_of([&] { run(options); });
    CHECK(kinds_of(faults) == Kinds{closed_form_missing});
    CHECK(holds(faults.render(), "s.yaml:1:8: error: a trace has no closed form\n"));
    CHECK_FALSE(holds(faults.render(), "application"));
}
