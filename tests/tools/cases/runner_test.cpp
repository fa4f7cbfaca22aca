// Cases, here the points of studies: kept on disk under a key of all their inputs, run side by side.
#include "tools/study/cases/runner.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/study/points.hpp"

using namespace warpfront::tools;

namespace {

const std::filesystem::path kCaseFiles = WARPFRONT_SOURCE_DIR;

/// Chimaera on 2 x 2 ranks, over two tile heights.
StudyPlan small_study(const Scratch& scratch, const std::string& more = "") {
    return read_study(
        scratch.file("s.yaml", "scenario: " + (kCaseFiles / "models/chimaera/chimaera.yaml").string() +
                                   "\nset: {iterations: 1, ranks: {columns: 2, rows: 2}, parameters.nz: 8" + more +
                                   "}\naxes: [{parameters.htile: [1, 2]}]\n"),
        {});
}

CaseResults run_study(const Scratch& scratch, const StudyPlan& plan, unsigned jobs = 1) {
    const PointStore store(scratch.folder() / "out");
    const scenario::ScenarioDocument base = scenario::read_document(plan.scenario, {});
    const std::vector<std::size_t> points{0, 1};
    CaseRuns runs = runs_of(plan, base, points);
    runs.threads = jobs;
    runs.store = &store;
    return run_cases(runs);
}

void help_with(const StudyPlan& plan, const PointStore& store) {
    const scenario::ScenarioDocument base = scenario::read_document(plan.scenario, {});
    const std::vector<std::size_t> points{0, 1};
    CaseRuns runs = runs_of(plan, base, points);
    runs.store = &store;
    run_unclaimed_cases(runs);
}

std::string key_at(const StudyPlan& plan, std::size_t point, const std::vector<std::string>& sets = {}) {
    return key_of(build_experiment(scenario_at(plan, scenario::read_document(plan.scenario, sets), point)),
                  engines_at(plan, point));
}

}  // namespace

TEST_CASE("the key of a point follows its scenario, its engines, and the contents of its files, not their names") {
    const Scratch scratch;
    const StudyPlan plan = small_study(scratch);
    CHECK(key_at(plan, 0) == key_at(plan, 0));
    CHECK(key_at(plan, 0) != key_at(plan, 1));
    CHECK(key_at(plan, 0) != key_at(plan, 0, {"parameters.wg=1us"}));
    CHECK(key_at(plan, 0) != key_at(plan, 0, {"platform.bus.enabled=off"}));
    StudyPlan other = plan;
    other.engines = {Engine::analytic};
    CHECK(key_at(plan, 0) != key_at(other, 0));

    const std::string model =
        "application a { param htile: int = 1\n param nz: int = 1\n iteration k { compute 1us * htile * nz } }\n";
    const std::string machine = (kCaseFiles / "platforms/xt4.yaml").string();
    const std::string scenario = "model: m.psl\nplatform: " + machine + "\nranks: {columns: 1, rows: 1}\n";
    scratch.file("m.psl", model);
    scratch.file("a.yaml", scenario);
    const StudyPlan own = read_study(scratch.file("a.yaml", scenario), {.vary = {"parameters.htile=1,2"}});
    const std::string before = key_at(own, 0);
    scratch.file("b.yaml", scenario);
    CHECK(key_at(read_study(scratch.folder() / "a.yaml", {.vary = {"parameters.htile=1,2"}}), 0) == before);
    scratch.file("m.psl", model + "// changed\n");
    CHECK(key_at(own, 0) != before);
}

TEST_CASE("finished points are taken from the store, with the very picoseconds; changed ones are run again") {
    const Scratch scratch;
    const StudyPlan plan = small_study(scratch);
    const CaseResults first = run_study(scratch, plan);
    CHECK(first.taken_from_store == 0);
    const CaseResults second = run_study(scratch, plan);
    CHECK(second.taken_from_store == 2);
    for (std::size_t k = 0; k < 2; ++k) {
        REQUIRE(second.all[k].engines.size() == 2);
        for (std::size_t engine = 0; engine < 2; ++engine) {
            CHECK(second.all[k].engines[engine].time == first.all[k].engines[engine].time);
            CHECK(second.all[k].engines[engine].path == first.all[k].engines[engine].path);
            CHECK(second.all[k].engines[engine].fill == first.all[k].engines[engine].fill);
            CHECK(second.all[k].engines[engine].notes == first.all[k].engines[engine].notes);
        }
        CHECK(second.all[k].ranks == 4);
        CHECK(second.all[k].nodes == first.all[k].nodes);
        CHECK(second.all[k].notes == first.all[k].notes);
    }
    CHECK(run_study(scratch, small_study(scratch, ", parameters.wg: 1us")).taken_from_store == 0);
}

