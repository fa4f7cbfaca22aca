// A recorded run while it is read, the common part of the readers of all formats.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

inline constexpr std::uint32_t kMostRecordedRanks = 1U << 20;
inline constexpr std::int64_t kMostMessage = std::int64_t{1} << 50;  // bytes

class RunBuilder {
public:
    RunBuilder(const std::filesystem::path& path, std::string format, const input::SourceRange& mentioned_at,
               const TakeRank& take);

    /// Sets the number of ranks, before all other calls: `world` is their communicator, number 0. At most
    /// kMostRecordedRanks.
    void set_ranks(std::uint32_t ranks);
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(run.communicators.front().size()); }

    /// Returns the number of the communicator with these members, before which `earlier` communicators with the same
    /// members were made. Returns nothing if it is empty, or lists a nonexistent rank, or a rank twice.
    std::optional<std::uint32_t> communicator(const std::vector<Rank>& members, std::uint32_t earlier);
    /// Returns the rank of a communicator as one of all ranks; nothing if there is no such rank.
    std::optional<Rank> member(std::uint32_t communicator, std::int64_t number) const;

    /// Notes calls that are left out of the replay.
    void left_out(std::string call, std::string why, std::uint64_t times = 1) {
        unread(std::move(call), std::move(why), false, 0, times);
    }
    /// Refuses calls without which the run cannot be replayed.
    void refuse(std::string call, std::string why, std::uint32_t site = 0) {
        unread(std::move(call), std::move(why), true, site, 1);
    }

    /// Appends an event, from `line` of the rank's text if it is a text. Throws BadInput trace_too_large.
    void put(Event event, std::uint32_t line = 0);
    /// Ends the current rank.
    void finish_rank();
    RecordedRun finish();

    RecordedRun run;
    RecordedRank rank;  // the current rank

private:
    void unread(std::string call, std::string why, bool refused, std::uint32_t site, std::uint64_t times);

    const input::SourceRange mentioned_at_;
    const TakeRank take_;
    std::map<std::pair<std::vector<Rank>, std::uint32_t>, std::uint32_t> numbers_;
    std::map<std::tuple<std::string, std::string, bool>, Unread> unread_;
    std::uint32_t rank_ = 0;  // number of the current rank
    std::uint64_t events_ = 0;
    std::uint64_t listed_ = 0;  // words in lists of the current rank
};

}  // namespace warpfront::trace
