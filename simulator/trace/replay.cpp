#include "simulator/trace/replay.hpp"

#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::trace {

namespace {

using machine::Profile;
using machine::ProfileRow;

constexpr double kWireLatency = 1e-6;   // seconds
constexpr double kWireBandwidth = 1e9;  // bytes per second
constexpr double kBoundless = 1e18;
constexpr std::int64_t kAll = 2'000'000'000;  // SMPI's sizes are ints
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
    const auto send = [](const ProfileRow& row) { return overhead(row.o_send, {}); };
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
