#include "tools/answer/runs/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include "simulator/engine/parallel/progress_monitor.hpp"

namespace warpfront::tools {

namespace {

constexpr int kSignalStatus = 128;  // added to the number of the signal, by the convention of shells

std::atomic<int> recorded{0};  // the recorded signal; 0 if there is none
std::atomic<int> guards{0};    // number of existing SignalGuards
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch no lock");

/// Handles a signal. It may call only functions that are safe in a signal handler.
void on_signal(int signal) {
    int none = 0;
    if (guards.load() > 0 && recorded.compare_exchange_strong(none, signal)) return;
    constexpr std::string_view kMessage = "\ninterrupted\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    ::_exit(kSignalStatus + signal);
}

}  // namespace

void handle_interrupts() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESTART;
        ::sigaction(signal, &action, nullptr);
    }
}

bool interrupted() { return recorded.load() != 0; }

int status_of_interrupt() { return kSignalStatus + recorded.load(); }

SignalGuard::SignalGuard() { ++guards; }
SignalGuard::~SignalGuard() { --guards; }

void end_if_interrupted() {
    if (interrupted()) throw engine::Interrupted("interrupted");
}

}  // namespace warpfront::tools
