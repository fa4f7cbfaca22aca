// `--set PATH=VALUE`: the keys that it overrides, the keys that it removes, its faults.
#include "simulator/scenario/overrides.hpp"

#include "simulator/input/read_file.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::scenario;
using input::YamlNode;

namespace {

YamlNode tree_of(std::string text) {
    Diagnostics faults;
    YamlNode tree = input::parse_yaml(std::make_shared<const input::SourceFile>("s.yaml", std::move(text)), faults);
    REQUIRE(faults.empty());
    return tree;
}

void set(YamlNode& tree, std::string_view argument) {
    Diagnostics faults;
    const auto change = parse_override(argument, faults);
    REQUIRE(change.has_value());
    apply(*change, tree, faults);
    remove_equivalents(*change, usual_cell_parameters(), tree);
    REQUIRE(faults.empty());
}

std::string scalar_at(const YamlNode& tree, std::string_view outer, std::string_view inner) {
    const YamlNode* mapping = tree.find(outer);
    const YamlNode* node = mapping == nullptr ? nullptr : mapping->find(inner);
    return node == nullptr ? "(none)" : node->scalar;
}

std::string refusal(std::string_view argument) {
    Diagnostics faults;
    CHECK_FALSE(parse_override(argument, faults).has_value());
    return summary_of(faults);
}

/// Returns `PATH=VALUE` for each change of a key `set`; the faults if there are any.
std::string changes_of(const std::string& text) {
    Diagnostics faults;
    const YamlNode tree = tree_of("set: " + text + "\n");
    std::string all;
    for (const Override& change : read_changes(tree.find("set"), faults)) {
        all += (all.empty() ? "" : " ") + path_of(change) + "=" + change.value.scalar;
    }
    return faults.empty() ? all : summary_of(faults);
}

}  // namespace

TEST_CASE("an override replaces the value at its path and leaves its neighbours") {
    YamlNode tree = tree_of("ranks: {columns: 2, rows: 3}\n");
    set(tree, "ranks.columns=256");
    CHECK(scalar_at(tree, "ranks", "columns") == "256");
    CHECK(scalar_at(tree, "ranks", "rows") == "3");
}

TEST_CASE("an override creates the mappings on its path") {
    YamlNode tree = tree_of("model: a.psl\n");
    set(tree, "parameters.wg=0.316us");
    CHECK(scalar_at(tree, "parameters", "wg") == "0.316us");
}

TEST_CASE("an override within a platform that is a name keeps the name") {
    YamlNode tree = tree_of("platform: xt4.yaml\n");
    set(tree, "platform.nic.injection=2GBps");
    CHECK(scalar_at(tree, "platform", "file") == "xt4.yaml");
    CHECK(scalar_at(*tree.find("platform"), "nic", "injection") == "2GBps");
    set(tree, "platform=xt3.yaml");
    CHECK(scalar_at(tree, "platform", "file") == "xt3.yaml");
    CHECK(scalar_at(*tree.find("platform"), "nic", "injection") == "2GBps");
}

TEST_CASE("a platform that is a mapping is replaced by another as a whole") {
    YamlNode tree = tree_of("platform: {file: xt4.yaml, cores: 4}\n");
    set(tree, "platform={file: xt3.yaml}");
    CHECK(scalar_at(tree, "platform", "file") == "xt3.yaml");
    CHECK(scalar_at(tree, "platform", "cores") == "(none)");
}

TEST_CASE("an override's value is YAML, so it may be a whole mapping") {
    YamlNode tree = tree_of("node: {columns: 1, rows: 1}\n");
    set(tree, "node={columns: 4, rows: 2}");
    CHECK(scalar_at(tree, "node", "columns") == "4");
    CHECK(scalar_at(tree, "node", "rows") == "2");
}

TEST_CASE("the last of repeated overrides holds") {
    YamlNode tree = tree_of("iterations: 1\n");
    set(tree, "iterations=5");
    set(tree, "iterations=7");
    CHECK(tree.find("iterations")->scalar == "7");
    CHECK(tree.entries.size() == 1);
}

