// The report as a table.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/answer/rendering/text_table.hpp"
#include "tools/from_code/learning/report.hpp"

namespace warpfront::learning {

namespace {

std::string percent(double share) {
    constexpr double kHundredths = 1e4;
    return fmt::format("{:.2f} %", std::round(kHundredths * share) / 100 + 0.0);  // the sum prevents -0.00
}

double error_of(const Agreement& run) { return run.work > 0 ? run.work_predicted / run.work - 1 : 0.0; }

void add_rows(const std::vector<Agreement>& runs, const std::string& what, std::vector<tools::TextColumn>& columns) {
    for (const Agreement& run : runs) {
        const bool learnt = run.ranks > 0;
        const bool repeats = learnt && run.work > 0;  // true if the model computes more than once at any place
        const auto cell = [](bool is_known, const std::string& text) {
            return is_known ? text : std::string(tools::kEmptyCell);
        };
        std::size_t column = 0;
        for (const std::string& text :
             {what, run.run, learnt ? fmt::format("{} of {}", run.ranks_explained, run.ranks) : "not learnt",
              cell(learnt, fmt::format("{} of {}", run.operations_equal, run.operations)),
              cell(repeats, fmt::format("{:.6g}", run.work)), cell(repeats, percent(error_of(run))),
              cell(repeats, percent(run.worst_rank)), cell(learnt, fmt::format("{:.6g}", run.all_work)),
              cell(learnt, fmt::format("{:.6g}", run.all_work_predicted))}) {
            columns[column++].cells.push_back(text);
        }
    }
}

/// Formats the computing of each phase in the runs, and the error of the model. The text is empty if the code has one
/// phase.
std::string phases_text(const Report& report) {
    std::vector<const Agreement*> runs;
    std::map<std::string, double> phases;
    for (const std::vector<Agreement>* each : {&report.learnt.agreement, &report.checked}) {
        for (const Agreement& run : *each) {
            runs.push_back(&run);
            for (const auto& [phase, work] : run.phases) phases[phase] += work.measured;
        }
    }
    if (phases.size() < 2) return {};
    tools::TextTable rows(2);
    tools::TextColumn names{"computing before", {}, tools::TextColumn::Side::left};
    for (const auto& [phase, measured] : phases) names.cells.push_back(phase.empty() ? "unknown" : phase);
    rows.add(std::move(names));
    for (const Agreement* run : runs) {
        tools::TextColumn seconds{run->run + ", s", {}};
        tools::TextColumn errors{"predicted", {}};
        for (const auto& [phase, measured] : phases) {
            const auto found = run->phases.find(phase);
            const PhaseWork work = found == run->phases.end() ? PhaseWork{} : found->second;
            seconds.cells.push_back(fmt::format("{:.4g}", work.measured));
            errors.cells.push_back(work.measured > 0 ? percent(work.predicted / work.measured - 1)
                                                     : std::string(tools::kEmptyCell));
        }
        rows.add(std::move(seconds));
        rows.add(std::move(errors));
    }
    return "\n" + rows.render();
}

/// Formats a warning for runs whose blocks are much larger than those in the runs of the model.
std::string extrapolations_text(const Report& report) {
    constexpr double kMuch = 4.0;
    std::string text;
    for (const Agreement& run : report.checked) {
        if (run.beyond < kMuch) continue;
        text += fmt::format(
            "`{}` has blocks that take up to {:.2g} times as long as the longest block that the laws were learnt from: "
            "their data may no longer fit into the caches\n",
            run.run, run.beyond);
    }
    return text;
}

/// Formats a note on waits for sends that come later in the runs than in the model.
std::string moved_waits_text(const Report& report) {
    std::string text;
    for (const std::vector<Agreement>* each : {&report.learnt.agreement, &report.checked}) {
        for (const Agreement& run : *each) {
            if (run.moved_waits == 0) continue;
            text += fmt::format(
                "{}`{}`: {}",
                text.empty() ? "number of waits for sends that are later in the run than in the model:  " : ", ",
                run.run, run.moved_waits);
        }
    }
    return text.empty() ? text : text + "\n";
}

/// Formats the first few reasons.
std::string reasons(const std::vector<Refusal>& refused) {
    constexpr std::size_t kMost = 3;
    std::set<std::string> all;
    std::string text;
    for (const Refusal& each : refused) {
        if (all.insert(each.what).second && all.size() <= kMost) text += (text.empty() ? "" : "; ") + each.what;
    }
    return all.size() > kMost ? fmt::format("{}; and {} more", text, all.size() - kMost) : text;
}

/// Formats the messages whose sizes depend on the code's data, by function.
std::vector<std::string> sizes_of_data(const Report& report) {
    const Learnt& learnt = report.learnt;
    struct Function {
        double share = 0.0;
        double spread = 0.0;
        double residual = 0.0;
    };
    std::map<std::string, Function> functions;
    for (const auto& [part, size] : learnt.sizes) {
        if (!size.mean) continue;
        Function& own = functions[size.place];
        own.share += size.share;
        own.spread = std::max(own.spread, size.spread);
        own.residual = std::max(own.residual, size.mean->residual);
    }
    std::vector<std::string> lines;
    for (const auto& [name, own] : functions) {
        lines.push_back(
            fmt::format("the sizes of messages{} ({} of all bytes) depend on data, so the model has their mean: runs "
                        "differ from it by up to {}, and single messages by {} (standard deviation)",
                        name.empty() ? std::string() : " in " + name, percent(own.share), percent(own.residual),
                        percent(own.spread)));
    }
    if (lines.empty()) return lines;
    const auto add = [&lines](const std::vector<Agreement>& runs) {
        for (const Agreement& run : runs) {
            if (run.bytes <= 0 || run.operations_equal < run.operations) continue;
            lines.push_back(fmt::format(
                "bytes of `{}`: {:.6g}, predicted {:.6g}; the error is largest in one phase or function, {}", run.run,
                run.bytes, run.bytes_predicted, percent(run.worst_bytes)));
        }
    };
    add(learnt.agreement);
    add(report.left_out);
    add(report.checked);
    return lines;
}

/// Returns the run whose `share` has the largest ratio to 1. Returns null if all are within a tenth.
template <class Share>
const Agreement* farthest(const std::vector<Agreement>& runs, const Share& share) {
    constexpr double kTenth = 0.1;
    const auto distance = [&](const Agreement& run) { return std::abs(std::log(share(run))); };
    const auto most = std::ranges::max_element(runs, {}, distance);
    return most == runs.end() || distance(*most) <= -std::log(1.0 - kTenth) ? nullptr : &*most;
}

/// Formats the share of the recorded computing that the model contains, if it differs from 1 by at least a tenth. The
/// runs of the model are included unless the model has regions, which have computing of their own. Runs that were left
/// out are included too.
std::string unlike_computing(const Report& report) {
    const auto ratio = [](double predicted, double recorded) { return recorded > 0.0 ? predicted / recorded : 1.0; };
    const auto all = [&](const Agreement& run) { return ratio(run.all_work_predicted, run.all_work); };
    const auto usual = [&](const Agreement& run) { return ratio(run.work_predicted, run.work); };
    std::string text;
    const Agreement* const known = report.learnt.regions.empty() ? farthest(report.learnt.agreement, all) : nullptr;
    if (known != nullptr) {
        text += fmt::format("the computing time of the model is {} of the time recorded in `{}`: {}\n",
                            percent(all(*known)), known->run,
                            all(*known) < 1.0 ? "the model omits computing that only some ranks or some iterations "
                                                "have, and time that other programs add"
                                              : "the model's laws of computing do not fit all runs");
    }
    if (const Agreement* const unknown = farthest(report.left_out, usual)) {
        text += fmt::format(
            "learnt without `{}`, the model has {} of the computing time recorded in that run: expect an error of this "
            "size for other problem sizes\n",
            unknown->run, percent(usual(*unknown)));
    }
    std::vector<std::string> decisive;
    for (const Agreement& run : report.left_out) {
        if (run.operations_equal < run.operations) decisive.push_back("`" + run.run + "`");
    }
    if (!decisive.empty()) {
        text += fmt::format(
            "learnt without {}, the model lacks operations of that run: some numbers follow from that run alone, and a "
            "further run could confirm them\n",
            fmt::join(decisive, " or "));
    }
    return text;
}

/// Formats the process grids on which the model runs, and the checked runs on which it does not run or that it does not
/// explain.
std::string sizes_text(const Report& report) {
    std::string text;
    for (const Agreement& run : report.checked) {
        if (!run.refused.empty())
            text += fmt::format("the model does not accept the process grid or parameters of `{}`: {}\n", run.run,
                                run.refused);
        if (run.refused.empty() && run.ranks_explained == 0) {
            text += fmt::format("on all ranks of `{}`, the operations differ from those of the model{}\n", run.run,
                                run.difference.empty() ? std::string() : ": " + run.difference);
        }
    }
    std::vector<std::string> sound;
    for (const SizeCheck& each : report.sizes) {
        if (each.refused.empty()) {
            sound.push_back(as_text(each.grid));
        } else {
            text += fmt::format("the model does not run on {} ranks: {}\n", as_text(each.grid), each.refused);
        }
    }
    if (!sound.empty()) text += fmt::format("the model runs on {} ranks\n", fmt::join(sound, ", "));
    return text;
}

}  // namespace

std::string table(const Report& report) {
    using Side = tools::TextColumn::Side;
    std::vector<tools::TextColumn> columns{{"", {}, Side::left},     {"run", {}, Side::left}, {"ranks explained", {}},
                                           {"operations equal", {}}, {"compute, s", {}},      {"predicted", {}},
                                           {"worst rank", {}},       {"in all, s", {}},       {"predicted, s", {}}};
    add_rows(report.learnt.agreement, "learnt from", columns);
    add_rows(report.left_out, "left out", columns);
    add_rows(report.checked, "not learnt from", columns);
    tools::TextTable rows(2);
    for (tools::TextColumn& column : columns) rows.add(std::move(column));
    std::string text = rows.render() + phases_text(report);
    if (report.learnt.iteration && report.iterations.empty()) {
        text +=
            "\nthe number of iterations differs from run to run, and no parameter gives it: the scenario must set "
            "`iterations`\n";
    }
    if (!report.iterations.empty()) text += fmt::format("\niterations are {}\n", report.iterations);
    if (const double joined = report.learnt.structure.work_joined; joined >= 0.0005) {
        text += fmt::format(
            "{} of the computing time belongs to places with less than 2 % of that time each, and is added to the "
            "nearest block\n",
            percent(joined));
    }
    for (const Run& run : report.learnt.runs) {
        const std::string note = trace::computing_note(*run.recorded);
        if (!note.empty()) text += fmt::format("`{}`: {}\n", run.recorded->name, note);
    }
    const bool addresses = std::ranges::any_of(
        report.learnt.structure.places, [](const trace::RecordedSite& site) { return site.function.starts_with('+'); });
    if (addresses)
        text +=
            "places of calls have no names: the program was absent at the end of the recording, or has no symbols\n";
    text += unlike_computing(report) + extrapolations_text(report) + moved_waits_text(report);
    for (const Region& region : report.learnt.regions) {
        const Run& run = report.learnt.runs[largest(report.learnt.runs)];
        const std::string time = region.time > 0 ? ", " + percent(region.time) + " of the time" : "";
        if (region.left_out) {
            text += fmt::format("the model leaves out the {}: {} of the operations{}. Reason: {}\n", region.name,
                                percent(region.operations), time, reasons(report.learnt.cut_since));
            continue;
        }
        text += fmt::format(
            "the {} is a trace of `{}` in the model, valid only for {} ranks: {} of the operations{}. Reason: {}\n",
            region.name, run.recorded->name, run.ranks.size(), percent(region.operations), time,
            reasons(report.learnt.cut_since));
    }
    for (const std::string& line : sizes_of_data(report)) text += line + "\n";
    if (!report.learnt.unvaried.empty()) {
        text += fmt::format("all runs have {}: the model cannot show the effect of other values\n",
                            fmt::join(report.learnt.unvaried, ", "));
    }
    if (!report.learnt.open.empty()) text += "\nOther runs would resolve these ambiguities:\n";
    for (const std::string& line : report.learnt.open) text += "  " + line + "\n";
    text += sizes_text(report);
    if (report.counted) text += text_of(*report.counted);
    return text;
}

}  // namespace warpfront::learning
