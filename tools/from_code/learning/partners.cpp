#include "tools/from_code/learning/partners.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>

namespace warpfront::learning {

namespace {

using Place = PartnerKinds::key_type;

Place place_of(const trace::RecordedRun& run, const Step& step) {
    const trace::RecordedSite& site = run.sites[step.site];
    return {site.file, site.line, site.function, is_receive(step.kind)};
}

/// Returns the process grid of this many ranks on which ranks can be transposed: a square, or two squares side by side.
std::optional<RankGrid> grid_of_transposed(std::size_t ranks) {
    for (const std::uint32_t squares : {1U, 2U}) {
        RankGrid grid;
        grid.rows = static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(ranks) / squares)));
        grid.columns = squares * grid.rows;
        if (grid.ranks() == ranks && grid.columns > 1) return grid;
    }
    return std::nullopt;
}

std::uint32_t log_of(std::uint64_t power) { return static_cast<std::uint32_t>(std::bit_width(power)) - 1; }

/// Kinds of partners that a call may have, and what has been observed so far.
struct Common {
    std::set<PartnerKind> mapped{PartnerKind::transposed, PartnerKind::skewed_west, PartnerKind::skewed_east,
                                 PartnerKind::skewed_north, PartnerKind::skewed_south};
    bool first_rank = true;
    bool last_rank = true;
    bool butterfly = true;
    bool shift_up = true;
    bool shift_down = true;
    bool shift_shown = false;              // true if a run with more than three ranks confirms it
    std::optional<Rank> current{};         // the rank whose steps are being counted
    std::uint32_t distance = 0;            // distance of its last partner in a shift
    std::set<std::uint32_t> bits{};        // bits in which partners of the current run differ
    std::optional<std::uint32_t> first{};  // the first bit that rank 0 changes in the current run
    bool doubling = true;
    bool halving = true;
    bool all = true;  // true if the butterfly is over all ranks in each run
    bool row = true;
    bool column = true;
    bool shown_at_end = false;  // true if a run with more than two ranks confirms a first or last rank
    bool shown = false;         // true if a run with several stages, or with more than 2 x 2 ranks, confirms the kind
};

void end_run(std::map<Place, Common>& places, std::size_t ranks) {
    const std::uint32_t most = std::has_single_bit(ranks) ? log_of(ranks) : 0;
    for (auto& [place, common] : places) {
        common.current.reset();
        common.shown = common.shown || common.bits.size() > 1 || (!common.mapped.empty() && ranks > 4);
        if (common.bits.empty()) {
            common.all = common.all && ranks == 1;
            continue;
        }
        const std::uint32_t least = *common.bits.begin();
        const std::uint32_t last = *common.bits.rbegin();
        const bool together = common.bits.size() == last - least + 1;
        common.butterfly = common.butterfly && most > 0 && together && common.first;
        common.doubling = common.doubling && common.first == least;
        common.halving = common.halving && common.first == last;
        common.row = common.row && least == 0;
        common.column = common.column && last + 1 == most;
        common.all = common.all && least == 0 && last + 1 == most;
        common.bits.clear();
        common.first.reset();
    }
}

/// Checks whether the next partner of a rank continues a shift: distances of 1, 2, ..., then from 1 again.
void note_shift(Common& common, std::size_t ranks, Rank rank, Rank peer) {
    const auto count = static_cast<std::uint32_t>(ranks);
    if (common.current != rank) common.distance = 0;
    common.current = rank;
    common.distance = common.distance % (count - 1) + 1;
    const std::uint32_t ahead = (peer.index + count - rank.index) % count;
    common.shift_up = common.shift_up && ahead == common.distance;
    common.shift_down = common.shift_down && count - ahead == common.distance;
    common.shift_shown = common.shift_shown || count > 3;
}

std::optional<PartnerKind> butterfly_of(const Common& common) {
    if (!common.butterfly || !(common.doubling || common.halving)) return std::nullopt;
    const bool doubling = common.doubling;
    if (common.all) return doubling ? PartnerKind::doubling : PartnerKind::halving;
    if (common.row) return doubling ? PartnerKind::row_doubling : PartnerKind::row_halving;
    if (common.column) return doubling ? PartnerKind::column_doubling : PartnerKind::column_halving;
    return std::nullopt;
}

