// Lists of tasks with all engines: names in results, and lists that exceed the range of a run.
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace {

/// Returns a model of lists, from line 2 on, on two nodes of four cores.
Experiment experiment_of_lists(const std::string& lists, const std::vector<std::string>& sets = {}) {
    const Scratch scratch;
    scratch.file("m.yaml",
                 "name: m\nsize: exact\ncores: 4\n"
                 "topology: {kind: torus, dimensions: [2], bandwidth: 1GBps, latency: 0us}\n"
                 "layers:\n  chip: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: 1ns/B}]\n"
                 "  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n");
    scratch.file("m.psl", "application m {\n" + lists + "\n}\n");
    return experiment_of(scratch.file("s.yaml",
                                      "model: m.psl\nplatform: m.yaml\nranks: {columns: 8, rows: 1}\n"
                                      "node: {columns: 4, rows: 1}\n"),
                         sets);
}

std::string failure_of(Engine engine, const Experiment& experiment) {
    try {
        predict(engine, experiment);
    } catch (const RunFailed& failed) {
        return failed.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("tasks of the same name in several lists have their lines in results, and columns where lines are equal") {
    const Experiment experiment = experiment_of_lists(
        "tasks on core { task t[i in 1..3] { compute 1us } }\n"
        "tasks on core { task t[i in 1..4] { compute 1us } task u { compute 1us } }\n"
        "tasks on core { task t { compute 1us } } tasks on core { task t { compute 1us } }");
    engine::Options options = options_of(experiment);
    options.path = true;
    const record::TaskUse use = *predict(Engine::event, experiment, options).record.tasks;
    const std::vector<std::pair<std::string, std::int64_t>> expected{
        {"t (2)", 3}, {"t (3)", 4}, {"u", 1}, {"t (4:17)", 1}, {"t (4:58)", 1}};
    CHECK(use.tasks == expected);
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(use.path->tasks[k].name == expected[k].first);
}

TEST_CASE("the engine of a list of tasks has the name by which it is requested") {
    const Experiment experiment = experiment_of_lists("tasks on core { task t { compute 1us } }");
    for (const Engine engine : {Engine::event, Engine::analytic}) {
        CHECK(predict(engine, experiment).record.engine == name_of(engine));
    }
}

TEST_CASE("iterations of a model that has lists of tasks alone are noted") {
    const auto notes = [](const std::vector<std::string>& sets) {
        const Experiment experiment = experiment_of_lists("tasks on core { task t { compute 1us } }", sets);
        return notes_of(experiment, {&Engine::event, 1});
    };
    CHECK(notes({"iterations=5"}) ==
          std::vector<std::string>{"`iterations` has no effect: the model has lists of tasks instead"});
    CHECK(notes({"iterations=1"}).empty());
}

TEST_CASE("tasks that last longer than virtual time fail by all engines, and the others have a result") {
    const Experiment experiment = experiment_of_lists("tasks on node { task t[i in 1..50] { compute 576460s } }");
    CHECK(holds(failure_of(Engine::event, experiment), "virtual time overflow: task t["));
    CHECK(holds(failure_of(Engine::event, experiment), "ends after 53 days"));
    CHECK(failure_of(Engine::analytic, experiment) ==
          "virtual time overflow: by the closed form the last task ends after 53 days");
    record::Record record;
    CHECK_FALSE(closed_form_beside(Engine::event, experiment, record));
    CHECK(record.notes[0].starts_with("the closed form gives no time: virtual time overflow"));
}

TEST_CASE("a cost map of waves beside lists of tasks is refused before any engine runs") {
    const Scratch scratch;
    const std::string map = scratch.file("map.csv", "rank,wave,factor\n0,0,2\n").string();
    CHECK(kinds_of(faults_of([&] {
              experiment_of_lists("tasks on core { task t { compute 1us } }", {"heterogeneity.map=" + map});
          })) == Kinds{conflicting_keys});
}

TEST_CASE("a list within a task that has too many places for a run is named where it stands") {
    const Experiment experiment = experiment_of_lists(
        "tasks on node {\n    task t[i in 40..41] {\n        tasks on core { task x[j in 1..2 ^ i, k in 1..2 ^ i] { } "
        "}\n"
        "    }\n}");
    const input::Diagnostics faults = faults_of([&] { predict(Engine::event, experiment); });
    REQUIRE(kinds_of(faults) == Kinds{program_too_large});
    CHECK(holds(faults.all()[0].message, "a task list has more than 10^15 places ("));
    CHECK(holds(faults.all()[0].message, "m.psl:4: `tasks on core`"));
}
