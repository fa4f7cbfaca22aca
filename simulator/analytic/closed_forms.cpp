#include "simulator/analytic/closed_forms.hpp"

#include <cassert>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/analytic/message.hpp"
#include "simulator/analytic/pipeline.hpp"
#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/analytic/simultaneous_sweeps.hpp"
#include "simulator/analytic/sp2_loggp.hpp"
#include "simulator/analytic/unequal_work.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

Prediction everything(const Inputs& inputs) { return predict(inputs.program, inputs.machine); }

constexpr ClosedForm kClosedForms[] = {
    {.name = "analytic",
     .describes = "the plug-and-play model with its CMP extension and shared memory bandwidth",
     .source = "Mudalige 2009, chapter 4",
     .predict = everything},
    {.name = "plug-and-play",
     .describes = "pipelines fill, then tiles follow each other; a node for each rank, nothing shared",
     .source = "Mudalige 2009, tables 4.2 and 4.5",
     .predict = plug_and_play},
    {.name = "plug-and-play-2d",
     .describes = "plug-and-play for a grid of two dimensions: one receive and one send per tile",
     .source = "Mudalige 2009, section 4.5 and table 4.7",
     .needs = "a process grid of one row or one column",
     .misfit = not_one_dimensional,
     .predict = plug_and_play_2d},
    {.name = "cmp",
     .describes = "plug-and-play with the cores of a node as a patch of ranks, and collisions on its bus",
     .source = "Mudalige 2009, table 4.8 and appendix A",
     .predict = cmp},
    {.name = "simultaneous-sweeps",
     .describes = "all eight sweeps at once; every rank works on all sweeps that have reached it",
     .source = "Mudalige 2009, section 7.3",
     .needs = "two sweeps from each corner of the process grid",
     .misfit = not_eight_sweeps,
     .predict = simultaneous_sweeps},
    {.name = "separate-cores-sweeps",
     .describes = "all eight sweeps at once, those of each corner on separate cores",
     .source = "Mudalige 2009, section 7.3",
     .needs = "two sweeps from each corner of the process grid",
     .misfit = not_eight_sweeps,
     .predict = separate_cores_sweeps},
    {.name = "heterogeneous",
     .describes = "cmp with ranks of different speed: the mean for fills, the slowest rank for the steady state",
     .source = "Mudalige 2009, section 7.4",
     .needs = "classes of ranks (`heterogeneity.classes`) and no cost map",
     .unequal_work = true,
     .misfit = not_heterogeneous,
     .predict = heterogeneous},
    {.name = "unequal-cells",
     .describes = "cmp with tiles of different cost: the slowest rank of each step sets its pace",
     .source = "Mudalige 2009, section 7.4",
     .needs = "a cost map (`heterogeneity.map`) and no classes of ranks",
     .unequal_work = true,
     .misfit = not_unequal_cells,
     .predict = unequal_cells},
    {.name = "sp2-loggp",
     .describes = "Sweep3D on the IBM SP/2, whose rendezvous delay later ranks; a node for each rank",
     .source = "Sundaram-Stukel and Vernon 1999",
     .needs = "Sweep3D's order of sweeps, no work before the receives, and two or more ranks in both directions",
     .sweeps_only = true,
     .misfit = not_sweep3d,
     .predict = sp2_loggp},
    {.name = "sp2-loggp-smp",
     .describes = "sp2-loggp on SMP nodes of 2 x 2 ranks, with a local and a remote latency",
     .source = "Sundaram-Stukel and Vernon 1999",
     .needs = "the requirements of `sp2-loggp`, and nodes of 2 x 2 ranks",
     .sweeps_only = true,
     .misfit = not_sweep3d_on_smps,
     .predict = sp2_loggp_smp},
    {.name = "mpp",
     .describes = "a pipeline in steps of one message, on a network that is no bottleneck",
     .source = "LA-UR-00-308",
     .needs = "sweeps, and two or more ranks in both directions",
     .sweeps_only = true,
     .misfit = not_a_pipeline,
     .predict = mpp},
    {.name = "pipeline-bottlenecks",
     .describes = "mpp over SMPs whose boundaries have few channels",
     .source = "LA-UR-00-308",
     .needs = "sweeps, two or more ranks in both directions, full nodes of several ranks, and shared links",
     .sweeps_only = true,
     .misfit = not_smps,
     .predict = pipeline_bottlenecks},
    {.name = "allreduce",
     .describes = "allreduces alone, as a butterfly",
     .source = "Mudalige 2009, section 4.3",
     .needs = "a model that has allreduces, and neither sweeps nor exchanges",
     .misfit = not_only_allreduces,
     .predict = allreduces},
    {.name = "overlapped",
     .describes = "analytic, with eager messages that arrive while their receiver computes",
     .source = "Mudalige 2009, chapter 4, without the waits for L in a full pipeline",
     .predict = overlapped},
};

std::string names_of_fitting(const Inputs& inputs) {
    std::vector<std::string_view> names;
    for (const ClosedForm& form : kClosedForms) {
        if (!form.misfit(inputs)) names.push_back(form.name);
    }
    return fmt::format("`{}`", fmt::join(names, "`, `"));
}

}  // namespace

std::span<const ClosedForm> closed_forms() { return kClosedForms; }

Prediction predict(const ClosedForm& form, const Inputs& inputs) {
    check_closed_form(inputs.program);
    assert(inputs.program.grid == inputs.grid());
    if (const std::optional<std::string> misfit = form.misfit(inputs)) {
        throw BadInput(DiagnosticKind::closed_form_misfit, {},
                       fmt::format("the closed form `{}` does not apply: {}", form.name, *misfit),
                       fmt::format("expected {}; closed forms that apply: {}", form.needs, names_of_fitting(inputs)));
    }
    return form.predict(inputs);
}

}  // namespace warpfront::analytic
