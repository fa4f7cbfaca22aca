#include "tools/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include "simulator/engine/progress_monitor.hpp"

namespace warpfront::tools {

namespace {

constexpr int kSignalStatus = 128;  // as shells count

std::atomic<int> noted{0};           // the signal
std::atomic<int> undisturbed_by{0};  // how many Undisturbed live
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch no lock");

/// Only what a signal handler may call.
void on_signal(int signal) {
    int none = 0;
    if (undisturbed_by.load() > 0 && noted.compare_exchange_strong(none, signal)) return;
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

bool interrupted() { return noted.load() != 0; }

int status_of_interrupt() { return kSignalStatus + noted.load(); }

Undisturbed::Undisturbed() { ++undisturbed_by; }
Undisturbed::~Undisturbed() { --undisturbed_by; }

void end_if_interrupted() {
    if (interrupted()) throw engine::Interrupted("interrupted");
}

}  // namespace warpfront::tools
