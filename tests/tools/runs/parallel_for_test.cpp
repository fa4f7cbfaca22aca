// Independent runs in parallel: how many run at once, and which failure is thrown.
#include "tests/preamble.hpp"
#include "tools/answer/runs/runs.hpp"

#include <atomic>
#include <mutex>
#include <thread>

using namespace warpfront::tools;

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Returns true as soon as `condition` is true; false if it is not within 20 s.
template <typename Condition>
bool comes_true(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::yield();
    }
    return true;
}

struct Failed : std::runtime_error {
    explicit Failed(std::uint32_t number) : std::runtime_error(std::to_string(number)) {}
};

/// Returns the thrown message; empty if nothing was thrown.
template <typename Act>
std::string thrown_by(const Act& act) {
    try {
        act();
    } catch (const Failed& failed) {
        return failed.what();
    }
    return "";
}

}  // namespace

TEST_CASE("every run happens once, at any number of threads") {
    for (const unsigned at_once : {1U, 2U, 3U, 8U, 50U}) {
        CAPTURE(at_once);
        std::vector<std::atomic<int>> times(20);
        parallel_for(20, at_once, [&](std::uint32_t number, const Wanted&) { ++times[number]; });
        CHECK(std::all_of(times.begin(), times.end(), [](const auto& count) { return count == 1; }));
    }
}

TEST_CASE("one at a time, runs happen in the order of their numbers, on the caller's thread") {
    const auto caller = std::this_thread::get_id();
    Numbers made;
    parallel_for(5, 1, [&](std::uint32_t number, const Wanted&) {
        CHECK(std::this_thread::get_id() == caller);
        made.push_back(number);
    });
    CHECK(made == Numbers{0, 1, 2, 3, 4});
}

TEST_CASE("as many runs are active at once as permitted") {
    // Each of three runs ends only once all three have begun.
    std::atomic<int> begun = 0;
    parallel_for(3, 3, [&](std::uint32_t, const Wanted&) {
        ++begun;
        CHECK(comes_true([&] { return begun == 3; }));
    });
}

TEST_CASE("no more runs are active at once than permitted, and they begin in the order of their numbers") {
    std::mutex mutex;
    std::uint32_t under_way = 0;
    std::uint32_t most = 0;
    std::uint32_t ended = 0;
    parallel_for(40, 2, [&](std::uint32_t number, const Wanted&) {
        {
            const std::lock_guard hold(mutex);
            most = std::max(most, ++under_way);
            // With two at a time, run k begins when at least k - 1 have ended.
            CHECK(ended + 1 >= number);
        }
        std::this_thread::yield();
        const std::lock_guard hold(mutex);
        --under_way;
        ++ended;
    });
    CHECK(most <= 2);
}

TEST_CASE("the failure of the lowest run is thrown, even if it is later than others") {
    std::atomic<bool> later_has_failed = false;
    const std::string thrown = thrown_by([&] {
        parallel_for(4, 2, [&](std::uint32_t number, const Wanted&) {
            if (number == 1) {
                later_has_failed = true;
                throw Failed(1);
            }
            CHECK(comes_true([&] { return later_has_failed.load(); }));
            throw Failed(number);
        });
    });
    CHECK(thrown == "0");
}

TEST_CASE("after a failure no further run begins") {
    Numbers begun;
    const std::string thrown = thrown_by([&] {
        parallel_for(10, 1, [&](std::uint32_t number, const Wanted&) {
            begun.push_back(number);
            if (number == 2) throw Failed(number);
        });
    });
    CHECK(thrown == "2");
    CHECK(begun == Numbers{0, 1, 2});
}

TEST_CASE("runs after one that failed are not wanted, and their exceptions are ignored") {
    std::atomic<bool> second_has_begun = false;
    std::atomic<bool> second_was_unwanted = false;
    const std::string thrown = thrown_by([&] {
        parallel_for(2, 2, [&](std::uint32_t number, const Wanted& wanted) {
            if (number == 1) {
                second_has_begun = true;
                second_was_unwanted = comes_true([&] { return !wanted(); });
                throw Failed(1);
            }
            CHECK(comes_true([&] { return second_has_begun.load(); }));
            throw Failed(0);
        });
    });
    CHECK(second_was_unwanted);
    CHECK(thrown == "0");
}

TEST_CASE("runs before one that failed stay wanted to their end") {
    std::atomic<bool> second_fails = false;
    bool still_wanted = false;
    const std::string thrown = thrown_by([&] {
        parallel_for(3, 2, [&](std::uint32_t number, const Wanted& wanted) {
            if (number == 1) {
                second_fails = true;
                throw Failed(1);
            }
            CHECK(number == 0);  // the thread of run 1 finds run 2 unwanted
            CHECK(comes_true([&] { return second_fails.load(); }));
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            still_wanted = wanted();
        });
    });
    CHECK(still_wanted);
    CHECK(thrown == "1");
}
