#include "tools/answer/runs/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace warpfront::tools {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// The lowest run that has failed so far.
class Failure {
public:
    bool is_wanted(std::uint32_t number) const { return number < lowest_; }

    void record(std::uint32_t number, std::exception_ptr thrown) {
        const std::lock_guard hold(mutex_);
        if (number >= lowest_) return;
        lowest_ = number;
        thrown_ = std::move(thrown);
    }

    void raise() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    std::atomic<std::uint32_t> lowest_ = kNone;
    std::exception_ptr thrown_;
    std::mutex mutex_;
};

}  // namespace

void parallel_for(std::uint32_t runs, unsigned at_once,
                  const std::function<void(std::uint32_t number, const Wanted& wanted)>& run) {
    Failure failure;
    std::atomic<std::uint64_t> next = 0;
    const auto run_next = [&] {
        for (std::uint64_t taken = next++; taken < runs; taken = next++) {
            const auto number = static_cast<std::uint32_t>(taken);
            if (!failure.is_wanted(number)) return;
            try {
                run(number, [&failure, number] { return failure.is_wanted(number); });
            } catch (...) {
                failure.record(number, std::current_exception());
            }
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned thread = 1; thread < std::min<std::uint32_t>(at_once, runs); ++thread) {
            others.emplace_back(run_next);
        }
        run_next();
    }
    failure.raise();
}

}  // namespace warpfront::tools
