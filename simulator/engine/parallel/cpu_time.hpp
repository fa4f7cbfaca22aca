// Processor time of one thread. That of the whole process would also count the runs that go on beside this one.
#pragma once

#include <ctime>

#include <chrono>

namespace warpfront::engine {

/// What the calling thread has used since it began.
inline std::chrono::nanoseconds cpu_time_of_thread() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace warpfront::engine
