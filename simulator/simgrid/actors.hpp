// One s4u actor per rank. It executes the instructions of its rank and keeps the rank's clock in whole picoseconds.
// Compute and overheads advance that clock alone. The actor sleeps up to its clock before any step that is visible to
// other ranks: a message starts, a receive is posted, the server of the node is requested. A receive needs no such
// sleep: it takes the later of the two clocks. If other flows delayed a message, SimGrid's clock is ahead, and the
// rank's clock catches up at the next of these steps.
//
// Used only in the worker process (simulator/process/worker_process.hpp).
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/network/order.hpp"
#include "simulator/network/server.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/reference/channel_map.hpp"
#include "simulator/reference/simulate.hpp"
#include "simulator/simgrid/flows.hpp"
#include "simulator/simgrid/s4u.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::reference {

/// A message in flight.
struct Envelope {
    Message message;
    std::int64_t set_out = 0;  // time of departure
    std::int64_t delay = 0;    // caused by other flows
};

/// An isend by rendezvous that its rank does not wait for yet.
struct StartedSend {
    Message message;
    std::int64_t requested_at = 0;
    std::int64_t server_wait = 0;  // time that it waited for the server
    std::int64_t left = 0;         // time of departure; valid once `away` can be acquired
    simgrid::s4u::SemaphorePtr away;
};

/// The receiving end of a channel. Between nodes a mailbox takes flows; within a node envelopes are queued.
struct ReceiveQueue {
    simgrid::s4u::Mailbox* mailbox = nullptr;
    std::deque<Envelope> envelopes;
    simgrid::s4u::SemaphorePtr queued;  // counts `envelopes`
    simgrid::s4u::SemaphorePtr posts;   // null if no clear-to-send is needed
    std::deque<std::int64_t> posted;    // times of posts that no message has taken
    std::uint32_t unposted = 0;         // messages that were sent without waiting for their posts
    std::optional<StartedSend> started;
    std::int64_t receive_posted = 0;  // time of the post of the open receive, if there is one
};

/// The largest number of turns that precede a request within one instant. They are: a receive is posted, its sender
/// wakes up, the message arrives on the same chip, its receiver wakes up.
inline constexpr int kTurnsOfAnInstant = 4;

struct ServerRequest {
    Time requested_at;
    network::Age age;
    Rank rank;
    std::uint32_t begun = 0;  // 0: a request of the rank itself; otherwise of an isend: 1 + the number of its channel
    friend constexpr auto operator<=>(const ServerRequest&, const ServerRequest&) = default;
};

/// A server that SimGrid lacks: the message processing or the bus of a group of cores. It serves one message at a time,
/// first come, first served.
///
/// Requests of one instant are granted in the event engine's order: by age, then by rank. SimGrid runs the actors of an
/// instant in turns: first those that it wakes, then those that they wake, and so on. So a request is granted only
/// after several turns without a new request.
class ServerQueue {
public:
    void request(const ServerRequest& request) {
        requests_.insert(request);
        ++changes_;
    }
    bool is_first(const ServerRequest& request) const { return *requests_.begin() == request; }
    std::uint64_t changes() const { return changes_; }

    /// Grants `request`, which must be the first, and returns the time of the grant.
    Time grant(const ServerRequest& request, const network::Service& service) {
        requests_.erase(request);
        ++changes_;
        return server_.grant(request.requested_at, service);
    }

private:
    network::Server server_;
    std::set<ServerRequest> requests_;  // of this instant
    std::uint64_t changes_ = 0;         // requests made and granted so far
};

/// The data shared by all actors of a run. SimGrid runs the actors one at a time.
struct SimulationContext {
    /// Creates mailboxes, semaphores and the platform; SimGrid's engine must exist and be configured.
    SimulationContext(const program::Program& program, const machine::Machine& machine, const ChannelMap& channel_map,
                      const variation::ComputeTime& compute_time);

    const program::Program& program;
    const ChannelMap& channel_map;
    const variation::ComputeTime& compute_time;
    Flows flows;
    std::vector<ReceiveQueue> receive_endpoints;
    std::vector<ServerQueue> node_servers;     // of all nodes
    std::vector<RankResult> results;           // by rank
    std::vector<std::int64_t> iteration_ends;  // times at which the last rank ended each iteration
    bool overflow = false;
    std::string cost_overflow;  // the message about a block of computing that was too long; empty if there is none
    bool ended() const { return overflow || !cost_overflow.empty(); }
};

class RankActor {
public:
    RankActor(SimulationContext& context, Rank rank);

    /// Executes the program of the rank to its end.
    void run();

private:
    void step(const program::Instruction& instruction);
    void compute(Time nominal);
    void allreduce(Bytes size);
    void send(std::uint32_t index, const Message& message);
    void post(std::uint32_t receive_endpoint);
    void receive(std::uint32_t receive_endpoint);
    static void transmit(ReceiveQueue& receive_endpoint, const Envelope& envelope);
    static Envelope take(ReceiveQueue& receive_endpoint);
    void start_send(std::uint32_t receive_endpoint, Rank to, Bytes size);
    void wait_send(std::uint32_t receive_endpoint);
    static std::int64_t acknowledged(ReceiveQueue& receive_endpoint, const Message& message, std::int64_t requested_at);
    void wait_for_acknowledgement(std::uint32_t receive_endpoint, const Message& message, std::int64_t requested_at);
    void request_server(Time hold, Time early = {});
    static std::int64_t granted(ServerQueue& server, const ServerRequest& request, const network::Service& service);
    void synchronise();
    bool in_collective() const { return step_ > 0; }
    network::Age age() const { return {cursor_.wave() + step_, cursor_.current().site}; }
    void record_wait(record::Blocked::What what, std::uint32_t receive_endpoint);

    SimulationContext& context_;
    const Rank rank_;
    const program::RankClass& class_;
    RankResult& result_;
    const Port port_;
    const std::uint32_t server_;
    program::Cursor cursor_;
    std::size_t iteration_ = 0;
    std::uint32_t step_ = 0;  // number of the collective's current step, from 1; 0 outside of collectives
};

}  // namespace warpfront::reference
