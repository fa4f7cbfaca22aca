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
//   ssend      as send, but as a rendezvous for any size (MPI_Ssend)
//   recv_any   the first message on the receive endpoints of choices[operand] (MPI_Recv, MPI_ANY_SOURCE)
//   irecv_any  post a receive for the first message on choices[operand] and continue (MPI_Irecv,
//              MPI_ANY_SOURCE); of several such receives the one posted first takes a message
//   wait_recv_any  wait for the receive that irecv_any has posted on choices[operand] (MPI_Wait)
//   wait_any   wait for the first message of the posted receives on choices[operand] (MPI_Waitany)
//   reply      amount bytes, blocking, to the rank whose message the latest recv_any or wait_recv_any on
//              choices[replies[operand].choice] has taken
//   ireply     as reply, and continue
//   wait_reply wait for the ireply on replies[operand] until it has left
//   loop       run the instructions up to its end_loop `amount` times (>= 1); operand = index of the end_loop
//   end_loop   operand = index of its loop
//   allreduce  amount bytes over all ranks, or over those of the rank's job if the program has jobs
//   iteration  one iteration of the code ends on this rank (a mark: costs nothing)
//   phase      phase `operand` of the program begins; 0: none (a mark: costs nothing). Phases are brackets in
//              the source, so each loop ends in the phase in which it begins
//   finish     the program ends; always last
//
// A new operation needs an enumerator and a case in `operation`. A new effect needs an enumerator and a case in all
// code that executes programs (execution.hpp). No `switch` over operations, effects or operands has a `default`, so the
// compiler reports every place that lacks a case.
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

/// The table that the operand indexes: the class's endpoints, choices, replies or code, or the program's phases.
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

/// Returns true if the operation is computing: noise, calibration and shared memory change its time. Returns false for
/// Op::delay. Operations are compared with Op::compute only here and in switches.
constexpr bool computes(Op op) { return op == Op::compute; }
/// Returns true if the operation sends a message, to a static or dynamic partner.
constexpr bool sends(Op op) {
    return operation(op).effect == Effect::send || operation(op).effect == Effect::begin_send;
}
/// Returns true if the operation sends a message and its operand is an index into `to`: Operand::send_endpoint for a
/// partner known before the run, Operand::reply for the source of a received message.
constexpr bool sends(Op op, Operand to) { return sends(op) && operation(op).operand == to; }
/// Returns true if the operation receives a message, even if it does not wait for it.
constexpr bool receives(Op op) {
    return operation(op).effect == Effect::receive || operation(op).effect == Effect::post;
}
/// Returns true if the operation sends, or waits for a send.
constexpr bool on_send_side(Op op) {
    return operation(op).operand == Operand::send_endpoint || operation(op).operand == Operand::reply;
}
constexpr bool chooses(Op op) { return operation(op).operand == Operand::choice; }

}  // namespace warpfront::program
