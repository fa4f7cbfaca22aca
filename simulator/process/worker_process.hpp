// A forked worker process. If its work aborts, crashes, loops, exhausts memory or prints, this process only gets a
// Completion. SimGrid is used only this way: it allows one instance per process, aborts on some bad platforms and
// crashes on others.
//
// Protocol. The worker starts with a copy of this process' memory. It answers requests one after another; requests and
// answers are strings, each sent after its length. The worker is bound by `Limits` and killed with its parent. Both of
// its output streams go to `Completion::log`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace warpfront::process {

/// False with the address sanitizer, which reserves terabytes, so no limit on address space is possible.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kMemoryIsLimited = false;
#else
inline constexpr bool kMemoryIsLimited = true;
#endif

struct Limits {
    std::uint64_t bytes = std::uint64_t{2} << 30;  // address space in addition to that of this process
    std::chrono::milliseconds time{120'000};       // from a request to its answer
};

/// The current work of the worker, readable even after a crash.
class Activity {
public:
    static constexpr std::size_t kLongest = 1000;
    explicit Activity(char* shared) : shared_(shared) {}
    void say(std::string_view what);

private:
    char* shared_;  // kLongest + 1 bytes, zero-terminated
};

/// The end of a request. Unless the end is `finished`, the worker process has ended as well.
struct Completion {
    enum class End : std::uint8_t { finished, out_of_memory, out_of_time, crashed };
    static constexpr std::size_t kLongestLog = 65536;

    End end = End::finished;
    int signal = 0;        // signal that ended a crashed worker; 0 if there was none
    std::string answer;    // set only if finished
    std::string log;       // the first kLongestLog bytes printed during the request
    std::string activity;  // the last text of Activity::say
};

class WorkerProcess {
public:
    /// The function that runs in the worker; its state stays there from one request to the next.
    using Handler = std::function<std::string(std::string_view request, Activity& activity)>;

    /// Starts a worker. Throws std::system_error if the system provides no process, socket or memory.
    WorkerProcess(const Limits& limits, const Handler& handler);
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;
    /// Ends the worker.
    ~WorkerProcess();

    /// Sends a request and waits for the answer. Must not be called after a request whose end was not `finished`.
    Completion call(std::string_view request);

private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

/// Starts a worker for one request and returns its completion.
Completion run_in_worker(const Limits& limits, const std::function<std::string(Activity&)>& work);

}  // namespace warpfront::process
