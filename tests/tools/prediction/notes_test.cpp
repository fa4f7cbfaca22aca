// Notes on missing keys of a scenario, and none on times of the same machine (others: measured_times_test.cpp).
#include "tools/answer/prediction/context.hpp"

#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace scenario = warpfront::scenario;

namespace {

using Sets = std::vector<std::string>;
using Notes = std::vector<std::string>;

/// Returns a machine of four cores per node.
std::string hardware(const std::string& name) {
    return "name: " + name +
           "\nsize: exact\ncores: 4\n"
           "topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 0us}\n"
           "layers:\n  chip: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: 1ns/B}]\n"
           "  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n";
}

/// Returns the notes of a model with a time per cell and a number of cells, on a.yaml; b.yaml is another machine,
/// c.yaml is `like` a.yaml.
Notes notes(const Sets& sets = {}, const std::string& node = "node: {columns: 2, rows: 1}\n") {
    const Scratch scratch;
    scratch.file("a.yaml", hardware("a"));
    scratch.file("b.yaml", hardware("b"));
    scratch.file("c.yaml", "like: a.yaml\nname: c\ncores: 8\n");
    scratch.file("m.psl", "application m { param wg: time  param nz: int = 1  iteration { compute wg * nz } }\n");
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: a.yaml\nranks: {columns: 2, rows: 1}\n" + node +
                                                 "parameters: {wg: 3us, nz: 4}\n");
    return notes_of(experiment_of(file, sets), {&Engine::event, 1});
}

}  // namespace

TEST_CASE("a complete scenario on its own machine has no notes") { CHECK(notes() == Notes{}); }

TEST_CASE("without `node` the cores that stay idle are noted") {
    CHECK(notes({}, "") == Notes{"1 rank on each node of 4 cores, since the scenario has no `node`"});
    CHECK(notes({}, "node: {columns: 1, rows: 1}\n") == Notes{});
    CHECK(notes({"platform.cores=1"}, "") == Notes{});
    CHECK(notes({"ranks.columns=1"}, "") == Notes{});
}

TEST_CASE("a jitter that the limit of the coefficient of variation shortens is noted") {
    CHECK(notes({"noise.jitter=120us"}) == Notes{});  // blocks take 12 us
    CHECK(notes({"noise.jitter=121us"}) == Notes{"the jitter of 121us exceeds 10 times the shortest block of 12us: "
                                                 "blocks vary by at most 10 times their length"});
}

TEST_CASE("a run that repeats few interruptions, since its iterations have many messages, is noted") {
    // Two ranks compute 12 us in an iteration: 1,000 interruptions per second make 2 * 12e-6 * 1,000 = 0.024. With
    // 5,000,000 messages in each iteration, draws repeat after two.
    const auto notes_on_interruptions = [](const std::string& rate, const std::string& redrawn, int iterations,
                                           int messages) {
        const Scratch scratch;
        scratch.file("a.yaml", hardware("a"));
        scratch.file("m.psl", fmt::format("application m {{ iteration {{ compute 12us repeat {} {{\n"
                                          "if rank == 0 {{ send 8B to east }} if rank == 1 {{ recv from west }}\n"
                                          "}} }} }}\n",
                                          messages));
        const auto file = scratch.file(
            "s.yaml", fmt::format("model: m.psl\nplatform: a.yaml\nranks: {{columns: 2, rows: 1}}\n"
                                  "node: {{columns: 2, rows: 1}}\niterations: {}\n"
                                  "noise: {{interruptions: {{per_second: {}, length: 1ns, absorbed_by: nothing}}, "
                                  "redrawn: {}}}\n",
                                  iterations, rate, redrawn));
        return notes_of(experiment_of(file), {&Engine::event, 1});
    };
    const Notes few = notes_on_interruptions("1000", "off", 10, 5'000'000);
    REQUIRE(few.size() == 1);
    CHECK(few.front().starts_with("interruptions repeat after 2 iterations, which have 0.048 on average: "));
    CHECK(notes_on_interruptions("1000", "off", 10, 1).empty());             // repeats after 10
    CHECK(notes_on_interruptions("5000000", "off", 10, 5'000'000).empty());  // 120 in one
    CHECK(notes_on_interruptions("1000", "off", 1, 5'000'000).empty());
    CHECK(notes_on_interruptions("1000", "on", 10, 5'000'000).empty());
}

TEST_CASE("progress in calls is noted if no message is a rendezvous, or all are blocking") {
    const auto notes_with = [](const std::string& statements, const std::string& eager) {
        const Scratch scratch;
        scratch.file("a.yaml", hardware("a") + eager);
        scratch.file("m.psl", "application m { iteration { " + statements + " } }\n");
        const auto file = scratch.file("s.yaml",
                                       "model: m.psl\nplatform: a.yaml\nranks: {columns: 2, rows: 1}\n"
                                       "node: {columns: 1, rows: 1}\n");
        return notes_of(experiment_of(file, {"platform.layers.network.progress=in_calls"}), {&Engine::event, 1});
    };
    const auto exchange = [](const std::string& send) {
        return "if rank == 0 { " + send + " 1000B to east } if rank == 1 { recv from west } waitall";
    };
    const Notes unused{"`progress: in_calls` has no effect: no message is a rendezvous"};
    CHECK(notes_with(exchange("send"), "eager: {network: {limit: 1000B}}\n") == unused);
    CHECK(notes_with("compute 1us", "") ==
          Notes{"`platform.layers.network` has no effect: no message of the program has this layer", unused.front()});
    const std::string limit = "eager: {network: {limit: 999B}}\n";
    CHECK(notes_with(exchange("isend"), limit) == Notes{});
    const Notes blocking{"`progress: in_calls` has no effect: no send or receive is nonblocking"};
    CHECK(notes_with(exchange("send"), limit) == blocking);
    CHECK(notes_with(exchange("ssend"), "") == blocking);
}

TEST_CASE("a machine that is like the other has its processors, and so does the machine itself with overrides") {
    CHECK(notes({"platform=c.yaml"}) == Notes{});
    // The two ranks send no message.
    CHECK(notes({"platform.layers.network.L=2x"}) ==
          Notes{"`platform.layers.network` has no effect: no message of the program has this layer"});
}

TEST_CASE("a note that many have stands once, with their number; one that a single one has, with its name") {
    CountedNotes notes;
    notes.add("grown", "16 ranks");
    for (const char* owner : {"4 ranks", "8 ranks", "16 ranks"}) notes.add("calibrated", owner);
    notes.add("cut", "4 ranks");
    notes.add("cut", "8 ranks");
    notes.add("nameless");
    CHECK(notes.texts(3, "rows") ==
          Notes{"16 ranks: grown", "calibrated", "2 of 3 rows: cut", "1 of 3 rows: nameless"});
}

TEST_CASE("the first of more than three notes that differ only in their numbers represents all") {
    const auto texts = [](int variants) {
        CountedNotes notes;
        for (int k = 1; k <= variants; ++k) notes.add(fmt::format("{} tiles skipped", 10 * k));
        notes.add("grown to 3 x 4");
        return notes.texts(9, "points");
    };
    CHECK(texts(3) == Notes{"1 of 9 points: 10 tiles skipped", "1 of 9 points: 20 tiles skipped",
                            "1 of 9 points: 30 tiles skipped", "1 of 9 points: grown to 3 x 4"});
    CHECK(texts(4) ==
          Notes{"10 tiles skipped (and 3 more such notes with other numbers)", "1 of 9 points: grown to 3 x 4"});
}
