// Work done in a forked child process, so that whatever it does (abort, crash, loop, eat memory, print) costs this
// process nothing but an Outcome. SimGrid is used only this way: it is one per process, aborts on some bad platforms
// and crashes on others.
//
// The child sees this process' memory as it was; what it finds out it returns as a string. It may take `Limits`, is
// killed with its parent, and both of its output streams go to `Outcome::log`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
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
    std::chrono::milliseconds time{120'000};       // from start to end
};

/// What the child is about to do, readable even after it has crashed.
class Doing {
public:
    static constexpr std::size_t kLongest = 1000;
    explicit Doing(char* shared) : shared_(shared) {}
    void say(std::string_view what);

private:
    char* shared_;  // kLongest + 1 bytes, zero-terminated
};

struct Outcome {
    enum class End : std::uint8_t { finished, out_of_memory, out_of_time, crashed };
    static constexpr std::size_t kLongestLog = 65536;

    End end = End::finished;
    int signal = 0;      // of a crash, where it was one
    std::string answer;  // what `work` returned; only where finished
    std::string log;     // what it printed, its first kLongestLog bytes
    std::string doing;   // the last words it said
};

/// Runs `work` in a child. Throws std::system_error where the system gives no process, pipe or memory.
Outcome run_in_child(const Limits& limits, const std::function<std::string(Doing&)>& work);

}  // namespace warpfront::process
