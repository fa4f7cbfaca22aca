#include "simulator/tasks/records.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "simulator/program/list_places.hpp"

namespace warpfront::tasks {

using program::Extent;
using program::TaskStep;

Records::Records(const program::TaskLists& lists, const program::TaskNumbers& numbers, const machine::Machine& machine)
    : lists_(lists), numbers_(numbers), in_nodes_(machine.cluster_memory.in_nodes) {
    const machine::ClusterMemory& memory = machine.cluster_memory;
    for (std::uint32_t server = 0; server < memory.servers && !in_nodes_; ++server) {
        servers_.push_back(channels_of(memory.server));
    }
    for (std::uint32_t node = 0; node < machine.placement.nodes(); ++node) nodes_.push_back(channels_of(memory.node));
    for (const program::TaskRecord& each : lists_.records) {
        Items items{numbers_.extents(each.indices, {}), {}};
        if (!each.given) items.there.resize(static_cast<std::size_t>(program::count_of(items.extents)));
        records_.push_back(std::move(items));
    }
}

Records::Channels Records::channels_of(const machine::DataChannel& channel) {
    Channels channels;
    const std::optional<Bandwidth> write = channel.write_limit();
    if (channel.read) channels.read = transfers_.add_channel(channel.read->bytes_per_second);
    if (channel.shared && write == channel.read) {
        channels.write = channels.read;
        return channels;
    }
    if (write) channels.write = transfers_.add_channel(write->bytes_per_second);
    if (const auto both = channel.limit_of_both()) channels.both = transfers_.add_channel(both->bytes_per_second);
    return channels;
}

/// Calls `visit` with the number of each item that the step reads or writes.
template <class Visit>
void Records::visit_items(const TaskStep& step, Indices indices, const Visit& visit) const {
    const auto visit_each = [&](std::int64_t first, std::int64_t end) {
        for (; first < end; ++first) visit(static_cast<std::size_t>(first));
        return false;
    };
    program::any_stretch(step.subscripts, records_[step.operand].extents, numbers_, indices, std::ref(visit_each));
}

bool Records::there(const TaskStep& step, Indices indices) const {
    const std::vector<bool>& there = records_[step.operand].there;
    if (there.empty()) return true;
    bool all = true;
    visit_items(step, indices, [&](std::size_t item) { all = all && there[item]; });
    return all;
}

std::int64_t Records::commit(const TaskStep& step, Indices indices) {
    std::vector<bool>& there = records_[step.operand].there;
    std::int64_t count = 0;
    visit_items(step, indices, [&](std::size_t item) {
        ++count;
        if (!there.empty()) there[item] = true;
    });
    return count;
}

std::uint32_t Records::announce(const TaskStep& step, Indices indices, std::uint32_t node, const Purpose& purpose) {
    const bool reads = step.form == TaskStep::Form::read;
    std::uint32_t count = 0;
    visit_items(step, indices, [&](std::size_t item) {
        const auto channels = channels_between(item, node, reads);
        if (!channels) return;
        const std::vector<Extent>& extents = records_[step.operand].extents;
        std::vector<std::int64_t> of_item(extents.size());
        program::set_indices(extents, static_cast<std::int64_t>(item), of_item.data());
        const Bytes bytes{numbers_(lists_.records[step.operand].bytes, of_item)};
        announced_.emplace(next_announced_++, Announced{bytes, reads, *channels, purpose});
        ++count;
    });
    return count;
}

std::optional<TransferChannels> Records::channels_between(std::size_t item, std::uint32_t node, bool reads) const {
    const Channels& own = nodes_[node];
    if (!in_nodes_) {
        const Channels& server = servers_[item % servers_.size()];
        return TransferChannels{reads ? server.read : server.write, reads ? own.read : own.write, server.both,
                                own.both};
    }
    const std::size_t holder = item % nodes_.size();
    if (holder == node) return std::nullopt;
    const Channels& other = nodes_[holder];
    return TransferChannels{reads ? other.write : own.write, reads ? own.read : other.read, other.both, own.both};
}

void Records::begin(std::int64_t now, std::int64_t number) {
    const auto found = announced_.find(number);
    if (found == announced_.end()) return;
    Announced& transfer = found->second;
    moving_.emplace(transfers_.begin(now, transfer.bytes, transfer.channels),
                    Moving{now, unhindered(transfer), transfer.bytes, transfer.reads, std::move(transfer.purpose)});
    announced_.erase(found);
}

/// Returns the duration of the transfer if no other transfer shares its channels.
std::int64_t Records::unhindered(const Announced& transfer) const {
    double seconds = 0.0;
    for (const ChannelId each : transfer.channels) {
        if (each == kNoChannel) continue;
        seconds = std::max(seconds, static_cast<double>(transfer.bytes.count) / transfers_.rate(each));
    }
    return std::llround(std::min(seconds * 1e12, static_cast<double>(kHorizon.ps)));
}

std::vector<Purpose> Records::end(std::int64_t now) {
    std::vector<Purpose> ended;
    for (const TransferId id : transfers_.end(now)) {
        const auto found = moving_.find(id);
        const Moving& moving = found->second;
        (moving.reads ? read_ : written_).count += moving.bytes.count;
        Purpose purpose = moving.purpose;
        extend(purpose.path, moving.began, PathStep::latency, purpose.queued);
        extend(purpose.path, std::min(now, moving.began + moving.unhindered), PathStep::data, purpose.queued);
        extend(purpose.path, now, PathStep::sharing, purpose.queued);
        moving_.erase(found);
        ended.push_back(std::move(purpose));
    }
    return ended;
}

std::vector<Purpose> Records::drop(std::int64_t now, std::uint32_t node, const Layout& layout) {
    std::map<std::pair<SequenceId, std::int64_t>, Purpose> dropped;  // by task, so that its order is that of places
    const auto drops = [&](const Purpose& purpose) {
        if (layout.node_of(purpose.worker) != node) return false;
        Purpose& last = dropped.insert_or_assign({purpose.sequence, purpose.place}, purpose).first->second;
        extend(last.path, now, PathStep::absent, true);
        return true;
    };
    std::erase_if(announced_, [&](const auto& each) { return drops(each.second.purpose); });
    std::vector<TransferId> aborted;
    for (const auto& [transfer, moving] : moving_) {
        if (drops(moving.purpose)) aborted.push_back(transfer);
    }
    const std::vector<double> left = transfers_.abort(now, aborted);
    for (std::size_t at = 0; at < aborted.size(); ++at) {
        const auto dropped_one = moving_.extract(aborted[at]);
        const Moving& moving = dropped_one.mapped();
        (moving.reads ? read_ : written_).count += moving.bytes.count - std::llround(left[at]);
    }
    std::vector<Purpose> all;
    for (auto& [task, purpose] : dropped) all.push_back(std::move(purpose));
    return all;
}

double Records::most_loaded(const std::vector<Channels>& all, std::int64_t finish) const {
    double most = 0.0;
    for (const Channels& channels : all) {
        for (const ChannelId each : {channels.read, channels.write, channels.both}) {
            if (each == kNoChannel || finish == 0) continue;
            const double seconds = static_cast<double>(finish) * 1e-12;
            most = std::max(most, transfers_.moved(each) / transfers_.rate(each) / seconds);
        }
    }
    return most;
}

}  // namespace warpfront::tasks
