// The program as a child that runs while the test acts on it: sends it a signal, reads its terminal.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/end_to_end/program.hpp"

namespace warpfront::end_to_end {

/// The words of a command line.
using Words = std::vector<std::string>;

inline constexpr std::chrono::seconds kUnderWay{1};  // by then the engine steps

/// Returns a command of Sweep3D on 16 ranks that runs until it is stopped from outside.
inline Words endless_run() {
    return {"run",   "models/sweep3d/billion.yaml", "--replay", "full",
            "--set", "ranks={columns: 4, rows: 4}", "--set",    "cells_per_rank.x=5",
            "--set", "cells_per_rank.y=5",          "--set",    "iterations=100000000"};
}

/// Becomes `warpfront WORDS` in the project's folder, with signals set as by a shell in the foreground.
[[noreturn]] inline void become_program(const Words& words) {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL);
    std::string program = WARPFRONT_PROGRAM;
    Words copies = words;
    std::vector<char*> arguments{program.data()};
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (::chdir(WARPFRONT_SOURCE_DIR) == 0) ::execv(program.c_str(), arguments.data());
    ::_exit(127);
}

class Child {
public:
    explicit Child(const Words& words) {
        pid_ = ::fork();
        if (pid_ != 0) return;
        const int err = ::open(err_file().c_str(), O_WRONLY | O_CREAT, 0600);
        ::dup2(::open("/dev/null", O_RDWR), STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        become_program(words);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (pid_ > 0) ::kill(pid_, SIGKILL);
        if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    }

    void send(int signal) const { ::kill(pid_, signal); }
    bool goes_on() const {
        siginfo_t ended{};
        return ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
    }

    /// Returns its current number of threads.
    std::ptrdiff_t threads() const {
        const std::filesystem::directory_iterator tasks(fmt::format("/proc/{}/task", pid_));
        return std::distance(tasks, std::filesystem::directory_iterator());
    }

    /// Waits for its end. The outcome has the exit status, or 128 + signal if a signal killed it.
    Outcome end() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = 0;
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), "", text_of(err_file())};
    }

private:
    std::filesystem::path err_file() const { return scratch_.folder() / "err"; }

    Scratch scratch_;
    pid_t pid_ = 0;
};

/// The program on its own terminal.
class OnTerminal {
public:
    explicit OnTerminal(const Words& words) {
        pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
        if (pid_ == 0) become_program(words);
    }
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;
    ~OnTerminal() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        ::close(terminal_);
    }

    void type(const std::string& text) const {
        [[maybe_unused]] const ssize_t typed = ::write(terminal_, text.data(), text.size());
    }

    /// Returns the text on the terminal once `part` has appeared, the program has ended, or 20 s have passed.
    std::string read_until(const std::string& part) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!holds(shown_, part) && std::chrono::steady_clock::now() < deadline) {
            pollfd run_with_progress{terminal_, POLLIN, 0};
            if (::poll(&run_with_progress, 1, 100) <= 0) continue;
            std::array<char, 4096> buffer;
            const ssize_t count = ::read(terminal_, buffer.data(), buffer.size());
            if (count <= 0) break;
            shown_.append(buffer.data(), static_cast<std::size_t>(count));
        }
        return shown_;
    }

private:
    int terminal_ = -1;
    pid_t pid_ = 0;
    std::string shown_;
};

}  // namespace warpfront::end_to_end
