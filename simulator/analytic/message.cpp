#include "simulator/analytic/message.hpp"

#include "simulator/analytic/terms.hpp"

namespace warpfront::analytic {

MessageCost message_cost(const machine::ProfileRow& row, Bytes size) {
    const Time wire = byte_time(size, row.G) + row.L;
    const Time take = row.o_recv + byte_time(size, row.G_recv);
    if (row.protocol == machine::Protocol::handshake) {
        const Time held = row.o_send + row.L + row.L;
        return {.send = held, .recv = row.L + wire + take, .total = held + wire + take};
    }
    return {.send = row.o_send, .recv = row.L + take, .total = row.o_send + wire + take};
}

MessageCost message_cost(const machine::Profile& profile, Bytes size) {
    return message_cost(machine::row_for(profile, size), size);
}

}  // namespace warpfront::analytic
