// The Python module `warpfront`: the functions of tools/embedding/warpfront.hpp, with NumPy arrays by rank, in seconds.
//
// During a run Python's other threads continue (the global interpreter lock is released), and Ctrl-C in the main thread
// ends the run as KeyboardInterrupt. Wrong input is warpfront.InvalidInput (a ValueError), and a run that fails is
// warpfront.RunFailure (a RuntimeError), both with the text that the program prints.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/embedding/warpfront.hpp"

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

using warpfront::Prediction;
using warpfront::Seconds;
using warpfront::TimeParts;

/// Returns true after Ctrl-C, with KeyboardInterrupt as the current exception. Only the main thread of Python receives
/// signals.
bool signalled() {
    const py::gil_scoped_acquire hold;
    return PyErr_CheckSignals() != 0;
}

template <typename Act>
auto without_lock(const Act& act) {
    try {
        const py::gil_scoped_release release;
        return act();
    } catch (const warpfront::Interrupted&) {
        if (PyErr_Occurred() != nullptr) throw py::error_already_set();
        throw;
    }
}

warpfront::RunOptions options_of(const std::string& engine, unsigned threads, bool full) {
    using warpfront::ReplayMode;
    return {engine, threads, full ? ReplayMode::full : ReplayMode::automatic, signalled};
}

Prediction predict(const std::filesystem::path& scenario, const std::vector<std::string>& settings,
                   const std::string& engine, unsigned threads, bool full) {
    return without_lock([&] { return warpfront::predict({scenario, settings}, options_of(engine, threads, full)); });
}

Prediction predict_model(const std::filesystem::path& model, const std::filesystem::path& platform,
                         std::pair<std::uint32_t, std::uint32_t> ranks, std::pair<std::uint32_t, std::uint32_t> node,
                         std::int64_t iterations, const std::map<std::string, std::string>& parameters,
                         const std::vector<std::string>& settings, const std::string& engine, unsigned threads,
                         bool full) {
    return without_lock([&] {
        return warpfront::predict(warpfront::ModelRun{model,
                                                      platform,
                                                      {ranks.first, ranks.second},
                                                      {node.first, node.second},
                                                      iterations,
                                                      parameters,
                                                      settings},
                                  options_of(engine, threads, full));
    });
}

warpfront::ComparedRows compare(const std::filesystem::path& scenario,
                                const std::optional<std::filesystem::path>& against,
                                const std::vector<std::string>& settings, const std::vector<std::string>& engines,
                                unsigned threads) {
    return without_lock([&] { return warpfront::compare({scenario, against, settings, engines, threads, signalled}); });
}

std::optional<py::array_t<double>> finish_of(const Prediction& prediction) {
    if (prediction.rank_times.empty()) return std::nullopt;
    py::array_t<double> all(static_cast<py::ssize_t>(prediction.rank_times.size()));
    std::ranges::transform(prediction.rank_times, all.mutable_data(), &Seconds::count);
    return all;
}

/// Returns one part of every rank's time.
auto part_of(Seconds TimeParts::*part) {
    return [part](const Prediction& prediction) -> std::optional<py::array_t<double>> {
        if (prediction.rank_parts.empty()) return std::nullopt;
        py::array_t<double> all(static_cast<py::ssize_t>(prediction.rank_parts.size()));
        std::ranges::transform(prediction.rank_parts, all.mutable_data(),
                               [part](const TimeParts& each) { return (each.*part).count(); });
        return all;
    };
}

std::map<std::string, double> seconds_of(const std::map<std::string, Seconds>& times) {
    std::map<std::string, double> all;
    for (const auto& [method, time] : times) all[method] = time.count();
    return all;
}

