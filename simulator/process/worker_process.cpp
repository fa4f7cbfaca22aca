#include "simulator/process/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <system_error>
#include <utility>

namespace warpfront::process {

namespace {

constexpr int kOutOfMemory = 3;
constexpr int kThrew = 4;

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() { close(); }
    int number() const { return number_; }
    bool open() const { return number_ >= 0; }
    void close() {
        if (open()) ::close(std::exchange(number_, -1));
    }

private:
    int number_;
};

struct Pipe {
    Descriptor out;
    Descriptor in;
};

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Anonymous memory that a forked child shares.
class SharedText {
public:
    SharedText() : text_(::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (text_ == MAP_FAILED) fail("mmap");
    }
    SharedText(const SharedText&) = delete;
    SharedText& operator=(const SharedText&) = delete;
    ~SharedText() { ::munmap(text_, kSize); }
    char* text() const { return static_cast<char*>(text_); }

private:
    static constexpr std::size_t kSize = Doing::kLongest + 1;
    void* text_;
};

rlim_t address_space_now() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit(int resource, rlim_t most) {
    const rlimit both{most, most};
    ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

void confine(const Limits& limits, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kThrew);
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGPIPE}) ::signal(number, SIG_DFL);
    limit(RLIMIT_CORE, 0);
    if (kMemoryIsLimited) limit(RLIMIT_AS, address_space_now() + limits.bytes);
}

void write_all(int number, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(number, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) ::_exit(kThrew);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// Never returns nor throws: the frames above belong to the parent.
[[noreturn]] void be_child(const Limits& limits, pid_t parent, const std::function<std::string(Doing&)>& work,
                           int answer, int log, char* shared) {
    confine(limits, parent);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    try {
        Doing doing(shared);
        write_all(answer, work(doing));
    } catch (const std::bad_alloc&) {
        ::_exit(kOutOfMemory);
    } catch (const std::exception& error) {
        write_all(log, error.what());
        ::_exit(kThrew);
    } catch (...) {
        ::_exit(kThrew);
    }
    ::_exit(0);
}

/// What can be read now is appended, up to `most` bytes; the rest is dropped. Closes at the end of the stream.
void drain(Descriptor& from, std::string& to, std::size_t most) {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(from.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return from.close();
    to.append(buffer.data(), std::min(static_cast<std::size_t>(count), most - std::min(most, to.size())));
}

/// Reads both streams to their ends; false where the time is up first.
bool listen(Descriptor& answer, Descriptor& log, Outcome& outcome, std::chrono::milliseconds time) {
    const auto deadline = std::chrono::steady_clock::now() + time;
    while (answer.open() || log.open()) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return false;
        std::array<pollfd, 2> watched{pollfd{answer.number(), POLLIN, 0}, pollfd{log.number(), POLLIN, 0}};
        const auto wait = static_cast<int>(std::min<std::int64_t>(left.count(), 1'000'000));
        if (::poll(watched.data(), watched.size(), wait) <= 0) continue;
        if (watched[0].revents != 0) drain(answer, outcome.answer, outcome.answer.max_size());
        if (watched[1].revents != 0) drain(log, outcome.log, Outcome::kLongestLog);
    }
    return true;
}

void judge(int status, bool in_time, Outcome& outcome) {
    using End = Outcome::End;
    if (!in_time) {
        outcome.end = End::out_of_time;
    } else if (WIFSIGNALED(status)) {
        outcome.signal = WTERMSIG(status);
        // the kernel kills what outgrows the machine itself
        const bool starved = outcome.signal == SIGKILL || outcome.log.find("bad_alloc") != std::string::npos;
        outcome.end = starved ? End::out_of_memory : End::crashed;
    } else if (WEXITSTATUS(status) == kOutOfMemory) {
        outcome.end = End::out_of_memory;
    } else if (WEXITSTATUS(status) != 0) {
        outcome.end = End::crashed;
    }
    if (outcome.end != End::finished) outcome.answer.clear();
}

}  // namespace

void Doing::say(std::string_view what) {
    const std::size_t length = std::min(what.size(), kLongest);
    std::memcpy(shared_, what.data(), length);
    shared_[length] = '\0';
}

Outcome run_in_child(const Limits& limits, const std::function<std::string(Doing&)>& work) {
    Pipe answer = make_pipe();
    Pipe log = make_pipe();
    const SharedText shared;
    std::fflush(nullptr);  // or the child might print this process' unwritten output again
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        be_child(limits, parent, work, answer.in.number(), log.in.number(), shared.text());
    }
    answer.in.close();
    log.in.close();

    Outcome outcome;
    const bool in_time = listen(answer.out, log.out, outcome, limits.time);
    if (!in_time) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    outcome.doing = shared.text();
    judge(status, in_time, outcome);
    return outcome;
}

}  // namespace warpfront::process
