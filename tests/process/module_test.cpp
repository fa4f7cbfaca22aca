#include <doctest/doctest.h>

#include <string>

#include "simulator/process/module.hpp"

namespace warpfront::process {

TEST_CASE("a module that is nowhere is missing: its file is named, and where it is expected") {
    try {
        Module("warpfront_nothing");
        FAIL("loaded");
    } catch (const MissingModule& missing) {
        CHECK(std::string(missing.what()).starts_with("warpfront_nothing.so: cannot open shared object file"));
        CHECK(
            missing.remedy().starts_with("expected `warpfront_nothing.so` of the same build in the program's folder"));
    }
}

TEST_CASE("a module without the function, as one of another build, counts as missing") {
    const Module module("warpfront_simgrid");
    CHECK_NOTHROW(module.function<void()>("warpfront_simgrid_loader"));
    CHECK_THROWS_AS(module.function<void()>("warpfront_simgrid_dance"), MissingModule);
}

}  // namespace warpfront::process
