#include "simulator/trace/open_requests.hpp"

#include <algorithm>

namespace warpfront::trace {

void OpenRequests::add(const OpenRequest& request) {
    all_.emplace(++begun_, request);
    if (!request.from_any) on_channel_[request.end].push_back(begun_);
}

std::size_t OpenRequests::on(const ChannelEnd& end) const {
    const auto found = on_channel_.find(end);
    return found == on_channel_.end() ? 0 : found->second.size();
}

const OpenRequest* OpenRequests::oldest_on(const ChannelEnd& end) const {
    return on(end) == 0 ? nullptr : &all_.at(on_channel_.at(end).front());
}

OpenRequest OpenRequests::erase(ByOrder::iterator request) {
    const OpenRequest taken = request->second;
    if (!taken.from_any) std::erase(on_channel_.at(taken.end), request->first);
    all_.erase(request);
    return taken;
}

std::optional<OpenRequest> OpenRequests::take(const ChannelEnd& end, std::optional<std::uint32_t> from_any) {
    if (!from_any) {
        if (on(end) == 0) return std::nullopt;
        return erase(all_.find(on_channel_.at(end).front()));
    }
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return each.second.from_any == from_any; });
    return found == all_.end() ? std::nullopt : std::optional(erase(found));
}

std::vector<OpenRequest> OpenRequests::take_all() {
    std::vector<OpenRequest> taken;
    for (const bool sends : {true, false}) {
        for (const auto& [order, request] : all_) {
            if (request.end.sends == sends) taken.push_back(request);
        }
    }
    all_.clear();
    on_channel_.clear();
    return taken;
}

std::vector<OpenRequest> OpenRequests::begin_group() {
    group_.clear();
    for (auto request = all_.begin(); request != all_.end();) {
        const auto here = request++;
        if (here->second.from_any) return {};
        if (!here->second.end.sends) group_.push_back(here->second);
    }
    for (auto request = all_.begin(); request != all_.end();) {
        const auto here = request++;
        if (!here->second.end.sends) erase(here);
    }
    left_of_group_ = static_cast<std::uint32_t>(group_.size());
    return group_;
}

std::optional<OpenRequest> OpenRequests::take_oldest_send() {
    const auto found = std::find_if(all_.begin(), all_.end(), [](const auto& each) { return each.second.end.sends; });
    return found == all_.end() ? std::nullopt : std::optional(erase(found));
}

}  // namespace warpfront::trace
