// The engines by name, with one interface to run each of them.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/analytic/closed_forms.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/record/record.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

/// An engine, as an index into `engine_names`: the event engine, SimGrid, then all closed forms.
class Engine {
public:
    static const Engine event;
    static const Engine simgrid;
    static const Engine analytic;  // the first closed form
    static Engine overlapped();    // the closed form `overlapped`

    constexpr Engine() = default;
    constexpr explicit Engine(std::size_t number) : number_(number) {}
    friend constexpr auto operator<=>(Engine, Engine) = default;

    constexpr std::size_t number() const { return number_; }
    bool is_closed_form() const;
    /// Returns the closed form. The engine must be one.
    const analytic::ClosedForm& closed_form() const;

private:
    std::size_t number_ = 0;
};
inline constexpr Engine Engine::event{0};
inline constexpr Engine Engine::simgrid{1};
inline constexpr Engine Engine::analytic{2};

std::vector<std::string> engine_names();
std::string_view name_of(Engine engine);
/// Describes an engine in one line.
std::string_view description_of(Engine engine);

/// The waiting times, outside collectives, of the rank that finishes last.
struct Waiting {
    WideTime bus;      // waits for the bus of the rank's node
    WideTime network;  // waits for NICs and links, including those of the rank's messages
};

struct Prediction {
    record::Record record;
    std::optional<WideTime> contention{};  // for closed forms: the term for the shared bus, which the total includes
    /// For closed forms: a note on waits for eager messages in the total, if they are a considerable part of it.
    std::optional<std::string> eager_waits{};
    std::optional<Waiting> waiting{};  // for simulations: waits of the rank that finishes last
};

/// Returns true if the note is about waits for eager messages in a closed form.
bool is_on_eager_waits(std::string_view note);

/// The exception for a run that fails by a deadlock, by lack of memory, or by an overflow of virtual time. what()
/// describes the failure. The exit status is 1.
class RunFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws BadInput (closed_form_missing) if the scenario has a trace instead of a model, or if the model declares no
/// closed form.
void refuse_without_closed_form(const Experiment& prepared);

/// Runs an engine. Throws RunFailed, or BadInput if a closed form does not apply or the model is too large for SimGrid.
/// Closed forms do not use `options`; SimGrid uses only their noise and seed. Tasks have unique names in the record.
Prediction predict(Engine engine, const Experiment& prepared, const engine::Options& options);
/// Runs an engine with the options of the experiment.
Prediction predict(Engine engine, const Experiment& prepared);

/// Returns the total of the closed form, to show beside a simulated prediction. Returns nothing if the model declares
/// no terms. If the closed form fails, a note in the record contains the reason.
std::optional<WideTime> closed_form_beside(Engine engine, const Experiment& prepared, record::Record& record);

}  // namespace warpfront::tools
