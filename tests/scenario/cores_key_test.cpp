// The keys `node.fill` and `node.cores`: every form of them, every fault in them, and the equality of their echo.
#include "simulator/scenario/scenario.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/texts.hpp"

using namespace warpfront::scenario;
using machine::NodeFill;

namespace {

/// Reads a scenario with `node: {columns: 2, rows: 2, KEYS}`, on line 4.
Scenario read_node(std::string_view keys, const std::vector<std::string>& sets = {}) {
    const Scratch scratch;
    std::string scenario =
        "model: code.psl\nplatform: m.yaml\nranks: {columns: 6, rows: 4}\nnode: {columns: 2, rows: 2";
    scenario += keys.empty() ? "}\n" : ", " + std::string(keys) + "}\n";
    return read_scenario(read_document(scratch.file("s.yaml", scenario), sets));
}

std::vector<std::uint32_t> listed_cores(std::string_view keys, const std::vector<std::string>& sets = {}) {
    std::vector<std::uint32_t> cores;
    for (const auto& each : read_node(keys, sets).cores.request.listed) cores.push_back(each.core);
    return cores;
}

NodeFill fill_of(std::string_view keys, const std::vector<std::string>& sets = {}) {
    return read_node(keys, sets).cores.request.fill;
}

Kinds refused_node(std::string_view keys, const std::vector<std::string>& sets = {}) {
    return kinds_of(faults_of([&] { read_node(keys, sets); }));
}

std::string reported_node(std::string_view keys) {
    return faults_of([&] { read_node(keys); }).render();
}

}  // namespace

TEST_CASE("ranks fill a node's cores in order unless the scenario spreads them") {
    CHECK(fill_of("") == NodeFill::pack);
    CHECK(fill_of("fill: pack") == NodeFill::pack);
    CHECK(fill_of("fill: spread") == NodeFill::spread);
    CHECK(listed_cores("fill: spread").empty());
}

TEST_CASE("a list has cores, ranges of cores and ranges with a step, in the order of the patch's ranks") {
    CHECK(listed_cores("cores: [0, 32, 1, 33]") == std::vector<std::uint32_t>{0, 32, 1, 33});
    CHECK(listed_cores("cores: [0..1, 32..33]") == std::vector<std::uint32_t>{0, 1, 32, 33});
    CHECK(listed_cores("cores: [0..48..16]") == std::vector<std::uint32_t>{0, 16, 32, 48});
}

TEST_CASE("`--set` of one of the two keys replaces the other") {
    CHECK(listed_cores("fill: spread", {"node.cores=[3, 2, 1, 0]"}) == std::vector<std::uint32_t>{3, 2, 1, 0});
    CHECK(fill_of("fill: spread", {"node.cores=[3, 2, 1, 0]"}) == NodeFill::pack);
    CHECK(fill_of("cores: [0..3]", {"node.fill=spread"}) == NodeFill::spread);
    CHECK(listed_cores("cores: [0..3]", {"node.fill=spread"}).empty());
}

TEST_CASE("the echo repeats the keys, without the default") {
    CHECK(echo(read_node("fill: pack"))["node"].dump() == R"({"columns":2,"rows":2})");
    CHECK(echo(read_node("fill: spread"))["node"].dump() == R"({"columns":2,"rows":2,"fill":"spread"})");
    CHECK(echo(read_node("cores: [0..2, 32]"))["node"].dump() == R"({"columns":2,"rows":2,"cores":["0..2",32]})");
}

TEST_CASE("an unknown fill names the nearest one") {
    CHECK(refused_node("fill: sprad") == Kinds{bad_choice});
    CHECK(holds(reported_node("fill: sprad"), "did you mean `spread`?"));
}

TEST_CASE("both keys at once, in the file or in one `--set`, are refused") {
    CHECK(refused_node("fill: spread, cores: [0..3]") == Kinds{conflicting_keys});
    CHECK(refused_node("", {"node={columns: 2, rows: 2, fill: spread, cores: [0..3]}"}) == Kinds{conflicting_keys});
}

TEST_CASE("a list of another length than the patch is refused where it begins, or where it has too many") {
    CHECK(refused_node("cores: [0..2]") == Kinds{core_list_length});
    CHECK(refused_node("cores: [0..3, 8]") == Kinds{core_list_length});
    CHECK(refused_node("cores: [0..3]", {"node.columns=3"}) == Kinds{core_list_length});
    CHECK(holds(reported_node("cores: [0..2]"),
                "s.yaml:4:36: error: `cores` lists 3 cores for the 4 ranks of a patch of 2 x 2"));
    CHECK(holds(reported_node("cores: [0..3, 8]"),
                "s.yaml:4:43: error: `cores` lists 5 cores for the 4 ranks of a patch of 2 x 2"));
    CHECK(holds(reported_node("cores: [0..2]"), "expected one core for each rank; `fill: spread`"));
}

TEST_CASE("a core that stands twice is refused at the second place, which names the first") {
    CHECK(refused_node("cores: [0..2, 1]") == Kinds{core_taken_twice});
    CHECK(holds(reported_node("cores: [0..2, 1]"), "s.yaml:4:43: error: core 1 already has a rank"));
    CHECK(holds(reported_node("cores: [0..2, 1]"), "`0..2` already contains this core"));
}

TEST_CASE("items that are no cores are refused with the forms that are") {
    for (const std::string keys :
         {"cores: [x]", "cores: [3..1]", "cores: [[0, 1]]", "cores: [{a: 1}]", "cores: [1.5]"}) {
        CAPTURE(keys);
        CHECK(refused_node(keys) == Kinds{bad_range});
    }
    CHECK(holds(reported_node("cores: [x]"),
                "expected a core such as `3`, a range `0..7`, or one with a step, `0..56..8`"));
    CHECK(refused_node("cores: [0..65536]") == Kinds{out_of_range});
    CHECK(refused_node("cores: [-1]") == Kinds{out_of_range});
    CHECK(refused_node("cores: 3") == Kinds{wrong_yaml_type});
    CHECK(refused_node("cores: []") == Kinds{wrong_yaml_type});
}
