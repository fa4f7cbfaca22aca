// Whole messages on routes of several shared links, against a minimal simulation: a message requests the next link of
// its route when it is granted the one before, and each link is granted in the order of (time, send of its rank, rank).
#include <queue>
#include <tuple>

#include "tests/properties/property.hpp"
#include "tests/properties/traffic.hpp"

namespace {

constexpr RankGrid kNodes{5, 3};

machine::Machine torus() {
    machine::Machine machine = crowded_torus(kNodes, {1, 1});
    cost_links_only(machine);
    for (machine::ProfileRow& row : machine.profiles[2]) row.G = {2e-9};
    return machine;
}

/// A message on its way: the links that it has been granted.
struct Message {
    std::uint32_t to = 0;
    std::int64_t hold = 0;  // on each link
    std::vector<machine::LinkId> route;
    std::size_t granted = 0;
    std::int64_t arrives = 0;
};

/// Returns the finish of every rank, in picoseconds.
std::vector<std::int64_t> link_by_link(const Traffic& traffic, const machine::Machine& machine) {
    using Request = std::tuple<std::int64_t, std::size_t, std::uint32_t, std::size_t>;  // time, number, rank, message
    std::priority_queue<Request, std::vector<Request>, std::greater<>> requests;
    std::vector<Message> messages;
    std::vector<std::int64_t> clocks(kNodes.ranks());
    for (std::uint32_t from = 0; from < kNodes.ranks(); ++from) {
        for (std::size_t number = 0; number < traffic[from].size(); ++number) {
            const Sent& sent = traffic[from][number];
            Message message;
            message.to = sent.to;
            message.hold = sent.bytes * 2 * ns;
            machine.routes.append_links(machine.nic_of({from}), machine.nic_of({sent.to}), message.route);
            clocks[from] += sent.after + kOverhead;
            requests.emplace(clocks[from], number, from, messages.size());
            messages.push_back(message);
        }
    }
    std::vector<std::int64_t> free_at(machine.routes.link_count());
    while (!requests.empty()) {
        const auto [time, number, from, which] = requests.top();
        requests.pop();
        Message& message = messages[which];
        std::int64_t granted = time;
        while (message.granted < message.route.size() && granted == time) {
            std::int64_t& link = free_at[message.route[message.granted++].index];
            granted = std::max(time, link);
            link = granted + message.hold;
        }
        if (message.granted < message.route.size()) {
            requests.emplace(granted, number, from, which);
        } else {
            const auto beyond_L = static_cast<std::int64_t>(message.route.size() - 1) * 50 * ns;
            message.arrives = granted + kLatency + beyond_L + message.hold;
        }
    }
    for (const Message& message : messages) {
        clocks[message.to] = std::max(clocks[message.to], message.arrives) + kOverhead;
    }
    return clocks;
}

}  // namespace

TEST_CASE("messages on long routes take the same time as in a simulation link by link, with any number of threads") {
    const machine::Machine machine = torus();
    holds({300, 73}, [&machine] {
        const Traffic traffic = any_traffic(static_cast<std::uint32_t>(kNodes.ranks()), 5);
        for (const unsigned threads : {1U, 2U, 3U}) {
            engine::Options options;
            options.threads = threads;
            const record::Record record = engine::run(program_of(kNodes, traffic), machine, options);
            RC_ASSERT(finishes_of(record) == link_by_link(traffic, machine));
        }
    });
}
