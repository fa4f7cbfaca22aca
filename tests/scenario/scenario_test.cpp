// Scenarios: keys, defaults, faults.
//
// Not pinned here: the effect of overrides on a machine (tests/loading/overrides_test.cpp) and of parameters on a model
// (tests/psl); YAML and numbers (tests/input); draws of noise (tests/variation); the commands that read scenarios
// (tests/tools) and their runs (tests/end_to_end).
#include "simulator/scenario/scenario.hpp"

#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::scenario;

namespace {

constexpr std::string_view kSmall =
    "model: code.psl\n"
    "platform: ../machine.yaml\n"
    "ranks: {columns: 6, rows: 4}\n";

using Sets = std::vector<std::string>;

Scenario read(std::string_view text, const Sets& sets = {}) {
    const Scratch scratch;
    return read_scenario(read_document(scratch.file("s.yaml", text), sets));
}

std::string with(std::string_view more) { return std::string(kSmall) + std::string(more); }

Kinds refused(std::string_view text, const Sets& sets = {}) {
    return kinds_of(faults_of([&] { read(text, sets); }));
}

std::string reported(std::string_view text, const Sets& sets = {}) {
    return faults_of([&] { read(text, sets); }).render();
}

std::string parameter(const Scenario& scenario, const std::string& name) {
    const auto found = scenario.bindings.parameters.find(name);
    return found == scenario.bindings.parameters.end() ? "(none)" : found->second.text;
}

/// Returns the binding of `cells_per_rank`: the cells of the whole grid, for the parameter with this role.
std::string cells(const Scenario& scenario, psl::Role role) {
    for (const psl::RoleBinding& each : scenario.bindings.roles) {
        if (each.role == role) return each.value.text;
    }
    return "(none)";
}

}  // namespace

TEST_CASE("a scenario's files are relative to its own folder") {
    const Scratch scratch;
    const Scenario scenario = read_scenario(read_document(scratch.file("deep/s.yaml", kSmall), {}));
    CHECK(scenario.model == scratch.folder() / "deep/code.psl");
    CHECK(scenario.platform == scratch.folder() / "machine.yaml");
}

TEST_CASE("a list is a parameter in the form of the model's language") {
    const std::string text = with("parameters: {sizes: [8B, 1 KiB], empty: [], long:\n    [3us,\n     4us]}\n");
    CHECK(parameter(read(text), "sizes") == "[8B, 1 KiB]");
    CHECK(parameter(read(text), "empty") == "[]");
    CHECK(parameter(read(text), "long") == "[3us, 4us]");
    CHECK(parameter(read(text, {"parameters.sizes=[7B]"}), "sizes") == "[7B]");
    CHECK(refused(with("parameters: {sizes: [[8B]]}\n")) == Kinds{wrong_yaml_type});
}

TEST_CASE("a model may be a mapping of a file and defaults of its objects, which the echo repeats") {
    const std::string text =
        "model: {file: code.psl, kernel: {moments: 4, costs: [1us, 2us]}}\n"
        "platform: ../machine.yaml\nranks: {columns: 6, rows: 4}\n";
    const Scenario scenario = read(text, {"model.kernel.moments=5", "model.p3.rate=1Mflops"});
    CHECK(scenario.model_as_written == "code.psl");
    CHECK(scenario.bindings.objects.at("kernel").at("moments").text == "5");
    CHECK(scenario.bindings.objects.at("kernel").at("costs").text == "[1us, 2us]");
    CHECK(echo(scenario)["model"].dump() ==
          R"({"file":"code.psl","kernel":{"costs":"[1us, 2us]","moments":5},"p3":{"rate":"1Mflops"}})");
    const Scenario plain = read(kSmall, {"model.kernel.moments=5"});
    CHECK(plain.model_as_written == "code.psl");
    CHECK(plain.bindings.objects.at("kernel").at("moments").range.source->name() == "--set model.kernel.moments=5");
    CHECK(read(text, {"model=other.psl"}).model_as_written == "other.psl");
    CHECK(read(text, {"model=other.psl"}).bindings.objects.size() == 1);
    CHECK(refused(kSmall, {"model.kernel=5"}) == Kinds{wrong_yaml_type});
    CHECK(refused(kSmall, {"model={kernel: {n: 1}}"}) == Kinds{missing_key});
}