TEST_CASE("a row of a layer is one key, however its size is written, from the file or an override") {
    YamlNode tree = tree_of("platform: {layers: {'network[up_to=1KiB]': {o_send: 2x}}}\n");
    set(tree, "platform.layers.network[up_to=1024B].o_send=4x");
    set(tree, "platform.layers.network[up_to=1.0 KiB].L=3x");
    const YamlNode& layers = *tree.find("platform")->find("layers");
    REQUIRE(layers.entries.size() == 1);
    CHECK(layers.entries[0].key == "network[up_to=1KiB]");  // as written first, for messages
    CHECK(scalar_at(layers, "network[up_to=1KiB]", "o_send") == "4x");
    CHECK(scalar_at(layers, "network[up_to=1KiB]", "L") == "3x");
    set(tree, "platform.layers.network[up_to=1000B].o_send=8x");
    CHECK(layers.entries.size() == 2);
}

TEST_CASE("paths that set the same quantity have one canonical path") {
    CHECK(canonical_path("a.network[up_to=1KiB].o_send") == canonical_path("a.network[up_to=1024B].o_send"));
    CHECK(canonical_path("a.network[up_to=1KiB].o_send") != canonical_path("a.network[up_to=1kB].o_send"));
    CHECK(canonical_path("a.network[last].o_send") == "a.network[last].o_send");
    CHECK(canonical_path("a.network[up_to=much].o_send") ==
          "a.network[up_to=much].o_send");  // reported with the machine
    CHECK(canonical_path("parameters.nx") == canonical_path("cells_per_rank.x"));
    CHECK(canonical_path("platform.file") == canonical_path("platform"));
    CHECK(canonical_path("model.file") == canonical_path("model"));
}

TEST_CASE(
    "one key may hide another if one path leads through the other, but not what lies within a machine or a model") {
    CHECK(overlap("ranks", "ranks.rows"));
    CHECK(overlap("a.network[up_to=1KiB]", "a.network[up_to=1024B].o_send"));
    CHECK_FALSE(overlap("ranks.row", "ranks.rows"));
    CHECK(overlap("parameters", "parameters.nx"));
    CHECK(lies_within("ranks.rows", "ranks"));
    CHECK_FALSE(lies_within("ranks", "ranks"));
    CHECK_FALSE(lies_within("ranks", "ranks.rows"));
    CHECK(conflict("ranks.rows", "ranks"));
    CHECK(conflict("model", "model.file"));
    CHECK_FALSE(conflict("model", "model.kernel.moments"));
    CHECK_FALSE(conflict("platform", "platform.bus.enabled"));
    CHECK_FALSE(conflict("ranks.rows", "ranks.columns"));
}

TEST_CASE("the key of a mapping that sets what a path sets is found under any of its names") {
    const YamlNode tree = tree_of("parameters: {nx: 3, mk: 2}\nlayers: {'network[up_to=1KiB]': {o_send: 2x}}\n");
    REQUIRE(entry_setting(tree, "", "cells_per_rank.x") != nullptr);
    CHECK(entry_setting(tree, "", "cells_per_rank.x")->value.scalar == "3");
    REQUIRE(entry_setting(tree, "platform", "platform.layers.network[up_to=1024B].o_send") != nullptr);
    CHECK(entry_setting(tree, "platform", "platform.layers.network[up_to=1024B].o_send")->value.scalar == "2x");
    CHECK(entry_setting(tree, "", "parameters.ny") == nullptr);
}

TEST_CASE("only the first `=` divides path and value") {
    YamlNode tree = tree_of("");
    set(tree, "parameters.note=a=b");
    CHECK(scalar_at(tree, "parameters", "note") == "a=b");
}

