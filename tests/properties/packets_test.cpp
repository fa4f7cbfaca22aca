// Packets of messages that share links, against a minimal simulation: every packet is a separate request, and all
// requests are in the order of their times.
#include <queue>

#include "tests/engine/shared.hpp"
#include "tests/properties/property.hpp"

namespace {

constexpr std::uint32_t kRanks = 6;
constexpr std::int64_t kOverhead = 4 * us;  // o_send and o_recv
constexpr std::int64_t kLatency = 1 * us;

/// The costs in nanoseconds per byte, and per packet.
struct Costs {
    std::int64_t size = 100;
    std::int64_t in = 0;
    std::int64_t wire = 1;
    std::int64_t out = 0;
    std::int64_t link = 2;
    std::int64_t overhead = 0;
};

struct Sent {
    std::uint32_t to = 0;
    std::int64_t bytes = 0;
    std::int64_t after = 0;  // picoseconds of computing before it
};

/// Messages by sender, in the order of sending. Every rank sends all its messages, then receives all messages for it,
/// in the order of their senders.
using Traffic = std::vector<std::vector<Sent>>;

Costs any_costs() {
    return {*rc::gen::element<std::int64_t>(50, 100, 130), *rc::gen::element<std::int64_t>(0, 1, 4),
            *rc::gen::element<std::int64_t>(1, 2, 3),      *rc::gen::element<std::int64_t>(0, 3),
            *rc::gen::element<std::int64_t>(1, 2),         *rc::gen::element<std::int64_t>(0, 70)};
}

Traffic any_traffic() {
    Traffic traffic(kRanks);
    for (std::uint32_t from = 0; from < kRanks; ++from) {
        const int count = *rc::gen::inRange(0, 4);
        for (int k = 0; k < count; ++k) {
            const std::uint32_t to = (from + *rc::gen::inRange(1U, kRanks)) % kRanks;
            const std::int64_t bytes =
                *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(1, 100), rc::gen::inRange<std::int64_t>(100, 20'000));
            // a prime number of picoseconds apart, so that requests of different messages hardly meet at one time
            traffic[from].push_back({to, bytes, *rc::gen::inRange<std::int64_t>(0, 20'000) * 1'009 + from * 13 + k});
        }
    }
    return traffic;
}

/// Returns a star whose links to and from the switch are shared.
machine::Machine machine_of(const Costs& costs) {
    machine::Machine machine = in_packets(crowded_star({kRanks, 1}, {1, 1}), Bytes{costs.size});
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.protocol = machine::Protocol::eager;
        row.o_send = row.o_recv = Time{kOverhead};
        row.L = Time{kLatency};
        row.holds_bus = row.holds_nic = false;
        row.G = {static_cast<double>(costs.wire) * 1e-9};
        row.G_send = {static_cast<double>(costs.in) * 1e-9};
        row.G_recv = {static_cast<double>(costs.out) * 1e-9};
        row.packet.overhead = {costs.overhead * ns};
    }
    std::get<machine::StarRoutes>(machine.routes.zone).link_gap = {static_cast<double>(costs.link) * 1e-9};
    machine.nic.reset();
    return machine;
}

program::Program program_of(const Traffic& traffic) {
    return spmd({kRanks, 1}, 1, [&](Rank rank) {
        ClassBuilder builder;
        const auto self = static_cast<std::int32_t>(rank.index);
        for (const Sent& sent : traffic[rank.index]) {
            builder.work(sent.after).send(static_cast<std::int32_t>(sent.to) - self, sent.bytes);
        }
        for (std::uint32_t from = 0; from < kRanks; ++from) {
            for (const Sent& sent : traffic[from]) {
                if (sent.to == rank.index) builder.recv(static_cast<std::int32_t>(from) - self);
            }
        }
        return builder.iteration().build();
    });
}

/// A message of `count` packets, with `next` as its next one.
struct Message {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t bytes = 0;
    std::int64_t leaves = 0;
    std::int64_t next = 0;
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
            for (const Message& message : messages_) {
                if (message.to != to) continue;
                clocks_[to] = std::max(clocks_[to], message.arrives) + kOverhead + message.bytes * costs_.out * ns;
            }
        }
        return clocks_;
    }

private:
    std::int64_t count(const Message& message) const { return (message.bytes + costs_.size - 1) / costs_.size; }
    std::int64_t size(const Message& message, std::int64_t packet) const {
        return packet + 1 < count(message) ? costs_.size : message.bytes - packet * costs_.size;
    }

    void send_all(std::uint32_t from, const std::vector<Sent>& all) {
        std::int64_t& clock = clocks_[from];
        for (const Sent& sent : all) {
            Message message{.from = from, .to = sent.to, .bytes = sent.bytes};
            clock += sent.after + kOverhead;
            message.leaves = clock + size(message, 0) * costs_.in * ns;
            message.copied_in = message.left_wire = message.copied_out = message.leaves;
            clock += sent.bytes * costs_.in * ns;
            messages_.push_back(message);
        }
    }

    void move_all() {
        using Request = std::tuple<std::int64_t, std::size_t>;  // time, message
        std::priority_queue<Request, std::vector<Request>, std::greater<>> requests;
        for (std::size_t k = 0; k < messages_.size(); ++k) requests.emplace(messages_[k].leaves, k);
        while (!requests.empty()) {
            const auto [time, which] = requests.top();
            requests.pop();
            Message& message = messages_[which];
            move_packet(message, time);
            if (message.next < count(message)) {
                requests.emplace(std::max(message.copied_in, message.left_wire), which);
            } else {
                message.arrives = message.copied_out - message.bytes * costs_.out * ns + kLatency;
            }
        }
    }

    void move_packet(Message& message, std::int64_t time) {
        const std::int64_t bytes = size(message, message.next);
        for (std::int64_t* const free_at : {&from_host_[message.from], &to_host_[message.to]}) {
            time = std::max(time, *free_at);
            *free_at = time + (bytes * costs_.link + costs_.overhead) * ns;
        }
        message.left_wire = time + (bytes * std::max(costs_.wire, costs_.link) + costs_.overhead) * ns;
        message.copied_out = std::max(message.copied_out, message.left_wire) + bytes * costs_.out * ns;
        ++message.next;
        if (message.next < count(message)) message.copied_in += size(message, message.next) * costs_.in * ns;
    }

    Costs costs_;
    std::vector<Message> messages_;
    std::vector<std::int64_t> clocks_ = std::vector<std::int64_t>(kRanks);
    std::vector<std::int64_t> from_host_ = std::vector<std::int64_t>(kRanks);
    std::vector<std::int64_t> to_host_ = std::vector<std::int64_t>(kRanks);
};

std::vector<std::int64_t> finishes(const record::Record& record) {
    std::vector<std::int64_t> all;
    for (const WideTime finish : record.rank_finish) all.push_back(static_cast<std::int64_t>(finish.ps));
    return all;
}

}  // namespace

TEST_CASE("messages in packets take the same time as in a simulation packet by packet") {
    holds({300, 71}, [] {
        const Costs costs = any_costs();
        const Traffic traffic = any_traffic();
        const record::Record record = engine::run(program_of(traffic), machine_of(costs), {});
        RC_ASSERT(finishes(record) == PacketByPacket(costs, traffic).finishes());
    });
}

TEST_CASE("packets that are granted ahead and taken back change nothing: a run with a timeline grants none ahead") {
    bool some_ahead = false;
    holds({300, 72}, [&some_ahead] {
        const program::Program program = program_of(any_traffic());
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
