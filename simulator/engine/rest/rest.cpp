#include "simulator/engine/rest/rest.hpp"

#include <algorithm>

namespace warpfront::engine {

void Rest::send_due(std::int64_t limit, std::vector<NodeEvent>& due) {
    for (Stream& stream : out) {
        for (; is_due(stream, limit); advance(stream, 1)) due.push_back(stream.next);
    }
}

void Rest::request_due(std::int64_t limit, std::vector<LinkRequest>& due) {
    for (LinkStream& stream : links) {
        for (; stream.next.order.time.ps < limit && stream.count < periods; ++stream.count) {
            due.push_back(stream.next);
            stream.next.order.time.ps += length;
            ++stream.next.order.age.wave;
        }
    }
}

std::int64_t Rest::next_action() const {
    std::int64_t next = end;
    for (const auto* const streams : {&in, &out}) {
        for (const Stream& stream : *streams) {
            if (is_due(stream, next)) next = stream.next.cause;
        }
    }
    for (const LinkStream& stream : links) {
        if (stream.count < periods) next = std::min(next, stream.next.order.time.ps);
    }
    return next;
}

void Rest::clear() {
    waits.clear();
    in.clear();
    out.clear();
    links.clear();
    unexpected.clear();
    wakes = false;
}

std::uint64_t Rest::bytes() const {
    return sizeof(Rest) + waits.capacity() * sizeof(std::int64_t) + (in.capacity() + out.capacity()) * sizeof(Stream) +
           links.capacity() * sizeof(LinkStream) + unexpected.capacity() * sizeof(NodeEvent);
}

Stream* find_stream(std::vector<Stream>& streams, const NodeEvent& event) {
    for (Stream& stream : streams) {
        if (stream.next.target == event.target && stream.next.kind == event.kind) return &stream;
    }
    return nullptr;
}

}  // namespace warpfront::engine