TEST_CASE("brackets belong to a key of the path, with what they hold") {
    Diagnostics faults;
    const auto parsed = parse_override("platform.layers.network[up_to=1.5KiB].o_send=2x", faults);
    REQUIRE(parsed.has_value());
    REQUIRE(parsed->path.size() == 4);
    CHECK(parsed->path[2].name == "network[up_to=1.5KiB]");
    CHECK(parsed->path[2].range.offset == std::string_view("platform.layers.").size());
    CHECK(parsed->path[3].name == "o_send");
    CHECK(parsed->value.scalar == "2x");
    CHECK(scalar_override("layers.network[up_to=1.5KiB].o_send", {}, "2x", {}).path[1].name == "network[up_to=1.5KiB]");
}

TEST_CASE("a whole mapping of cells per rank replaces both axes") {
    YamlNode tree = tree_of("parameters: {nx: 1000, ny: 900}\n");
    set(tree, "cells_per_rank={x: 20, y: 30}");
    CHECK(tree.find("parameters") == nullptr);
}

TEST_CASE("an argument without `=` is refused") {
    CHECK(refusal("ranks.columns") ==
          "--set ranks.columns:1:1 bad_override [ranks.columns] no `=` in the argument of `--set` | expected "
          "`PATH=VALUE`, such as `ranks.columns=256`");
    Diagnostics faults;
    parse_override("ranks", faults);
    CHECK(kinds_of(faults) == Kinds{bad_override});
}

TEST_CASE("an empty key is refused at its position") {
    CHECK(refusal("ranks..rows=5") ==
          "--set ranks..rows=5:1:7 bad_override [] the path of `--set` has an empty key | expected `PATH=VALUE`, such "
          "as `ranks.columns=256`");
    CHECK(refusal("=5").find("1:1 bad_override [] the path of `--set` has an empty key") != std::string::npos);
    CHECK(refusal("").find("no `=`") != std::string::npos);
}

TEST_CASE("an empty value is refused at its expected position") {
    CHECK(refusal("ranks.rows=") ==
          "--set ranks.rows=:1:12 bad_override [] there is no value after `=` | expected `PATH=VALUE`, such as "
          "`ranks.columns=256`");
}

TEST_CASE("blanks and a comment are no value, null is one without content, and braces are an empty mapping") {
    CHECK(refusal("noise= ").find("there is no value after `=`") != std::string::npos);
    CHECK(refusal("noise=# cv: 0.1").find("there is no value after `=`") != std::string::npos);
    Diagnostics faults;
    for (const char* null : {"noise=null", "noise=~"}) {
        const auto parsed = parse_override(null, faults);
        REQUIRE(parsed.has_value());
        CHECK(parsed->value.kind == YamlNode::Kind::scalar);
        CHECK(parsed->value.is_null);
    }
    const auto braces = parse_override("noise= {}", faults);
    REQUIRE(braces.has_value());
    CHECK(braces->value.kind == YamlNode::Kind::mapping);
}

TEST_CASE("a fault of the value's YAML points into the argument") {
    Diagnostics faults;
    CHECK_FALSE(parse_override("node={columns: 1, columns: 2}", faults).has_value());
    REQUIRE(kinds_of(faults) == Kinds{duplicate_key});
    // `node={columns: 1, ` is 18 bytes, so the second key begins in column 19.
    CHECK(faults.render().find("--set node={columns: 1, columns: 2}:1:19: error:") == 0);
}

TEST_CASE("a path through a single value is refused at the key that cannot be there") {
    YamlNode tree = tree_of("iterations: 12\n");
    Diagnostics faults;
    const auto change = parse_override("iterations.first=3", faults);
    REQUIRE(change.has_value());
    apply(*change, tree, faults);
    CHECK(summary_of(faults) ==
          "--set iterations.first=3:1:12 bad_override [first] `first` cannot be set in `iterations`, which is not a "
          "mapping | expected a path whose keys before the last lead to mappings");
}

