#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/from_code/kernels/counting.hpp"
#include "tools/from_code/kernels/run_on_deck.hpp"

namespace warpfront::kernels {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

#if defined(__x86_64__)

[[noreturn]] void refuse_tracing(const std::string& what) {
    throw input::BadInput(input::DiagnosticKind::program_failed, {}, what,
                          "expected a program for this host that may be traced (ptrace) and that ends with status 0");
}

/// A program that can be stopped at places of its code.
class TracedProgram {
public:
    explicit TracedProgram(const Invocation& invocation) : path_(invocation.words.front()) {
        std::vector<char*> words;
        for (const std::string& word : invocation.words) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        const std::string in = invocation.input.empty() ? "/dev/null" : invocation.input.string();
        child_ = fork();
        if (child_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
        if (child_ > 0) return;
        const int input = open(in.c_str(), O_RDONLY);
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(input, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        const bool there = invocation.folder.empty() || chdir(invocation.folder.c_str()) == 0;
        if (there && ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) execv(words.front(), words.data());
        _exit(127);
    }
    TracedProgram(const TracedProgram&) = delete;
    TracedProgram& operator=(const TracedProgram&) = delete;
    ~TracedProgram() {
        if (ended_) return;
        kill(child_, SIGKILL);
        while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {}
    }

    /// Waits until the program stops at a breakpoint or a step; passes other signals on to it. Returns false after it
    /// has ended.
    bool wait() {
        while (true) {
            int status = 0;
            while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {}
            if (WIFEXITED(status) || WIFSIGNALED(status)) {
                ended_ = true;
                status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
                return false;
            }
            const int signal = WSTOPSIG(status);
            if (signal == SIGTRAP) return true;
            resume(signal);
        }
    }
    void resume(int signal = 0) { ptrace(PTRACE_CONT, child_, nullptr, signal); }
    void step() { ptrace(PTRACE_SINGLESTEP, child_, nullptr, nullptr); }

    user_regs_struct registers() const {
        user_regs_struct values{};
        ptrace(PTRACE_GETREGS, child_, nullptr, &values);
        return values;
    }
    void go_to(std::uint64_t address) {
        user_regs_struct values = registers();
        values.rip = address;
        ptrace(PTRACE_SETREGS, child_, nullptr, &values);
    }
    long word_at(std::uint64_t address) const {
        return ptrace(PTRACE_PEEKTEXT, child_, reinterpret_cast<void*>(address), nullptr);
    }
    void set_word(std::uint64_t address, long word) {
        if (ptrace(PTRACE_POKETEXT, child_, reinterpret_cast<void*>(address), word) != 0) {
            refuse_tracing(fmt::format("`{}` cannot be stopped at its kernel", path_));
        }
    }
    /// Returns the address at which the program's own code begins: 0 unless it is position-independent.
    std::uint64_t base() const {
        std::ifstream program(path_, std::ios::binary);
        constexpr int kTypeAt = 16;
        constexpr char kPositionIndependent = 3;
        program.seekg(kTypeAt);
        if (program.get() != kPositionIndependent) return 0;
        std::ifstream maps(fmt::format("/proc/{}/maps", child_));
        const std::string real = std::filesystem::canonical(path_).string();
        for (std::string line; std::getline(maps, line);) {
            if (line.ends_with(" " + real)) return std::stoull(line, nullptr, 16);
        }
        refuse_tracing(fmt::format("`{}` cannot be traced", path_));
    }
    int status() const { return status_; }

private:
    std::string path_;
    pid_t child_ = 0;
    bool ended_ = false;
    int status_ = 0;
};

/// A breakpoint that stops a program until `remove`.
class Breakpoint {
public:
    Breakpoint(TracedProgram& program, std::uint64_t address)
        : program_(program), address_(address), word_(program.word_at(address)) {
        constexpr long kLowByte = 0xff;
        constexpr long kTrap = 0xcc;
        program_.set_word(address_, (word_ & ~kLowByte) | kTrap);
    }
    /// Restores the original instruction. The program, which has stopped here, resumes with it.
    void remove() {
        program_.set_word(address_, word_);
        program_.go_to(address_);
    }

private:
    TracedProgram& program_;
    std::uint64_t address_;
    long word_;
};

std::vector<double> traced(TracedProgram& program, std::uint64_t address) {
    constexpr std::size_t kMostCalls = 1000;
    std::vector<double> times;
    if (!program.wait()) refuse_tracing("the program cannot be started under a debugger's interface");
    const std::uint64_t kernel = program.base() + address;
    while (times.size() < kMostCalls) {
        Breakpoint begin(program, kernel);
        program.resume();
        if (!program.wait()) return times;
        begin.remove();
        const auto returns_to =
            static_cast<std::uint64_t>(program.word_at(static_cast<std::uint64_t>(program.registers().rsp)));
        Breakpoint end(program, returns_to);
        const Clock::time_point before = Clock::now();
        program.step();
        if (!program.wait()) return times;
        const Clock::time_point first = Clock::now();
        program.resume();
        const bool stopped = program.wait();
        const double stop = seconds_between(before, first);
        const double whole = seconds_between(first, Clock::now());
        if (!stopped) return times;
        end.remove();
        times.push_back(std::max(whole - stop, 0.0));
        tools::end_if_interrupted();
    }
    program.resume();
    while (program.wait()) program.resume();
    return times;
}

#endif

}  // namespace

#if defined(__x86_64__)
std::vector<double> time_kernel(const KernelSymbol& kernel, const ProgramPattern& pattern, const Deck& deck,
                                const std::vector<DeckParameter>& parameters) {
    const ScratchFolder scratch;
    TracedProgram program(invocation_on_deck(pattern, deck, parameters, scratch.path()));
    std::vector<double> times = traced(program, kernel.address);
    tools::end_if_interrupted();
    if (program.status() != 0) {
        refuse_tracing(fmt::format("`{}` ends with status {}", pattern.program.string(), program.status()));
    }
    return times;
}
#else
std::vector<double> time_kernel(const KernelSymbol&, const ProgramPattern& pattern, const Deck&,
                                const std::vector<DeckParameter>&) {
    throw input::BadInput(input::DiagnosticKind::program_failed, {},
                          fmt::format("`{}` cannot be timed on this host", pattern.program.string()),
                          "expected an x86-64 host");
}
#endif

}  // namespace warpfront::kernels