TEST_CASE("of ranks and patches that are partly overridden the range is that of the override") {
    const std::string text = with("node: {columns: 2, rows: 1}\n");
    CHECK(read(text, {"node.columns=3"}).patch_range.source->name() == "--set node.columns=3");
    CHECK(read(text, {"node.columns=3"}).patch_range.offset == 13);
    CHECK(read(text, {"ranks.rows=9"}).grid_range.source->name() == "--set ranks.rows=9");
    CHECK(read(text, {"node={columns: 3, rows: 1}"}).patch_range.offset == 5);
    CHECK(read(text).patch_range.source->position(read(text).patch_range.offset).line == 4);
}

TEST_CASE("an unknown key that is part of a longer path is met with that path") {
    const Scratch scratch;
    scratch.file("code.psl",
                 "application a { param mk: int = 1  param seed: int = 2  iteration { compute 1us * mk } }\n");
    scratch.file("m.yaml",
                 "name: m\nnic: {injection: 1GBps}\nlayers: {chip: [{L: 1us}], network: [{L: 1us}, {L: 2us}]}\n");
    const auto file = scratch.file("s.yaml", "model: code.psl\nplatform: m.yaml\nranks: {columns: 6, rows: 4}\n");
    const auto expected = [&](const std::string& set) {
        const input::Diagnostics faults = faults_of([&] { read_scenario(read_document(file, Sets{set})); });
        REQUIRE(faults.count() == 1);
        CHECK(faults.all()[0].kind == unknown_key);
        return faults.all()[0].expected;
    };
    CHECK(expected("mk=4") == "did you mean `parameters.mk`?");
    CHECK(expected("cv=0.1") == "did you mean `noise.cv`?");
    CHECK(expected("injection=2GBps") == "did you mean `platform.nic.injection`?");
    CHECK(expected("columns=4") == "expected one of `ranks.columns`, `node.columns`");
    CHECK(expected("L=4us") == "expected one of `platform.layers.chip.L`, `platform.layers.network.L`");
    CHECK(expected("rnaks=4") == "did you mean `ranks`?");
}

TEST_CASE("a number in place of the array of ranks is met with the form of one") {
    CHECK(reported("model: code.psl\nplatform: m.yaml\nranks: 1024\n")
              .find("expected columns and rows, such as `{columns: 32, rows: 32}`") != std::string::npos);
    CHECK(reported(with("node: 2\n")).find("expected columns and rows, such as `{columns: 2, rows: 1}`") !=
          std::string::npos);
}

TEST_CASE("overrides of one row of a layer stand in the echo") {
    const Scenario scenario =
        read(kSmall, {"platform.layers.network[up_to=1.5KiB].o_send=2x", "platform.layers.network[last].L=1us"});
    CHECK(
        echo(scenario)["platform"].dump() ==
        R"({"file":"../machine.yaml","layers":{"network[up_to=1.5KiB]":{"o_send":"2x"},"network[last]":{"L":"1us"}}})");
}

TEST_CASE("a platform may be a mapping of a file and overrides, which the echo repeats") {
    const std::string text =
        "model: code.psl\nranks: {columns: 6, rows: 4}\n"
        "platform: {file: ../machine.yaml, links: {torus: {bandwidth: 2x}}, cores: 4}\n";
    const Scenario scenario = read(text);
    CHECK(scenario.platform_as_written == "../machine.yaml");
    CHECK(scenario.overrides.tree.entries.size() == 2);
    CHECK(echo(scenario)["platform"].dump() ==
          R"({"file":"../machine.yaml","links":{"torus":{"bandwidth":"2x"}},"cores":4})");
    const Scenario plain = read(kSmall, {"platform.cores=8"});
    CHECK(echo(plain)["platform"].dump() == R"({"file":"../machine.yaml","cores":8})");
    CHECK(echo(read(kSmall))["platform"].dump() == R"("../machine.yaml")");
}

TEST_CASE("a platform without a file, or with a key that only the file may have, is a fault") {
    CHECK(reported("model: code.psl\nranks: {columns: 6, rows: 4}\nplatform: {cores: 4}\n")
              .find("`platform` has no `file`") != std::string::npos);
    CHECK(reported(kSmall, {"platform.like=other.yaml"}).find("`like` of a machine cannot be changed") !=
          std::string::npos);
}