/// Returns the members of the communicators of all collectives.
std::set<std::vector<Rank>> members_of_collectives(const trace::RecordedRun& recorded,
                                                   const std::vector<RankSteps>& ranks) {
    std::set<std::uint32_t> communicators;
    for (const RankSteps& rank : ranks) {
        for (const Step& step : rank.steps) {
            if (step.kind == StepKind::collective) communicators.insert(step.communicator);
        }
    }
    std::set<std::vector<Rank>> members;
    for (const std::uint32_t each : communicators) members.insert(recorded.communicators[each]);
    return members;
}

}  // namespace

PartnerKind partner_kind(const PartnerKinds& kinds, const trace::RecordedRun& run, const RankSteps& rank,
                         const Step& step) {
    const auto found = kinds.find(place_of(run, step.kind == StepKind::wait ? rank.steps[step.begun] : step));
    return found == kinds.end() ? PartnerKind::offset : found->second;
}

Stages stages_of(PartnerKind kind, const RankGrid& grid) {
    if (is_shift(kind)) return {1, static_cast<std::uint32_t>(grid.ranks()) - 1};
    if (over_row(kind)) return {0, log_of(grid.columns)};
    if (over_column(kind)) return {log_of(grid.columns), log_of(grid.rows)};
    return {0, log_of(grid.ranks())};
}

std::uint32_t change_of(PartnerKind kind, const Stages& stages, std::int64_t stage) {
    const auto at = static_cast<std::uint32_t>(stage);
    return stages.first + (is_shift(kind) || doubles(kind) ? at : stages.count - 1 - at);
}

std::uint32_t change_between(PartnerKind kind, const RankGrid& grid, Rank from, Rank to) {
    if (!is_shift(kind)) return static_cast<std::uint32_t>(std::countr_zero(from.index ^ to.index));
    const auto ranks = static_cast<std::uint32_t>(grid.ranks());
    const std::uint32_t ahead = (to.index + ranks - from.index) % ranks;
    return kind == PartnerKind::shift_up ? ahead : ranks - ahead;
}

Rank changed(PartnerKind kind, const RankGrid& grid, Rank from, std::uint32_t change) {
    if (!is_shift(kind)) return Rank{from.index ^ (1U << change)};
    const auto ranks = static_cast<std::uint32_t>(grid.ranks());
    return Rank{(from.index + (kind == PartnerKind::shift_up ? change : ranks - change)) % ranks};
}

namespace {

Rank transposed(const RankGrid& grid, Rank rank) {
    if (grid.columns % grid.rows != 0) return rank;
    const std::uint32_t squares = grid.columns / grid.rows;
    const std::uint32_t column = grid.column(rank) - 1;
    return grid.at(squares * (grid.row(rank) - 1) + column % squares + 1, column / squares + 1, grid.plane(rank));
}

}  // namespace

Rank mapped(PartnerKind kind, const RankGrid& grid, Rank rank) {
    if (kind == PartnerKind::transposed) return transposed(grid, rank);
    const std::uint32_t side = grid.columns;
    if (grid.rows != side) return rank;
    const std::uint32_t column = grid.column(rank);
    const std::uint32_t row = grid.row(rank);
    const std::uint32_t ahead = (column + row - 2) % side + 1;
    switch (kind) {
        case PartnerKind::skewed_west: return grid.at((column + side - row) % side + 1, row, grid.plane(rank));
        case PartnerKind::skewed_east: return grid.at(ahead, row, grid.plane(rank));
        case PartnerKind::skewed_north: return grid.at(column, (row + side - column) % side + 1, grid.plane(rank));
        case PartnerKind::skewed_south: return grid.at(column, ahead, grid.plane(rank));
        default: return rank;
    }
}

