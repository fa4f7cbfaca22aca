// Packets of messages that share links, against a minimal simulation: every packet requests its two links, the
// second when it is granted the first, and all requests are in the order of their times, then of the sends of a rank,
// then of ranks.
#include <queue>

#include "tests/properties/property.hpp"
#include "tests/properties/traffic.hpp"

namespace {

constexpr std::uint32_t kRanks = 6;

/// The costs in nanoseconds per byte, and per packet.
struct Costs {
    std::int64_t size = 100;
    std::int64_t in = 0;
    std::int64_t wire = 1;
    std::int64_t out = 0;
    std::int64_t link = 2;
    std::int64_t overhead = 0;
};

Costs any_costs() {
    return {*rc::gen::element<std::int64_t>(50, 100, 130), *rc::gen::element<std::int64_t>(0, 1, 4),
            *rc::gen::element<std::int64_t>(1, 2, 3),      *rc::gen::element<std::int64_t>(0, 3),
            *rc::gen::element<std::int64_t>(1, 2),         *rc::gen::element<std::int64_t>(0, 70)};
}

/// Returns a star whose links to and from the switch are shared.
machine::Machine machine_of(const Costs& costs) {
    machine::Machine machine = in_packets(crowded_star({kRanks, 1}, {1, 1}), Bytes{costs.size});
    cost_links_only(machine);
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.G = {static_cast<double>(costs.wire) * 1e-9};
        row.G_send = {static_cast<double>(costs.in) * 1e-9};
        row.G_recv = {static_cast<double>(costs.out) * 1e-9};
        row.packet.overhead = {costs.overhead * ns};
    }
    std::get<machine::StarRoutes>(machine.routes.zone).link_gap = {static_cast<double>(costs.link) * 1e-9};
    return machine;
}

/// A message of `count` packets; its packet `next` requests its link `link`.
struct Packets {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t bytes = 0;
    std::size_t number = 0;  // among the messages of its sender
    std::int64_t leaves = 0;
    std::int64_t next = 0;
    std::size_t link = 0;
    std::int64_t copied_in = 0;
    std::int64_t left_wire = 0;
    std::int64_t copied_out = 0;
    std::int64_t arrives = 0;
};

/// A simulation that returns the finish of every rank, in picoseconds.
class PacketByPacket {
public:
    PacketByPacket(const Costs& costs, const Traffic& traffic) : costs_(costs) {
        for (std::uint32_t from = 0; from < kRanks; ++from) send_all(from, traffic[from]);
    }

    std::vector<std::int64_t> finishes() {
        move_all();
        for (std::uint32_t to = 0; to < kRanks; ++to) {
            for (const Packets& message : messages_) {
                if (message.to != to) continue;
                clocks_[to] = std::max(clocks_[to], message.arrives) + kOverhead + message.bytes * costs_.out * ns;
            }
        }
        return clocks_;
    }

private:
    std::int64_t count(const Packets& message) const { return (message.bytes + costs_.size - 1) / costs_.size; }
    std::int64_t size(const Packets& message, std::int64_t packet) const {
        return packet + 1 < count(message) ? costs_.size : message.bytes - packet * costs_.size;
    }

    void send_all(std::uint32_t from, const std::vector<Sent>& all) {
        std::int64_t& clock = clocks_[from];
        std::size_t number = 0;
        for (const Sent& sent : all) {
            Packets message{.from = from, .to = sent.to, .bytes = sent.bytes, .number = number++};
            clock += sent.after + kOverhead;
            message.leaves = clock + size(message, 0) * costs_.in * ns;
            message.copied_in = message.left_wire = message.copied_out = message.leaves;
            clock += sent.bytes * costs_.in * ns;
            messages_.push_back(message);
        }
    }

    void move_all() {
        using Request = std::tuple<std::int64_t, std::size_t, std::size_t>;  // time, number, message
        std::priority_queue<Request, std::vector<Request>, std::greater<>> requests;
        const auto request = [&](std::int64_t time, std::size_t which) {
            requests.emplace(time, messages_[which].number, which);
        };
        for (std::size_t k = 0; k < messages_.size(); ++k) request(messages_[k].leaves, k);
        while (!requests.empty()) {
            const auto [time, number, which] = requests.top();
            requests.pop();
            Packets& message = messages_[which];
            std::int64_t granted = grant_link(message, time);
            if (message.link == 1 && granted > time) {
                request(granted, which);
                continue;
            }
            if (message.link == 1) granted = grant_link(message, granted);
            pass_links(message, granted);
            if (message.next < count(message)) {
                request(std::max(message.copied_in, message.left_wire), which);
            } else {
                message.arrives = message.copied_out - message.bytes * costs_.out * ns + kLatency;
            }
        }
    }

    std::int64_t grant_link(Packets& message, std::int64_t requested) {
        std::int64_t& free_at = message.link++ == 0 ? from_host_[message.from] : to_host_[message.to];
        const std::int64_t granted = std::max(requested, free_at);
        free_at = granted + (size(message, message.next) * costs_.link + costs_.overhead) * ns;
        return granted;
    }

    /// Ends the requests of a packet that was granted its last link at `granted`.
    void pass_links(Packets& message, std::int64_t granted) {
        const std::int64_t bytes = size(message, message.next);
        message.link = 0;
        message.left_wire = granted + (bytes * std::max(costs_.wire, costs_.link) + costs_.overhead) * ns;
        message.copied_out = std::max(message.copied_out, message.left_wire) + bytes * costs_.out * ns;
        ++message.next;
        if (message.next < count(message)) message.copied_in += size(message, message.next) * costs_.in * ns;
    }

    Costs costs_;
    std::vector<Packets> messages_;
    std::vector<std::int64_t> clocks_ = std::vector<std::int64_t>(kRanks);
    std::vector<std::int64_t> from_host_ = std::vector<std::int64_t>(kRanks);
    std::vector<std::int64_t> to_host_ = std::vector<std::int64_t>(kRanks);
};

}  // namespace

TEST_CASE("messages in packets take the same time as in a simulation packet by packet") {
    holds({300, 71}, [] {
        const Costs costs = any_costs();
        const Traffic traffic = any_traffic(kRanks, 4);
        const record::Record record = engine::run(program_of({kRanks, 1}, traffic), machine_of(costs), {});
        RC_ASSERT(finishes_of(record) == PacketByPacket(costs, traffic).finishes());
    });
}

TEST_CASE("packets that are granted ahead and taken back change nothing: a run with a timeline grants none ahead") {
    bool some_ahead = false;
    holds({300, 72}, [&some_ahead] {
        const program::Program program = program_of({kRanks, 1}, any_traffic(kRanks, 4));
        const machine::Machine machine = machine_of(any_costs());
        engine::Options options;
        options.timeline = record::TimelineWindow{.first = {0}, .last = {kRanks - 1}};
        const record::Record recorded = engine::run(program, machine, options);
        const record::Record ahead = engine::run(program, machine, {});
        assert_same(ahead, recorded);
        some_ahead = some_ahead || 2 * *ahead.work->events < *recorded.work->events;
    });
    CHECK(some_ahead);
}