TEST_CASE("defaults of a scenario: one rank per node, block placement, one iteration, no parameters") {
    const Scenario scenario = read(kSmall);
    CHECK(scenario.bindings.grid == RankGrid{6, 4});
    CHECK(scenario.patch.ranks() == 1);
    CHECK(scenario.placement.request.rule == machine::PlacementRule::block);
    CHECK(scenario.bindings.iterations == 1);
    CHECK(scenario.bindings.parameters.empty());
}

TEST_CASE("every key is read") {
    const Scenario scenario =
        read(with("node: {columns: 2, rows: 3}\nplacement: linear\niterations: 12\n"
                  "parameters: {nz: 100, wg: 0.414us}\n"));
    CHECK(scenario.patch.columns == 2);
    CHECK(scenario.patch.rows == 3);
    CHECK(scenario.placement.request.rule == machine::PlacementRule::linear);
    CHECK(scenario.bindings.iterations == 12);
    CHECK(parameter(scenario, "nz") == "100");
    CHECK(parameter(scenario, "wg") == "0.414us");
}

TEST_CASE("cells per rank become cells of the whole grid: 20 * 6 columns and 30 * 4 rows") {
    const Scenario scenario = read(with("cells_per_rank: {x: 20, y: 30}\n"));
    CHECK(cells(scenario, psl::Role::cells_x) == "120");
    CHECK(cells(scenario, psl::Role::cells_y) == "120");
}

TEST_CASE("an array and a patch may have planes, which are 1 where none are given") {
    const Scenario flat = read(with("node: {columns: 2, rows: 1}\n"));
    CHECK(flat.bindings.grid == Extents{6, 4, 1});
    CHECK(flat.patch == Extents{2, 1, 1});
    const Scenario deep = read(kSmall, {"ranks.planes=5", "node={columns: 2, rows: 1, planes: 5}"});
    CHECK(deep.bindings.grid == Extents{6, 4, 5});
    CHECK(deep.bindings.grid.ranks() == 120);
    CHECK(deep.patch == Extents{2, 1, 5});
    const auto repeated = echo(deep);
    CHECK(repeated["ranks"].dump() == R"({"columns":6,"rows":4,"planes":5})");
    CHECK(repeated["node"].dump() == R"({"columns":2,"rows":1,"planes":5})");
}

TEST_CASE("cells per rank along z become nz: 30 * 5 planes; on one plane they are those of the whole grid") {
    const Scenario deep = read(with("cells_per_rank: {x: 20, z: 30}\n"), {"ranks.planes=5"});
    CHECK(cells(deep, psl::Role::cells_x) == "120");
    CHECK(cells(deep, psl::Role::cells_z) == "150");
    CHECK(echo(deep)["cells_per_rank"].dump() == R"({"x":20,"z":30})");
    CHECK_FALSE(echo(deep)["parameters"].contains("nz"));
    CHECK(cells(read(with("cells_per_rank: {z: 30}\n")), psl::Role::cells_z) == "30");
    CHECK(cells(read(with("parameters: {nz: 1000}\n"), {"cells_per_rank.z=20"}), psl::Role::cells_z) == "20");
    CHECK(parameter(read(with("cells_per_rank: {z: 20}\n"), {"parameters.nz=1000"}), "nz") == "1000");
}

TEST_CASE("cells per rank may be given along one axis and cells of the whole grid along the other") {
    const Scenario scenario = read(with("cells_per_rank: {x: 20}\nparameters: {ny: 77}\n"));
    CHECK(cells(scenario, psl::Role::cells_x) == "120");
    CHECK(parameter(scenario, "ny") == "77");
}

TEST_CASE("cells per rank follow the ranks of an override: 20 * 8 columns") {
    CHECK(cells(read(with("cells_per_rank: {x: 20}\n"), {"ranks.columns=8"}), psl::Role::cells_x) == "160");
}

