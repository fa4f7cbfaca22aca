// The key `placement`: every form of it, every fault in it, and the equality of its echo.
#include "simulator/scenario/scenario.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::scenario;
using machine::PlacementRequest;
using machine::PlacementRule;

namespace {

/// Reads a scenario with `placement: TEXT`, on line 4.
Scenario read_placed(std::string_view text, const std::vector<std::string>& sets = {}) {
    const Scratch scratch;
    const std::string scenario = "model: code.psl\nplatform: m.yaml\nranks: {columns: 6, rows: 4}\nplacement: ";
    return read_scenario(read_document(scratch.file("s.yaml", scenario + std::string(text) + "\n"), sets));
}

PlacementRequest request(std::string_view text) { return read_placed(text).placement.request; }
Kinds refused_placement(std::string_view text) {
    return kinds_of(faults_of([&] { read_placed(text); }));
}
std::string reported_placement(std::string_view text) {
    return faults_of([&] { read_placed(text); }).render();
}
std::string echoed_placement(std::string_view text) { return echo(read_placed(text))["placement"].dump(); }

}  // namespace

TEST_CASE("a word is a rule without fragmentation") {
    CHECK(request("block").rule == PlacementRule::block);
    CHECK(request("linear").rule == PlacementRule::linear);
    CHECK(request("linear").fragmentation == machine::Share{0.0});
}

TEST_CASE("random takes its seed in parentheses, 0 without") {
    CHECK(request("random(7)").rule == PlacementRule::random);
    CHECK(request("random(7)").seed == Seed{7});
    CHECK(request("random").rule == PlacementRule::random);
    CHECK(request("random").seed == Seed{0});
}

TEST_CASE("a mapping has rule, seed and fragmentation; the default rule is block") {
    const PlacementRequest full = request("{rule: random, seed: 7, fragmentation: 0.2}");
    CHECK(full.rule == PlacementRule::random);
    CHECK(full.seed == Seed{7});
    CHECK(full.fragmentation == machine::Share{0.2});
    CHECK(request("{fragmentation: 0.5}").rule == PlacementRule::block);
    CHECK(request("{fragmentation: 0.5}").seed == Seed{0});
}

TEST_CASE("a rank file is relative to the scenario's folder") {
    const Scratch scratch;
    const auto file = scratch.file("deep/s.yaml",
                                   "model: c.psl\nplatform: m.yaml\nranks: {columns: 6, rows: 4}\n"
                                   "placement: {file: ../ranks.txt}\n");
    const PlacementRequest listed = read_scenario(read_document(file, {})).placement.request;
    CHECK(listed.rule == PlacementRule::file);
    CHECK(listed.rank_file == scratch.folder() / "ranks.txt");
}

TEST_CASE("an override may change any part of it") {
    CHECK(read_placed("block", {"placement=random(3)"}).placement.request.seed == Seed{3});
    CHECK(read_placed("{rule: random}", {"placement.seed=4"}).placement.request.seed == Seed{4});
}

TEST_CASE("an unknown placement is refused, with the known ones") {
    CHECK(refused_placement("snake") == Kinds{bad_choice});
    for (const std::string word : {"`block`", "`linear`", "`random(SEED)`", "`{file: PATH}`"}) {
        CAPTURE(word);
        CHECK(reported_placement("snake").find(word) != std::string::npos);
    }
    CHECK(refused_placement("{rule: snake}") == Kinds{bad_choice});
    CHECK(refused_placement("") == Kinds{bad_choice});
    CHECK(refused_placement("[block]") == Kinds{wrong_yaml_type});
}

TEST_CASE("a seed that is no whole number is refused at its position") {
    CHECK(refused_placement("random(many)") == Kinds{bad_number});
    CHECK(reported_placement("random(many)").find("s.yaml:4:19: error: `many` is not a whole number") !=
          std::string::npos);
    CHECK(refused_placement("random()") == Kinds{bad_number});
    CHECK(refused_placement("random(-1)") == Kinds{out_of_range});
    CHECK(refused_placement("{rule: random, seed: -1}") == Kinds{out_of_range});
    CHECK(refused_placement("random(7") == Kinds{bad_choice});
}

TEST_CASE("a share of hosts is at least 0 and less than 1") {
    CHECK(refused_placement("{fragmentation: 1}") == Kinds{out_of_range});
    CHECK(refused_placement("{fragmentation: -0.1}") == Kinds{out_of_range});
    CHECK(refused_placement("{fragmentation: some}") == Kinds{bad_number});
}

TEST_CASE("a rank file beside anything else is a conflict") {
    CHECK(refused_placement("{file: ranks.txt, rule: block}") == Kinds{conflicting_keys});
    CHECK(refused_placement("{file: ranks.txt, seed: 1, fragmentation: 0.1}") ==
          Kinds{conflicting_keys, conflicting_keys});
}

TEST_CASE("an unknown key is refused") { CHECK(refused_placement("{rule: block, seeds: 1}") == Kinds{unknown_key}); }