PartnerKinds partner_kinds(const std::vector<RunSteps>& runs) {
    std::map<Place, Common> places;
    for (const RunSteps& run : runs) {
        const std::optional<RankGrid> grid = grid_of_transposed(run.ranks->size());
        for (std::uint32_t rank = 0; rank < run.ranks->size(); ++rank) {
            for (const Step& step : (*run.ranks)[rank].steps) {
                if (!has_partner(step.kind) || step.kind == StepKind::wait) continue;
                Common& common = places[place_of(*run.recorded, step)];
                std::erase_if(common.mapped,
                              [&](PartnerKind kind) { return !grid || mapped(kind, *grid, Rank{rank}) != step.peer; });
                const auto last = static_cast<std::uint32_t>(run.ranks->size()) - 1;
                common.first_rank = common.first_rank && rank == last && step.peer.index == 0;
                common.last_rank = common.last_rank && rank == 0 && step.peer.index == last;
                common.shown_at_end = common.shown_at_end || run.ranks->size() > 2;
                note_shift(common, run.ranks->size(), Rank{rank}, step.peer);
                const std::uint32_t distance = rank ^ step.peer.index;
                common.butterfly = common.butterfly && std::has_single_bit(distance);
                if (!common.butterfly) continue;
                common.bits.insert(log_of(distance));
                if (rank == 0 && !common.first) common.first = log_of(distance);
            }
        }
        end_run(places, run.ranks->size());
    }
    PartnerKinds kinds;
    for (const auto& [place, common] : places) {
        if (common.shown_at_end && (common.first_rank || common.last_rank)) {
            kinds[place] = common.first_rank ? PartnerKind::first_rank : PartnerKind::last_rank;
            continue;
        }
        if (common.shift_shown && (common.shift_up || common.shift_down)) {
            kinds[place] = common.shift_up ? PartnerKind::shift_up : PartnerKind::shift_down;
            continue;
        }
        if (!common.shown) continue;
        if (!common.mapped.empty()) {
            kinds[place] = *common.mapped.begin();
        } else if (const auto kind = butterfly_of(common)) {
            kinds[place] = *kind;
        }
    }
    return kinds;
}

namespace {

/// Returns the best process grid among those in which all communicators of collectives are groups. If there is none,
/// returns the best grid of all.
Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& kinds,
               const std::function<bool(const Array&, const std::vector<RankSteps>&)>& is_preferred) {
    std::vector<RankSteps> with_offsets(ranks.size());
    bool is_in_squares = false;  // true if some partners follow from places in a square
    std::set<std::uint32_t> row_bits;
    std::set<std::uint32_t> column_bits;
    bool over_axis = false;  // true if some butterfly is over rows or columns
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Step& step : ranks[rank].steps) {
            if (!has_partner(step.kind) || step.kind == StepKind::wait) continue;
            const PartnerKind partner = partner_kind(kinds, recorded, ranks[rank], step);
            is_in_squares = is_in_squares || is_mapped(partner);
            if (partner == PartnerKind::offset) with_offsets[rank].steps.push_back(step);
            if (over_row(partner)) row_bits.insert(rank ^ step.peer.index);
            if (over_column(partner)) column_bits.insert(rank ^ step.peer.index);
        }
    }
    for (const auto& [place, partner] : kinds) over_axis = over_axis || over_row(partner) || over_column(partner);
    const std::optional<RankGrid> grid = grid_of_transposed(ranks.size());
    const auto fits = [&](const GridChoice& choice) {
        const Array& array = choice.array;
        if (is_in_squares && (!grid || array.columns != grid->columns || array.rows != grid->rows)) return false;
        if (!over_axis) return true;
        // The bits of rows are below those of columns.
        const bool columns_known = !row_bits.empty() || column_bits.empty();
        return array.planes == 1 &&
               (columns_known ? array.columns == 1U << row_bits.size() : array.rows == 1U << column_bits.size());
    };
    const std::set<std::vector<Rank>> members = members_of_collectives(recorded, ranks);
    const auto has_groups = [&](const GridChoice& choice) {
        return fits(choice) && std::all_of(members.begin(), members.end(), [&choice](const std::vector<Rank>& each) {
                   return group_of(choice.array, each).has_value();
               });
    };
    const std::vector<GridChoice> choices = grids_of(with_offsets);
    auto best = std::ranges::find_if(choices, [&](const GridChoice& choice) {
        return has_groups(choice) && is_preferred(choice.array, with_offsets);
    });
    if (best == choices.end()) best = std::find_if(choices.begin(), choices.end(), has_groups);
    if (best == choices.end()) best = std::find_if(choices.begin(), choices.end(), fits);
    return best == choices.end() ? choices.front().array : best->array;
}