TEST_CASE("of cells per rank and of the whole grid an override sets the one and removes the other") {
    CHECK(cells(read(with("parameters: {nx: 1000}\n"), {"cells_per_rank.x=20"}), psl::Role::cells_x) == "120");
    CHECK(parameter(read(with("cells_per_rank: {x: 20}\n"), {"parameters.nx=1000"}), "nx") == "1000");
    CHECK(cells(read(kSmall, {"parameters.nx=1000", "cells_per_rank.x=20"}), psl::Role::cells_x) == "120");
    CHECK(parameter(read(with("parameters: {nx: 1000, ny: 900}\n"), {"cells_per_rank.x=20"}), "ny") == "900");
    CHECK(cells(read(with("cells_per_rank: {x: 20, y: 30}\n"), {"parameters.ny=64"}), psl::Role::cells_x) == "120");
    CHECK(parameter(read(kSmall, {"cells_per_rank.x=20", "parameters.nx=1000"}), "nx") == "1000");
}

TEST_CASE("an override of cells per rank removes the cells of the whole grid whatever the model calls them") {
    const Scratch scratch;
    scratch.file("code.psl",
                 "application code {\n    param imax: int as cells_x\n    param nx: int = 3\n    iteration { compute "
                 "1us }\n}\n");
    const auto file = scratch.file("s.yaml",
                                   "model: code.psl\nplatform: p.yaml\nranks: {columns: 6, rows: 4}\n"
                                   "parameters: {imax: 1000, nx: 7}\n");
    const Scenario scenario = read_scenario(read_document(file, Sets{"cells_per_rank.x=20"}));
    CHECK(cells(scenario, psl::Role::cells_x) == "120");
    CHECK(parameter(scenario, "imax") == "(none)");
    CHECK(parameter(scenario, "nx") == "7");
    const Scenario whole = read_scenario(read_document(file, Sets{"cells_per_rank.x=20", "parameters.imax=300"}));
    CHECK(cells(whole, psl::Role::cells_x) == "(none)");
    CHECK(parameter(whole, "imax") == "300");
}

TEST_CASE("a missing key is named") {
    CHECK(refused("model: a.psl\nplatform: b.yaml\n") == Kinds{missing_key});
    CHECK(reported("model: a.psl\nplatform: b.yaml\n").find("`ranks`") != std::string::npos);
    CHECK(refused("") == Kinds{missing_key, missing_key, missing_key});
    CHECK(refused("model: a.psl\nplatform: b.yaml\nranks: {columns: 4}\n") == Kinds{missing_key});
}

TEST_CASE("an unknown key is named beside the nearest known one") {
    CHECK(refused(with("iteration: 5\n")) == Kinds{unknown_key});
    CHECK(reported(with("iteration: 5\n")).find("did you mean `iterations`?") != std::string::npos);
    CHECK(refused(with("node: {columns: 1, rows: 1, layers: 1}\n")) == Kinds{unknown_key});
}

TEST_CASE("an unknown key of an override points into the override") {
    CHECK(reported(kSmall, {"rank.columns=5"}).find("--set rank.columns=5:1:1: error: unknown key `rank`") == 0);
}

TEST_CASE("a rank array of no columns, fewer, or a fraction is refused") {
    CHECK(refused(kSmall, {"ranks.columns=0"}) == Kinds{out_of_range});
    CHECK(refused(kSmall, {"ranks.rows=-4"}) == Kinds{out_of_range});
    CHECK(refused(kSmall, {"ranks.rows=2.5"}) == Kinds{bad_number});
    CHECK(refused(kSmall, {"ranks.rows=4us"}) == Kinds{wrong_unit});
    CHECK(refused(kSmall, {"ranks.planes=0"}) == Kinds{out_of_range});
    CHECK(refused(kSmall, {"node={columns: 1, rows: 1, planes: 0}"}) == Kinds{out_of_range});
    CHECK(refused(kSmall, {"node={columns: 1, rows: 1, planes: 65536}"}) == Kinds{out_of_range});
}

TEST_CASE("2^24 ranks are accepted, one column more is not") {
    CHECK(read(kSmall, {"ranks={columns: 4096, rows: 4096}"}).bindings.grid.ranks() == 16'777'216);
    CHECK(refused(kSmall, {"ranks={columns: 4097, rows: 4096}"}) == Kinds{out_of_range});
    CHECK(read(kSmall, {"ranks={columns: 256, rows: 256, planes: 256}"}).bindings.grid.ranks() == 16'777'216);
    // 2^72, which is 256 in 64 bits
    const std::string text = reported(kSmall, {"ranks={columns: 16777216, rows: 16777216, planes: 16777216}"});
    CHECK_MESSAGE(text.find("a process grid of 16777216 x 16777216 x 16777216 has 4722366482869645213696 ranks") !=
                      std::string::npos,
                  text);
    CHECK(text.find("expected at most 16777216") != std::string::npos);
}

