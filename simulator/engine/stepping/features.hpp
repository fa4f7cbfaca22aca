// What a run may need beside stepping: paths, a timeline, messages taken as they come, one request of the machine at a time,
// memory bandwidth that cores share, limits of eager messages. A plain run needs none of it, and that is known when it is
// compiled: the event loop exists twice, for plain runs and for all others (stepper.hpp).
#pragma once

#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

template <bool kPlain>
class Features {
public:
    explicit Features(PartitionContext& context) : context_(context), layout_(context.layout), state_(context.state) {}

protected:
    CriticalPaths* paths() const { return kPlain ? nullptr : state_.paths; }
    TimelineRecorder* timeline() const { return kPlain ? nullptr : state_.timeline; }
    bool records_activity() const { return !kPlain && state_.records_activity; }
    bool has_choices() const { return !kPlain && layout_.has_choices; }
    bool in_order() const { return !kPlain && context_.in_order; }
    bool shares_memory() const { return !kPlain && layout_.memory.shared; }
    bool limits_eager() const { return !kPlain && !state_.eager_windows.empty(); }

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
};

/// Whether a run needs nothing of the above.
inline bool is_plain(const Layout& layout, const State& state, bool in_order) {
    return state.paths == nullptr && state.timeline == nullptr && !state.records_activity && !layout.has_choices &&
           !in_order && !layout.memory.shared && state.eager_windows.empty();
}

}  // namespace warpfront::engine
