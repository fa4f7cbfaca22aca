// Ctrl-C (SIGINT), SIGTERM and SIGHUP (the terminal is closed): the program ends with 128 + the signal's number, 130,
// 143 or 129, and says so on stderr.
//
// Ordinarily it ends at once, since there is nothing to tidy up. While something runs `guard_signals` (a run that is
// being stepped, a file that is being written) the first signal is only noted: the run is stopped where it asks
// `interrupted()`, the file is finished. A second signal ends the program at once whatever it does.
#pragma once

#include <type_traits>
#include <utility>

namespace warpfront::tools {

/// From here on signals are handled as above; one that is being ignored (a job in the background, nohup) stays ignored.
void handle_interrupts();

/// True once a signal was noted.
bool interrupted();

/// 128 + the number of the signal that was noted.
int status_of_interrupt();

/// Signals are only noted while one of these lives.
class Undisturbed {
public:
    Undisturbed();
    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;
    ~Undisturbed();
};

/// Throws engine::Interrupted where a signal was noted.
void end_if_interrupted();

/// Runs `act` guard_signals, and ends afterwards where a signal was noted meanwhile.
template <typename Act>
auto guard_signals(const Act& act) {
    const auto run = [&act] {
        const Undisturbed until_done;
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
