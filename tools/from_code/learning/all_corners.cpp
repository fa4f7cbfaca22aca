#include "tools/from_code/learning/all_corners.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/program/execution.hpp"
#include "tools/from_code/learning/structure.hpp"
#include "tools/from_code/learning/templates.hpp"

namespace warpfront::learning {

namespace {

/// The steps of one rank in a call of `all_corners`.
struct CallSteps {
    std::vector<Step> steps;
    std::vector<std::int64_t> tiles;  // for each step and for the end, the number of tiles computed before it
};

/// A call of `all_corners` as instructions, for a given number of tiles.
class LoweredCall {
public:
    static constexpr std::int64_t kEastWest = 1001;
    static constexpr std::int64_t kNorthSouth = 1003;

    LoweredCall(const RankGrid& grid, std::int64_t tiles) : program_(lowered(grid, tiles)) {}

    /// Returns the first steps of a rank, at most `most`. A tag is the number of a corner, as in the template.
    CallSteps of(Rank rank, std::size_t most = SIZE_MAX) const {
        const program::RankClass& code = program_.of(rank);
        CallSteps call;
        // for each endpoint, the step that started its open request
        std::map<std::pair<bool, std::uint32_t>, std::uint32_t> open;
        std::int64_t tiles = 0;
        program::Cursor cursor(code);
        using program::Op;
        for (const program::Instruction* next = &cursor.next(); next->op != Op::finish && call.steps.size() < most;
             next = &cursor.next()) {
            Step step;
            switch (next->op) {
                case Op::compute: tiles += next->amount / kWork; continue;
                case Op::isend: step.kind = StepKind::isend; break;
                case Op::irecv: step.kind = StepKind::irecv; break;
                case Op::wait_send:
                case Op::wait_recv: step.kind = StepKind::wait; break;
                default: continue;
            }
            const bool sends = program::on_send_side(next->op);
            const program::Channel& channel = (sends ? code.send_endpoints : code.receive_endpoints)[next->operand];
            step.peer = program::peer_of(rank, channel);
            step.tag = channel.tag;
            if (step.kind == StepKind::isend) step.bytes = {next->amount};
            std::uint32_t& begun = open[{sends, next->operand}];
            if (step.kind == StepKind::wait) step.begun = begun;
            begun = static_cast<std::uint32_t>(call.steps.size());
            call.steps.push_back(step);
            call.tiles.push_back(std::exchange(tiles, 0));
        }
        call.tiles.push_back(tiles);
        return call;
    }

private:
    static program::Program lowered(const RankGrid& grid, std::int64_t tiles) {
        psl::Bindings bindings;
        bindings.grid = grid;
        const std::string call = fmt::format("all_corners({}, {}ps, {}B, {}B)", tiles, kWork, kEastWest, kNorthSouth);
        return psl::lower(psl::load_text("probe.psl", fmt::format("{}\napplication probe {{ iteration {{ {} }} }}\n",
                                                                  template_text("all_corners"), call)),
                          bindings);
    }

    static constexpr std::int64_t kWork = 1000;  // picoseconds of computing per tile

    program::Program program_;
};

/// The steps of one rank that belong to one call.
struct CallPlace {
    std::size_t begin = 0;
    Bytes east_west;
    Bytes north_south;
    std::uint32_t site = 0;  // call site of the first message that is sent
};

class CallFinder {
public:
    CallFinder(std::vector<RankSteps>& ranks, const Array& array)
        : ranks_(ranks), grid_(array), ends_(ranks.size()), places_(ranks.size()), calls_(ranks.size()) {}