TEST_CASE("the echo has the shortest form, and reads as the same placement") {
    CHECK(echoed_placement("{rule: linear}") == R"("linear")");
    CHECK(echoed_placement("{rule: random, seed: 7}") == "\"random(7)\"");
    CHECK(echoed_placement("{file: ranks.txt}") == R"({"file":"ranks.txt"})");
    CHECK(echoed_placement("{rule: block, fragmentation: 0.2, seed: 3}") ==
          R"({"rule":"block","seed":3,"fragmentation":0.2})");
    for (const std::string text : {"block", "random(7)", "{file: ranks.txt}", "{rule: linear, fragmentation: 0.2}"}) {
        CAPTURE(text);
        const std::string once = echoed_placement(text);
        CHECK(echoed_placement(once) == once);
    }
}

// --- ranks in place of patches ---------------------------------------------------------------------------------------

TEST_CASE("a distribution has ranks of a node and the orders of nodes and cores; block:block by default") {
    const auto distribution = [](std::string_view text) { return *request(text).distribution; };
    CHECK(distribution("{ranks_per_node: 8}").ranks_per_node == 8);
    CHECK(distribution("{ranks_per_node: 8}").nodes == machine::NodeOrder::block);
    CHECK(distribution("{ranks_per_node: 8, distribution: cyclic}").nodes == machine::NodeOrder::cyclic);
    CHECK(distribution("{ranks_per_node: 8, distribution: cyclic}").cores == machine::NodeFill::pack);
    CHECK(distribution("{ranks_per_node: 8, distribution: block:cyclic}").cores == machine::NodeFill::spread);
    CHECK(distribution("{ranks_per_node: 8, distribution: plane=4:block}").plane == 4);
    CHECK(request("{ranks_per_node: 8, rule: random, seed: 3}").rule == PlacementRule::random);
}

TEST_CASE("a list has ranks with their host, and their cores if wanted") {
    const std::vector<machine::ListedRanks> listed = request("0..6..2:12, 1:13, 3..5..2:13:8..12..4").listed;
    REQUIRE(listed.size() == 3);
    CHECK(listed[0].ranks.count() == 4);
    CHECK(listed[0].ranks.step == 2);
    CHECK(listed[0].host == 12);
    CHECK(!listed[0].cores);
    CHECK(listed[1].ranks.first == 1);
    REQUIRE(listed[2].cores);
    CHECK(listed[2].cores->first == 8);
    CHECK(listed[2].cores->step == 4);
}

TEST_CASE("a rankfile has a line for each rank, and is relative to the scenario's folder") {
    const Scratch scratch;
    scratch.file("ranks.txt", "# two of them\nrank 0=+n7 slot=3\n\nrank 1=4  # any core\n");
    const auto file = scratch.file("deep/s.yaml",
                                   "model: c.psl\nplatform: m.yaml\nranks: {columns: 2, rows: 1}\n"
                                   "placement: {rankfile: ../ranks.txt}\n");
    const Scenario scenario = read_scenario(read_document(file, {}));
    const std::vector<machine::ListedRanks>& listed = scenario.placement.request.listed;
    REQUIRE(listed.size() == 2);
    CHECK(listed[0].host == 7);
    CHECK(listed[0].cores->first == 3);
    CHECK(listed[1].ranks.first == 1);
    CHECK(listed[1].host == 4);
    CHECK(!listed[1].cores);
    CHECK(scenario.placement.rankfile.has_value());
    CHECK(echo(scenario)["placement"].dump() == R"({"rankfile":"../ranks.txt"})");
}

TEST_CASE("faults of a distribution, each at its place") {
    CHECK(refused_placement("{distribution: cyclic}") == Kinds{missing_key});
    CHECK(refused_placement("{ranks_per_node: 0}") == Kinds{out_of_range});
    CHECK(refused_placement("cyclic") == Kinds{missing_key});
    CHECK(reported_placement("block:cyclic").find("expected {ranks_per_node: 8, distribution: block:cyclic}") !=
          std::string::npos);
    CHECK(refused_placement("{ranks_per_node: 8, distribution: scatter}") == Kinds{bad_choice});
    CHECK(refused_placement("{ranks_per_node: 8, distribution: block:scatter}") == Kinds{bad_choice});
    CHECK(refused_placement("{ranks_per_node: 8, distribution: plane=3}") == Kinds{out_of_range});
    CHECK(reported_placement("{ranks_per_node: 8, distribution: plane=3}")
              .find("s.yaml:4:52: error: the 8 ranks of a node cannot be divided into blocks of 3") !=
          std::string::npos);
    CHECK(refused_placement("{ranks_per_node: 8, file: hosts.txt}") == Kinds{conflicting_keys});
}

