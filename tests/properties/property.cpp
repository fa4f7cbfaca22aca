#include "tests/properties/property.hpp"

#include <vector>

namespace warpfront::test {

namespace {

std::int64_t picoseconds(WideTime time) { return static_cast<std::int64_t>(time.ps); }

std::vector<std::int64_t> finishes(const engine::Record& record) {
    std::vector<std::int64_t> times;
    for (const WideTime time : record.rank_finish) times.push_back(picoseconds(time));
    return times;
}

std::vector<std::int64_t> iterations(const engine::Record& record) {
    std::vector<std::int64_t> times;
    for (const auto& [duration, count] : record.iterations) {
        times.push_back(picoseconds(duration));
        times.push_back(count);
    }
    return times;
}

}  // namespace

void assert_same(const engine::Record& a, const engine::Record& b) {
    RC_ASSERT(finishes(a) == finishes(b));
    RC_ASSERT(iterations(a) == iterations(b));
    RC_ASSERT(a.last->index == b.last->index);
    RC_ASSERT(picoseconds(a.breakdown->compute) == picoseconds(b.breakdown->compute));
    RC_ASSERT(picoseconds(a.breakdown->send) == picoseconds(b.breakdown->send));
    RC_ASSERT(picoseconds(a.breakdown->recv) == picoseconds(b.breakdown->recv));
    RC_ASSERT(picoseconds(a.breakdown->bus_wait) == picoseconds(b.breakdown->bus_wait));
    RC_ASSERT(picoseconds(a.breakdown->nic_wait) == picoseconds(b.breakdown->nic_wait));
    RC_ASSERT(picoseconds(a.breakdown->link_wait) == picoseconds(b.breakdown->link_wait));
    RC_ASSERT(picoseconds(a.breakdown->collective) == picoseconds(b.breakdown->collective));
    RC_ASSERT(picoseconds(a.breakdown->wait) == picoseconds(b.breakdown->wait));
    if (a.link_waits && b.link_waits) RC_ASSERT((*a.link_waits == *b.link_waits));
}

engine::Record multiplied(engine::Record a, std::int64_t factor) {
    const auto grow = [factor](WideTime& time) { time.ps *= factor; };
    for (WideTime& time : a.rank_finish) grow(time);
    for (auto& [duration, count] : a.iterations) grow(duration);
    engine::Breakdown& parts = *a.breakdown;
    for (WideTime* part : {&parts.compute, &parts.send, &parts.recv, &parts.wait, &parts.bus_wait, &parts.nic_wait,
                           &parts.link_wait, &parts.collective}) {
        grow(*part);
    }
    grow(a.finish);
    if (a.link_waits) {
        grow(a.link_waits->all);
        for (engine::LinkWait& link : a.link_waits->hottest) grow(link.waited);
    }
    return a;
}

void assert_never_earlier(const engine::Record& later, const engine::Record& sooner) {
    for (std::size_t rank = 0; rank < sooner.rank_finish.size(); ++rank) {
        RC_ASSERT(picoseconds(later.rank_finish[rank]) >= picoseconds(sooner.rank_finish[rank]));
    }
}

}  // namespace warpfront::test
