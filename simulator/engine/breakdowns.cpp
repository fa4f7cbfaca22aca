#include "simulator/engine/breakdowns.hpp"

#include <cstddef>
#include <cstdint>

namespace warpfront::engine {

namespace {

using program::Op;

/// Messages of one class on one of its send endpoints, all of one size.
struct Sends {
    std::uint32_t place = 0;
    std::size_t size = 0;  // index into Layout::sizes
    Wide count = 0;
};

struct ClassTotals {
    WideTime compute;
    std::vector<Sends> sends;
};

ClassTotals totals_of(const Layout& layout, std::uint32_t rank_class) {
    ClassTotals totals;
    std::vector<Wide> times{1};
    for (std::uint32_t at = layout.entry[rank_class]; layout.code[at].op != Op::finish; ++at) {
        const program::Instruction& step = layout.code[at];
        if (step.op == Op::loop) times.push_back(times.back() * step.amount);
        if (step.op == Op::end_loop) times.pop_back();
        if (step.op == Op::compute || step.op == Op::delay) {
            totals.compute += WideTime{Wide{step.amount} * times.back()};
        }
        if (program::is_send(step.op)) {
            totals.sends.push_back({step.operand, static_cast<std::size_t>(step.amount), times.back()});
        }
    }
    return totals;
}

/// A message is one of both its ends.
void add_overheads(const Layout& layout, const State& state, std::uint32_t rank, const std::vector<Sends>& sends,
                   std::vector<record::Breakdown>& parts) {
    for (const Sends& each : sends) {
        const SendEndpoint& out = state.send_endpoints[layout.send_endpoint_numbers.at(rank, each.place)];
        const network::MessageCost& cost = layout.costs[each.size * layout.paths + out.path];
        parts[rank].send += WideTime{(cost.busy_send + cost.busy_after).ps * each.count};
        const std::uint32_t receiver = layout.rank_of_receive_endpoint(out.receive_endpoint);
        parts[receiver].recv += WideTime{cost.busy_recv.ps * each.count};
    }
}

}  // namespace

std::vector<record::Breakdown> breakdowns(const program::Program& program, Simulation& simulation, bool measured,
                                          const std::vector<WideTime>& finish) {
    const Layout& layout = simulation.layout();
    std::vector<ClassTotals> totals;
    for (std::uint32_t k = 0; k < program.classes.size(); ++k) totals.push_back(totals_of(layout, k));
    std::vector<record::Breakdown> all(layout.ranks);
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        const ClassTotals& of_class = totals[program.class_of[rank]];
        all[rank].compute = of_class.compute;
        if (!layout.has_choices) add_overheads(layout, simulation.state(), rank, of_class.sends, all);
    }
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        record::Breakdown& parts = all[rank];
        const Waits waits = simulation.waits({rank});
        if (layout.has_choices) {
            const Overheads& summed = simulation.state().overheads[rank];
            parts.send = WideTime{Wide{summed.send}};
            parts.recv = WideTime{Wide{summed.recv}};
        }
        if (measured) parts.compute = WideTime{waits.compute};
        parts.bus_wait = WideTime{waits.bus};
        parts.nic_wait = WideTime{waits.nic};
        parts.link_wait = WideTime{waits.link};
        parts.collective = WideTime{waits.collective};
        parts.wait = finish[rank] - parts.total();
    }
    return all;
}

}  // namespace warpfront::engine
