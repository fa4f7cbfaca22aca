#include "tools/prediction/context.hpp"

#include "tools/prediction/notes.hpp"

namespace warpfront::tools {

results::Context context_of(const Experiment& prepared, std::span<const Engine> engines) {
    results::Context context;
    context.grid = prepared.program.grid;
    if (const auto* torus = std::get_if<machine::TorusRoutes>(&prepared.machine.routes.zone)) {
        context.torus = torus->dimensions;
    }
    context.ranks = prepared.program.grid.ranks();
    context.nodes = prepared.machine.placement.nodes();
    context.iterations = prepared.program.iterations;
    context.notes = notes_of(prepared, engines);
    context.version = WARPFRONT_VERSION;
    context.inputs = results::hash_inputs(prepared.sources);
    context.scenario = echo(prepared.scenario);
    context.seed = prepared.scenario.noise_configuration.seed;
    context.host = results::describe_host();
    return context;
}

}  // namespace warpfront::tools