void describe_prediction(py::module_& module) {
    py::class_<Prediction> prediction(
        module, "Prediction",
        "Arrays have an entry per rank, row by row, plane by plane, in seconds; None where the engine has "
        "no such times.");
    prediction.def_readonly("engine", &Prediction::engine)
        .def_property_readonly("time_s", [](const Prediction& of) { return of.time.count(); })
        .def_property_readonly("iteration_s",
                               [](const Prediction& of) {
                                   std::vector<std::pair<double, std::int64_t>> all;
                                   for (const auto& [time, count] : of.iterations)
                                       all.emplace_back(time.count(), count);
                                   return all;
                               })
        .def_property_readonly("finish_s", finish_of)
        .def_property_readonly("columns", [](const Prediction& run) { return run.ranks.columns; })
        .def_property_readonly("rows", [](const Prediction& run) { return run.ranks.rows; })
        .def_property_readonly("planes", [](const Prediction& run) { return run.ranks.planes; })
        .def_readonly("nodes", &Prediction::nodes)
        .def_readonly("messages", &Prediction::messages)
        .def_readonly("digest", &Prediction::digest)
        .def_readonly("notes", &Prediction::notes);
    for (const auto& [name, part] : std::initializer_list<std::pair<const char*, Seconds TimeParts::*>>{
             {"compute_s", &TimeParts::compute},
             {"send_s", &TimeParts::send},
             {"recv_s", &TimeParts::recv},
             {"wait_s", &TimeParts::wait},
             {"bus_wait_s", &TimeParts::bus_wait},
             {"processing_wait_s", &TimeParts::processing_wait},
             {"nic_wait_s", &TimeParts::nic_wait},
             {"link_wait_s", &TimeParts::link_wait},
             {"collective_s", &TimeParts::collective}}) {
        prediction.def_property_readonly(name, part_of(part));
    }
}

void describe_comparison(py::module_& module) {
    using warpfront::ComparedRow;
    using warpfront::ComparedRows;
    py::class_<ComparedRow>(module, "ComparedRow", "Dictionaries are by engine and by published prediction.")
        .def_readonly("table", &ComparedRow::table)
        .def_readonly("label", &ComparedRow::label)
        .def_readonly("line", &ComparedRow::line)
        .def_property_readonly("columns", [](const ComparedRow& row) { return row.ranks.columns; })
        .def_property_readonly("rows", [](const ComparedRow& row) { return row.ranks.rows; })
        .def_property_readonly("planes", [](const ComparedRow& row) { return row.ranks.planes; })
        .def_property_readonly("time_s", [](const ComparedRow& row) { return seconds_of(row.times); })
        .def_property_readonly(
            "measured_s",
            [](const ComparedRow& row) { return row.measured ? std::optional(row.measured->count()) : std::nullopt; })
        .def_readonly("error_percent", &ComparedRow::error_percent);
    py::class_<ComparedRows>(module, "ComparedRows")
        .def_readonly("rows", &ComparedRows::rows)
        .def_readonly("notes", &ComparedRows::notes);
}

}  // namespace

PYBIND11_MODULE(warpfront, module) {
    module.doc() = "Predicts how long a wavefront MPI code runs on a machine that may not exist yet.";
    py::register_exception<warpfront::InvalidInput>(module, "InvalidInput", PyExc_ValueError);
    py::register_exception<warpfront::RunFailure>(module, "RunFailure", PyExc_RuntimeError);
    describe_prediction(module);
    describe_comparison(module);
    module.def("engine_names", &warpfront::engine_names, "event, simgrid, and the closed forms");
    module.def("predict", &predict,
               "A scenario file, with settings such as \"ranks.columns=16\"; full replay simulates every event.",
               "scenario"_a, "settings"_a = std::vector<std::string>{}, "engine"_a = "event", "threads"_a = 1,
               "full_replay"_a = false);
    module.def("predict_model", &predict_model,
               "A model (PSL) on a platform (a hardware file), without a scenario file.", "model"_a, "platform"_a,
               "ranks"_a, "node"_a = std::pair<std::uint32_t, std::uint32_t>(1, 1), "iterations"_a = 1,
               "parameters"_a = std::map<std::string, std::string>{}, "settings"_a = std::vector<std::string>{},
               "engine"_a = "event", "threads"_a = 1, "full_replay"_a = false);
    module.def("compare", &compare, "The rows of a published table by engines, beside what was measured.", "scenario"_a,
               "against"_a = std::nullopt, "settings"_a = std::vector<std::string>{},
               "engines"_a = std::vector<std::string>{"event", "analytic"}, "threads"_a = 1);
}
