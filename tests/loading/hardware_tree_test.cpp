// Hardware files with `like`: inherited parts, overridden parts, and the places of faults.
#include "simulator/machine/loading/hardware_tree.hpp"
#include "tests/loading/hardware_text.hpp"
#include "tests/loading/platforms.hpp"

namespace warpfront::machine::hardware_tree_test {

namespace {

const std::string kBase = R"(name: base
platform: p.xml
size: fit
bus: {o_dma: 2us, G_dma: 1ns/B}
layers:
  network:
    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [bus]}
)";

/// Reads `own`, beside `base.yaml`.
Read read(const std::string& own, const std::string& base = kBase) {
    const Workspace files;
    files.write("base.yaml", base);
    Read result;
    result.file = read_hardware_file(read_hardware_tree(files.write("own.yaml", own)), result.faults);
    return result;
}

}  // namespace

TEST_CASE("a file that is like another has its tree, except for its own keys") {
    const auto [file, found] = read("like: base.yaml\nname: own\ncores: 4\n");
    CHECK(found.render() == "");
    CHECK(file.name == "own");
    CHECK(file.cores == 4);
    CHECK(file.platform.value.filename() == "p.xml");
    CHECK(file.layers.back().profile.size() == 1);
}

TEST_CASE("mappings are overridden key by key") {
    const auto [file, found] = read("like: base.yaml\nbus: {enabled: off}\n");
    CHECK(found.render() == "");
    CHECK_FALSE(file.bus);
    const auto [faster, none] = read("like: base.yaml\nbus: {o_dma: 1us}\n");
    CHECK(faster.bus.value().o_dma == Time{1'000'000});
    CHECK(cost_of(Bytes{1000}, faster.bus.value().G_dma) == Time{1'000'000});
}

TEST_CASE("a list is overridden as a whole") {
    const auto [file, found] = read(
        "like: base.yaml\nlayers:\n  network:\n"
        "    - {protocol: eager, o_send: 5us, o_recv: 1us, L: 1us, G: 1ns/B}\n");
    CHECK(found.render() == "");
    const Profile& network = file.layers.back().profile;
    REQUIRE(network.size() == 1);
    CHECK(network[0].o_send == Time{5'000'000});
    CHECK_FALSE(network[0].holds_bus);
}

TEST_CASE("the platform is relative to the file that names it") {
    const Workspace files;
    std::filesystem::create_directory(files.write("base.yaml", kBase).parent_path() / "deep");
    Diagnostics found;
    const HardwareFile file =
        read_hardware_file(read_hardware_tree(files.write("deep/own.yaml", "like: ../base.yaml\n")), found);
    CHECK(found.render() == "");
    CHECK(file.platform.value.parent_path().filename() == "..");
}

TEST_CASE("`like` may chain several files, and all are listed, nearest first") {
    const Workspace files;
    files.write("base.yaml", kBase);
    files.write("middle.yaml", "like: base.yaml\nname: middle\nchips: 2\n");
    Diagnostics found;
    const HardwareFile file =
        read_hardware_file(read_hardware_tree(files.write("own.yaml", "like: middle.yaml\nname: own\n")), found);
    CHECK(found.render() == "");
    CHECK(file.name == "own");
    CHECK(file.parts.front().value.count == 2);
    REQUIRE(file.sources.size() == 3);
    CHECK(file.sources[0]->name().ends_with("own.yaml"));
    CHECK(file.sources[2]->name().ends_with("base.yaml"));
}

TEST_CASE("a fault points into the file that contains it") {
    const Diagnostic inherited = only(read("like: base.yaml\n", kBase + "chip: 2\n").faults, unknown_key);
    CHECK(inherited.range.source->name().ends_with("base.yaml"));
    CHECK(line_of(inherited) == 8);
    const Diagnostic own = only(read("like: base.yaml\nchip: 2\n").faults, unknown_key);
    CHECK(own.range.source->name().ends_with("own.yaml"));
    CHECK(line_of(own) == 2);
}

TEST_CASE("SimGrid's XML instead of a hardware file is a fault that names the file beside it") {
    const Workspace files;
    const auto xml = files.write("p.xml", star_xml(2));
    const auto named = [&] {
        const auto scenario = files.source("s.yaml", "platform: p.xml\n");
        return only(faults_of([&] { read_hardware_tree(xml, {scenario, 10, 5}); }), xml_as_hardware);
    };
    CHECK(marked(named()) == "p.xml");
    CHECK(named().message.ends_with("p.xml` is not a hardware file, but a platform of SimGrid"));
    CHECK(named().expected == "expected a hardware file (.yaml) that names it by `platform:`");
    files.write("a.yaml", "no: [hardware");
    files.write("m.yaml", kBase);
    CHECK(named().expected == "expected a hardware file: `m.yaml` in the same folder names this platform");
}

TEST_CASE("the origin of a file is the end of its chain of `like`") {
    const Workspace files;
    const auto base = files.write("base.yaml", kBase);
    files.write("between.yaml", "like: base.yaml\n");
    const auto origin = [](const std::filesystem::path& file) { return origin_of(read_hardware_tree(file)); };
    CHECK(origin(files.write("own.yaml", "like: between.yaml\n")) == plain(base));
    CHECK(origin(base.parent_path() / "." / base.filename()) == plain(base));
}

TEST_CASE("files that are like each other are a fault, not a loop") {
    CHECK(marked(only(read("like: own.yaml\n").faults, like_itself)) == "own.yaml");
    CHECK(only(read("like: base.yaml\n", "like: ./own.yaml\n").faults, like_itself)
              .range.source->name()
              .ends_with("base.yaml"));
}

TEST_CASE("the value of `like` must be a file's name") {
    CHECK(line_of(only(read("like: [base.yaml]\n" + kBase).faults, wrong_yaml_type)) == 1);
    CHECK(line_of(only(read("like:\n" + kBase).faults, wrong_yaml_type)) == 1);
}

TEST_CASE("a missing file in `like` is a fault at the position of its name") {
    const Diagnostics found = faults_of([] { read("name: own\nlike: nothing.yaml\n"); });
    CHECK(line_of(only(found, unreadable_file)) == 2);
}

}  // namespace warpfront::machine::hardware_tree_test
