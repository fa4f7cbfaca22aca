#include "tools/from_code/kernels/opcodes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/context.hpp"
#include "tools/answer/rendering/text_table.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/from_code/kernels/opcode_loops.hpp"
#include "tools/study/regression/robust.hpp"

namespace warpfront::kernels {

namespace {

constexpr int kRepeats = 15;
constexpr double kSecondsOfRepeat = 3e-4;

/// Returns the seconds of a call of `work`: the median over repeats, each of which has enough calls to be timed.
template <typename Work>
double seconds_of(const Work& work) {
    using Clock = std::chrono::steady_clock;
    const auto timed = [&](std::uint64_t calls) {
        const Clock::time_point start = Clock::now();
        work(calls);
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    std::uint64_t calls = 8;
    while (timed(calls) < kSecondsOfRepeat) calls *= 2;
    std::vector<double> times;
    for (int repeat = 0; repeat < kRepeats; ++repeat) times.push_back(timed(calls) / static_cast<double>(calls));
    tools::end_if_interrupted();
    return regression::median_of(std::move(times));
}

/// The contents of the loops' memory (opcode_loops.hpp).
class LoopMemory {
public:
    explicit LoopMemory(OpcodeLoop::Numbers numbers) {
        // A number close to 1 keeps a chain of a million operations within the range of normal numbers.
        constexpr double kNumber = 1.0000001;
        const std::uint64_t twice = std::bit_cast<std::uint32_t>(static_cast<float>(kNumber)) * 0x1'0000'0001U;
        const std::uint64_t number =
            numbers == OpcodeLoop::Numbers::doubles ? std::bit_cast<std::uint64_t>(kNumber) : twice;
        constexpr std::size_t kNumbers = 8;
        std::fill_n(words_.begin(), kNumbers, number);
        words_[kNumbers] = std::bit_cast<std::uint64_t>(&words_[kNumbers]);
    }
    void* address() { return words_.data(); }

private:
    alignas(64) std::array<std::uint64_t, 32> words_{};
};

double seconds_of_operation(const OpcodeLoop& loop, OpcodeLoop::Function function) {
    LoopMemory memory(loop.numbers);
    const double trip = seconds_of([&](std::uint64_t trips) { function(trips, memory.address()); });
    return trip / (kInstructionsOfLoop * loop.operations_each);
}

std::string nanoseconds(double seconds) { return fmt::format("{:.4g}", seconds * 1e9); }

std::string megaflops(double rate) { return fmt::format("{:.4g}Mflops", rate * 1e-6); }

std::string identifier(const std::string& name) {
    std::string text;
    for (const char letter : name) {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        } else if (!text.empty() && text.back() != '_') {
            text += '_';
        }
    }
    while (text.ends_with('_')) text.pop_back();
    return text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0 ? "processor_" + text : text;
}

}  // namespace

MeasuredProcessor measure_processor() {
    if (opcode_loops().empty()) {
        throw input::BadInput(input::DiagnosticKind::bad_option, {},
                              "times of operations cannot be measured on this host", "expected an x86-64 host");
    }
    MeasuredProcessor measured{results::processor_of_host(), {}, 0.0};
    WavefrontKernel kernel;
    measured.flops_per_second = kernel.flops() / seconds_of([&](std::uint64_t calls) {
                                    for (std::uint64_t call = 0; call < calls; ++call) kernel.sweep();
                                });
    for (const OpcodeLoop& loop : opcode_loops()) {
        if (!is_available(loop)) continue;
        measured.operations.push_back(
            {loop.operation, seconds_of_operation(loop, loop.dependent), seconds_of_operation(loop, loop.independent)});
    }
    return measured;
}

std::string hardware_text(const MeasuredProcessor& measured, Chains chains, const std::optional<std::string>& rate) {
    const std::string given = rate.value_or(megaflops(measured.flops_per_second));
    std::string text = fmt::format(
        "// {}, measured by `warpfront opcodes`: operations in {} chains. A platform with this processor has\n"
        "//   processor: {{name: \"{}\", speed: {}}}\n"
        "hardware {} {{\n    processor \"{}\"\n    rate = {}  // {}\n",
        measured.name, chains == Chains::dependent ? "dependent" : "independent", measured.name, given,
        identifier(measured.name), measured.name, given, rate ? "given" : "achieved by a kernel shaped like Sweep3D's");
    double integer = 0.0;
    for (const OperationTime& each : measured.operations) {
        const double seconds = chains == Chains::dependent ? each.dependent : each.independent;
        if (each.name == "integer") integer = seconds;
        text += fmt::format("    operation {} = {}ns\n", each.name, nanoseconds(seconds));
    }
    text += fmt::format("    operation other = {}ns  // not measured: as `integer`\n}}\n", nanoseconds(integer));
    return text;
}

std::string report(const MeasuredProcessor& measured) {
    tools::TextTable table(1);
    table.add_texts("operation", measured.operations, [](const OperationTime& each) { return std::string(each.name); });
    table.add("dependent ns", measured.operations,
              [](const OperationTime& each) { return nanoseconds(each.dependent); });
    table.add("independent ns", measured.operations,
              [](const OperationTime& each) { return nanoseconds(each.independent); });
    return fmt::format("processor       {}\nachieved rate   {:.4g} Mflop/s, of a kernel shaped like Sweep3D's\n\n{}",
                       measured.name, measured.flops_per_second * 1e-6, table.render());
}

}  // namespace warpfront::kernels