/// Returns true if all ranks send to the partners at these offsets, and to no others.
bool are_all_sends(const std::vector<RankSteps>& ranks, const Array& array, const std::set<Offset>& offsets) {
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        std::set<Rank> partners;
        for (const Offset& offset : offsets) {
            if (stays(array, Rank{rank}, offset)) partners.insert(partner(array, Rank{rank}, offset));
        }
        std::set<Rank> recorded;
        for (const Step& step : ranks[rank].steps) {
            if (is_send(step.kind)) recorded.insert(step.peer);
        }
        if (partners != recorded) return false;
    }
    return true;
}

}  // namespace

Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& kinds) {
    return array_of(recorded, ranks, kinds, [](const Array&, const std::vector<RankSteps>&) { return true; });
}

Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& kinds,
               const std::set<Offset>& sends, const Closed& closed) {
    return array_of(recorded, ranks, kinds, [&](Array array, const std::vector<RankSteps>& with_offsets) {
        array.closed = closed;
        return are_all_sends(with_offsets, array, sends);
    });
}

std::set<Offset> sent_offsets(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks,
                              const Array& array, const PartnerKinds& kinds) {
    std::set<Offset> offsets;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Step& step : ranks[rank].steps) {
            if (is_send(step.kind) && partner_kind(kinds, recorded, ranks[rank], step) == PartnerKind::offset)
                offsets.insert(offset_of(array, Rank{rank}, step.peer));
        }
    }
    return offsets;
}

std::vector<std::uint32_t> with_exchanges(const std::vector<std::uint32_t>& symbols, const RankGrid& grid,
                                          const std::function<Staged(std::uint32_t)>& staged,
                                          std::vector<Exchange>& known) {
    constexpr std::size_t kLongestStage = 64;
    std::vector<std::uint32_t> result;
    std::size_t at = 0;
    // returns true if all stages of the exchange follow here
    const auto is_whole = [&](const Exchange& exchange) {
        const Stages stages = stages_of(exchange.partner, grid);
        const std::size_t length = exchange.steps.size();
        if (at + length * stages.count > symbols.size()) return false;
        for (std::uint32_t stage = 0; stage < stages.count; ++stage) {
            const auto change = static_cast<std::int32_t>(change_of(exchange.partner, stages, stage));
            for (std::size_t each = 0; each < length; ++each) {
                const Staged here = staged(symbols[at + stage * length + each]);
                const bool same = stage == 0 ? here.without == exchange.steps[each]
                                             : here.alone == staged(exchange.steps[each]).alone;
                if (!same || (here.change >= 0 && here.change != change)) return false;
            }
        }
        return true;
    };
    while (at < symbols.size()) {
        const Staged first = staged(symbols[at]);
        std::optional<Exchange> found;
        const Stages stages = is_staged(first.partner) ? stages_of(first.partner, grid) : Stages{};
        if (stages.count == 1) {
            const auto same = std::find_if(known.begin(), known.end(), [&](const Exchange& each) {
                return each.partner == first.partner && is_whole(each);
            });
            if (same != known.end()) found = *same;
        } else if (stages.count > 1) {
            const auto second = static_cast<std::int32_t>(change_of(first.partner, stages, 1));
            Exchange exchange{{first.without}, first.partner};
            while (exchange.steps.size() <= kLongestStage && at + exchange.steps.size() < symbols.size()) {
                const Staged next = staged(symbols[at + exchange.steps.size()]);
                if (next.partner == first.partner && next.change == second) break;
                exchange.steps.push_back(next.without);
            }
            if (is_whole(exchange)) found = std::move(exchange);
        }
        if (!found) {
            result.push_back(symbols[at++]);
            continue;
        }
        at += found->steps.size() * stages.count;
        auto number = std::find(known.begin(), known.end(), *found);
        if (number == known.end()) number = known.insert(known.end(), *found);
        result.push_back(kExchange + static_cast<std::uint32_t>(number - known.begin()));
    }
    return result;
}

}  // namespace warpfront::learning
