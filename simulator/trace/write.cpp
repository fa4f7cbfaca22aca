#include "simulator/trace/write.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/network/packet_pipeline.hpp"
#include "simulator/program/execution.hpp"

namespace warpfront::trace {

namespace {

using program::Effect;
using program::Instruction;
using program::Op;

/// The sizes of the messages on one channel in order, from the sender's program.
class Sizes {
public:
    Sizes(const program::RankClass& sender, const program::Channel& receive_endpoint) : walk_(sender) {
        const program::Channel send_endpoint{-receive_endpoint.delta, receive_endpoint.tag};
        const auto found = std::ranges::find(sender.send_endpoints, send_endpoint);
        operand_ = static_cast<std::uint32_t>(found - sender.send_endpoints.begin());
    }

    std::int64_t next() {
        for (;;) {
            const Instruction& step = walk_.next();
            if (step.op == Op::finish) return 0;
            if (program::sends(step.op, program::Operand::send_endpoint) && step.operand == operand_)
                return step.amount;
        }
    }

private:
    program::Cursor walk_;
    std::uint32_t operand_ = 0;
};

/// Writes the lines of one rank.
class RankText {
public:
    RankText(const program::Program& program, const std::vector<std::int32_t>& tags,
             const collectives::RecursiveDoubling& doubling, const variation::ComputeTime& compute_time, Rank rank)
        : class_(program.of(rank)),
          tags_(tags),
          doubling_(doubling),
          compute_time_(compute_time),
          rank_(rank),
          cursor_(class_) {
        for (const program::Channel& receive_endpoint : class_.receive_endpoints) {
            sizes_.emplace_back(program.of(peer_of(rank, receive_endpoint)), receive_endpoint);
        }
    }

    std::string write() {
        put("{} init\n", rank_.index);
        while (cursor_.next().op != Op::finish) add(cursor_.current());
        put("{} finalize\n", rank_.index);
        return fmt::to_string(text_);
    }

private:
    void add(const Instruction& step) {
        const auto of = [&](const std::vector<program::Channel>& endpoints) { return endpoints[step.operand]; };
        switch (program::operation(step.op).effect) {
            case Effect::work:
                return add_compute(program::computes(step.op) ? duration({step.amount}) : Time{step.amount});
            case Effect::collective: return add_allreduce(step.amount);
            case Effect::send: return message("send", of(class_.send_endpoints), step.amount);
            case Effect::begin_send: return message("isend", of(class_.send_endpoints), step.amount);
            case Effect::receive: return message("recv", of(class_.receive_endpoints), sizes_[step.operand].next());
            case Effect::post: return message("irecv", of(class_.receive_endpoints), sizes_[step.operand].next());
            case Effect::end_receive: {
                const program::Channel channel = of(class_.receive_endpoints);
                return wait(peer_of(rank_, channel), rank_, number_of(channel.tag));
            }
            case Effect::end_send: {
                const program::Channel channel = of(class_.send_endpoints);
                return wait(rank_, peer_of(rank_, channel), number_of(channel.tag));
            }
            case Effect::loop:
            case Effect::mark:
            case Effect::finish: return;
        }
    }

    Time duration(Time nominal) const {
        return compute_time_(rank_, cursor_.wave(), cursor_.block_number(), nominal, Time{});
    }

    void add_compute(Time time) { put("{} compute {}\n", rank_.index, time.ps); }

    void add_allreduce(std::int64_t bytes) {
        for (std::uint32_t k = 0; k < doubling_.steps(); ++k) {
            const auto [to, from] = doubling_.step(rank_, k);
            const std::size_t tag = tags_.size() + k;
            if (from) put("{} irecv {} {} {}\n", rank_.index, from->index, tag, bytes);
            if (to) put("{} send {} {} {}\n", rank_.index, to->index, tag, bytes);
            if (from) wait(*from, rank_, tag);
        }
        cursor_.add_waves(doubling_.steps());
    }

    void message(std::string_view action, const program::Channel& channel, std::int64_t bytes) {
        put("{} {} {} {} {}\n", rank_.index, action, peer_of(rank_, channel).index, number_of(channel.tag), bytes);
    }

    void wait(Rank from, Rank to, std::size_t tag) {
        put("{} wait {} {} {}\n", rank_.index, from.index, to.index, tag);
    }

    std::size_t number_of(std::int32_t tag) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(tags_, tag) - tags_.begin());
    }

    template <typename... Values>
    void put(fmt::format_string<Values...> form, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
    }

    const program::RankClass& class_;
    const std::vector<std::int32_t>& tags_;
    const collectives::RecursiveDoubling& doubling_;
    const variation::ComputeTime& compute_time_;
    const Rank rank_;
    program::Cursor cursor_;
    std::vector<Sizes> sizes_;  // sizes of the messages on each receive endpoint
    fmt::memory_buffer text_;
};

variation::Noise without_periodic_noise(variation::Noise noise) {
    noise.periodic.reset();
    return noise;
}

/// Returns the number of lines of an instruction. The last instruction, `finish`, counts the line `init` as well.
std::uint64_t lines_of(const Instruction& step, std::uint64_t collective_steps) {
    const Effect effect = program::operation(step.op).effect;
    if (effect == Effect::collective) return 3 * collective_steps;
    return effect == Effect::mark ? 0 : effect == Effect::finish ? 2 : 1;
}

}  // namespace

