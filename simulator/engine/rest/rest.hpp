// A node at rest: what it expects, what it sends, what a period of it adds up to. How nodes come to rest and are woken is
// said in rests.hpp.
//
// A stream is what one endpoint takes of one kind, one event in a period. Event i of a stream, from 0, is expected at
// t + i p, equal in all but time; its cause comes at c + i p. Streams between two nodes at rest that agree on all this
// are implicit: nothing is passed. All others are compared as they come in and sent when their cause has come. A link
// stream is what a send endpoint requests of links that several nodes use, one wave later each time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/engine/rest/node_event.hpp"
#include "simulator/engine/state/remote_event.hpp"

namespace warpfront::engine {

struct Stream {
    NodeEvent next;          // the event that comes next
    std::int64_t count = 0;  // events so far
    bool implicit = false;
    bool broken = false;  // an event came that was not the next one
};

struct LinkStream {
    LinkRequest next;
    std::int64_t count = 0;
};

struct Rest {
    std::int64_t begin = 0;
    std::int64_t length = 0;
    std::int64_t periods = 0;         // that leave every rank in its loop
    std::int64_t end = 0;             // of the last but one of these
    std::int64_t action = 0;          // when something is to be done for it next
    std::vector<std::int64_t> waits;  // of one period (NodeWatch::add_waits)
    std::uint64_t messages = 0;       // sent in one period, inside the node too
    std::vector<Stream> in;
    std::vector<Stream> out;
    std::vector<LinkStream> links;
    std::vector<NodeEvent> unexpected;  // taken once it is awake
    bool wakes = false;

    void advance(Stream& stream, std::int64_t events) const {
        stream.count += events;
        stream.next.time += events * length;
        stream.next.cause += events * length;
    }
    /// Whether its next event is the node's own to send or to be checked, and its cause comes before `limit`.
    bool is_due(const Stream& stream, std::int64_t limit) const {
        return !stream.implicit && stream.next.cause < limit && stream.count < periods;
    }

    /// Adds what it sends to other nodes, or requests of links, before `limit`.
    void send_due(std::int64_t limit, std::vector<NodeEvent>& due);
    void request_due(std::int64_t limit, std::vector<LinkRequest>& due);
    /// When it sends or expects an event, requests a link or ends next.
    std::int64_t next_action() const;

    void clear();
    std::uint64_t bytes() const;
};

/// Of this endpoint and kind; null: there is none.
Stream* find_stream(std::vector<Stream>& streams, const NodeEvent& event);

/// Rests that are not in use, of one partition.
using SpareRests = std::vector<std::unique_ptr<Rest>>;

/// One of them, or a new one.
template <typename Thing>
std::unique_ptr<Thing> take_spare(std::vector<std::unique_ptr<Thing>>& spare) {
    if (spare.empty()) return std::make_unique<Thing>();
    std::unique_ptr<Thing> thing = std::move(spare.back());
    spare.pop_back();
    return thing;
}

}  // namespace warpfront::engine
