// A forked worker process, so that whatever its work does (abort, crash, loop, eat memory, print) costs this process
// nothing but a Completion. SimGrid is used only this way: it is one per process, aborts on some bad platforms and
// crashes on others.
//
// The worker sees this process' memory as it was when it began. It answers requests one after another; requests and
// answers are strings, each sent behind its length. It may take `Limits`, is killed with its parent, and both of its
// output streams go to `Completion::log`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace warpfront::process {

/// The address sanitizer reserves terabytes, so no limit on address space can be kept beside it.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kMemoryIsLimited = false;
#else
inline constexpr bool kMemoryIsLimited = true;
#endif

struct Limits {
    std::uint64_t bytes = std::uint64_t{2} << 30;  // of address space, beyond what this process has
    std::chrono::milliseconds time{120'000};       // from a request to its answer
};

/// What the worker is about to do, readable even after it has crashed.
class Activity {
public:
    static constexpr std::size_t kLongest = 1000;
    explicit Activity(char* shared) : shared_(shared) {}
    void say(std::string_view what);

private:
    char* shared_;  // kLongest + 1 bytes, zero-terminated
};

/// How a request ended. After any end but `finished` the worker is gone.
struct Completion {
    enum class End : std::uint8_t { finished, out_of_memory, out_of_time, crashed };
    static constexpr std::size_t kLongestLog = 65536;

    End end = End::finished;
    int signal = 0;        // of a crash, where it was one
    std::string answer;    // only where finished
    std::string log;       // what the worker printed during the request, its first kLongestLog bytes
    std::string activity;  // what it last said to be doing
};

class WorkerProcess {
public:
    /// Runs in the worker; its state stays there from one request to the next.
    using Handler = std::function<std::string(std::string_view request, Activity& activity)>;

    /// Throws std::system_error where the system gives no process, socket or memory.
    WorkerProcess(const Limits& limits, const Handler& handler);
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;
    /// Ends the worker.
    ~WorkerProcess();

    /// Waits for the answer. Not to be called once a request has ended otherwise than `finished`.
    Completion call(std::string_view request);

private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

/// A worker for one request.
Completion run_in_worker(const Limits& limits, const std::function<std::string(Activity&)>& work);

}  // namespace warpfront::process