TEST_CASE("the event engine follows the path if a column needs it; such a point differs from one without") {
    const Scratch scratch;
    const StudyPlan plan = small_study(scratch);
    const PointResult without = run_study(scratch, plan).all[0];
    CHECK_FALSE(without.by("event")->path.has_value());
    CHECK(without.by("analytic")->path.has_value());
    StudyPlan with_path = plan;
    with_path.derived = {ColumnName::latency};
    const CaseResults first = run_study(scratch, with_path);
    CHECK(first.taken_from_store == 0);
    const EngineResult* event = first.all[0].by("event");
    REQUIRE(event->path.has_value());
    CHECK(event->path->total() == event->time);
    CHECK(event->time == without.by("event")->time);
    CHECK(event->notes == without.by("event")->notes);
    const CaseResults second = run_study(scratch, with_path);
    CHECK(second.taken_from_store == 2);
    CHECK(second.all[0].by("event")->path == event->path);
    CHECK(second.all[0].by("analytic")->nonwavefront == first.all[0].by("analytic")->nonwavefront);
    with_path.engines = {Engine::analytic};  // whose path is always there
    StudyPlan closed_form = plan;
    closed_form.engines = {Engine::analytic};
    CHECK(run_study(scratch, closed_form).taken_from_store == 0);
    CHECK(run_study(scratch, with_path).taken_from_store == 2);
}

TEST_CASE("the use of the time of cores is stored with the points of tasks") {
    const Scratch scratch;
    const StudyPlan plan =
        read_study(scratch.file("s.yaml", "scenario: " + (kCaseFiles / "models/tasks/loop.yaml").string() +
                                              "\naxes: [{parameters.rule: [1, 2]}]\nderived: [utilisation]\n"),
                   {});
    const CaseResults first = run_study(scratch, plan);
    const CaseResults second = run_study(scratch, plan);
    CHECK(second.taken_from_store == 2);
    for (std::size_t k = 0; k < 2; ++k) {
        const EngineResult& run = *first.all[k].by("event");
        const EngineResult& taken = *second.all[k].by("event");
        REQUIRE(run.cores.has_value());
        REQUIRE(taken.cores.has_value());
        CHECK(run.cores->compute.ps > 0);
        for (const record::CoreTimePart& part : record::kCoreTimeParts) {
            CHECK((*run.cores).*part.time == (*taken.cores).*part.time);
        }
        CHECK_FALSE(second.all[k].by("analytic")->cores.has_value());
    }
}

TEST_CASE("a point whose tasks last longer than virtual time is a failure, and the others have results") {
    const Scratch scratch;
    const StudyPlan plan = read_study(
        scratch.file("s.yaml", "scenario: " + (kCaseFiles / "models/tasks/farm.yaml").string() +
                                   "\naxes: [{parameters.tasks_each: [20, 100]}]\nset: {parameters.task: 100000s}\n"),
        {});
    const CaseResults runs = run_study(scratch, plan);
    REQUIRE(runs.all.size() == 2);
    CHECK(runs.all[0].failures.empty());
    REQUIRE(runs.all[1].failures.size() == 2);
    for (const auto& failure : runs.all[1].failures) {
        CHECK(failure.fault.find("virtual time overflow") != std::string::npos);
    }
}

TEST_CASE("a point file that was cut or is another's is not taken") {
    const Scratch scratch;
    const StudyPlan plan = small_study(scratch);
    const CaseResults first = run_study(scratch, plan);
    const std::filesystem::path folder = scratch.folder() / "out/points";
    std::filesystem::resize_file(folder / (key_at(plan, 0) + ".json"), 40);
    std::filesystem::copy_file(folder / (key_at(plan, 1) + ".json"), folder / (key_at(plan, 1) + ".copy"));
    const CaseResults second = run_study(scratch, plan);
    CHECK(second.taken_from_store == 1);
    CHECK(second.all[0].engines[0].time == first.all[0].engines[0].time);
    std::filesystem::rename(folder / (key_at(plan, 1) + ".copy"), folder / (key_at(plan, 0) + ".json"));
    CHECK(run_study(scratch, plan).taken_from_store == 1);
}

TEST_CASE("several jobs give the same results as one") {
    const Scratch one, three;
    const StudyPlan plan = small_study(one, ", noise.cv: 0.1");
    const CaseResults alone = run_study(one, plan);
    const CaseResults beside = run_study(three, plan, 3);
    for (std::size_t k = 0; k < 2; ++k) {
        CHECK(alone.all[k].engines[0].time == beside.all[k].engines[0].time);
        CHECK(alone.all[k].engines[0].notes == beside.all[k].engines[0].notes);
    }
}

