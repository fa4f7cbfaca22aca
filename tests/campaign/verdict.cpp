#include "tests/campaign/verdict.hpp"

#include <nlohmann/json.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/comparison/differences.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/memory.hpp"

namespace warpfront::campaign {

namespace {

using engine::Replay;

struct Way {
    Replay replay;
    unsigned threads;
};

/// The ways of running a trial; the others are compared with the first.
constexpr std::array<Way, 6> kWays{{{Replay::full, 1},
                                    {Replay::auto_, 1},
                                    {Replay::auto_, 2},
                                    {Replay::full, 2},
                                    {Replay::auto_, 3},
                                    {Replay::full, 3}}};

std::string options_of(const Way& way) {
    return fmt::format("--replay {} --threads {}", way.replay == Replay::full ? "full" : "auto", way.threads);
}

/// The end of a run without a record.
struct Stopped {
    enum class Why : std::uint8_t { refused, overflow, deadlock, fault } why = Why::fault;
    std::string text;
    std::vector<record::Blocked> blocked{};
};
using Outcome = std::variant<record::Record, Stopped>;

Outcome run(const tools::Experiment& prepared, const Way& way) {
    using Why = Stopped::Why;
    engine::Options options = tools::options_of(prepared);
    options.replay = way.replay;
    options.threads = way.threads;
    try {
        tools::refuse_beyond(tools::available_memory(), tools::memory_of_run(prepared, options), {});
        return engine::run(prepared.program, prepared.machine, options);
    } catch (const engine::Deadlock& deadlock) {
        return Stopped{Why::deadlock, deadlock.what(), deadlock.blocked()};
    } catch (const engine::TimeOverflow& overflow) {
        return Stopped{Why::overflow, overflow.what()};
    } catch (const input::BadInput& bad) {
        return Stopped{Why::refused, bad.what()};
    } catch (const std::overflow_error& overflow) {
        return Stopped{Why::refused, overflow.what()};
    } catch (const std::length_error& size) {
        return Stopped{Why::refused, size.what()};
    } catch (const std::exception& fault) {
        return Stopped{Why::fault, fmt::format("internal fault: {}", fault.what())};
    }
}

std::string text_of(const Outcome& outcome) {
    const auto* stopped = std::get_if<Stopped>(&outcome);
    return stopped == nullptr ? "a result" : stopped->text;
}

/// Returns true if `b` may have skipped beyond the end of virtual time that `a` reached: clocks end after 53 days,
/// totals of skipped iterations do not.
bool skipped_past_the_horizon(const Stopped* a, const Outcome& b) {
    const auto* record = std::get_if<record::Record>(&b);
    return a != nullptr && a->why == Stopped::Why::overflow && record != nullptr &&
           record->finish >= WideTime{kHorizon};
}

std::vector<std::string> differences(const Outcome& a, const Outcome& b) {
    const auto* stopped_a = std::get_if<Stopped>(&a);
    const auto* stopped_b = std::get_if<Stopped>(&b);
    if (skipped_past_the_horizon(stopped_a, b)) return {};
    if (stopped_a == nullptr && stopped_b == nullptr) {
        return test::differences(std::get<record::Record>(a), std::get<record::Record>(b));
    }
    if (stopped_a == nullptr || stopped_b == nullptr || stopped_a->why != stopped_b->why) {
        return {fmt::format("{}, and {}", text_of(a), text_of(b))};
    }
    return test::differences(stopped_a->blocked, stopped_b->blocked);
}

/// Returns the differences in the work that the same replay must do on any number of threads.
std::vector<std::string> differences_in_work(const Outcome& a, const Outcome& b) {
    const auto* record_a = std::get_if<record::Record>(&a);
    const auto* record_b = std::get_if<record::Record>(&b);
    if (record_a == nullptr || record_b == nullptr) return {};
    std::vector<std::string> lines;
    const auto compare = [&](const char* what, std::uint64_t in_a, std::uint64_t in_b) {
        if (in_a != in_b) lines.push_back(fmt::format("{}: {} and {}", what, in_a, in_b));
    };
    compare("messages stepped", record_a->work->messages_replayed, record_b->work->messages_replayed);
    compare("messages of collectives stepped", record_a->work->collective_messages_replayed,
            record_b->work->collective_messages_replayed);
    return lines;
}

void add_skipped(const record::Record& record, Verdict& verdict) {
    for (const std::string& note : record.notes) {
        if (note.find("iterations skipped") != std::string::npos) verdict.skipped_iterations = true;
    }
}

/// Judges an outcome alone: it may be a fault, or a record that contradicts itself.
void judge_alone(const Outcome& outcome, const Way& way, Verdict& verdict) {
    if (const auto* record = std::get_if<record::Record>(&outcome)) {
        verdict.stepped += record->work->messages_replayed + record->work->collective_messages_replayed;
        verdict.lines = test::contradictions(*record);
        if (way.replay == Replay::full && record->work->messages_replayed != record->work->messages) {
            verdict.lines.push_back(fmt::format("full replay stepped {} of {} messages",
                                                record->work->messages_replayed, record->work->messages));
        }
        if (!verdict.lines.empty()) verdict.kind = Verdict::Kind::differs;
        return;
    }
    const Stopped& stopped = std::get<Stopped>(outcome);
    if (stopped.why != Stopped::Why::fault) return;
    verdict.kind = Verdict::Kind::fault;
    verdict.lines = {stopped.text};
}

Verdict compare_ways(const tools::Experiment& prepared) {
    Verdict verdict;
    std::vector<Outcome> outcomes;
    for (const Way& way : kWays) {
        verdict.way = options_of(way);
        outcomes.push_back(run(prepared, way));
        judge_alone(outcomes.back(), way, verdict);
        if (verdict.failed()) return verdict;
        verdict.lines = differences(outcomes.front(), outcomes.back());
        const std::size_t first_alike = way.replay == Replay::full ? 0 : 1;
        if (verdict.lines.empty() && outcomes.size() > 2) {
            verdict.lines = differences_in_work(outcomes[first_alike], outcomes.back());
        }
        if (verdict.lines.empty()) continue;
        verdict.kind = Verdict::Kind::differs;
        return verdict;
    }
    verdict.way.clear();
    if (const auto* record = std::get_if<record::Record>(&outcomes[1])) {
        add_skipped(*record, verdict);
        return verdict;
    }
    const Stopped& stopped = std::get<Stopped>(outcomes.front());
    verdict.deadlock = stopped.why == Stopped::Why::deadlock;
    verdict.overflow = stopped.why == Stopped::Why::overflow;
    if (stopped.why != Stopped::Why::refused) return verdict;
    verdict.kind = Verdict::Kind::refused;
    verdict.lines = {stopped.text};
    return verdict;
}

}  // namespace

Verdict try_all_ways(const Trial& trial) {
    const auto began = std::chrono::steady_clock::now();
    Verdict verdict;
    try {
        const scenario::ScenarioDocument document = scenario::read_document(trial.scenario, trial.sets);
        verdict = compare_ways(tools::build_experiment(scenario::read_scenario(document)));
    } catch (const input::BadInput& bad) {
        verdict.kind = Verdict::Kind::refused;
        verdict.lines = {bad.what()};
    } catch (const std::exception& fault) {
        verdict.kind = Verdict::Kind::fault;
        verdict.lines = {fmt::format("internal fault: {}", fault.what())};
    }
    verdict.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return verdict;
}

std::string text_of(const Verdict& verdict) {
    const nlohmann::json json{{"kind", verdict.kind},
                              {"way", verdict.way},
                              {"lines", verdict.lines},
                              {"stepped", verdict.stepped},
                              {"skipped_iterations", verdict.skipped_iterations},
                              {"deadlock", verdict.deadlock},
                              {"overflow", verdict.overflow},
                              {"wall_s", verdict.wall_s}};
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Verdict read_verdict(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    Verdict verdict;
    json.at("kind").get_to(verdict.kind);
    json.at("way").get_to(verdict.way);
    json.at("lines").get_to(verdict.lines);
    json.at("stepped").get_to(verdict.stepped);
    json.at("skipped_iterations").get_to(verdict.skipped_iterations);
    json.at("deadlock").get_to(verdict.deadlock);
    json.at("overflow").get_to(verdict.overflow);
    json.at("wall_s").get_to(verdict.wall_s);
    return verdict;
}

}  // namespace warpfront::campaign
