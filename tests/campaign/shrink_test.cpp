// What is shrunk still fails, and nothing in it can be made simpler by itself.
#include "tests/campaign/shrink.hpp"

#include <doctest/doctest.h>

using namespace warpfront;
using namespace warpfront::campaign;

namespace {

/// Ranks, perhaps a bus with its cost, tiles.
struct Toy {
    std::int64_t ranks, bus, cost, tiles;
};

Toy draw(Choices& choices) {
    Toy toy{};
    toy.ranks = choices.size("ranks", 1, 2000);
    toy.bus = choices.chance("bus", 0.5) ? 1 : 0;
    toy.cost = toy.bus == 1 ? choices.size("bus.cost", 0, 20'000'000) : 0;
    toy.tiles = choices.size("tiles", 1, 1000);
    return toy;
}

template <typename Fails>
Toy shrunk(const Fixed& from, const Fails& fails, std::uint32_t most_runs = 100'000) {
    const StillFails still_fails = [&](const Fixed& fixed) -> std::optional<std::vector<Choice>> {
        Choices choices(fixed);
        if (!fails(draw(choices))) return std::nullopt;
        return choices.made();
    };
    Choices first(from);
    draw(first);
    std::uint32_t runs = 0;
    Choices last(fixed_of(shrink(first.made(), still_fails, [&] { return runs++ < most_runs; })));
    return draw(last);
}

const Fixed kFound{{"ranks", 1311}, {"bus", 1}, {"bus.cost", 7'123'456}, {"tiles", 640}};

}  // namespace

TEST_CASE("the least sizes that still fail are found, and what does not matter is dropped") {
    const Toy toy = shrunk(kFound, [](const Toy& each) { return each.ranks >= 37 && each.tiles > 5; });
    CHECK(toy.ranks == 37);
    CHECK(toy.tiles == 6);
    CHECK(toy.bus == 0);
}

TEST_CASE("a choice that is needed stays, with the simplest of the choices that it brings") {
    const Toy toy = shrunk(kFound, [](const Toy& each) { return each.bus == 1 && each.cost > 1'000'000; });
    CHECK(toy.bus == 1);
    CHECK(toy.cost == 1'000'001);
    CHECK(toy.ranks == 1);
    CHECK(toy.tiles == 1);
}

TEST_CASE("choices that go down together are followed over several passes") {
    const Toy toy = shrunk(kFound, [](const Toy& each) { return each.tiles >= each.ranks / 2 && each.tiles >= 9; });
    CHECK(toy.tiles == 9);
    CHECK(toy.ranks == 1);
}

TEST_CASE("out of time, the simplest found so far still fails") {
    const auto fails = [](const Toy& each) { return each.ranks >= 37 && each.tiles > 5; };
    CHECK(fails(shrunk(kFound, fails, 6)));
}
