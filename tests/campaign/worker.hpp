// A trial run in a process of its own, so that a crash or an endless run is known to be that trial's and ends nothing
// else.
#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

#include "tests/campaign/trial.hpp"
#include "tests/campaign/verdict.hpp"

namespace warpfront::campaign {

/// After so long a signal ends the process, which is a failure.
inline constexpr unsigned kLongestTrialSeconds = 300;

class Worker {
public:
    /// Writes the trial's files and starts the process. Throws std::system_error, and what write_files throws.
    explicit Worker(const Trial& trial, const std::function<Verdict(const Trial&)>& work = try_all_ways);
    Worker(Worker&& other) noexcept;
    Worker& operator=(Worker&&) = delete;
    ~Worker();

    /// Readable once there is something to take.
    int descriptor() const { return pipe_; }
    /// Takes what has come; true once the process has ended.
    bool take();
    /// After it has ended.
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