Writer::Writer(const program::Program& program, variation::Noise noise, Seed seed)
    : program_(program),
      compute_time_(without_periodic_noise(std::move(noise)), seed,
                    static_cast<std::uint32_t>(program.class_of.size())),
      doubling_(static_cast<std::uint32_t>(program.class_of.size())) {
    for (const program::RankClass& rank_class : program.classes) {
        for (const program::Channel& channel : rank_class.send_endpoints) tags_.push_back(channel.tag);
        for (const program::Channel& channel : rank_class.receive_endpoints) tags_.push_back(channel.tag);
    }
    std::ranges::sort(tags_);
    tags_.erase(std::unique(tags_.begin(), tags_.end()), tags_.end());
}

std::uint64_t Writer::lines() const {
    return program::sum_over_ranks(program_,
                                   [&](const Instruction& step) { return lines_of(step, doubling_.steps()); });
}

std::string Writer::text_of(Rank rank) const {
    return RankText(program_, tags_, doubling_, compute_time_, rank).write();
}

namespace {

using machine::Profile;
using machine::ProfileRow;

constexpr double kWireLatency = 1e-6;   // latency of a wire in seconds
constexpr double kWireBandwidth = 1e9;  // bandwidth of a wire in bytes per second
constexpr double kBoundless = 1e18;
constexpr std::int64_t kAll = 2'000'000'000;  // threshold above all sizes, since SMPI's sizes are ints
constexpr std::int64_t kEnvelope = 16;        // bytes that SMPI adds to the flow, but not to the size for overheads

/// Formats SMPI's THRESHOLD:VALUES;...: a value holds for sizes above its threshold.
std::string by_size(const Profile& rows, std::int64_t more,
                    const std::function<std::string(const ProfileRow&)>& value) {
    std::string text;
    std::int64_t above = 0;
    for (const ProfileRow& row : rows) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : ";", above, value(row));
        if (row.up_to) above = row.up_to->count + more;
    }
    return text;
}

/// Returns the first size that is not eager.
std::int64_t eager_below(const Profile& rows) {
    std::int64_t below = 0;
    if (!rows.empty() && rows.front().eager && rows.front().eager->limit) return rows.front().eager->limit->count + 1;
    for (const ProfileRow& row : rows) {
        if (row.protocol != machine::Protocol::eager) return below;
        below = row.up_to ? row.up_to->count + 1 : kAll;
    }
    return below;
}

std::string overhead(Time fixed, Gap per_byte) {
    return fmt::format("{:.12g}:{:.12g}", seconds(fixed), per_byte.seconds_per_byte);
}

}  // namespace

std::string trace_name(std::uint32_t rank) { return fmt::format("rank-{}.txt", rank); }

std::string list_text(std::uint32_t ranks) {
    std::string text;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) text += trace_name(rank) + '\n';
    return text;
}

std::string hosts_text(std::uint32_t ranks) {
    std::string text;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) text += fmt::format("rank-{}\n", rank);
    return text;
}

std::string platform_text(std::uint32_t ranks) {
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out,
                   "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                   "<platform version=\"4.1\">\n  <zone id=\"machine\" routing=\"Cluster\">\n");
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        fmt::format_to(out,
                       "    <host id=\"rank-{0}\" speed=\"1Tf\"/>\n"
                       "    <link id=\"wire-{0}\" bandwidth=\"1GBps\" latency=\"0.5us\" sharing_policy=\"FATPIPE\"/>\n"
                       "    <host_link id=\"rank-{0}\" up=\"wire-{0}\" down=\"wire-{0}\"/>\n",
                       rank);
    }
    fmt::format_to(out, "  </zone>\n</platform>\n");
    return fmt::to_string(text);
}

std::string script_text(std::uint32_t ranks, const Profile& rows) {
    const auto send = [](const ProfileRow& row) { return overhead(row.o_send, row.G_send); };
    const auto recv = [](const ProfileRow& row) { return overhead(row.o_recv, row.G_recv); };
    const auto latency = [](const ProfileRow& row) { return fmt::format("{:.12g}", seconds(row.L) / kWireLatency); };
    const auto bandwidth = [](const ProfileRow& row) {
        const double gap = network::transfer_gap(row).seconds_per_byte;
        return fmt::format("{:.12g}", (gap > 0.0 ? 1.0 / gap : kBoundless) / kWireBandwidth);
    };
    std::string text =
        "#!/bin/sh\n# Replays these traces with SimGrid 3.32; says \"Simulation time\" in seconds.\n"
        "cd \"$(dirname \"$0\")\" || exit\n";
    text += fmt::format("exec smpirun -replay {} -np {} -platform {} -hostfile {}", kListName, ranks, kPlatformName,
                        kHostsName);
    const auto set = [&text](const std::string& setting) { text += fmt::format(" \\\n    '--cfg={}'", setting); };
    for (const char* setting :
         {"network/model:SMPI", "network/crosstraffic:0", "network/weight-S:0", "network/TCP-gamma:1e15",
          "surf/precision:1e-12", "contexts/stack-size:64", "contexts/guard-size:0"}) {
        set(setting);
    }
    set("smpi/os:" + by_size(rows, 0, send));
    set("smpi/ois:" + by_size(rows, 0, send));
    set("smpi/or:" + by_size(rows, 0, recv));
    set("smpi/lat-factor:" + by_size(rows, kEnvelope, latency));
    set("smpi/bw-factor:" + by_size(rows, kEnvelope, bandwidth));
    set(fmt::format("smpi/async-small-thresh:{}", eager_below(rows)));
    set(fmt::format("smpi/send-is-detached-thresh:{}", eager_below(rows)));
    return text + "\n";
}

}  // namespace warpfront::trace
