// Handling of Ctrl-C (SIGINT), SIGTERM, and SIGHUP (the terminal is closed). The program reports the interruption on
// stderr and ends with 128 + the number of the signal: 130, 143 or 129.
//
// Without a guard the program ends at once, since there is nothing to clean up. Within `guard_signals` (during a run,
// or while a file is written) the first signal is only recorded. Then the run stops at its next call of
// `interrupted()`, and the file is completed. A second signal ends the program at once.
#pragma once

#include <type_traits>
#include <utility>

namespace warpfront::tools {

/// Installs the handlers. A signal that is already ignored (a background job, nohup) remains ignored.
void handle_interrupts();

/// Returns true if a signal has been recorded.
bool interrupted();

/// Returns 128 + the number of the recorded signal.
int status_of_interrupt();

/// While a guard exists, the first signal is only recorded.
class SignalGuard {
public:
    SignalGuard();
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;
    ~SignalGuard();
};

/// Throws engine::Interrupted if a signal has been recorded.
void end_if_interrupted();

/// Calls `act` while signals are only recorded. Then throws engine::Interrupted if a signal has been recorded.
template <typename Act>
auto guard_signals(const Act& act) {
    const auto run = [&act] {
        const SignalGuard guard;
        return act();
    };
    if constexpr (std::is_void_v<decltype(act())>) {
        run();
        end_if_interrupted();
    } else {
        auto result = run();
        end_if_interrupted();
        return result;
    }
}

}  // namespace warpfront::tools
