// What is recorded of nodes at rest.
#include <doctest/doctest.h>

#include "simulator/engine/rest.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

struct Machine {
    Machine() : laid_out(engine::lay_out(wavefront({.grid = {8, 1}}), crowded_torus({8, 1}, {1, 1}))) {}

    engine::LaidOut laid_out;
    engine::State state{laid_out.layout, laid_out.channels};
    engine::Companies companies{laid_out.layout, laid_out.channels};
    engine::Rest rest{laid_out.layout, state, companies};
};

/// Records signals of this end, at the times 1, 2, ... of its period.
engine::End& record(engine::Rest& rest, std::uint32_t number, std::uint16_t count, engine::EndMode mode) {
    engine::End& end = rest.ends[number];
    end = {.first = static_cast<std::uint32_t>(rest.said.size()), .count = count, .mode = mode};
    for (std::int64_t time = 1; time <= count; ++time) rest.said.push_back({.time = time});
    return end;
}

}  // namespace

TEST_CASE("what ends said that are live again is forgotten, and the others say the same as before") {
    Machine machine;
    engine::Rest& rest = machine.rest;
    rest.paces[0] = {.base = 0, .period = 1000};
    record(rest, 0, 500, engine::EndMode::live);
    const engine::End& fed = record(rest, 1, 3, engine::EndMode::fed);
    record(rest, 2, 600, engine::EndMode::live);
    const engine::End& quiet = record(rest, 3, 2, engine::EndMode::quiet);
    rest.forget();
    CHECK(rest.said.size() == 3 + 2);
    CHECK(rest.at(fed, 2).time == 3);
    CHECK(rest.at(fed, 3).time == 1000 + 1);
    CHECK(rest.at(quiet, 0).time == 1);
    CHECK(rest.at(quiet, 3).time == 1000 + 2);
}

TEST_CASE("what is of use is not looked through again before as much has been recorded once more") {
    Machine machine;
    engine::Rest& rest = machine.rest;
    record(rest, 0, 2000, engine::EndMode::fed);
    rest.forget();
    record(rest, 1, 1999, engine::EndMode::live);
    rest.forget();
    CHECK(rest.said.size() == 3999);
    record(rest, 1, 1, engine::EndMode::live);
    rest.forget();
    CHECK(rest.said.size() == 2000);
}
