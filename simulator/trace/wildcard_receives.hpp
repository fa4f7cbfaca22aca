// The receives of one rank's trace from any source or of any tag: which messages they may take, and which of them are
// matched by their posts (open_requests.hpp). Those that are open at once with one wildcard have slots of their own,
// since each is a choice of the program.
#pragma once

#include <cstdint>
#include <set>

#include "simulator/trace/action.hpp"
#include "simulator/trace/open_requests.hpp"
#include "simulator/trace/operations.hpp"

namespace warpfront::trace {

class WildcardReceives {
public:
    WildcardReceives(ExpandedTrace& trace, OpenRequests& open) : trace_(trace), open_(open) {}

    std::uint32_t wildcard_of(const Action& action);
    /// A receive is posted, and gets a slot if its post matches it.
    AnySource post(std::uint32_t wildcard);
    /// What a post has matched is waited for.
    void complete(const AnySource& any);
    /// A message is taken by a receive that blocks, or that was not matched by its post.
    void take(std::uint32_t wildcard);
    /// A receive is made that may take such messages.
    void postpone_beside(const Wildcard& wildcard);

private:
    ExpandedTrace& trace_;
    OpenRequests& open_;
    std::set<std::uint32_t> taken_slots_;
};

}  // namespace warpfront::trace
