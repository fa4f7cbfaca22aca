#include "tools/study/memory_budget.hpp"

#include "tools/runs/memory.hpp"

namespace warpfront::tools {

MemoryBudget::Share MemoryBudget::take(Bytes needed, const input::SourceRange& range) {
    refuse_beyond(available_, needed, range);
    std::unique_lock hold(mutex_);
    freed_.wait(hold, [&] { return taken_.count + needed.count <= available_.count; });
    taken_.count += needed.count;
    return {*this, needed};
}

void MemoryBudget::give_back(Bytes needed) {
    {
        const std::lock_guard hold(mutex_);
        taken_.count -= needed.count;
    }
    freed_.notify_all();
}

}  // namespace warpfront::tools
