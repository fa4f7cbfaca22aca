#include "simulator/analytic/message.hpp"

#include <optional>

#include <fmt/format.h>

#include "simulator/analytic/terms.hpp"
#include "simulator/input/fault.hpp"
#include "simulator/machine/passage.hpp"

namespace warpfront::analytic {

namespace {

machine::Passage checked_passage(const machine::ProfileRow& row, Bytes size) {
    const std::optional<machine::Passage> passage = machine::passage_of(row, size);
    if (passage) return *passage;
    for (const Gap gap : {row.G_send, row.G, row.G_recv}) (void)byte_time(size, gap);
    throw input::BadInput(input::FaultKind::closed_form_overflow, {},
                          fmt::format("the packets of a message of {} bytes take longer than a cost may", size.count),
                          fmt::format("expected at most {:.3g} s", seconds(kLongestCost)));
}

}  // namespace

MessageCost message_cost(const machine::ProfileRow& row, Bytes size) {
    const machine::Passage passage = checked_passage(row, size);
    const Time wire = passage.flight() + row.L;
    const Time take = row.o_recv + passage.out;
    const Time leaves = row.o_send + passage.lead;
    const Time rest = passage.in - passage.lead;
    if (row.protocol == machine::Protocol::handshake) {
        const Time held = leaves + row.L + row.o_request + row.L + row.o_ack;
        return {.send = held + rest, .recv = row.L + row.o_ack + wire + take, .total = held + wire + take};
    }
    return {.send = leaves + rest, .recv = row.L + take, .total = leaves + wire + take};
}

MessageCost message_cost(const machine::Profile& profile, Bytes size) {
    return message_cost(machine::row_for(profile, size), size);
}

}  // namespace warpfront::analytic
