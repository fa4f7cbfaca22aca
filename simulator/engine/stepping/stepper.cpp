#include "simulator/engine/stepping/stepper.hpp"

#include <algorithm>

#include "simulator/engine/stepping/message_protocol_arrival.hpp"
#include "simulator/engine/stepping/message_protocol_choice.hpp"
#include "simulator/engine/stepping/message_protocol_departure.hpp"
#include "simulator/engine/stepping/message_protocol_isend.hpp"
#include "simulator/engine/stepping/message_protocol_open.hpp"
#include "simulator/engine/stepping/message_protocol_posts.hpp"
#include "simulator/engine/stepping/prefetch.hpp"
#include "simulator/engine/stepping/program_interpreter_collectives.hpp"
#include "simulator/engine/stepping/program_interpreter_iterations.hpp"
#include "simulator/engine/stepping/program_interpreter_order.hpp"
#include "simulator/engine/stepping/program_interpreter_run.hpp"

namespace warpfront::engine {

namespace {

template <bool kPlain>
class SteppedRanks final : public Stepper {
public:
    SteppedRanks(PartitionContext& context, const variation::ComputeTime* compute_time)
        : context_(context),
          protocol_(context),
          interpreter_(context, protocol_, compute_time),
          ahead_(context.layout, context.state) {}

    void start(std::uint32_t rank, std::uint32_t entry) override { interpreter_.start(rank, entry); }
    void take(const std::vector<RemoteEvent>& events) override { protocol_.take(events); }
    void run_until_quiescent(std::uint64_t most) override { interpreter_.run_until_quiescent(most); }
    void serve(std::uint64_t window, std::int64_t limit) override;
    void release_held() override { interpreter_.release_held(); }
    void enter_loops() override { interpreter_.enter_loops(); }
    std::int64_t acts_at(std::uint32_t rank, const RankLine& line) const override {
        return interpreter_.acts_at(rank, line);
    }
    void transmit(std::uint32_t send_endpoint, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost,
                  Time detour) override {
        const std::int64_t arrives = arrival_of(context_.layout, leaves, link_wait, cost, detour);
        context_.soonest_effect = std::min(context_.soonest_effect, arrives);
        protocol_.transmit(context_.state.send_endpoint(send_endpoint), leaves, link_wait, cost, detour);
    }
    void drain_nics(std::uint32_t node, std::int64_t time) override { protocol_.drain_nics(node, time); }
    network::Order order_of(const ResourceRequest& request) override { return interpreter_.order_of(request); }
    bool comes_last(const ResourceRequest& request) const override { return interpreter_.comes_last(request); }
    void serve_in_order(const ResourceRequest& request, network::Order order) override {
        interpreter_.serve_in_order(request, order);
    }
    const BegunMessages& begun() const override { return protocol_.begun(); }
    Partners partners_of(std::uint32_t rank) const override { return protocol_.partners_of(rank); }
    std::uint64_t bytes() const override { return protocol_.bytes() + interpreter_.bytes(); }

private:
    void visit(std::uint32_t node, std::int64_t limit);

    PartitionContext& context_;
    MessageProtocol<kPlain> protocol_;
    ProgramInterpreter<kPlain> interpreter_;
    VisitPrefetcher ahead_;
};

template <bool kPlain>
void SteppedRanks<kPlain>::serve(std::uint64_t window, std::int64_t limit) {
    Agenda& agenda = context_.agenda;
    agenda.begin(window, limit);
    for (std::size_t k = 0; k < agenda.active(); ++k) {
        ahead_.fetch(agenda, k);
        visit(agenda.at(k), limit);
    }
    agenda.end();
}

/// Grants the events of the node before `limit` in their order, those included to which they lead.
template <bool kPlain>
void SteppedRanks<kPlain>::visit(std::uint32_t node, std::int64_t limit) {
    context_.agenda.visit(node);
    NodeEvent event = interpreter_.next_event(node);
    for (; event.time < limit; event = interpreter_.next_event(node)) interpreter_.grant(node, event, limit);
    if (event.time < kHorizon.ps) context_.agenda.put_back(event.time);
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(PartitionContext& context, const variation::ComputeTime* compute_time) {
    if (is_plain(context.layout, context.state, context.in_order)) {
        return std::make_unique<SteppedRanks<true>>(context, compute_time);
    }
    return std::make_unique<SteppedRanks<false>>(context, compute_time);
}

}  // namespace warpfront::engine
