// Two runs that must not differ: every rank's time, every iteration, every part of the breakdown.
#pragma once

#include <doctest/doctest.h>

#include "simulator/engine/record.hpp"

namespace warpfront::test {

inline void check_same_run(const engine::Record& a, const engine::Record& b) {
    CHECK(a.finish == b.finish);
    CHECK(a.rank_finish == b.rank_finish);
    CHECK(a.last == b.last);
    CHECK(a.iterations == b.iterations);
    CHECK(a.breakdown->compute == b.breakdown->compute);
    CHECK(a.breakdown->send == b.breakdown->send);
    CHECK(a.breakdown->recv == b.breakdown->recv);
    CHECK(a.breakdown->wait == b.breakdown->wait);
    CHECK(a.breakdown->bus_wait == b.breakdown->bus_wait);
    CHECK(a.breakdown->nic_wait == b.breakdown->nic_wait);
    CHECK(a.breakdown->link_wait == b.breakdown->link_wait);
    CHECK(a.breakdown->collective == b.breakdown->collective);
    CHECK(a.link_waits == b.link_waits);
}

}  // namespace warpfront::test
