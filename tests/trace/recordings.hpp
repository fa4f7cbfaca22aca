// Recordings of the tracer, written word by word (simulator/trace/recording_format.h).
#pragma once

#include "simulator/trace/recording_format.h"
#include "tests/preamble.hpp"

namespace warpfront::test {

/// The words of a rank's records.
struct RecordWords {
    std::vector<std::int64_t> all;
    RecordWords& record(int call, std::int64_t begin, std::int64_t end, const std::vector<std::int64_t>& payload) {
        all.push_back(call | static_cast<std::int64_t>(payload.size()) << 8);
        all.push_back(begin);
        all.push_back(end);
        all.insert(all.end(), payload.begin(), payload.end());
        return *this;
    }
};

inline void write_rank(const std::filesystem::path& folder, std::uint32_t rank, std::uint32_t ranks,
                       const RecordWords& words, warpfront_recording_state state = WARPFRONT_FINALIZED,
                       std::uint64_t lost = 0) {
    warpfront_recording_header header{};
    std::memcpy(header.magic, WARPFRONT_RECORDING_MAGIC, sizeof WARPFRONT_RECORDING_MAGIC);
    header.rank = rank;
    header.ranks = ranks;
    header.state = state;
    header.words = words.all.size();
    header.ns_per_tick = 2.0;
    header.lost = lost;
    std::ofstream file(folder / ("rank-" + std::to_string(rank) + ".events"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(reinterpret_cast<const char*>(words.all.data()), static_cast<std::streamsize>(8 * words.all.size()));
}

}  // namespace warpfront::test
