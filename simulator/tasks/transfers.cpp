#include "simulator/tasks/transfers.hpp"

#include <algorithm>
#include <cmath>

namespace warpfront::tasks {

ChannelId Transfers::add_channel(double rate) {
    channels_.push_back({rate, 0.0, 0.0, 0});
    return static_cast<ChannelId>(channels_.size() - 1);
}

TransferId Transfers::begin(std::int64_t now, Bytes bytes, const TransferChannels& channels) {
    advance(now);
    for (const ChannelId channel : channels) {
        if (channel != kNoChannel) channels_[channel].moved += static_cast<double>(bytes.count);
    }
    flows_.push_back({next_, static_cast<double>(bytes.count), 0.0, channels, false});
    settled_ = false;
    next_end_.reset();
    return next_++;
}

std::optional<std::int64_t> Transfers::next_end() {
    if (flows_.empty()) return std::nullopt;
    if (next_end_) return next_end_;
    if (!settled_) settle();
    std::int64_t first = kHorizon.ps;
    for (const Flow& flow : flows_) first = std::min(first, end_of(flow));
    return next_end_ = first;
}

std::vector<TransferId> Transfers::end(std::int64_t now) {
    std::vector<TransferId> ended;
    for (const Flow& flow : flows_) {
        if (end_of(flow) <= now) ended.push_back(flow.id);
    }
    advance(now);
    remove(ended);
    return ended;
}

std::vector<double> Transfers::abort(std::int64_t now, const std::vector<TransferId>& ascending) {
    advance(now);
    std::vector<double> left;
    for (const Flow& flow : flows_) {
        if (!std::ranges::binary_search(ascending, flow.id)) continue;
        left.push_back(flow.left);
        for (const ChannelId channel : flow.channels) {
            if (channel != kNoChannel) channels_[channel].moved -= flow.left;
        }
    }
    remove(ascending);
    return left;
}

void Transfers::remove(const std::vector<TransferId>& ascending) {
    std::erase_if(flows_, [&](const Flow& flow) { return std::ranges::binary_search(ascending, flow.id); });
    settled_ = false;
    next_end_.reset();
}

void Transfers::advance(std::int64_t now) {
    if (!settled_) settle();
    const double seconds = static_cast<double>(now - since_) * 1e-12;
    if (seconds > 0.0 && !flows_.empty()) {
        double rate = 0.0;
        for (Flow& flow : flows_) {
            if (std::isfinite(flow.rate)) rate += flow.rate;
            flow.left = std::max(0.0, flow.left - flow.rate * seconds);
        }
        moved_.add(since_, now, [&](double& sum, std::int64_t ps) { sum += rate * static_cast<double>(ps) * 1e-12; });
    }
    since_ = now;
}

std::int64_t Transfers::end_of(const Flow& flow) const {
    if (flow.left <= 0.0 || std::isinf(flow.rate)) return since_;
    const double picoseconds = std::round(flow.left / flow.rate * 1e12);
    if (!(picoseconds < static_cast<double>(kHorizon.ps - since_))) return kHorizon.ps;
    return since_ + static_cast<std::int64_t>(picoseconds);
}

void Transfers::settle() {
    for (Channel& channel : channels_) {
        channel.left = channel.rate;
        channel.open = 0;
    }
    for (Flow& flow : flows_) {
        flow.settled = false;
        flow.rate = std::numeric_limits<double>::infinity();
        for (const ChannelId channel : flow.channels) {
            if (channel != kNoChannel) ++channels_[channel].open;
        }
    }
    while (true) {
        ChannelId tightest = kNoChannel;
        double share = std::numeric_limits<double>::infinity();
        for (ChannelId channel = 0; channel < channels_.size(); ++channel) {
            const Channel& each = channels_[channel];
            if (each.open == 0 || !(each.left / each.open < share)) continue;
            share = each.left / each.open;
            tightest = channel;
        }
        if (tightest == kNoChannel) break;
        for (Flow& flow : flows_) {
            if (flow.settled || std::ranges::find(flow.channels, tightest) == flow.channels.end()) continue;
            flow.settled = true;
            flow.rate = share;
            for (const ChannelId channel : flow.channels) {
                if (channel == kNoChannel) continue;
                channels_[channel].left = std::max(0.0, channels_[channel].left - share);
                --channels_[channel].open;
            }
        }
    }
    settled_ = true;
}

}  // namespace warpfront::tasks
