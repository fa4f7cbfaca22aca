// One run that this library's tests share, made by hand: 4 ranks on 2 nodes, two iterations of 30 us, one of 40 us;
// rank 3 finishes last, at 100 us.
#pragma once

#include <nlohmann/json.hpp>

#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "tests/preamble.hpp"

namespace warpfront::results {

inline Time microseconds(std::int64_t count) { return {count * 1'000'000}; }

inline record::Record example_record() {
    record::Record record;
    record.engine = "event";
    record.finish = microseconds(100);
    record.iterations = {{microseconds(30), 2}, {microseconds(40), 1}};
    record.last = Rank{3};
    record.breakdown = record::Breakdown{.compute = microseconds(60),
                                         .send = microseconds(12),
                                         .recv = microseconds(8),
                                         .wait = microseconds(10),
                                         .bus_wait = microseconds(2),
                                         .processing_wait = {},
                                         .nic_wait = microseconds(1),
                                         .link_wait = microseconds(2),
                                         .collective = microseconds(5)};
    record.rank_finish = {microseconds(70), microseconds(80), microseconds(90), microseconds(100)};
    record::Work work;
    work.messages = 12'000;
    work.messages_replayed = 6'000;
    work.events = 20'000;
    work.wall_s = 0.5;
    work.cpu_s = 0.25;
    work.peak_rss_bytes = 4096;
    work.state_bytes = 1024;
    record.work = work;
    record.notes = {"3 of 9 iterations were simulated"};
    return record;
}

/// Formats a JSON value, its numbers with six digits.
inline std::string shown(const nlohmann::ordered_json& value) {
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    if (!value.is_structured()) return value.dump();
    std::string text;
    for (const auto& [key, each] : value.items()) {
        text += (text.empty() ? "" : ", ") + (value.is_object() ? key + ": " : "") + shown(each);
    }
    return (value.is_object() ? "{" : "[") + text + (value.is_object() ? "}" : "]");
}

/// Returns the example with shared links, two of them with waiting messages.
inline record::Record record_with_links() {
    record::Record record = example_record();
    record.link_waits = record::LinkWaits{
        microseconds(7), {{"(1, 0) to (2, 0)", microseconds(4)}, {"(3, 0) to (2, 0)", microseconds(2)}}};
    return record;
}

/// Returns the closed form of the same run: times only.
inline record::Record closed_form_record() {
    record::Record record;
    record.engine = "analytic";
    record.finish = microseconds(80);
    record.iterations = {{microseconds(40), 2}};
    return record;
}

inline Context example_context() {
    Context context;
    context.ranks = 4;
    context.nodes = 2;
    context.iterations = 3;
    context.notes = {"the torus was grown"};
    context.version = "1.2.3";
    context.inputs = {{"deck.yaml", "aa"}, {"code.psl", "bb"}};
    context.scenario = {{"model", "code.psl"}, {"ranks", {{"columns", 2}, {"rows", 2}}}};
    context.host = "here, a processor, 2 cores, an OS";
    return context;
}

}  // namespace warpfront::results
