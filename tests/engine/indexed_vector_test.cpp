// Numbers of unlike things do not stand for each other.
#include "simulator/engine/state/indexed_vector.hpp"

#include <concepts>
#include <cstdint>

#include <doctest/doctest.h>

#include "simulator/engine/state/ids.hpp"
#include "simulator/units/ids.hpp"

using namespace warpfront;
using engine::kNone;

namespace {

using PerRank = engine::IndexedVector<Rank, int>;

template <typename Array, typename Index>
concept IndexedBy = requires(Array array, Index index) {
    array[index];
};

}  // namespace

TEST_CASE("an array takes the number of its elements and no other") {
    CHECK(IndexedBy<PerRank, Rank>);
    CHECK_FALSE(IndexedBy<PerRank, Node>);
    CHECK_FALSE(IndexedBy<PerRank, engine::SendEndpointId>);
    CHECK_FALSE(IndexedBy<PerRank, std::uint32_t>);
}

TEST_CASE("the two ends of channels are not compared or exchanged") {
    CHECK_FALSE(std::equality_comparable_with<engine::SendEndpointId, engine::ReceiveEndpointId>);
    CHECK_FALSE(std::convertible_to<engine::SendEndpointId, engine::ReceiveEndpointId>);
    CHECK_FALSE(std::convertible_to<engine::SendEndpointId, std::uint32_t>);
}

TEST_CASE("an array numbers its elements from 0") {
    const PerRank array{7, 8, 9};
    int sum = 0;
    for (const Rank rank : array.ids()) sum += array[rank];
    CHECK(sum == 7 + 8 + 9);
    CHECK(array.contains({2}));
    CHECK_FALSE(array.contains({3}));
    CHECK_FALSE(array.contains(kNone));
}
