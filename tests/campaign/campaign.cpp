#include "tests/campaign/campaign.hpp"

#include <poll.h>

#include <cerrno>
#include <list>

#include "tests/campaign/draw.hpp"
#include "tests/campaign/summary.hpp"
#include "tests/campaign/worker.hpp"

namespace warpfront::campaign {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kShrinkSeconds = 45.0;  // for one failing trial

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

/// Returns the first difference, such as "time" or "waiting for all links", or the end of a run without a result.
std::string subject(const Verdict& verdict) {
    const std::string line = verdict.lines.empty() ? "" : verdict.lines.front();
    return line.substr(0, line.find_first_of(":0123456789"));
}

/// Prints at once, so that nothing is lost if the program ends.
void tell(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

struct Running {
    Trial trial;
    std::vector<Choice> made;
    std::uint32_t number;
    Worker worker;
};

class Campaign {
public:
    explicit Campaign(const Plan& plan) : plan_(plan) {}

    bool run() {
        std::uint32_t next = plan_.first;
        while (true) {
            while (running_.size() < plan_.jobs && may_begin(next)) begin(next++);
            if (running_.empty()) break;
            wait();
        }
        tell(summary_.text(seconds_since(began_)));
        if (summary_.tried_too_little()) tell("too few trials were compared for this to mean anything\n");
        return summary_.failed() == 0 && !summary_.tried_too_little();
    }

private:
    bool may_begin(std::uint32_t number) const {
        if (summary_.failed() >= plan_.failures || seconds_since(began_) >= plan_.seconds) return false;
        return !plan_.trials || number - plan_.first < *plan_.trials;
    }

    std::filesystem::path folder_of(std::uint32_t number, const char* suffix) const {
        return plan_.folder / fmt::format("{}-{}{}", plan_.seed.value, number, suffix);
    }

    void begin(std::uint32_t number) {
        Choices choices(plan_.seed, number);
        Trial trial = draw_trial(choices, folder_of(number, ""), plan_.large_share);
        Worker worker(trial);
        running_.push_back({std::move(trial), choices.made(), number, std::move(worker)});
    }

    void wait() {
        std::vector<pollfd> ready;
        for (const Running& each : running_) ready.push_back({each.worker.descriptor(), POLLIN, 0});
        if (poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "poll");
        }
        auto each = running_.begin();
        for (const pollfd& state : ready) {
            const auto it = each++;
            if (state.revents == 0 || !it->worker.take()) continue;
            end(*it);
            running_.erase(it);
        }
    }

    void end(const Running& done) {
        const Verdict verdict = done.worker.verdict();
        summary_.add(done.trial, verdict);
        if (!verdict.failed()) return remove_files(done.trial);
        tell(fmt::format("\ntrial {} of seed {} failed\n{}", done.number, plan_.seed.value,
                         report("found", done.trial, verdict)));
        const auto [trial, simplest] = shrunk(done, verdict);
        tell(report("shrunk", trial, simplest));
    }

    static std::string report(const char* which, const Trial& trial, const Verdict& verdict) {
        std::string text = fmt::format("{}: {}\n", which, command(trial, verdict.way));
        if (verdict.kind == Verdict::Kind::differs) text += "    differs from --replay full --threads 1:\n";
        for (const std::string& line : verdict.lines) text += "    " + line + '\n';
        return text;
    }

    /// Shrinks a trial to one that fails in the same way, by kind and subject.
    std::pair<Trial, Verdict> shrunk(const Running& found, const Verdict& verdict) const {
        const Clock::time_point began = Clock::now();
        const auto draw = [&](const Fixed& fixed) {
            Choices choices(fixed);
            Trial trial = draw_trial(choices, folder_of(found.number, "-shrunk"), plan_.large_share);
            return std::pair(std::move(trial), choices.made());
        };
        Verdict last = verdict;
        const StillFails still_fails = [&](const Fixed& fixed) -> std::optional<std::vector<Choice>> {
            auto [trial, made] = draw(fixed);
            Verdict tried = try_apart(trial);
            remove_files(trial);
            if (tried.kind != verdict.kind || subject(tried) != subject(verdict)) return std::nullopt;
            last = std::move(tried);
            return std::move(made);
        };
        const auto go_on = [&] { return seconds_since(began) < kShrinkSeconds; };
        Trial simplest = draw(fixed_of(shrink(found.made, still_fails, go_on))).first;
        write_files(simplest);
        return {std::move(simplest), std::move(last)};
    }

    const Plan& plan_;
    const Clock::time_point began_ = Clock::now();
    std::list<Running> running_;
    Summary summary_;
};

}  // namespace

bool run_campaign(const Plan& plan) { return Campaign(plan).run(); }

}  // namespace warpfront::campaign
