// A recorded run while it is read: what the readers of all formats have in common.
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

    /// Before all else: `world` is their communicator, number 0. At most kMostRecordedRanks.
    void set_ranks(std::uint32_t ranks);
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(run.communicators.front().size()); }

    /// The number of the communicator with these members that `earlier` with the same members were made before. Empty,
    /// a rank that does not exist, or one that is listed twice: nothing.
    std::optional<std::uint32_t> communicator(const std::vector<Rank>& members, std::uint32_t earlier);
    /// The rank of a communicator as one of all ranks; nothing if it has none such.
    std::optional<Rank> member(std::uint32_t communicator, std::int64_t number) const;

    /// Calls that replay does without, as a note says.
    void left_out(std::string call, std::string why, std::uint64_t times = 1) {
        unread(std::move(call), std::move(why), false, 0, times);
    }
    /// Calls that replay cannot do without.
    void refuse(std::string call, std::string why, std::uint32_t site = 0) {
        unread(std::move(call), std::move(why), true, site, 1);
    }

    /// Appends an event, which stands in `line` of the rank's text if it is one. Throws BadInput trace_too_large.
    void put(Event event, std::uint32_t line = 0);
    /// All of the rank at hand is read.
    void finish_rank();
    RecordedRun finish();

    RecordedRun run;
    RecordedRank rank;  // at hand

private:
    void unread(std::string call, std::string why, bool refused, std::uint32_t site, std::uint64_t times);

    const input::SourceRange mentioned_at_;
    const TakeRank take_;
    std::map<std::pair<std::vector<Rank>, std::uint32_t>, std::uint32_t> numbers_;
    std::map<std::tuple<std::string, std::string, bool>, Unread> unread_;
    std::uint32_t rank_ = 0;  // at hand
    std::uint64_t events_ = 0;
    std::uint64_t listed_ = 0;  // words in lists of the rank at hand
};

}  // namespace warpfront::trace
