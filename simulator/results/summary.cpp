#include "simulator/results/summary.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "simulator/results/critical_path.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/ranks.hpp"

namespace warpfront::results {

namespace {

std::string row(std::string_view label, std::string_view value) { return fmt::format("{:<16}{}\n", label, value); }

/// Formats the closed form and the engine's difference from it in percent.
std::string beside(WideTime time, WideTime closed_form) {
    std::string text = duration(closed_form);
    if (closed_form.ps > 0) {
        const double percent = 100.0 * seconds(time - closed_form) / seconds(closed_form);
        text += fmt::format(" (predicted is {:.2f} % {} it)", std::abs(percent), percent < 0 ? "below" : "above");
    }
    return row("closed form", text);
}

std::string work(const record::Work& done) {
    const auto both = [](std::uint64_t messages, std::uint64_t of_collectives) {
        const std::string text = grouped(messages);
        return of_collectives == 0 ? text : fmt::format("{} and {} of allreduces", text, grouped(of_collectives));
    };
    std::string stepped = both(done.messages_replayed, done.collective_messages_replayed);
    if (done.wall_s > 0.0) {
        const double rate =
            static_cast<double>(done.messages_replayed + done.collective_messages_replayed) / done.wall_s;
        stepped += fmt::format(" in {}s, {} per second", significant(done.wall_s, 3),
                               grouped(static_cast<std::uint64_t>(rate)));
    }
    return row("messages", both(done.messages, done.collective_messages)) + row("simulated", stepped);
}

/// Returns the time, or the mean of several runs.
WideTime predicted(const record::Record& record, const std::optional<Ensemble>& ensemble) {
    return ensemble ? wide_from_seconds(statistics(*ensemble).mean_s) : record.finish;
}

/// Rounds by the upper half of the interval, since the lower half may be cut off at 0.
RoundedDuration rounded(WideTime time, const Interval& interval) { return {time, interval.high_s - seconds(time)}; }

/// Formats a part of the last rank's time, its share, and beside it the statistics of all ranks.
std::string part_row(std::string_view name, WideTime time, WideTime total, const OverRanks* over) {
    const TimeScale scale = time_scale(total);
    const auto scaled = [&scale](WideTime each) { return seconds(each) / scale.seconds; };
    const double share = total.ps > 0 ? 100.0 * seconds(time) / seconds(total) : 0.0;
    const std::size_t width = std::max<std::size_t>(12, name.size());
    std::string text =
        fmt::format("  {:<{}}{:>{}.3f}{:<2}{:>8.1f} %", name, width, scaled(time), 24 - width, scale.unit, share);
    if (over != nullptr) {
        text +=
            fmt::format("  {:>12.3f} {:>9.3f} {:>9.3f}", scaled(over->least), scaled(over->mean), scaled(over->most));
    }
    return text + '\n';
}

/// Formats the breakdown of the last rank, and beside it the statistics of all ranks, if known.
std::string breakdown(const record::Record& record) {
    const record::Breakdown& parts = *record.breakdown;
    const WideTime total = parts.total();
    const std::vector<OverRanks> all = over_ranks(record);
    std::string text = fmt::format("rank {}, the last to finish, spent", record.last->index);
    if (!all.empty()) text = fmt::format("{:<44}all ranks: least, mean, most", text);
    text += '\n';
    for (std::size_t k = 0; k < record::kBreakdownParts.size(); ++k) {
        const auto& [name, part] = record::kBreakdownParts[k];
        const bool none_wait = all.empty() ? (parts.*part).ps == 0 : all[k + 1].most.ps == 0;
        if (part == &record::Breakdown::processing_wait && none_wait)
            continue;  // the row is shown only for machines with message processing
        // The finish is the first entry of `all`.
        text += part_row(name, parts.*part, total, all.empty() ? nullptr : &all[k + 1]);
    }
    const std::vector<PhaseOverRanks> phases = phases_over_ranks(record);
    if (!phases.empty()) text += "by phase\n";
    for (const PhaseOverRanks& each : phases) text += part_row(each.name, each.last, total, &each);
    return text;
}

std::string path(const record::Record& record) {
    const bool stepped = !record.nonwavefront;
    return stepped ? path_table(*record.path, record.fill)
                   : closed_form_table(*record.path, record.fill.value_or(WideTime{}), *record.nonwavefront);
}

}  // namespace

std::string link_waits_table(const record::Record& record) {
    if (!record.link_waits || record.link_waits->hottest.empty()) return "";
    const record::LinkWaits& waits = *record.link_waits;
    std::string text = fmt::format("all messages waited {} for links, most of it for\n", duration(waits.all));
    for (const auto& [link, waited] : waits.hottest) text += fmt::format("  {:<40} {:>14}\n", link, duration(waited));
    if (const auto of_ranks = link_wait_of_ranks(record)) {
        text += fmt::format("all ranks waited {} for links outside collectives\n", duration(*of_ranks));
    }
    return text;
}

namespace {

std::string unexpected(const record::UnexpectedMessages& unexpected) {
    const bool one = unexpected.messages == 1;
    return fmt::format("{} arrived before {} receive was posted; {} spent {} on {}\n",
                       counted(unexpected.messages, "message"), one ? "its" : "their",
                       one ? "the receiver" : "receivers", duration(unexpected.copying), one ? "it" : "them");
}

/// Formats the use of the time of cores, and the data moved.
std::string tasks(const record::Record& record) {
    const record::TaskUse& use = *record.tasks;
    std::string text;
    for (const auto& [name, count] : use.tasks) {
        text +=
            row(text.empty() ? "tasks" : "", fmt::format("{} {}", grouped(static_cast<std::uint64_t>(count)), name));
    }
    if (use.read.count > 0) text += row("read", size(use.read));
    if (use.written.count > 0) text += row("written", size(use.written));
    if (use.read.count + use.written.count > 0) {
        text += row("load", fmt::format("{:.1f} % of the busiest server, {:.1f} % of the busiest node's channel",
                                        100.0 * use.server_load, 100.0 * use.node_load));
    }
    if (use.least_margin) {
        const WideTime mean{use.margins.ps / use.prefetched};
        text += row("fetched ahead", fmt::format("{}, {} before they began, {} at least",
                                                 counted(static_cast<std::uint64_t>(use.prefetched), "task"),
                                                 duration(mean), duration(*use.least_margin)));
    }
    text += "cores spent, in all\n";
    for (const auto& [name, part] : record::kCoreTimeParts) {
        text += part_row(name, use.cores.*part, use.cores.total(), nullptr);
    }
    if (use.path) text += path_table(*use.path);
    return text;
}

/// Formats the algorithms of collectives, a row for each algorithm and reason. Of the remaining rows it states only the
/// number.
std::string collectives(const std::vector<program::CollectiveUse>& uses) {
    constexpr std::size_t kMostRows = 8;
    std::string text;
    for (const program::CollectiveUse& use : uses) {
        const std::size_t at = static_cast<std::size_t>(&use - uses.data());
        if (at == kMostRows) {
            return text + row("", fmt::format("and {} more, with --json", uses.size() - kMostRows));
        }
        std::string what = use.operation;
        if (use.most && use.most->count > 0) {
            what += *use.least == *use.most ? fmt::format(" of {}", size(*use.most))
                                            : fmt::format(" of {} to {}", size(*use.least), size(*use.most));
        }
        what += use.fewest_ranks == use.most_ranks
                    ? fmt::format(" on {}", counted(use.most_ranks, "rank"))
                    : fmt::format(" on {} to {}", grouped(use.fewest_ranks), counted(use.most_ranks, "rank"));
        text += row(at == 0 ? "collectives" : "", fmt::format("{}: {} ({})", what, use.algorithm, use.because));
    }
    return text;
}

std::string notes(const record::Record& record, const Context& context) {
    std::string text;
    for (const std::string& note : context.notes) text += fmt::format("note: {}\n", note);
    for (const std::string& note : record.notes) text += fmt::format("note: {}\n", note);
    return text;
}

}  // namespace

std::string headline(const record::Record& record, const Context& context, const std::optional<Ensemble>& ensemble) {
    const WideTime time = predicted(record, ensemble);
    const auto interval = interval_of(record, context, ensemble);
    std::string text = interval ? rounded(time, *interval)(seconds(time)) : duration(time);
    if (ensemble) text += fmt::format(", mean of {} {}", grouped(ensemble->times.size()), ensemble->what);
    return row("predicted time", fmt::format("{} ({} engine)", text, record.engine));
}

std::string summary(const record::Record& record, const Context& context, std::optional<WideTime> closed_form,
                    const std::optional<Ensemble>& ensemble) {
    std::string text = headline(record, context, ensemble);
    const WideTime time = predicted(record, ensemble);
    if (const auto interval = interval_of(record, context, ensemble)) {
        const RoundedDuration shown = rounded(time, *interval);
        text += row("95 % interval", fmt::format("{} to {}{}", shown(interval->low_s), shown(interval->high_s),
                                                 ensemble ? " (of one further run)" : ""));
    }
    if (context.one_sigma) {
        text += row("one sigma", fmt::format("{} to {} (from the deviations of values)",
                                             duration(context.one_sigma->first), duration(context.one_sigma->second)));
    }
    if (ensemble) text += summary(*ensemble) + row(ensemble->of_record(), duration(record.finish));
    if (!record.tasks) text += row("iterations", iterations(record.iterations));
    if (closed_form) text += beside(time, *closed_form);
    text += row("ranks", fmt::format("{} on {}", grouped(context.ranks), counted(context.nodes, "node")));
    if (record.tasks) return text + tasks(record) + notes(record, context);
    if (record.work) text += collectives(context.collectives) + work(*record.work);
    if (record.breakdown && record.last) text += breakdown(record);
    if (waits_unevenly(record)) text += waiting_table(record, context.grid);
    if (record.path) text += path(record);
    text += link_waits_table(record);
    if (record.unexpected) text += unexpected(*record.unexpected);
    return text + notes(record, context);
}

}  // namespace warpfront::results
