#include "simulator/trace/recorded_run.hpp"

#include <array>

#include <fmt/format.h>

namespace warpfront::trace {

namespace {

/// The names of calls without collectives, in the order of Call.
constexpr std::array<std::string_view, 12> kCallNames{"send",     "ssend", "isend",   "isend", "recv", "irecv",
                                                      "sendrecv", "wait",  "waitany", "",      "",     "compute"};
constexpr Verb kWaitAll = 12;
constexpr Verb kFirstKind = 13;

}  // namespace

Verb verb_of(collectives::Kind kind) { return static_cast<Verb>(kFirstKind + static_cast<Verb>(kind)); }

Verb verb_of(const Event& event) {
    if (event.call == Call::collective || event.call == Call::begin_collective) return verb_of(event.kind);
    if (event.call == Call::wait && event.completed.size() != 1) return kWaitAll;
    return static_cast<Verb>(event.call);
}

std::string_view name_of(Verb verb) {
    if (verb >= kFirstKind) return collectives::name_of(static_cast<collectives::Kind>(verb - kFirstKind));
    return verb == kWaitAll ? "waitall" : kCallNames[verb];
}

std::string computing_note(const RecordedRun& run) {
    if (run.format == kTimeIndependent) return "computing is in flops; a time of 1 ps stands for one flop";
    const Crowding& most = run.crowding;
    if (most.ranks <= most.cores) return {};
    return fmt::format(
        "{} ranks share {} cores: computing is {}", most.ranks, most.cores,
        run.has_cpu_time ? "CPU time" : "wall time, which includes the times in which other ranks used the core");
}

std::string call_text(const RecordedRun& run, Verb verb, std::uint32_t site) {
    const std::string place = run.has_sites ? place_of(run, site) : "";
    if (place.empty()) return std::string(name_of(verb));
    return fmt::format("{}{} {}", name_of(verb), place.starts_with("in ") ? "" : " at", place);
}

std::string place_of(const RecordedRun& run, std::uint32_t number) {
    const RecordedSite& site = run.sites[number];
    std::string text = site.file.empty() ? "" : fmt::format("{}:{}", site.file, site.line);
    if (!site.function.empty()) text += fmt::format("{}in {}", text.empty() ? "" : " ", site.function);
    return text;
}

}  // namespace warpfront::trace