TEST_CASE("a path deeper than any scenario is refused") {
    std::string path = "a";
    for (int k = 0; k < 100'000; ++k) path += ".a";
    Diagnostics faults;
    CHECK_FALSE(parse_override(path + "=1", faults).has_value());
    CHECK(kinds_of(faults) == Kinds{bad_override});
}

// Calibration files, and the selection of one by a scenario.

namespace {

Calibration terms_of(std::string_view text) {
    const Scratch scratch;
    return read_calibration(scratch.file("c.yaml", text), {});
}

Kinds refused_terms(std::string_view text) {
    return kinds_of(faults_of([&] { terms_of(text); }));
}

CalibrationKey key_of(std::string_view value) {
    const Scratch scratch;
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: p.yaml\nranks: {columns: 1, rows: 1}\n" +
                                                 (value.empty() ? "" : "calibration: " + std::string(value) + "\n"));
    return read_scenario(read_document(file, {})).calibration;
}

}  // namespace

TEST_CASE("all of a calibration") {
    const Calibration all = terms_of(
        "platform: {bus: {o_dma: 4us}}\n"
        "noise: {cv: 0.05, jitter: 3us, redrawn: off}\n"
        "computing:\n  chimaera: {factor: 1.07, per_block: 1us}\n  sweep3d: {}\n"
        "error: {deviation: 0.03, groups: 6}\n"
        "fitted: {rows: 12}\n");
    CHECK(all.platform.find("bus")->find("o_dma")->scalar == "4us");
    REQUIRE(all.noise);
    CHECK(all.noise->cv == 0.05);
    CHECK(all.noise->jitter == Time{3'000'000});
    CHECK(all.noise->repeats_after == variation::kWhenEnough);
    CHECK(all.computing.at("chimaera") == program::Computing{1.07, {1'000'000}});
    CHECK(all.computing.at("sweep3d") == program::Computing{});
    CHECK(all.error == PredictionError{0.03, 6});
}

TEST_CASE("an error may grow with the ranks beyond those it is from") {
    CHECK(terms_of("error: {deviation: 0.03, groups: 6, ranks: 2048, per_doubling: 0.01}\n").error ==
          PredictionError{0.03, 6, 2048, 0.01});
    CHECK(refused_terms("error: {deviation: 0.03, groups: 6, ranks: 2048}\n") == Kinds{missing_key});
    CHECK(refused_terms("error: {deviation: 0.03, groups: 6, per_doubling: 0.01}\n") == Kinds{missing_key});
    CHECK(refused_terms("error: {deviation: 0.03, groups: 6, ranks: 0, per_doubling: 0.01}\n") == Kinds{out_of_range});
    CHECK(refused_terms("error: {deviation: 0.03, groups: 6, ranks: 4, per_doubling: 1.5}\n") == Kinds{out_of_range});
}

TEST_CASE("an empty calibration changes nothing") {
    const Calibration none = terms_of("{}\n");
    CHECK(none.platform.entries.empty());
    CHECK_FALSE(none.noise);
    CHECK(none.computing.empty());
    CHECK_FALSE(none.error);
}

TEST_CASE("faults of a calibration") {
    CHECK(refused_terms("computng: {}\n") == Kinds{unknown_key});
    CHECK(refused_terms("computing: {chimaera: {fctor: 1}}\n") == Kinds{unknown_key});
    CHECK(refused_terms("computing: {chimaera: {factor: 0}}\n") == Kinds{out_of_range});
    CHECK(refused_terms("computing: {chimaera: {factor: 101}}\n") == Kinds{out_of_range});
    CHECK(refused_terms("computing: {chimaera: {per_block: 3}}\n") == Kinds{missing_unit});
    CHECK(refused_terms("error: {deviation: 1.5, groups: 6}\n") == Kinds{out_of_range});
    CHECK(refused_terms("error: {deviation: 0.5, groups: 0}\n") == Kinds{out_of_range});
    CHECK(refused_terms("error: {deviation: 0.5}\n") == Kinds{missing_key});
    CHECK(refused_terms("error: 0.05\n").front() == wrong_yaml_type);  // no group: no interval
    CHECK(refused_terms("noise: {cv: 11}\n") == Kinds{out_of_range});
    CHECK(refused_terms("platform: 3\n") == Kinds{wrong_yaml_type});
}