    bool find() {
        const std::vector<Step>& steps = ranks_.front().steps;
        const auto south =
            std::count_if(steps.begin(), steps.end(), [this](const Step& step) { return is_south(step); });
        if (south == 0) return false;
        longest_ = LoweredCall(grid_, south).of(Rank{0}, steps.size());
        for (std::size_t at = 0; at < steps.size();) {
            const std::vector<CallSteps>* const call = call_at(at);
            at = call != nullptr && add_call(at, *call) ? ends_.front() : at + 1;
        }
        if (places_.front().empty()) return false;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) shorten(rank);
        return true;
    }

private:
    /// Returns how many steps of the first rank, from index `at` on, have the expected kinds and partners.
    std::size_t alike(std::size_t at, const std::vector<Step>& expected) const {
        const std::vector<Step>& steps = ranks_.front().steps;
        std::size_t count = 0;
        while (count < expected.size() && at + count < steps.size() && steps[at + count].kind == expected[count].kind &&
               steps[at + count].peer == expected[count].peer) {
            ++count;
        }
        return count;
    }

    /// Returns the steps of all ranks in a call that begins at step `at` of the first rank; null if none begins there.
    /// The steps of the first rank are compared with those of the longest possible call. Up to the first difference,
    /// the rank sends one message south for each tile of its own corner. So the number of these messages is the number
    /// of tiles.
    const std::vector<CallSteps>* call_at(std::size_t at) {
        constexpr std::int32_t kFirstCorner = 1;
        const auto end = longest_.steps.begin() + static_cast<std::ptrdiff_t>(alike(at, longest_.steps));
        const std::int64_t tiles = std::count_if(longest_.steps.begin(), end, [this](const Step& step) {
            return is_south(step) && step.tag == kFirstCorner;
        });
        if (tiles == 0) return nullptr;
        if (const auto known = lowered_.find(tiles); known != lowered_.end()) return &known->second;
        const auto [first, is_new] = on_first_rank_.try_emplace(tiles);
        if (is_new) first->second = LoweredCall(grid_, tiles).of(Rank{0});
        if (alike(at, first->second.steps) < first->second.steps.size()) return nullptr;
        return &(lowered_[tiles] = on_all_ranks(LoweredCall(grid_, tiles)));
    }

    /// Returns the steps of all ranks in a call. Tags are numbered like those of the run.
    std::vector<CallSteps> on_all_ranks(const LoweredCall& call) const {
        std::vector<CallSteps> all;
        std::vector<RankSteps> numbered(ranks_.size());
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
            all.push_back(call.of(Rank{rank}));
            numbered[rank].steps = std::move(all[rank].steps);
        }
        number_tags(numbered);
        for (std::size_t rank = 0; rank < all.size(); ++rank) all[rank].steps = std::move(numbered[rank].steps);
        return all;
    }

    /// Returns true if the first rank sends to its neighbour in the next row in this step.
    bool is_south(const Step& step) const { return step.kind == StepKind::isend && step.peer.index == grid_.columns; }

