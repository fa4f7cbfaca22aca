// Platforms that are loaded once: the same machine from memory, another one once the file changes.
#include "simulator/machine/loading/platform_loader.hpp"

#include <doctest/doctest.h>

#include "simulator/input/read_file.hpp"
#include "tests/scratch.hpp"

using namespace warpfront;
using namespace warpfront::machine;

namespace {

std::string cluster_of(int hosts) {
    return "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"><platform "
           "version=\"4.1\">"
           "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-" +
           std::to_string(hosts - 1) + "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/></platform>";
}

std::optional<Platform> platform_in(const std::filesystem::path& file,
                                    const std::vector<LinkOverride>& overrides = {}) {
    input::Diagnostics faults;
    const input::SourceFilePtr xml = input::read_file(file);
    PlatformLoader loader(xml, LoadingOptions{overrides});
    return load_once(loader, xml, overrides, faults);
}

}  // namespace

TEST_CASE("a platform is loaded once, and again when its file has changed") {
    const test::Scratch scratch;
    const auto file = scratch.file("c.xml", cluster_of(4));
    for (int time = 0; time < 2; ++time) {
        const auto platform = platform_in(file);
        REQUIRE(platform);
        CHECK(platform->hosts == 4);
    }
    scratch.file("c.xml", cluster_of(6));
    CHECK(platform_in(file)->hosts == 6);
}

TEST_CASE("a platform with changed links is not kept, nor taken for the one without") {
    const test::Scratch scratch;
    const auto file = scratch.file("c.xml", cluster_of(4));
    LinkOverride unknown;
    unknown.name = "nothing_of_this_name";
    CHECK(platform_in(file));
    CHECK_FALSE(platform_in(file, {unknown}));
    CHECK(platform_in(file));
}
