#include <algorithm>
#include <map>

#include "simulator/program/counting.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::program {
namespace {

struct Side {
    std::uint64_t count = 0;
    std::uint16_t site = 0;  // first statement
};

/// What a class does on each of its channels.
struct Ends {
    std::vector<Side> sends, receives;
    std::map<Channel, std::uint64_t> sent, received;
};

Ends ends_of(const RankClass& rank_class) {
    Ends ends;
    ends.sends.resize(rank_class.send_endpoints.size());
    ends.receives.resize(rank_class.receive_endpoints.size());
    for_each_counted(rank_class, [&](const Instruction& instruction, std::uint64_t times) {
        const bool send = is_send(instruction.op);
        if (!send && instruction.op != Op::recv && instruction.op != Op::irecv) return;
        Side& side = (send ? ends.sends : ends.receives)[instruction.operand];
        if (side.count == 0) side.site = instruction.site;
        side.count = checked_sum(side.count, times);
    });
    for (std::size_t i = 0; i < ends.sends.size(); ++i) ends.sent[rank_class.send_endpoints[i]] = ends.sends[i].count;
    for (std::size_t i = 0; i < ends.receives.size(); ++i)
        ends.received[rank_class.receive_endpoints[i]] = ends.receives[i].count;
    return ends;
}

class Comparison {
public:
    explicit Comparison(const Program& program) : program_(program) {
        for (const RankClass& rank_class : program.classes) ends_.push_back(ends_of(rank_class));
    }

    std::vector<Mismatch> run(std::size_t limit) {
        std::vector<Mismatch> found;
        for (std::uint32_t index = 0; index < program_.class_of.size() && found.size() < limit; ++index) {
            const RankClass& rank_class = program_.of(Rank{index});
            const Ends& ends = ends_[program_.class_of[index]];
            for (std::size_t i = 0; i < ends.sends.size(); ++i) {
                add_send(found, Rank{index}, rank_class.send_endpoints[i], ends.sends[i]);
            }
            for (std::size_t i = 0; i < ends.receives.size(); ++i) {
                add_receive(found, Rank{index}, rank_class.receive_endpoints[i], ends.receives[i]);
            }
        }
        found.resize(std::min(found.size(), limit));
        return found;
    }

private:
    /// The peer's ends; nullptr if there is no such rank.
    const Ends* peer_ends(Rank rank, std::int32_t delta) const {
        const std::int64_t peer = std::int64_t{rank.index} + delta;
        if (peer < 0 || peer >= static_cast<std::int64_t>(program_.class_of.size())) return nullptr;
        return &ends_[program_.class_of[static_cast<std::size_t>(peer)]];
    }

    static std::uint64_t count(const std::map<Channel, std::uint64_t>& counts, const Channel& channel) {
        const auto found = counts.find({-channel.delta, channel.tag});
        return found == counts.end() ? 0 : found->second;
    }

    void add_send(std::vector<Mismatch>& found, Rank rank, const Channel& channel, const Side& side) const {
        const Ends* peer = peer_ends(rank, channel.delta);
        const std::uint64_t received = peer ? count(peer->received, channel) : 0;
        if (received != side.count) found.push_back({rank, channel, true, side.site, side.count, received});
    }

    /// If the peer sends on the channel, the peer's own entry reports the difference.
    void add_receive(std::vector<Mismatch>& found, Rank rank, const Channel& channel, const Side& side) const {
        const Ends* peer = peer_ends(rank, channel.delta);
        if (side.count > 0 && (!peer || count(peer->sent, channel) == 0)) {
            found.push_back({rank, channel, false, side.site, side.count, 0});
        }
    }

    const Program& program_;
    std::vector<Ends> ends_;  // by class
};

}  // namespace

std::vector<Mismatch> mismatches(const Program& program, std::size_t limit) { return Comparison(program).run(limit); }

}  // namespace warpfront::program
