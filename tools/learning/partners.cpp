#include "tools/learning/partners.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>

namespace warpfront::learning {

namespace {

using Place = PartnerKinds::key_type;

Place place_of(const trace::RecordedSite& site) { return {site.file, site.line, site.function}; }

/// The side of a square array of so many ranks in one plane; 0: there is none.
std::uint32_t side_of_square(std::size_t ranks) {
    const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(ranks))));
    return std::size_t{side} * side == ranks && side > 1 ? side : 0;
}

/// What the partners of a call have in common.
struct Common {
    bool transposed = true;
    bool butterfly = true;
    std::set<std::uint32_t> distances{};   // in the run at hand, as the next
    std::optional<std::uint32_t> first{};  // of rank 0
    bool doubling = true;
    bool halving = true;
};

void end_run(std::map<Place, Common>& places, std::size_t ranks) {
    const std::uint32_t stages = std::has_single_bit(ranks) ? stages_of(ranks) : 0;
    for (auto& [place, common] : places) {
        common.butterfly = common.butterfly && stages > 1 && common.distances.size() == stages && common.first;
        common.doubling = common.doubling && common.first == 1U;
        common.halving = common.halving && common.first == ranks / 2;
        common.distances.clear();
        common.first.reset();
    }
}

}  // namespace

PartnerKind partner_kind(const PartnerKinds& ways, const trace::RecordedSite& site) {
    const auto found = ways.find(place_of(site));
    return found == ways.end() ? PartnerKind::offset : found->second;
}

std::uint32_t stages_of(std::uint64_t ranks) { return static_cast<std::uint32_t>(std::bit_width(ranks)) - 1; }

Rank transposed(const RankGrid& grid, Rank rank) {
    return grid.at(grid.row(rank), grid.column(rank), grid.plane(rank));
}

PartnerKinds partner_kinds(const std::vector<RunSteps>& runs) {
    std::map<Place, Common> places;
    for (const RunSteps& run : runs) {
        RankGrid square;
        square.columns = square.rows = side_of_square(run.ranks->size());
        for (std::uint32_t rank = 0; rank < run.ranks->size(); ++rank) {
            for (const Step& step : (*run.ranks)[rank].steps) {
                if (step.kind == StepKind::collective || step.kind == StepKind::wait) continue;
                Common& common = places[place_of(run.recorded->sites[step.site])];
                common.transposed =
                    common.transposed && square.columns > 0 && transposed(square, Rank{rank}) == step.peer;
                const std::uint32_t distance = rank ^ step.peer.index;
                common.butterfly = common.butterfly && std::has_single_bit(distance);
                common.distances.insert(distance);
                if (rank == 0 && !common.first) common.first = distance;
            }
        }
        end_run(places, run.ranks->size());
    }
    PartnerKinds ways;
    for (const auto& [place, common] : places) {
        if (common.transposed) {
            ways[place] = PartnerKind::transposed;
        } else if (common.butterfly && (common.doubling || common.halving)) {
            ways[place] = common.doubling ? PartnerKind::doubling : PartnerKind::halving;
        }
    }
    return ways;
}

Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& ways) {
    std::vector<RankSteps> with_offsets(ranks.size());
    bool square = false;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Step& step : ranks[rank].steps) {
            if (step.kind == StepKind::collective || step.kind == StepKind::wait) continue;
            const PartnerKind way = partner_kind(ways, recorded.sites[step.site]);
            square = square || way == PartnerKind::transposed;
            if (way == PartnerKind::offset) with_offsets[rank].steps.push_back(step);
        }
    }
    const std::vector<GridChoice> choices = grids_of(with_offsets);
    const auto best = std::find_if(choices.begin(), choices.end(), [square](const GridChoice& choice) {
        return !square || (choice.array.columns == choice.array.rows && choice.array.planes == 1);
    });
    return best == choices.end() ? choices.front().array : best->array;
}

std::vector<std::uint32_t> with_butterflies(const std::vector<std::uint32_t>& symbols, std::uint32_t stages,
                                            const std::function<Staged(std::uint32_t)>& staged,
                                            const std::function<std::uint32_t(const Butterfly&)>& number) {
    constexpr std::size_t kLongestStage = 64;
    std::vector<std::uint32_t> result;
    const auto stage_at = [&](std::size_t at) { return staged(symbols[at]).stage; };
    std::size_t at = 0;
    while (at < symbols.size()) {
        const Staged first = staged(symbols[at]);
        const auto expected = [&](std::uint32_t stage) {
            return static_cast<std::int32_t>(first.way == PartnerKind::doubling ? stage : stages - 1 - stage);
        };
        std::size_t length = 1;  // of a stage
        if (in_butterfly(first.way) && first.stage == expected(0) && stages > 1) {
            while (length <= kLongestStage && at + length < symbols.size() && stage_at(at + length) != expected(1)) {
                ++length;
            }
        }
        bool whole = in_butterfly(first.way) && stages > 1 && at + length * stages <= symbols.size();
        for (std::uint32_t stage = 0; whole && stage < stages; ++stage) {
            for (std::size_t each = 0; whole && each < length; ++each) {
                const Staged here = staged(symbols[at + stage * length + each]);
                whole = here.without == staged(symbols[at + each]).without &&
                        (here.stage < 0 || here.stage == expected(stage));
            }
        }
        if (!whole) {
            result.push_back(symbols[at++]);
            continue;
        }
        Butterfly butterfly{{}, first.way};
        for (std::size_t each = 0; each < length; ++each) butterfly.steps.push_back(staged(symbols[at + each]).without);
        result.push_back(number(butterfly));
        at += length * stages;
    }
    return result;
}

}  // namespace warpfront::learning