TEST_CASE("no iterations and no cells per rank are refused") {
    CHECK(refused(kSmall, {"iterations=0"}) == Kinds{out_of_range});
    CHECK(refused(kSmall, {"cells_per_rank.x=0"}) == Kinds{out_of_range});
    CHECK(refused(kSmall, {"cells_per_rank.y=-1"}) == Kinds{out_of_range});
    CHECK(refused(kSmall, {"node.columns=0"}).front() == out_of_range);
}

TEST_CASE("a value of the wrong form is refused") {
    CHECK(refused(kSmall, {"ranks=5"}).front() == wrong_yaml_type);
    CHECK(refused(kSmall, {"parameters=[1, 2]"}) == Kinds{wrong_yaml_type});
    CHECK(refused(kSmall, {"parameters.nz={a: 2}"}) == Kinds{wrong_yaml_type});
    CHECK(refused("- a\n- b\n").front() == wrong_yaml_type);
}

TEST_CASE("a null is a value for no key, in a file or by an override") {
    for (const std::string key :
         {"calibration", "platform", "ranks", "node", "parameters", "cells_per_rank", "seed", "iterations", "model"}) {
        CAPTURE(key);
        const Kinds found = refused(kSmall, {key + "=null"});
        CHECK(found == Kinds{wrong_yaml_type});
    }
    CHECK(reported(kSmall, {"calibration=null"}) ==
          "--set calibration=null:1:13: error: `calibration` has no value\n"
          "    1 | calibration=null\n"
          "      |             ^^^^ expected a single value\n");
    CHECK(refused(with("calibration: ~\n")) == Kinds{wrong_yaml_type});
    CHECK(refused(kSmall, {"placement=null"}) == Kinds{bad_choice});
}

TEST_CASE("keys of traces stand beside `trace` alone, and one fault is one message") {
    CHECK(refused(with("communicators: c.yaml\nspeed: 1Tflops\narrivals: first\n")) == Kinds(3, conflicting_keys));
    CHECK(reported(with("communicators: c.yaml\n")).find("expected `trace` as well") != std::string::npos);
    const std::string trace = "trace: traces\nplatform: m.yaml\nranks: {columns: 2, rows: 2}\n";
    CHECK(refused(trace + "speed: 1Tb/s\n") == Kinds{wrong_unit});
    CHECK(refused(trace + "speed: 0flops\n") == Kinds{out_of_range});
    CHECK(refused(trace + "arrivals: last\n") == Kinds{bad_choice});
}

TEST_CASE("several faults are reported together") {
    CHECK(refused(with("iterations: none\nplacement: snake\nnodes: 1\n")) ==
          Kinds{bad_choice, bad_number, unknown_key});
}

TEST_CASE("a file that is missing, a folder or no YAML is refused") {
    const Scratch scratch;
    const auto opened = [](const std::filesystem::path& path) {
        return kinds_of(faults_of([&] { read_document(path, {}); }));
    };
    CHECK(opened(scratch.folder() / "none.yaml") == Kinds{unreadable_file});
    CHECK(opened(scratch.folder()) == Kinds{unreadable_file});
    CHECK(opened(scratch.file("open.yaml", "ranks: {columns: 4\n")) == Kinds{yaml_syntax});
}

TEST_CASE("the echo is a scenario again: defaults filled in, overrides applied, cells as the user gave them") {
    const Scenario scenario =
        read(with("parameters: {nx: 1000, nz: 100, wg: 0.414us}\n"), {"cells_per_rank.x=20", "iterations=7"});
    CHECK(echo(scenario).dump() == R"({"model":"code.psl","platform":"../machine.yaml","ranks":{"columns":6,"rows":4},)"
                                   R"("node":{"columns":1,"rows":1},"placement":"block","iterations":7,)"
                                   R"("calibration":"on",)"
                                   R"("seed":0,"noise":"off","heterogeneity":"off","cells_per_rank":{"x":20},)"
                                   R"("parameters":{"nz":100,"wg":"0.414us"}})");
}
