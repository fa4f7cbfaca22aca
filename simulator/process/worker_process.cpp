#include "simulator/process/worker_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simulator/process/descriptor.hpp"

namespace warpfront::process {

/// A pair of connected descriptors.
struct Ends {
    Descriptor ours;
    Descriptor workers;
};

/// A text in memory that a forked process shares, zero at first.
class SharedText {
public:
    explicit SharedText(std::size_t size)
        : size_(size), text_(::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (text_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    }
    SharedText(const SharedText&) = delete;
    SharedText& operator=(const SharedText&) = delete;
    ~SharedText() { ::munmap(text_, size_); }
    char* text() const { return static_cast<char*>(text_); }

private:
    std::size_t size_;
    void* text_;
};

namespace {

/// Throws std::system_error of the last system call.
[[noreturn]] void throw_system_error(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// Makes a pipe; `ours` reads the data written to `workers`.
Ends make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_system_error("pipe");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Makes a socket pair, which works in both directions.
Ends make_socket() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw_system_error("socketpair");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

constexpr int kOutOfMemory = 3;
constexpr int kThrew = 4;

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

/// Writes all of the text; returns false if the other end is closed.
bool write_all(int socket, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool write_message(int socket, std::string_view text) {
    const std::uint64_t length = text.size();
    return write_all(socket, {reinterpret_cast<const char*>(&length), sizeof(length)}) && write_all(socket, text);
}

bool read_all(int socket, char* to, std::size_t count) {
    while (count > 0) {
        const ssize_t got = ::read(socket, to, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

/// Reads a message; returns false if the parent has closed its end.
bool read_message(int socket, std::string& text) {
    std::uint64_t length = 0;
    if (!read_all(socket, reinterpret_cast<char*>(&length), sizeof(length))) return false;
    text.resize(length);
    return read_all(socket, text.data(), length);
}

/// Serves requests. Never returns nor throws: the frames above belong to the parent.
[[noreturn]] void serve(const Limits& limits, pid_t parent, const WorkerProcess::Handler& handler, int socket, int log,
                        char* shared) {
    confine(limits, parent);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    try {
        Activity activity(shared);
        for (std::string request; read_message(socket, request);) {
            activity.say("");
            const std::string answer = handler(request, activity);
            std::fflush(nullptr);  // everything printed precedes the answer
            if (!write_message(socket, answer)) break;
        }
    } catch (const std::bad_alloc&) {
        ::_exit(kOutOfMemory);
    } catch (const std::exception& error) {
        const std::string_view text = error.what();
        if (::write(log, text.data(), text.size()) < 0) ::_exit(kThrew);  // the worker ends in any case
        ::_exit(kThrew);
    } catch (...) {
        ::_exit(kThrew);
    }
    ::_exit(0);
}

/// Appends the available bytes, up to `most`, and drops the rest. Closes the descriptor at the end of the stream.
void drain(Descriptor& from, std::string& to, std::size_t most) {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(from.number(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) return from.close();
    to.append(buffer.data(), std::min(static_cast<std::size_t>(count), most - std::min(most, to.size())));
}

bool is_whole(const std::string& received) {
    std::uint64_t length = 0;
    if (received.size() < sizeof(length)) return false;
    std::memcpy(&length, received.data(), sizeof(length));
    return received.size() == sizeof(length) + length;
}

/// Reads until the answer is complete or both streams have ended; returns false if the time expires first.
bool listen(Descriptor& socket, Descriptor& log, std::string& received, std::string& printed,
            std::chrono::milliseconds time) {
    const auto deadline = std::chrono::steady_clock::now() + time;
    while ((socket.open() && !is_whole(received)) || (!socket.open() && log.open())) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return false;
        std::array<pollfd, 2> watched{pollfd{socket.number(), POLLIN, 0}, pollfd{log.number(), POLLIN, 0}};
        const auto wait = static_cast<int>(std::min<std::int64_t>(left.count(), 1'000'000));
        if (::poll(watched.data(), watched.size(), wait) <= 0) continue;
        if (watched[0].revents != 0) drain(socket, received, received.max_size());
        if (watched[1].revents != 0) drain(log, printed, Completion::kLongestLog);
    }
    return true;
}

void judge(int status, bool in_time, Completion& completion) {
    using End = Completion::End;
    completion.end = End::crashed;
    if (!in_time) {
        completion.end = End::out_of_time;
    } else if (WIFSIGNALED(status)) {
        completion.signal = WTERMSIG(status);
        // the kernel sends SIGKILL if the machine runs out of memory
        const bool starved = completion.signal == SIGKILL || completion.log.find("bad_alloc") != std::string::npos;
        if (starved) completion.end = End::out_of_memory;
    } else if (WEXITSTATUS(status) == kOutOfMemory) {
        completion.end = End::out_of_memory;
    }
}

}  // namespace

struct WorkerProcess::Connection {
    explicit Connection(std::chrono::milliseconds most) : time(most) {}

    const std::chrono::milliseconds time;
    SharedText shared{Activity::kLongest + 1};
    Ends socket = make_socket();
    Ends log = make_pipe();
    pid_t worker = -1;

    int wait_for_end() {
        int status = 0;
        while (::waitpid(worker, &status, 0) < 0 && errno == EINTR) {}
        worker = -1;
        return status;
    }
};

void Activity::say(std::string_view what) {
    const std::size_t length = std::min(what.size(), kLongest);
    std::memcpy(shared_, what.data(), length);
    shared_[length] = '\0';
}

WorkerProcess::WorkerProcess(const Limits& limits, const Handler& handler)
    : connection_(std::make_unique<Connection>(limits.time)) {
    Connection& it = *connection_;
    std::fflush(nullptr);  // otherwise the worker could repeat this process' unwritten output
    const pid_t parent = ::getpid();
    it.worker = ::fork();
    if (it.worker < 0) throw_system_error("fork");
    if (it.worker == 0) {
        it.socket.ours.close();
        serve(limits, parent, handler, it.socket.workers.number(), it.log.workers.number(), it.shared.text());
    }
    it.socket.workers.close();
    it.log.workers.close();
    ::fcntl(it.log.ours.number(), F_SETFL, O_NONBLOCK);
}

WorkerProcess::~WorkerProcess() {
    if (connection_->worker < 0) return;
    ::kill(connection_->worker, SIGKILL);
    connection_->wait_for_end();
}

Completion WorkerProcess::call(std::string_view request) {
    Connection& it = *connection_;
    Completion completion;
    std::string received;
    write_message(it.socket.ours.number(), request);  // fails if the worker has ended; `listen` detects this as well
    const bool in_time = listen(it.socket.ours, it.log.ours, received, completion.log, it.time);
    completion.activity = it.shared.text();
    if (in_time && is_whole(received)) {
        for (std::size_t before = ~std::size_t{0}; it.log.ours.open() && before != completion.log.size();) {
            before = completion.log.size();
            drain(it.log.ours, completion.log, Completion::kLongestLog);
        }
        completion.answer = received.substr(sizeof(std::uint64_t));
        return completion;
    }
    if (!in_time) ::kill(it.worker, SIGKILL);
    judge(it.wait_for_end(), in_time, completion);
    return completion;
}

Completion run_in_worker(const Limits& limits, const std::function<std::string(Activity&)>& work) {
    return WorkerProcess(limits, [&](std::string_view, Activity& activity) { return work(activity); }).call("");
}

}  // namespace warpfront::process
