#include "simulator/trace/open_requests.hpp"

#include <algorithm>

namespace warpfront::trace {

void OpenRequests::add(const OpenRequest& request) {
    all_.emplace(++begun_, request);
    if (request.any && !request.any->when_waited_for) ++any_;
    if (!request.any) on_channel_[request.end].push_back(begun_);
    if (request.request != 0) by_request_[request.request] = begun_;
}

std::size_t OpenRequests::on(const ChannelEnd& end) const {
    const auto found = on_channel_.find(end);
    return found == on_channel_.end() ? 0 : found->second.size();
}

const OpenRequest* OpenRequests::oldest_on(const ChannelEnd& end) const {
    if (left_of_group_ > 0) {
        const auto found = std::ranges::find_if(group_, [&](const auto& each) { return each.end == end; });
        if (found != group_.end()) return &*found;
    }
    return on(end) == 0 ? nullptr : &all_.at(on_channel_.at(end).front());
}

OpenRequest OpenRequests::erase(ByOrder::iterator request) {
    const OpenRequest taken = request->second;
    if (taken.any && !taken.any->when_waited_for) --any_;
    if (!taken.any) std::erase(on_channel_.at(taken.end), request->first);
    if (taken.request != 0) by_request_.erase(taken.request);
    all_.erase(request);
    return taken;
}

const OpenRequest* OpenRequests::find(std::uint32_t request) const {
    const auto found = by_request_.find(request);
    return found == by_request_.end() ? nullptr : &all_.at(found->second);
}

std::optional<OpenRequest> OpenRequests::take(std::uint32_t request) {
    const auto found = by_request_.find(request);
    if (found == by_request_.end()) return std::nullopt;
    return erase(all_.find(found->second));
}

bool OpenRequests::has_beside(const Wildcard& wildcard) const {
    return std::ranges::any_of(on_channel_, [&](const auto& each) {
        const auto& [end, open] = each;
        return !end.sends && !open.empty() && wildcard.matches(end);
    });
}

std::vector<std::size_t> OpenRequests::postpone_beside(const Wildcard& wildcard) {
    std::vector<std::size_t> operations;
    if (any_ == 0) return operations;
    for (auto& [order, request] : all_) {
        if (!request.any || request.any->when_waited_for || !request.any->takes.overlaps(wildcard)) continue;
        request.any->when_waited_for = true;
        operations.push_back(request.any->operation);
    }
    any_ -= operations.size();
    return operations;
}

void OpenRequests::begin_group(const std::set<std::uint32_t>& requests) {
    group_.clear();
    for (const std::uint32_t each : requests) group_.push_back(*take(each));
    left_of_group_ = static_cast<std::uint32_t>(group_.size());
}

}  // namespace warpfront::trace
