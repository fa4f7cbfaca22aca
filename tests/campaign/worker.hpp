// A trial run in its own process, so that a crash or an endless run is attributed to that trial and ends nothing else.
#pragma once

#include <sys/types.h>

#include "tests/campaign/verdict.hpp"

namespace warpfront::campaign {

/// Time after which a signal ends the process, which is a failure.
inline constexpr unsigned kLongestTrialSeconds = 300;

class Worker {
public:
    /// Writes the trial's files and starts the process. Throws std::system_error, and the exceptions of write_files.
    explicit Worker(const Trial& trial, const std::function<Verdict(const Trial&)>& work = try_all_ways);
    Worker(Worker&& other) noexcept;
    Worker& operator=(Worker&&) = delete;
    ~Worker();

    /// Returns a descriptor that is readable if there is something to take.
    int descriptor() const { return pipe_; }
    /// Takes the available output. Returns true once the process has ended.
    bool take();
    /// Returns the verdict, after the process has ended.
    Verdict verdict() const;

private:
    void end();

    pid_t process_ = -1;
    int pipe_ = -1;
    int status_ = 0;
    std::string answer_;
};

/// Starts a worker and waits for it.
Verdict try_apart(const Trial& trial);

}  // namespace warpfront::campaign
