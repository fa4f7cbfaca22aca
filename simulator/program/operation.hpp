// The operations of rank programs and their effects, in one table.
//
// Instruction vocabulary (`operand` = index into the class's send endpoints or receive endpoints):
//   compute    amount picoseconds of work
//   delay      amount picoseconds that neither noise nor calibration nor shared memory bandwidth changes
//   send       amount bytes to send endpoints[operand], blocking (MPI_Send)
//   recv       from receive endpoints[operand], blocking (MPI_Recv); the same as irecv then wait_recv
//   irecv      post the receive on receive endpoints[operand] and continue (MPI_Irecv)
//   wait_recv  wait for the posted receive on receive endpoints[operand] (MPI_Wait)
//   isend      amount bytes to send endpoints[operand] and continue (MPI_Isend)
//   wait_send  wait for the isend on send endpoints[operand] (MPI_Wait) until it has left; an eager message leaves at
//              once
//   ssend      like send, but as a rendezvous for any size (MPI_Ssend)
//   recv_any   the first message on the receive endpoints of choices[operand] (MPI_Recv, MPI_ANY_SOURCE)
//   irecv_any  post a receive for the first message on choices[operand] and continue (MPI_Irecv,
//              MPI_ANY_SOURCE); if several are posted, the one posted first takes the message
//   wait_recv_any  wait for the receive that irecv_any has posted on choices[operand] (MPI_Wait)
//   wait_any   wait for the first message of the posted receives on choices[operand] (MPI_Waitany)
//   reply      send amount bytes, blocking, to the source of the message that the latest recv_any or
//              wait_recv_any on choices[replies[operand].choice] has taken
//   ireply     like reply, but continue (MPI_Isend)
//   wait_reply wait for the ireply on replies[operand] until it has left
//   loop       run the instructions up to its end_loop `amount` times (>= 1); operand = index of the end_loop
//   end_loop   operand = index of its loop
//   allreduce  amount bytes over all ranks, or over those of the rank's job if the program has jobs
//   iteration  a mark without cost: one iteration of the code ends on this rank
//   phase      a mark without cost: phase `operand` of the program begins; 0 means no phase. A loop ends in the
//              phase in which it begins
//   finish     the program ends; always last
//
// A new operation needs an enumerator and a case in `operation`. A new effect needs an enumerator and a case in all
// code that executes programs (execution.hpp). No `switch` over operations, effects or operands has a `default`, so the
// compiler reports every missing case.
#pragma once

#include <cstdint>

namespace warpfront::program {

enum class Op : std::uint8_t {
    compute,
    delay,
    send,
    recv,
    irecv,
    wait_recv,
    isend,
    wait_send,
    ssend,
    recv_any,
    irecv_any,
    wait_recv_any,
    wait_any,
    reply,
    ireply,
    wait_reply,
    loop,
    end_loop,
    allreduce,
    iteration,
    phase,
    finish
};

enum class Effect : std::uint8_t {
    work,
    send,         // sends a message, which has left before the rank continues
    begin_send,   // begins to send a message
    end_send,     // waits until a message that was begun earlier has left
    receive,      // receives a message
    post,         // posts a receive
    end_receive,  // waits for the message of a posted receive
    collective,
    loop,  // begins or ends a loop
    mark,
    finish
};

/// The array in which the operand is an index: endpoints, choices, replies or code of the class, or phases of the
/// program.
enum class Operand : std::uint8_t { none, send_endpoint, receive_endpoint, choice, reply, instruction, phase };

struct Operation {
    Effect effect = Effect::finish;
    Operand operand = Operand::none;
};

constexpr Operation operation(Op op) {
    switch (op) {
        case Op::compute:
        case Op::delay: return {Effect::work};
        case Op::send:
        case Op::ssend: return {Effect::send, Operand::send_endpoint};
        case Op::isend: return {Effect::begin_send, Operand::send_endpoint};
        case Op::wait_send: return {Effect::end_send, Operand::send_endpoint};
        case Op::reply: return {Effect::send, Operand::reply};
        case Op::ireply: return {Effect::begin_send, Operand::reply};
        case Op::wait_reply: return {Effect::end_send, Operand::reply};
        case Op::recv: return {Effect::receive, Operand::receive_endpoint};
        case Op::irecv: return {Effect::post, Operand::receive_endpoint};
        case Op::wait_recv: return {Effect::end_receive, Operand::receive_endpoint};
        case Op::recv_any: return {Effect::receive, Operand::choice};
        case Op::irecv_any: return {Effect::post, Operand::choice};
        case Op::wait_recv_any:
        case Op::wait_any: return {Effect::end_receive, Operand::choice};
        case Op::loop:
        case Op::end_loop: return {Effect::loop, Operand::instruction};
        case Op::allreduce: return {Effect::collective};
        case Op::iteration: return {Effect::mark};
        case Op::phase: return {Effect::mark, Operand::phase};
        case Op::finish: return {Effect::finish};
    }
    return {};
}

/// Returns true if noise, calibration and shared memory change the time of the operation. Op::delay has a fixed time.
/// Only this function and switches compare an operation with Op::compute.
constexpr bool computes(Op op) { return op == Op::compute; }
/// Returns true if the operation sends a message. Its partner may be known before the run or determined by it.
constexpr bool sends(Op op) {
    return operation(op).effect == Effect::send || operation(op).effect == Effect::begin_send;
}
/// Returns true if the operation sends a message to a partner of kind `to`: Operand::send_endpoint if the partner is
/// known before the run, Operand::reply if it is the source of a received message.
constexpr bool sends(Op op, Operand to) { return sends(op) && operation(op).operand == to; }
/// Returns true if the operation receives a message or posts a receive.
constexpr bool receives(Op op) {
    return operation(op).effect == Effect::receive || operation(op).effect == Effect::post;
}
/// Returns true if the operation sends, or waits for a send to end.
constexpr bool on_send_side(Op op) {
    return operation(op).operand == Operand::send_endpoint || operation(op).operand == Operand::reply;
}
constexpr bool chooses(Op op) { return operation(op).operand == Operand::choice; }

}  // namespace warpfront::program
