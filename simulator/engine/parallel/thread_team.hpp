// Threads that work in rounds. In each round all members perform their shares in parallel. Then one of them decides,
// alone, how to continue.
//
// A barrier separates rounds, so all members see the data of the previous round. A member that arrives early spins for
// a short time, since a round takes only microseconds. Then it sleeps, so that a member that has lost its core to
// another program can use the sleeping member's core. A spinning member does not yield its core, since another program
// would use the core for milliseconds.
#pragma once

#include <ctime>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warpfront::engine {

/// Returns the processor time that the calling thread has used since it began. The time of the whole process would
/// include other runs in the process.
inline std::chrono::nanoseconds cpu_time_of_thread() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

class ThreadTeam {
public:
    explicit ThreadTeam(std::size_t members) : members_(members), spins_(each_has_a_core(members) ? 4000 : 0) {}

    static bool each_has_a_core(std::size_t members) { return members <= cores(); }

    /// Calls `share(member)` on all members, then `decide()` on one of them. Repeats this until `decide` returns false.
    /// The caller is member 0. An exception of a share ends the work and is thrown here. `decide` may also throw.
    void work(const std::function<void(std::size_t)>& share, const std::function<bool()>& decide) {
        std::vector<std::jthread> others;
        for (std::size_t member = 1; member < members_; ++member) {
            others.emplace_back([&, member] {
                take_part(member, share, decide);
                const std::lock_guard hold(mutex_);
                cpu_of_others_ += cpu_time_of_thread();
            });
        }
        take_part(0, share, decide);
        others.clear();
        if (failure_) std::rethrow_exception(failure_);
    }

    /// Returns the processor time of all members except the caller, when the work is done.
    std::chrono::nanoseconds cpu_of_others() const { return cpu_of_others_; }

private:
    void take_part(std::size_t member, const std::function<void(std::size_t)>& share,
                   const std::function<bool()>& decide) {
        for (std::size_t round = 0; !stop_; ++round) {
            guarded([&] { share(member); });
            if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
                bool go_on = false;
                guarded([&] { go_on = !failure_ && decide(); });
                stop_ = !go_on;
                arrived_.store(0, std::memory_order_relaxed);
                round_.store(round + 1, std::memory_order_release);
                round_.notify_all();
            } else {
                await_end_of(round);
            }
        }
    }

    void await_end_of(std::size_t round) const {
        for (int spin = 0; spin < spins_; ++spin) {
            if (round_.load(std::memory_order_acquire) != round) return;
            relax();
        }
        round_.wait(round, std::memory_order_acquire);
    }

    static std::size_t cores() {
        static const std::size_t count = std::thread::hardware_concurrency();
        return count;
    }

    static void relax() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    template <typename Work>
    void guarded(const Work& work) {
        try {
            work();
        } catch (...) {
            const std::lock_guard hold(mutex_);
            if (!failure_) failure_ = std::current_exception();
        }
    }

    std::size_t members_;
    int spins_;  // number of spins; 0 if there are fewer cores than members
    std::atomic<std::size_t> arrived_ = 0;
    std::atomic<std::size_t> round_ = 0;
    bool stop_ = false;  // the deciding member writes it; all members read it after the barrier
    std::exception_ptr failure_;
    std::chrono::nanoseconds cpu_of_others_{0};
    std::mutex mutex_;
};

}  // namespace warpfront::engine
