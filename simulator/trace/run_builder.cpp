#include "simulator/trace/run_builder.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "simulator/trace/expanded_trace.hpp"

namespace warpfront::trace {

namespace {

constexpr std::uint64_t kMostListed = 100'000'000;  // requests and shares that the events of one rank list

}  // namespace

RunBuilder::RunBuilder(const std::filesystem::path& path, std::string format, const input::SourceRange& mentioned_at,
                       const TakeRank& take)
    : mentioned_at_(mentioned_at), take_(take) {
    run.name = path.string();
    run.format = std::move(format);
    run.sites.emplace_back();
    run.phases.emplace_back();
}

void RunBuilder::set_ranks(std::uint32_t ranks) {
    std::vector<Rank> world;
    for (std::uint32_t each = 0; each < ranks; ++each) world.push_back({each});
    numbers_[{world, 0}] = 0;
    run.communicators.push_back(std::move(world));
}

std::optional<std::uint32_t> RunBuilder::communicator(const std::vector<Rank>& members, std::uint32_t earlier) {
    const auto [known, is_new] =
        numbers_.try_emplace({members, earlier}, static_cast<std::uint32_t>(run.communicators.size()));
    if (!is_new) return known->second;
    const std::set<Rank> different(members.begin(), members.end());
    if (members.empty() || different.size() < members.size() || different.rbegin()->index >= ranks()) {
        numbers_.erase(known);
        return std::nullopt;
    }
    run.communicators.push_back(members);
    return known->second;
}

std::optional<Rank> RunBuilder::member(std::uint32_t communicator, std::int64_t number) const {
    const std::vector<Rank>& members = run.communicators[communicator];
    if (number < 0 || static_cast<std::uint64_t>(number) >= members.size()) return std::nullopt;
    return members[static_cast<std::size_t>(number)];
}

void RunBuilder::unread(std::string call, std::string why, bool refused, std::uint32_t site, std::uint64_t times) {
    const Unread first{call, 0, why, refused, rank_, rank.events.size(), site};
    unread_.try_emplace({std::move(call), std::move(why), refused}, first).first->second.times += times;
}

void RunBuilder::put(Event event, std::uint32_t line) {
    listed_ += event.completed.size() + event.among.size() + event.shares.size();
    if (++events_ > kMostOperations || listed_ > kMostListed) {
        throw input::BadInput(input::DiagnosticKind::trace_too_large, mentioned_at_,
                              fmt::format("`{}` holds too many calls", run.name),
                              fmt::format("expected at most {} in all", kMostOperations));
    }
    rank.events.push_back(std::move(event));
    if (line != 0) rank.lines.push_back(line);
}

void RunBuilder::finish_rank() {
    listed_ = 0;
    ++rank_;
    RecordedRank done = std::exchange(rank, {});
    if (take_) return take_(run, std::move(done));
    run.ranks.push_back(std::move(done));
}

RecordedRun RunBuilder::finish() {
    for (const auto& [what, unread] : unread_) run.unread.push_back(unread);
    return std::move(run);
}

}  // namespace warpfront::trace
