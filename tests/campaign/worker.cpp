#include "tests/campaign/worker.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>

#include <sys/prctl.h>
#include <nlohmann/json.hpp>

namespace warpfront::campaign {

namespace {

[[noreturn]] void give_up(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Works in the child process; never returns.
[[noreturn]] void work_and_exit(int to_parent, const Trial& trial, const std::function<Verdict(const Trial&)>& work) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(kLongestTrialSeconds);
    std::string text;
    try {
        text = text_of(work(trial));
    } catch (const std::exception& fault) {
        Verdict verdict;
        verdict.kind = Verdict::Kind::fault;
        verdict.lines = {fault.what()};
        text = text_of(verdict);
    }
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t count = write(to_parent, text.data() + sent, text.size() - sent);
        if (count <= 0) break;
        sent += static_cast<std::size_t>(count);
    }
    _exit(0);
}

}  // namespace

Worker::Worker(const Trial& trial, const std::function<Verdict(const Trial&)>& work) {
    write_files(trial);
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) give_up("pipe");
    process_ = fork();
    if (process_ < 0) give_up("fork");
    if (process_ == 0) {
        close(ends[0]);
        work_and_exit(ends[1], trial, work);
    }
    close(ends[1]);
    pipe_ = ends[0];
}

Worker::Worker(Worker&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      pipe_(std::exchange(other.pipe_, -1)),
      status_(other.status_),
      answer_(std::move(other.answer_)) {}

Worker::~Worker() {
    if (process_ > 0) kill(process_, SIGKILL);
    end();
}

void Worker::end() {
    if (pipe_ >= 0) close(std::exchange(pipe_, -1));
    if (process_ > 0) waitpid(std::exchange(process_, -1), &status_, 0);
}

bool Worker::take() {
    std::array<char, 4096> buffer{};
    const ssize_t count = read(pipe_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return false;
    if (count > 0) {
        answer_.append(buffer.data(), static_cast<std::size_t>(count));
        return false;
    }
    end();
    return true;
}

Verdict Worker::verdict() const {
    Verdict verdict;
    if (WIFSIGNALED(status_)) {
        verdict.kind = Verdict::Kind::crashed;
        verdict.lines = {WTERMSIG(status_) == SIGALRM
                             ? fmt::format("not done after {} s", kLongestTrialSeconds)
                             : fmt::format("ended by signal {} ({})", WTERMSIG(status_), strsignal(WTERMSIG(status_)))};
        return verdict;
    }
    try {
        return read_verdict(answer_);
    } catch (const nlohmann::json::exception&) {
        verdict.kind = Verdict::Kind::crashed;
        verdict.lines = {fmt::format("the process left with status {} and no verdict", WEXITSTATUS(status_))};
        return verdict;
    }
}

Verdict try_apart(const Trial& trial) {
    Worker worker(trial);
    while (!worker.take()) {}
    return worker.verdict();
}

}  // namespace warpfront::campaign