TEST_CASE("a scenario uses the calibration of its machine, none, or another") {
    CHECK(key_of("").on);
    CHECK(key_of("").file.empty());
    CHECK(key_of("on").file.empty());
    for (const std::string no : {"off", "false", "no", "False", "OFF"}) {
        CAPTURE(no);
        CHECK_FALSE(key_of(no).on);
        CHECK(key_of(no).as_written == "off");
    }
    for (const std::string yes : {"on", "true", "yes"}) {
        CAPTURE(yes);
        CHECK(key_of(yes).on);
        CHECK(key_of(yes).file.empty());
        CHECK(key_of(yes).as_written == "on");
    }
    CHECK(key_of("other.yaml").on);
    CHECK(key_of("other.yaml").file.filename() == "other.yaml");
}

TEST_CASE("a hardware file names its calibration, relative to its own folder") {
    const Scratch scratch;
    const auto named = scratch.file("machines/xt4.yaml", "name: a\ncalibration: fitted/xt4.yaml\n");
    scratch.file("machines/fitted/xt4.yaml", "error: {deviation: 0.02, groups: 3}\n");
    CHECK(calibration_for({}, machine::read_hardware_tree(named))->error == PredictionError{0.02, 3});
    CalibrationKey off;
    off.on = false;
    CHECK_FALSE(calibration_for(off, machine::read_hardware_tree(named)));
    CHECK_FALSE(calibration_for({}, machine::read_hardware_tree(scratch.file("silent.yaml", "name: c\n"))));
}

TEST_CASE("a machine like another one has a calibration only if it names one itself") {
    const Scratch scratch;
    scratch.file("xt4.yaml", "name: a\ncalibration: fitted.yaml\n");
    scratch.file("fitted.yaml", "error: {deviation: 0.02, groups: 3}\n");
    CHECK_FALSE(
        calibration_for({}, machine::read_hardware_tree(scratch.file("like.yaml", "like: xt4.yaml\nname: b\n"))));
    CHECK(calibration_for(
        {}, machine::read_hardware_tree(scratch.file("own.yaml", "like: xt4.yaml\ncalibration: fitted.yaml\n"))));
}

TEST_CASE("`set` is a mapping of paths, or a list of arguments of --set in order") {
    CHECK(changes_of("{ranks.columns: 4, parameters.wg: 1us}") == "ranks.columns=4 parameters.wg=1us");
    CHECK(changes_of("[ranks.columns=4, ranks.columns=8]") == "ranks.columns=4 ranks.columns=8");
    CHECK(changes_of("{}").empty());
    Diagnostics faults;
    CHECK(read_changes(nullptr, faults).empty());
}

TEST_CASE("faults of `set`: other forms, paths with an empty key, two keys of a mapping that set the same") {
    CHECK(changes_of("3").find("wrong_yaml_type [3] `set` is neither a list nor a mapping") != std::string::npos);
    CHECK(changes_of("[{a: 3}]").find("wrong_yaml_type") != std::string::npos);
    CHECK(changes_of("[a]").find("bad_override") != std::string::npos);
    CHECK(changes_of("{a..b: 1}").find("bad_override") != std::string::npos);
    CHECK(changes_of("{a: 1, a.b: 1}").find("conflicting_keys") != std::string::npos);
}

TEST_CASE("file names in a change are relative to the file that states it; in the form of --set, to the scenario") {
    const Scratch scratch;
    scratch.file("codes/s.yaml", "model: m.psl\nplatform: p.yaml\nranks: {columns: 1, rows: 1}\n");
    for (const std::string changes : {"{platform: ../machines/q.yaml}", "[platform=../machines/q.yaml]"}) {
        const auto source =
            input::read_file(scratch.file("lists/deep/l.yaml", "scenario: ../../codes/s.yaml\nset: " + changes + "\n"));
        Diagnostics faults;
        const YamlNode tree = input::parse_yaml(source, faults);
        input::MappingReader keys(tree, "a list", faults);
        const NamedScenario named = read_named_scenario(keys, faults);
        REQUIRE(faults.empty());
        const std::string folder = changes.front() == '{' ? "../lists/machines/" : "../machines/";
        CHECK(read_document(named, {}).tree.find("platform")->scalar == folder + "q.yaml");
    }
}
