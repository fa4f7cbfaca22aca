#include "simulator/analytic/closed_forms.hpp"

#include <cassert>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/analytic/allreduce.hpp"
#include "simulator/analytic/cmp.hpp"
#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/analytic/plug_and_play_2d.hpp"
#include "simulator/analytic/prediction.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

std::optional<std::string> always(const Inputs&) { return std::nullopt; }

Prediction everything(const Inputs& inputs) { return predict(inputs.program, inputs.machine); }

constexpr ClosedForm kClosedForms[] = {
    {.name = "analytic",
     .describes = "the plug-and-play model with its CMP extension and shared memory bandwidth",
     .source = "Mudalige 2009, chapter 4",
     .needs = "",
     .unequal_work = false,
     .misfit = always,
     .predict = everything},
    {.name = "plug-and-play",
     .describes = "pipelines fill, then tiles follow each other; a node for each rank, nothing shared",
     .source = "Mudalige 2009, tables 4.2 and 4.8",
     .needs = "",
     .unequal_work = false,
     .misfit = always,
     .predict = plug_and_play},
    {.name = "plug-and-play-2d",
     .describes = "the same for a grid of two dimensions: one receive and one send per tile",
     .source = "Mudalige 2009, section 7.4",
     .needs = "an array of one row or one column of ranks",
     .unequal_work = false,
     .misfit = not_one_dimensional,
     .predict = plug_and_play_2d},
    {.name = "cmp",
     .describes = "plug-and-play with the cores of a node as a patch of ranks, and collisions on its bus",
     .source = "Mudalige 2009, table 4.7 and appendix A",
     .needs = "",
     .unequal_work = false,
     .misfit = always,
     .predict = cmp},
    {.name = "allreduce",
     .describes = "allreduces alone, as a butterfly",
     .source = "Mudalige 2009, section 4.3",
     .needs = "a model that has allreduces and no sweeps",
     .unequal_work = false,
     .misfit = not_only_allreduces,
     .predict = allreduces},
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
        throw input::BadInput(
            input::DiagnosticKind::closed_form_misfit, {},
            fmt::format("the closed form `{}` does not apply: {}", form.name, *misfit),
            fmt::format("expected {}; closed forms that apply: {}", form.needs, names_of_fitting(inputs)));
    }
    return form.predict(inputs);
}

}  // namespace warpfront::analytic