    /// Adds a call that begins at step `first` of the first rank. On all other ranks it must follow the previous call.
    bool add_call(std::size_t first, const std::vector<CallSteps>& call) {
        if (numbered_.empty()) number_tags(numbered_ = ranks_);
        std::vector<CallPlace> found;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            std::optional<CallPlace> place;
            const std::size_t steps = numbered_[rank].steps.size();
            const std::size_t last = rank == 0 ? first + 1 : steps;
            for (std::size_t at = rank == 0 ? first : ends_[rank]; at < last && !place; ++at) {
                place = place_at(rank, at, call[rank].steps);
            }
            if (!place) return false;
            found.push_back(*place);
        }
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            ends_[rank] = found[rank].begin + call[rank].steps.size();
            places_[rank].push_back(found[rank]);
            calls_[rank].push_back(&call[rank]);
        }
        return true;
    }

    std::optional<CallPlace> place_at(std::size_t rank, std::size_t begin, const std::vector<Step>& expected) const {
        const std::vector<Step>& steps = numbered_[rank].steps;
        if (begin + expected.size() > steps.size()) return std::nullopt;
        CallPlace place{begin, {-1}, {-1}, 0};
        for (std::size_t at = 0; at < expected.size(); ++at) {
            const Step& step = steps[begin + at];
            if (step.kind != expected[at].kind || step.peer != expected[at].peer || step.tag != expected[at].tag ||
                step.phase != steps[begin].phase) {
                return std::nullopt;
            }
            if (step.kind == StepKind::wait && step.begun != begin + expected[at].begun) return std::nullopt;
            if (step.kind != StepKind::isend) continue;
            if (place.east_west.count < 0 && place.north_south.count < 0) place.site = step.site;
            Bytes& known = expected[at].bytes.count == LoweredCall::kEastWest ? place.east_west : place.north_south;
            if (known.count < 0) known = step.bytes;
            if (known != step.bytes) return std::nullopt;
        }
        return place;
    }

    /// Replaces the calls of a rank by shorter sequences.
    void shorten(std::size_t rank) {
        RankSteps& own = ranks_[rank];
        std::vector<std::uint32_t> moved(own.steps.size());  // new index of each step
        std::vector<Step> steps;
        std::size_t at = 0;
        for (std::size_t call = 0; call <= places_[rank].size(); ++call) {
            const bool last = call == places_[rank].size();
            for (const std::size_t end = last ? own.steps.size() : places_[rank][call].begin; at < end; ++at) {
                moved[at] = static_cast<std::uint32_t>(steps.size());
                steps.push_back(own.steps[at]);
                if (steps.back().kind == StepKind::wait) steps.back().begun = moved[steps.back().begun];
            }
            if (last) break;
            put_call(own, places_[rank][call], *calls_[rank][call], steps);
            at = places_[rank][call].begin + calls_[rank][call]->steps.size();
        }
        own.steps = std::move(steps);
    }

    static void put_call(RankSteps& own, const CallPlace& place, const CallSteps& call, std::vector<Step>& steps) {
        const std::size_t count = call.steps.size();
        std::vector<std::int64_t> times;
        std::int64_t tiles = call.tiles.back();
        for (std::size_t at = 0; at < count; ++at) {
            tiles += call.tiles[at];
            if (call.tiles[at] == 0) continue;
            const std::int64_t share = own.steps[place.begin + at].work.ps / call.tiles[at];
            times.insert(times.end(), static_cast<std::size_t>(call.tiles[at]), share);
        }
        const std::int64_t tile = median(times);
        const auto less = [tile](Time work, std::int64_t computed) {
            return Time{std::max<std::int64_t>(0, work.ps - computed * tile)};
        };
        Step step = own.steps[place.begin];
        step.site = place.site;
        step.joined = false;
        step.kind = StepKind::corners;
        step.operations = static_cast<std::uint32_t>(count);
        step.work = less(step.work, call.tiles.front());
        steps.push_back(step);
        step.operations = 0;
        for (std::int64_t computed = 0; computed < tiles; ++computed) {
            step.kind = StepKind::corners_east_west;
            step.bytes = place.east_west;
            step.work = Time{tile};
            steps.push_back(step);
            step.kind = StepKind::corners_north_south;
            step.bytes = place.north_south;
            step.work = Time{};
            steps.push_back(step);
        }
        const std::size_t end = place.begin + count;
        Time& after = end < own.steps.size() ? own.steps[end].work : own.work_after;
        after = less(after, call.tiles.back());
    }

    std::vector<RankSteps>& ranks_;
    std::vector<RankSteps> numbered_;  // steps with tags that depend only on the matching of messages
    const RankGrid grid_;
    std::vector<std::size_t> ends_;  // for each rank, the end of its last call
    std::vector<std::vector<CallPlace>> places_;
    std::vector<std::vector<const CallSteps*>> calls_;
    CallSteps longest_;
    std::map<std::int64_t, CallSteps> on_first_rank_;         // for each number of tiles, the steps of the first rank
    std::map<std::int64_t, std::vector<CallSteps>> lowered_;  // for each number of tiles, the steps of all ranks
};

}  // namespace

bool take_all_corners(std::vector<RankSteps>& ranks, const Array& array) {
    if (array.columns < 2 || array.rows < 2 || array.planes > 1 || array.closed.any()) return false;
    return CallFinder(ranks, array).find();
}

}  // namespace warpfront::learning
