// Recorded runs for tests, made from a model in PSL: what a tracer would record of a code that does exactly this. What
// is learnt from them, beside what the code does on another array.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "psl/psl.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/program.hpp"
#include "simulator/trace/recorded_run.hpp"
#include "tools/from_code/learning/learn.hpp"

namespace warpfront::test {

inline program::Program program_of(const std::string& model, const RankGrid& grid, std::int64_t iterations,
                                   const std::map<std::string, std::string>& parameters) {
    psl::Bindings bindings;
    bindings.grid = grid;
    bindings.iterations = iterations;
    for (const auto& [name, text] : parameters) bindings.parameters[name] = {text, {}};
    return psl::lower(psl::load_text("models/written.psl", model), bindings);
}

/// The calls of one rank, in order.
inline trace::RecordedRank recorded_rank(const program::Program& program, Rank rank) {
    using program::Op;
    const program::RankClass& code = program.of(rank);
    trace::RecordedRank result;
    std::map<std::uint32_t, std::uint32_t> receives;  // open requests by endpoint
    std::map<std::uint32_t, std::uint32_t> sends;
    std::uint32_t requests = 0;
    Time work;
    program::Cursor cursor(code);
    for (const program::Instruction* step = &cursor.next(); step->op != Op::finish; step = &cursor.next()) {
        trace::Event event;
        const bool sends_one = program::on_send_side(step->op);
        switch (step->op) {
            case Op::compute: work += Time{step->amount}; continue;
            case Op::send: event.call = trace::Call::send; break;
            case Op::ssend: event.call = trace::Call::ssend; break;
            case Op::recv: event.call = trace::Call::recv; break;
            case Op::isend: event.call = trace::Call::isend; break;
            case Op::irecv: event.call = trace::Call::irecv; break;
            case Op::wait_send:
            case Op::wait_recv: event.call = trace::Call::wait; break;
            case Op::allreduce:
                event.call = trace::Call::collective;
                event.kind = collectives::Kind::allreduce;
                break;
            default: continue;
        }
        event.work = std::exchange(work, Time{});
        event.bytes = {step->amount};
        event.site = step->site + 1U;
        if (step->op != Op::allreduce) {
            const program::Channel& channel = (sends_one ? code.send_endpoints : code.receive_endpoints)[step->operand];
            event.peer = program::peer_of(rank, channel);
            event.tag = channel.tag;
        }
        if (step->op == Op::isend || step->op == Op::irecv) {
            event.request = ++requests;
            (sends_one ? sends : receives)[step->operand] = requests;
        }
        if (event.call == trace::Call::wait) {
            event.completed.push_back(
                {(sends_one ? sends : receives).at(step->operand), !sends_one, event.peer, 0, {}});
        }
        result.events.push_back(event);
    }
    result.work_after = work;
    return result;
}

inline trace::RecordedRun recorded(const std::string& name, const std::string& model, const RankGrid& grid,
                                   std::int64_t iterations, const std::map<std::string, std::string>& parameters) {
    const program::Program program = program_of(model, grid, iterations, parameters);
    trace::RecordedRun run;
    run.name = name;
    run.sites.resize(1);
    for (const program::Site& site : program.sites)
        run.sites.push_back({site.file, site.line * 1000 + site.column, ""});
    run.phases.resize(1);
    run.communicators.resize(1);
    run.parameters = parameters;
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        run.communicators[0].push_back(Rank{rank});
        run.ranks.push_back(recorded_rank(program, Rank{rank}));
    }
    return run;
}

inline RankGrid array(std::uint32_t columns, std::uint32_t rows, std::uint32_t planes = 1) {
    RankGrid grid;
    grid.columns = columns;
    grid.rows = rows;
    grid.planes = planes;
    return grid;
}

struct SmallRun {
    RankGrid grid;
    std::int64_t iterations;
    std::map<std::string, std::string> parameters;
};

inline std::vector<trace::RecordedRun> recorded_runs(const std::string& model, const std::vector<SmallRun>& cases) {
    std::vector<trace::RecordedRun> runs;
    for (const SmallRun& each : cases) {
        runs.push_back(recorded(as_text(each.grid), model, each.grid, each.iterations, each.parameters));
    }
    return runs;
}

inline learning::Learnt learnt_from(const std::vector<trace::RecordedRun>& runs) {
    std::vector<const trace::RecordedRun*> all;
    for (const trace::RecordedRun& run : runs) all.push_back(&run);
    return learning::learn(all);
}

/// The number of operations in which two runs differ on all ranks, and the largest difference of their computing.
struct RunDifference {
    std::uint64_t operations = 0;
    std::uint64_t different = 0;
    double work = 0.0;  // the largest relative difference of one block
};
inline RunDifference run_difference(const trace::RecordedRun& wanted, const trace::RecordedRun& predicted) {
    RunDifference result;
    for (std::size_t rank = 0; rank < wanted.ranks.size(); ++rank) {
        const auto& a = wanted.ranks[rank].events;
        const auto& b = predicted.ranks[rank].events;
        result.operations += a.size();
        result.different += a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
        for (std::size_t at = 0; at < std::min(a.size(), b.size()); ++at) {
            if (a[at].call != b[at].call || a[at].peer != b[at].peer || a[at].bytes != b[at].bytes) ++result.different;
            if (a[at].work.ps == 0 && b[at].work.ps == 0) continue;
            const double ratio = static_cast<double>(b[at].work.ps) / static_cast<double>(a[at].work.ps);
            result.work = std::max(result.work, std::abs(ratio - 1));
        }
    }
    return result;
}

/// A model lowered for another array, beside what the code that it was learnt from does there.
inline RunDifference difference_on(const SmallRun& unseen, const learning::Learnt& learnt, const std::string& code) {
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    if (!learnt.refused.empty()) return {};
    const std::string model = learning::model_text(learnt, "learnt");
    INFO(model);
    return run_difference(recorded("wanted", code, unseen.grid, unseen.iterations, unseen.parameters),
                          recorded("predicted", model, unseen.grid, unseen.iterations, unseen.parameters));
}

/// A code learnt from small runs beside what it does on another array.
inline RunDifference learnt_and_predicted(const std::string& code, const std::vector<SmallRun>& small,
                                          const SmallRun& unseen) {
    return difference_on(unseen, learnt_from(recorded_runs(code, small)), code);
}

inline std::vector<std::string> refusals_of(const std::string& code, const std::vector<SmallRun>& small) {
    const std::vector<trace::RecordedRun> runs = recorded_runs(code, small);
    std::vector<std::string> all;
    for (const learning::Refusal& each : learnt_from(runs).refused) all.push_back(each.what);
    return all;
}

}  // namespace warpfront::test
