#include "simulator/engine/stepping/shared_memory.hpp"

#include "simulator/engine/recording/critical_paths.hpp"

namespace warpfront::engine {

SharedMemory::Group SharedMemory::group_of(const RankLine& line) const {
    const MemoryLayout::Range& cores = layout_.memory.sharing[line.core];
    return {line.node, cores.first, cores.last};
}

std::int64_t SharedMemory::computing(const Group& group) const {
    std::int64_t count = 0;
    for (const Core core : group.cores()) {
        const Rank rank = layout_.rank_on(group.node, core);
        count += rank != kNone && state_.ranks[rank].state == RankState::computing ? 1 : 0;
    }
    return count;
}

void SharedMemory::begin(Rank rank, RankLine& line, Time alone) {
    const Group group = group_of(line);
    const std::int64_t others = computing(group);
    const std::int64_t now = line.clock;
    change(group, now, others, others + 1);
    line.state = RankState::computing;
    if (state_.paths != nullptr) state_.paths->begin_block(rank, now, alone, others + 1);
    end_at(rank, line, now + layout_.memory.law.stretched(alone.ps, 0, others + 1));
}

void SharedMemory::end(Rank rank, RankLine& line) {
    const Group group = group_of(line);
    const std::int64_t all = computing(group);
    context_.block_ends[rank] = kNoEvent;
    line.state = RankState::running;
    change(group, line.clock, all, all - 1);
}

/// Changes the number of computing cores from `from` to `to`. All blocks of the group then end later or earlier.
void SharedMemory::change(const Group& group, std::int64_t now, std::int64_t from, std::int64_t to) {
    for (const Core core : group.cores()) {
        const Rank rank = layout_.rank_on(group.node, core);
        if (rank == kNone || state_.ranks[rank].state != RankState::computing) continue;
        RankLine& line = state_.ranks[rank];
        if (state_.paths != nullptr) state_.paths->change_block(rank, now, to);
        end_at(rank, line, now + layout_.memory.law.stretched(line.clock - now, from, to));
    }
}

void SharedMemory::end_at(Rank rank, RankLine& line, std::int64_t end) {
    state_.statistics[rank].compute += end - line.clock;
    line.clock = end;
    context_.check_horizon(rank, line);
    if (context_.block_ends.empty()) context_.block_ends.assign(layout_.ranks, kNoEvent);
    if (context_.block_ends[rank] != kNoEvent) context_.revocable[context_.block_ends[rank]].revoked = true;
    context_.block_ends[rank] = context_.revocable.add(
        {.kind = RevocableEvent::Kind::end_of_block, .age = age_of(layout_, line), .rank = rank});
    context_.calendar.add(end, {EventKind::revocable, context_.block_ends[rank]});
}

}  // namespace warpfront::engine
