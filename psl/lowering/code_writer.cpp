#include "psl/lowering/code_writer.hpp"

#include <fmt/format.h>

#include "psl/specialising/limits.hpp"

namespace warpfront::psl {

using program::Op;

void CodeWriter::push(Op op, std::uint16_t site, std::uint32_t operand, std::int64_t amount) {
    if (class_.code.size() == kMostInstructions) {
        graph_.fail({DiagnosticKind::program_too_large,
                     fmt::format("the program of one rank has more than {} instructions", kMostInstructions)},
                    skeleton_.site_statements[site]->span, &values_.here());
    }
    const bool nests = op == Op::loop || op == Op::end_loop;
    class_.code.push_back({op, nests ? depth_ : std::uint8_t{0}, site, operand, amount});
}

std::size_t CodeWriter::open_loop(std::int64_t times, std::uint16_t site) {
    push(Op::loop, site, 0, times);
    ++depth_;
    return class_.code.size() - 1;
}

void CodeWriter::close_loop(std::size_t start) {
    --depth_;
    if (class_.code.size() == start + 1) return class_.code.pop_back();
    class_.code[start].operand = static_cast<std::uint32_t>(class_.code.size());
    push(Op::end_loop, class_.code[start].site, static_cast<std::uint32_t>(start), 0);
}

void CodeWriter::mark_phase(std::uint16_t site, std::uint32_t phase) {
    if (class_.code.empty() || class_.code.back().op != Op::phase) return push(Op::phase, site, phase, 0);
    class_.code.back().operand = phase;
    class_.code.back().site = site;
}

std::uint32_t CodeWriter::sends_on(const program::Channel& channel) {
    return place_of(channel, class_.send_endpoints, send_endpoints_);
}

std::uint32_t CodeWriter::receives_on(const program::Channel& channel) {
    return place_of(channel, class_.receive_endpoints, receive_endpoints_);
}

std::uint32_t CodeWriter::choice(program::Choice choice) {
    class_.choices.push_back(std::move(choice));
    return static_cast<std::uint32_t>(class_.choices.size() - 1);
}

std::uint32_t CodeWriter::any_source(const Statement* statement, std::optional<std::int32_t> tag, std::uint16_t site,
                                     std::uint32_t open) {
    const auto [known, fresh] = choices_.try_emplace({statement, tag, open}, 0);
    if (fresh) {
        known->second = choice({});
        wildcards_.sources.push_back({known->second, tag, site});
    }
    last_choice_[statement] = known->second;
    return known->second;
}

std::uint32_t CodeWriter::answer(const Statement* statement, std::int32_t tag) {
    const std::uint32_t answered = last_choice_.at(statement);
    const auto [known, fresh] = replies_.try_emplace({answered, tag}, class_.replies.size());
    if (fresh) {
        class_.replies.push_back({answered, {}});
        wildcards_.answers.push_back({known->second, tag});
    }
    return known->second;
}

std::uint32_t place_of(const program::Channel& channel, std::vector<program::Channel>& channels,
                       ChannelPlaces& places) {
    const auto [entry, fresh] = places.try_emplace(channel, static_cast<std::uint32_t>(channels.size()));
    if (fresh) channels.push_back(channel);
    return entry->second;
}

}  // namespace warpfront::psl
