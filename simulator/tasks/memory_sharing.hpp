// Blocks of tasks in progress on cores that share memory bandwidth (machine/memory_law.hpp): the end of each block
// follows from the blocks that compute now, and moves when a block of its group begins or ends. On machines without
// `memory` nothing is stored.
//
// A block of a task for nodes computes on all cores of its node. Used by one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/memory_law.hpp"
#include "simulator/tasks/layout.hpp"

namespace warpfront::tasks {

class MemorySharing {
public:
    /// A function that is called with each worker whose block has a new end, and the time.
    using Moved = std::function<void(WorkerId, std::int64_t)>;

    MemorySharing(const machine::Machine& machine, const Layout& layout, Moved moved)
        : layout_(layout), moved_(std::move(moved)) {
        if (!machine.memory) return;
        law_ = machine::MemoryLaw::of(*machine.memory);
        std::uint32_t before = kNobody;
        for (WorkerId core = 0; core < layout.cores(); ++core) {
            const std::uint32_t group = machine.group_of(layout.rank_of(core), machine.memory->count);
            const bool same = core > 0 && layout.node_of(core) == layout.node_of(core - 1) && group == before;
            if (!same) groups_.emplace_back();
            before = group;
            group_of_.push_back(static_cast<std::uint32_t>(groups_.size()) - 1);
        }
    }

    bool shares_memory() const { return !groups_.empty(); }

    /// Begins a block on a core, or on all cores of a node. It takes the time `alone` if no other core computes.
    void begin(WorkerId worker, std::int64_t now, std::int64_t alone) {
        if (layout_.is_node(worker)) return moved_(worker, now + law_.stretched(alone, 0, most_in_group(worker)));
        std::vector<Block>& group = groups_[group_of_[worker]];
        const auto cores = static_cast<std::int64_t>(group.size()) + 1;
        for (Block& block : group) move(block, now, cores - 1, cores);
        group.push_back({worker, now + law_.stretched(alone, 0, cores)});
        moved_(worker, group.back().end);
    }

    /// Ends the block of a core, even if it is not complete. Has no effect if the core does not compute.
    void end(WorkerId worker, std::int64_t now) {
        if (!shares_memory() || layout_.is_node(worker)) return;
        std::vector<Block>& group = groups_[group_of_[worker]];
        const auto found = std::ranges::find(group, worker, &Block::core);
        if (found == group.end()) return;
        group.erase(found);
        const auto cores = static_cast<std::int64_t>(group.size());
        for (Block& block : group) move(block, now, cores + 1, cores);
    }

private:
    struct Block {
        WorkerId core;
        std::int64_t end;
    };

    void move(Block& block, std::int64_t now, std::int64_t from, std::int64_t to) {
        const std::int64_t end = now + law_.stretched(block.end - now, from, to);
        if (end == block.end) return;
        block.end = end;
        moved_(block.core, end);
    }

    std::int64_t most_in_group(WorkerId node) const {
        std::int64_t most = 0;
        std::int64_t cores = 0;
        const WorkerId first = layout_.first_core_of(node);
        for (WorkerId core = first; core < first + layout_.cores_of(node); ++core) {
            cores = core > first && group_of_[core] == group_of_[core - 1] ? cores + 1 : 1;
            most = std::max(most, cores);
        }
        return most;
    }

    const Layout& layout_;
    Moved moved_;
    machine::MemoryLaw law_;
    std::vector<std::uint32_t> group_of_;     // by core
    std::vector<std::vector<Block>> groups_;  // blocks that compute now
};

}  // namespace warpfront::tasks