TEST_CASE("every seed of a point is stored by itself; more seeds run only those that are missing") {
    const Scratch scratch;
    StudyPlan plan = small_study(scratch, ", noise.cv: 0.1");
    const CaseResults one = run_study(scratch, plan);
    plan.seeds = 3;
    const CaseResults three = run_study(scratch, plan, 2);
    CHECK(three.taken_from_store == 2);  // the first seed of both points
    plan.seeds = 4;
    const CaseResults four = run_study(scratch, plan);
    CHECK(four.taken_from_store == 6);
    for (std::size_t k = 0; k < 2; ++k) {
        const EngineResult& event = *four.all[k].by("event");
        CHECK(event.seeds() == 4);
        CHECK(event.depends_on_seed);
        CHECK(event.time == one.all[k].by("event")->time);
        CHECK(event.times()[2] == three.all[k].by("event")->times()[2]);
        CHECK(event.times()[1] != event.times()[2]);
        CHECK(four.all[k].by("analytic")->seeds() == 1);
        CHECK_FALSE(four.all[k].by("analytic")->depends_on_seed);
    }
    // Seeds begin with 0, so the second is that of a scenario with seed 1.
    StudyPlan next = small_study(scratch, ", noise.cv: 0.1, seed: 1");
    CHECK(run_study(scratch, next).all[0].by("event")->time == four.all[0].by("event")->times()[1]);
}

TEST_CASE("a point that depends on no seed runs once, and seeds without any such point are refused") {
    const Scratch scratch;
    StudyPlan plan = small_study(scratch, ", calibration: off");
    plan.seeds = 3;
    CHECK(run_study(scratch, plan).all[0].by("event")->seeds() == 1);
    const scenario::ScenarioDocument base = scenario::read_document(plan.scenario, {});
    const std::vector<std::size_t> points{0, 1};
    CHECK(kinds_of(faults_of([&] { require_random(runs_of(plan, base, points)); })) == Kinds{nothing_random});
    const StudyPlan noisy = small_study(scratch, ", noise.cv: 0.1");
    CHECK_NOTHROW(require_random(runs_of(noisy, scenario::read_document(noisy.scenario, {}), points)));
}

TEST_CASE("if a seed of a point fails, the point has its failure and no result of the engine") {
    const Scratch scratch;
    // Tasks of 53 days on each worker, the limit of virtual time: some seeds of the first point exceed it.
    StudyPlan plan =
        read_study(scratch.file("s.yaml", "scenario: " + (kCaseFiles / "models/tasks/farm.yaml").string() +
                                              "\naxes: [{parameters.tasks_each: [100, 99]}]\n"
                                              "set: {noise.cv: 0.3, parameters.task: 30300s}\nengines: [event]\n"),
                   {});
    plan.seeds = 6;
    const std::vector<PointResult> points = run_study(scratch, plan).all;
    CHECK(points[0].engines.empty());
    REQUIRE(points[0].failures.size() == 1);
    CHECK(points[0].failures[0].fault.starts_with("seed 5: virtual time overflow"));
    CHECK(points[1].failures.empty());
    CHECK(points[1].engines.front().seeds() == 6);
}

TEST_CASE("a point that is claimed is no other's until the claim ends, also where its process dies") {
    const Scratch scratch;
    const PointStore store(scratch.folder() / "out");
    {
        const auto claim = store.claim("k");
        CHECK(claim.has_value());
        CHECK_FALSE(store.claim("k").has_value());
        CHECK(store.claim("other").has_value());
    }
    CHECK(store.claim("k").has_value());
    const pid_t child = ::fork();
    if (child == 0) {
        const auto claim = store.claim("k");
        ::_exit(claim.has_value() ? 0 : 1);  // no destructor runs
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(store.claim("k").has_value());
}

TEST_CASE("points that another process has claimed are waited for, and run where it has not finished them") {
    const Scratch scratch;
    const StudyPlan plan = small_study(scratch);
    const PointStore store(scratch.folder() / "out");
    std::optional<PointStore::Claim> claim = store.claim(key_at(plan, 0));
    std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        CHECK(store.find(key_at(plan, 1)).has_value());  // run meanwhile
        CHECK_FALSE(store.find(key_at(plan, 0)).has_value());
        claim.reset();
    });
    CHECK(run_study(scratch, plan).all.size() == 2);
    CHECK(store.find(key_at(plan, 0)).has_value());
}

TEST_CASE("a process that helps runs the points that no other has claimed, and leaves those that fail") {
    const Scratch scratch;
    const StudyPlan plan = small_study(scratch);
    const PointStore store(scratch.folder() / "out");
    {
        const std::optional<PointStore::Claim> claim = store.claim(key_at(plan, 0));
        help_with(plan, store);
    }
    CHECK_FALSE(store.find(key_at(plan, 0)).has_value());
    CHECK(store.find(key_at(plan, 1)).has_value());
    const StudyPlan fails = small_study(scratch, ", parameters.wg: 90000s");  // more than a block may take
    CHECK_NOTHROW(help_with(fails, store));
}

TEST_CASE("a folder that cannot be made is refused") {
    const Scratch scratch;
    const auto file = scratch.file("file", "");
    CHECK(kinds_of(faults_of([&] { PointStore store(file / "below"); })) == Kinds{unwritable_file});
}
