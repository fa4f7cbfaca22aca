// The calendar against a sorted set of the same events.
#include "simulator/engine/stepping/calendar.hpp"

#include <ctime>

#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"
#include "tests/preamble.hpp"

using engine::EventId;
using engine::EventKind;

namespace {

/// The order of events: those of one time are taken by their numbers.
struct ByNumber {
    std::uint32_t place_of(EventId event) const { return event.index(); }
    void prefetch(EventId) const {}
};

/// A calendar, and beside it the events that it should contain.
class Compared {
public:
    void add(std::int64_t time) {
        calendar_.add(time, {EventKind::request, number_});
        expected_.emplace(time, number_++);
    }
    /// Takes the first event and returns its time.
    std::int64_t take() {
        CHECK_FALSE(calendar_.take_before(expected_.begin()->first, event_));
        REQUIRE(calendar_.take_before(expected_.begin()->first + 1, event_));
        const std::int64_t time = event_.time;
        const std::uint32_t number = event_.id.index();
        CHECK(std::pair(time, number) == *expected_.begin());
        expected_.erase(expected_.begin());
        return time;
    }
    void take_all() {
        while (!expected_.empty()) take();
        CHECK(calendar_.first_time() == kHorizon.ps);
    }
    void look() { CHECK(calendar_.first_time() == (empty() ? kHorizon.ps : expected_.begin()->first)); }
    /// Checks whether another event has the time of the one taken last.
    void look_beside(std::int64_t time) {
        CHECK(calendar_.has_more_at(time) == (!empty() && expected_.begin()->first == time));
    }
    bool empty() const { return expected_.empty(); }

private:
    ByNumber order_;
    engine::Calendar<ByNumber> calendar_{order_};
    std::set<std::pair<std::int64_t, std::uint32_t>> expected_;
    std::uint32_t number_ = 0;
    engine::Event event_;
};

}  // namespace

TEST_CASE("events are taken by time, those of one time in their order") {
    Compared events;
    for (const std::int64_t time : {70, 20, 70, 0, 1'000'000'000, 20}) events.add(time);
    events.take_all();
}

TEST_CASE("an event that is added before the time of the last one taken is taken next") {
    Compared events;
    for (std::int64_t time = 0; time < 1000; time += 10) events.add(time);
    for (int k = 0; k < 50; ++k) events.take();
    events.add(3);
    CHECK(events.take() == 3);
    events.take_all();
}

TEST_CASE("an event that is added before the first one, after that has been looked at, is taken before it") {
    Compared events;
    for (const std::int64_t time : {1000, 2000, 900'000}) events.add(time);
    events.take();
    events.take();
    events.look();
    events.add(2001);
    CHECK(events.take() == 2001);
    events.take_all();
}

TEST_CASE("events that are added to an empty calendar are taken, whether they are sooner or later than those before") {
    Compared events;
    events.add(1'000'000);
    events.take_all();
    events.add(900'000);
    events.add(1'000'001);
    events.take_all();
}

TEST_CASE("an event at the end of virtual time waits behind thousands of others") {
    Compared events;
    events.add(kHorizon.ps - 1);
    for (std::int64_t time = 0; time < 5000; ++time) events.add(time * 1'000'000);
    events.take_all();
}

TEST_CASE("a calendar takes the same events as a sorted set, whatever the distances of its events") {
    for (std::uint32_t trial = 0; trial < 60; ++trial) {
        CAPTURE(trial);
        Random random({1}, Purpose::figure, trial, 0);
        Compared events;
        const std::uint64_t widest = std::uint64_t{1} << (1 + random.below(45));
        std::int64_t now = 0;
        for (int step = 0; step < 3000; ++step) {
            const bool adds = random.below(2) == 0 || events.empty();
            const std::uint64_t ahead = random.below(50) == 0 ? 0 : random.below(widest);
            if (adds) events.add(now + static_cast<std::int64_t>(ahead));
            if (!adds) {
                now = events.take();
                events.look_beside(now);
            }
            if (random.below(4) == 0) events.look();
            if (random.below(1500) == 0) events.take_all();
        }
        events.take_all();
    }
}

TEST_CASE("a slot that becomes dense after its year has begun is divided again") {
    // The year begins with two events, a second apart, so its slots are long. Then there are up to 1,000 events within
    // a microsecond, which all belong to the open slot.
    Compared events;
    events.add(0);
    events.add(1'000'000'000'000);
    std::int64_t now = events.take();
    std::mt19937_64 random(5);
    const auto soon = [&] { return static_cast<std::int64_t>(random() % 1'000'000); };
    for (int k = 0; k < 1000; ++k) events.add(now + soon());
    for (int k = 0; k < 20'000; ++k) {
        now = events.take();
        events.look_beside(now);
        events.add(k % 10 == 0 ? now : now + soon());  // some have the time of the present event, and are taken next
    }
    events.take_all();
}

TEST_CASE("events that are added for the present time are taken in their order, among many others of this time") {
    // Each of 5,000 simultaneous events, with numbers 0 to 4,999, adds one for the same time, which takes place
    // after the events that are left (even numbers) or before them (odd numbers).
    struct OddFirst {
        std::uint32_t place_of(EventId event) const { return event.index() % 2 == 0 ? event.index() : 0; }
        void prefetch(EventId) const {}
    };
    const OddFirst order;
    engine::Calendar<OddFirst> calendar(order);
    std::multiset<std::uint32_t> expected;
    const auto add = [&](std::uint32_t number) {
        calendar.add(70, {EventKind::request, number});
        expected.insert(order.place_of({EventKind::request, number}));
    };
    for (std::uint32_t number = 0; number < 5000; ++number) add(number);
    engine::Event event;
    for (std::uint32_t number = 5000; number < 10'000; ++number) {
        REQUIRE(calendar.take_before(71, event));
        CHECK(order.place_of(event.id) == *expected.begin());
        expected.erase(expected.begin());
        add(number);
    }
    for (; !expected.empty(); expected.erase(expected.begin())) {
        REQUIRE(calendar.take_before(71, event));
        CHECK(order.place_of(event.id) == *expected.begin());
    }
    CHECK(calendar.first_time() == kHorizon.ps);
}

TEST_CASE("events in a slot that has become dense are taken about as fast as others") {
    // 200,000 events wait, and 800,000 more follow. If every insertion moved half of those that wait, this would move
    // 800,000 * 100,000 * 16 B, which takes minutes.
    const ByNumber order;
    engine::Calendar<ByNumber> calendar(order);
    std::uint32_t number = 0;
    const auto add = [&](std::int64_t time) { calendar.add(time, {EventKind::request, number++}); };
    add(0);
    add(1'000'000'000'000);
    std::mt19937_64 random(6);
    const auto soon = [&] { return static_cast<std::int64_t>(random() % 1'000'000'000); };
    engine::Event event;
    REQUIRE(calendar.take_before(1, event));
    for (int k = 0; k < 200'000; ++k) add(soon());
    const auto begin = std::clock();
    for (int k = 0; k < 800'000; ++k) {
        REQUIRE(calendar.take_before(kHorizon.ps, event));
        add(event.time + soon());
    }
    CHECK(std::clock() - begin < 10 * CLOCKS_PER_SEC);
}