TEST_CASE("faults of listed ranks, each at its place") {
    CHECK(refused_placement("0-3:12") == Kinds{bad_range});
    CHECK(
        reported_placement("0..1:0, 2-3:12").find("s.yaml:4:20: error: `2-3` is neither a rank nor a range of ranks") !=
        std::string::npos);
    CHECK(refused_placement("0..3:node7") == Kinds{bad_number});
    CHECK(refused_placement("0..3:1, 4") == Kinds{bad_range});
    CHECK(refused_placement("0..3:1:2:3") == Kinds{bad_range});
    CHECK(refused_placement("0..3:1:0..2") == Kinds{core_list_length});
    CHECK(refused_placement("0..3:1:65533..65536") == Kinds{out_of_range});
}

TEST_CASE("faults of a rankfile, each at its line") {
    const auto refused = [](std::string_view lines) {
        const Scratch scratch;
        scratch.file("ranks.txt", std::string(lines));
        const auto file = scratch.file(
            "s.yaml",
            "model: c.psl\nplatform: m.yaml\nranks: {columns: 2, rows: 1}\nplacement: {rankfile: ranks.txt}\n");
        return faults_of([&] { read_scenario(read_document(file, {})); });
    };
    CHECK(kinds_of(refused("")) == Kinds{missing_key});
    CHECK(summary_of(refused("rank 0=1 slot=0\n7\n")) ==
          "ranks.txt:2:1 bad_range [7] `7` is not a line of a rankfile | expected `rank NUMBER=HOST slot=CORE`, such "
          "as `rank 0=12 slot=3`");
    CHECK(kinds_of(refused("rank 0=1 socket=0\n")) == Kinds{bad_range});
    CHECK(kinds_of(refused("rank 0=1 slot=0:1\n")) == Kinds{bad_range});
    CHECK(kinds_of(refused("rank 0=east slot=0\n")) == Kinds{bad_number});
    CHECK(refused_placement("{rankfile: no-such-file}") == Kinds{unreadable_file});
    CHECK(refused_placement("{rankfile: no-such-file, rule: block}") == Kinds{conflicting_keys, unreadable_file});
}

TEST_CASE("a placement of ranks and `node` are a conflict in one file; --set of the one removes the other") {
    const Scratch scratch;
    const std::string head = "model: c.psl\nplatform: m.yaml\nranks: {columns: 4, rows: 1}\n";
    const auto with_node = scratch.file("n.yaml", head + "node: {columns: 2, rows: 1}\n");
    const auto with_both = scratch.file("b.yaml", head + "node: {columns: 2, rows: 1}\nplacement: 0..3:1\n");
    const auto with_list = scratch.file("l.yaml", head + "placement: 0..3:1\n");
    const auto with_distribution =
        scratch.file("d.yaml", head + "placement: {ranks_per_node: 2, rule: random, seed: 7}\n");
    const auto read = [](const std::filesystem::path& file, const std::vector<std::string>& sets) {
        return read_scenario(read_document(file, sets));
    };
    CHECK(kinds_of(faults_of([&] { read(with_both, {}); })) == Kinds{conflicting_keys});
    CHECK(read(with_node, {"placement=0..3:1"}).placement.request.listed.size() == 1);
    CHECK(!read(with_node, {"placement=0..3:1"}).has_node);
    CHECK(read(with_node, {"placement.ranks_per_node=2"}).placement.request.distribution);
    CHECK(read(with_node, {"placement=random(3)"}).has_node);
    CHECK(!read(with_list, {"node={columns: 2, rows: 1}"}).placement.places_ranks());
    const Scenario patches = read(with_distribution, {"node={columns: 2, rows: 1}"});
    CHECK(!patches.placement.places_ranks());
    CHECK(patches.placement.request.rule == PlacementRule::random);
}

TEST_CASE("an override may lead into a placement that is a word") {
    CHECK(read_placed("block", {"placement.ranks_per_node=2"}).placement.request.distribution->ranks_per_node == 2);
    const PlacementRequest random = read_placed("random(7)", {"placement.fragmentation=0.5"}).placement.request;
    CHECK(random.rule == PlacementRule::random);
    CHECK(random.seed == Seed{7});
    CHECK(read_placed("linear", {"placement.file=hosts.txt"}).placement.request.rule == PlacementRule::file);
    CHECK(read_placed("0..23:1", {"placement.rule=linear"}).placement.request.listed.empty());
    CHECK(kinds_of(faults_of([] { read_placed("snake", {"placement.seed=1"}); })) == Kinds{bad_override});
}

TEST_CASE("the echo of ranks reads as the same placement, without `node`") {
    CHECK(echoed_placement("{ranks_per_node: 8, distribution: plane=2:cyclic, rule: random, seed: 3}") ==
          R"({"ranks_per_node":8,"distribution":"plane=2:cyclic","rule":"random","seed":3})");
    CHECK(echoed_placement("0..11:1, 12..23:0") == R"("0..11:1, 12..23:0")");
    CHECK(!echo(read_placed("{ranks_per_node: 8}")).contains("node"));
    CHECK(echo(read_placed("block")).contains("node"));
}
