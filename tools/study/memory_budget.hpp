// The memory that runs side by side share. A run takes what it needs before it begins and waits until that is there;
// alone it is refused if even all of it does not do. For several threads.
#pragma once

#include <condition_variable>
#include <mutex>

#include "simulator/input/source.hpp"
#include "simulator/units/bytes.hpp"

namespace warpfront::tools {

class MemoryBudget {
public:
    explicit MemoryBudget(Bytes available) : available_(available) {}

    /// Held by a run.
    class Share {
    public:
        Share(MemoryBudget& budget, Bytes needed) : budget_(budget), needed_(needed) {}
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share() { budget_.give_back(needed_); }

    private:
        MemoryBudget& budget_;
        Bytes needed_;
    };

    /// Waits for the memory. Throws BadInput (too_little_memory), at `range`, if `needed` exceeds the whole budget.
    Share take(Bytes needed, const input::SourceRange& range);

private:
    void give_back(Bytes needed);

    const Bytes available_;
    Bytes taken_{};
    std::mutex mutex_;
    std::condition_variable freed_;
};

}  // namespace warpfront::tools
