#include "tools/answer/experiment/cost_map_waves.hpp"

#include <cstdint>
#include <map>

#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/units/wave.hpp"

namespace warpfront::tools {

namespace {

using program::Instruction;
using program::Op;

constexpr std::uint64_t kWaveOfIteration = (std::uint64_t{1} << kWaveBits) - 1;
constexpr int kMostFollowed = 1 << 24;

/// The waves of the ranks of a class by number of finished loop iterations.
class Waves {
public:
    void want(std::uint32_t number) { waves_.try_emplace(number); }

    /// Follows the class until all wanted waves are found.
    void find(const program::RankClass& rank_class, std::uint32_t steps) {
        program::Cursor cursor(rank_class);
        std::uint64_t of_allreduces = 0;
        std::size_t left = waves_.size();
        for (int count = 0; left > 0 && count < kMostFollowed; ++count) {
            const Instruction& now = cursor.next();
            if (now.op == Op::finish) {
                ended_ = true;
                return;
            }
            if (now.op == Op::iteration) of_allreduces = 0;
            if (program::computes(now.op) && now.amount > 0) {
                const std::uint64_t wave = cursor.wave() & kWaveOfIteration;
                const auto wanted = waves_.find(static_cast<std::uint32_t>(wave - of_allreduces));
                if (wanted != waves_.end() && !wanted->second) {
                    wanted->second = static_cast<std::uint32_t>(wave);
                    --left;
                }
            }
            if (now.op != Op::allreduce) continue;
            cursor.add_waves(steps);
            of_allreduces += steps;
        }
    }

    std::optional<std::uint32_t> of(std::uint32_t number) const { return waves_.at(number); }
    /// Returns true if the wave does not occur, or has no work.
    bool lacks(std::uint32_t number) const { return ended_ && !waves_.at(number); }

private:
    std::map<std::uint32_t, std::optional<std::uint32_t>> waves_;
    bool ended_ = false;  // the class was followed to its end
};

}  // namespace

CostMapWaves waves_of(const std::vector<variation::CostFactor>& map, const program::Program& program) {
    std::map<std::uint32_t, Waves> by_class;
    for (const variation::CostFactor& line : map) {
        if (line.wave) by_class[program.class_of[line.rank.index]].want(*line.wave);
    }
    const auto ranks = static_cast<std::uint32_t>(program.class_of.size());
    const std::uint32_t steps = collectives::RecursiveDoubling(ranks).steps();
    for (auto& [number, waves] : by_class) waves.find(program.classes[number], steps);
    CostMapWaves found;
    for (const variation::CostFactor& line : map) {
        found.map.push_back(line);
        if (!line.wave) continue;
        const Waves& waves = by_class.at(program.class_of[line.rank.index]);
        found.map.back().wave = waves.of(*line.wave).value_or(*line.wave);
        if (!waves.lacks(*line.wave)) continue;
        found.map.pop_back();
        if (found.unused++ == 0) found.example = line;
    }
    return found;
}

}  // namespace warpfront::tools
