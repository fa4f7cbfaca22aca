#include "simulator/engine/state/layout.hpp"

#include <algorithm>
#include <cstddef>

namespace warpfront::engine {

namespace {

template <typename Values>
std::uint64_t held(const Values& values) {
    return values.capacity() * sizeof(typename Values::value_type);
}

}  // namespace

std::uint32_t Layout::class_at(InstructionId instruction) const {
    return static_cast<std::uint32_t>(std::upper_bound(entry.begin(), entry.end(), instruction) - entry.begin() - 1);
}

const program::Instruction& Layout::first_send(std::uint32_t rank_class, std::uint32_t place,
                                               std::optional<SizeId> size) const {
    const auto sends_it = [&](const program::Instruction& step) {
        if (size && step.amount != size->index) return false;
        if (!program::sends(step.op, program::Operand::reply))
            return program::sends(step.op, program::Operand::send_endpoint) && step.operand == place;
        const std::vector<std::uint32_t>& places = replies[ReplyId{step.operand}].places;
        return std::find(places.begin(), places.end(), place) != places.end();
    };
    return *std::find_if(code.begin() + static_cast<std::ptrdiff_t>(entry[rank_class].index), code.end(), sends_it);
}

std::uint64_t Layout::bytes() const {
    std::uint64_t of_choices = 0;
    for (const auto& of_class : choices_of_place) {
        of_choices += held(of_class);
        for (const auto& of_place : of_class) of_choices += held(of_place);
    }
    return of_choices + receive_endpoint_numbers.bytes() + send_endpoint_numbers.bytes() + held(code) + held(entry) +
           held(phase_at) + held(costs) + held(node_of) + held(bus_of_core) + held(nic_of_core) + held(nic_of_rank) +
           held(ranks_on) + held(host_of) + held(link_server) + held(link_speed) + held(link_keys) + held(packets) +
           held(packets_of_own);
}

}  // namespace warpfront::engine
