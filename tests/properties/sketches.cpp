// The drawing and the printing of sketches.
#include "tests/properties/sketches.hpp"

#include <ostream>

namespace warpfront::test {

namespace {

/// Draws a number: small for the first cases, anything between the two for the last.
int draw(int least, int most) { return *rc::gen::inRange(least, most + 1); }
bool toss() { return *rc::gen::arbitrary<bool>(); }
std::uint32_t count(int least, int most) { return static_cast<std::uint32_t>(draw(least, most)); }

template <typename T, std::size_t N>
T one_of(const std::array<T, N>& choices) {
    return choices[static_cast<std::size_t>(draw(0, static_cast<int>(N) - 1))];
}

Step draw_step() {
    Step step;
    step.kind = one_of(std::array{Step::sweep, Step::halo, Step::shift, Step::allreduce, Step::work});
    step.start = count(0, 3);
    step.tiles = toss() ? draw(1, 40) : draw(1, 4);
    step.units = draw(0, 60);
    step.skew = draw(0, 9);
    step.x = draw(0, 20);
    step.y = draw(0, 20);
    step.posts_early = toss();
    return step;
}

/// A sender that mixes protocols may run ahead of its receiver by 500 messages at most; three phases with this number
/// of tiles have fewer.
constexpr int kMostTiles = 160;

int tiles(const Phase& phase) {
    int sum = 1;
    for (const Step& step : phase.steps) sum += step.kind == Step::sweep ? step.tiles : 1;
    return sum;
}

Code draw_code() {
    Code code;
    code.grid = {count(1, 8), count(1, 6)};
    for (int phases = draw(1, 3); phases > 0; --phases) {
        Phase phase{draw(1, 40), {}};
        for (int steps = draw(1, 3); steps > 0; --steps) phase.steps.push_back(draw_step());
        phase.iterations = std::clamp(phase.iterations, 1, std::max(1, kMostTiles / tiles(phase)));
        code.phases.push_back(phase);
    }
    return code;
}

Row draw_row(bool off_node) {
    Row row{toss(), draw(0, 9), draw(0, 9), draw(0, 40), draw(0, 3), draw(0, 2), draw(0, 2), draw(0, 5), draw(0, 5)};
    row.holds_bus = toss();
    row.processing = draw(-1, 9);
    row.receives_before_bus = toss();
    if (!off_node) return row;
    row.holds_nic = toss();
    row.holds_links = toss();
    return row;
}

/// Draws a divisor of `whole`.
std::uint32_t divisor(std::uint32_t whole) {
    const std::uint32_t drawn = count(1, 4);
    return whole % drawn == 0 ? drawn : 1;
}

void draw_resources(Hardware& hardware) {
    if (toss()) hardware.bus = std::array{draw(0, 9), draw(0, 3)};
    hardware.processes_messages = toss() && toss();
    for (std::optional<Eager>& eager : hardware.eager) {
        if (toss() && toss()) eager = Eager{draw(-1, 20), draw(0, 9), draw(0, 2)};
    }
    if (toss()) hardware.nic = std::array{draw(0, 4), draw(0, 4), toss() ? draw(0, 9) : 0};
    if (toss()) hardware.links = draw(0, 4);
    hardware.packet = toss() ? draw(0, 7) : 0;
    hardware.overhead = draw(0, 3);
    hardware.buffers = toss() ? draw(0, 12) : 0;
    hardware.full = draw(0, 3);
    if (toss()) hardware.arbitration = std::array{draw(0, 3), draw(0, 3)};
    hardware.parallel = toss() ? count(1, 3) : 1;
    hardware.choice = one_of(std::array{machine::LinkChoice::deterministic, machine::LinkChoice::adaptive,
                                        machine::LinkChoice::round_robin});
}

Hardware draw_hardware() {
    Hardware hardware;
    hardware.network =
        one_of(std::array{Hardware::ring, Hardware::torus2, Hardware::torus3, Hardware::star, Hardware::table});
    hardware.patch = one_of(std::array<machine::Patch, 5>{{{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}}});
    hardware.cores = hardware.patch.ranks() * (toss() ? 2 : 1);
    hardware.chips = divisor(hardware.cores);
    hardware.buses = divisor(hardware.cores);
    hardware.nics = divisor(hardware.cores);
    hardware.spare_hosts = count(0, 3);
    hardware.shuffle = count(0, 99);
    hardware.core_shuffle = toss() ? count(1, 99) : 0;
    for (std::size_t locality = 0; locality < kLocalities; ++locality) {
        for (Row& row : hardware.rows[locality]) row = draw_row(locality + 1 == kLocalities);
    }
    hardware.small = draw(0, 20);
    hardware.hop = draw(0, 5);
    hardware.links_in_L = count(0, 2);
    hardware.routing =
        one_of(std::array{machine::Routing::minimal, machine::Routing::valiant, machine::Routing::adaptive});
    hardware.duplex = toss();
    hardware.limited = toss();
    hardware.limiter = draw(0, 4);
    hardware.backbone = draw(0, 4);
    draw_resources(hardware);
    return hardware;
}

std::ostream& operator<<(std::ostream& out, const Step& step) {
    switch (step.kind) {
        case Step::sweep:
            return out << "sweep from " << step.start << (step.posts_early ? ", posting early" : "") << ", "
                       << step.tiles << " tiles of " << step.units << " + " << step.skew << " skew, x " << step.x
                       << ", y " << step.y;
        case Step::halo:
            return out << "halo x " << step.x << ", y " << step.y << ", work " << step.units << " + " << step.skew
                       << " skew";
        case Step::shift:
            return out << "shift " << step.start << (step.posts_early ? ", posting early" : "") << ", x " << step.x
                       << ", work " << step.units << " + " << step.skew << " skew";
        case Step::allreduce: return out << "allreduce " << step.y;
        default: return out << "work " << step.units << " + " << step.skew << " skew";
    }
}

std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << (row.rendezvous ? "rendezvous" : "eager") << " o_send " << row.o_send << " o_recv " << row.o_recv
               << " L " << row.L << " G " << row.G << " G_recv " << row.G_recv << " G_send " << row.G_send
               << " o_request " << row.o_request << " o_ack " << row.o_ack << (row.holds_bus ? " bus" : "")
               << (row.receives_before_bus ? " after o_recv" : "") << (row.holds_nic ? " nic" : "")
               << (row.holds_links ? " links" : "") << " processing " << row.processing;
}

std::ostream& operator<<(std::ostream& out, const Hardware& hardware) {
    constexpr std::array networks{"ring", "torus2", "torus3", "star", "table"};
    out << networks[hardware.network] << ", patch " << hardware.patch.columns << " x " << hardware.patch.rows
        << ", cores " << hardware.cores << ", chips " << hardware.chips << ", buses " << hardware.buses << ", NICs "
        << hardware.nics << ", spare hosts " << hardware.spare_hosts << ", shuffle " << hardware.shuffle
        << ", cores shuffled " << hardware.core_shuffle << ", hop " << hardware.hop << ", links_in_L "
        << hardware.links_in_L << ", routing " << static_cast<int>(hardware.routing)
        << (hardware.duplex ? "" : ", not duplex") << (hardware.limited ? ", limited" : "") << " by "
        << hardware.limiter << ", backbone " << hardware.backbone << '\n';
    for (const auto& rows : hardware.rows) {
        out << "  up to " << hardware.small << ": " << rows[0] << "\n    beyond: " << rows[1] << '\n';
    }
    for (const std::optional<Eager>& eager : hardware.eager) {
        if (!eager) continue;
        out << "  eager up to " << eager->limit << ", o_unexpected " << eager->o_unexpected << " G_unexpected "
            << eager->G_unexpected << '\n';
    }
    if (hardware.processes_messages) out << "  message processing\n";
    if (hardware.bus) out << "  bus o_dma " << (*hardware.bus)[0] << " G_dma " << (*hardware.bus)[1] << '\n';
    if (hardware.nic) {
        out << "  nic injection " << (*hardware.nic)[0] << " ejection " << (*hardware.nic)[1] << " g "
            << (*hardware.nic)[2] << '\n';
    }
    out << "  packet " << hardware.packet << " overhead " << hardware.overhead << " buffers " << hardware.buffers
        << " full " << hardware.full << '\n';
    if (!hardware.links) return out;
    if (hardware.arbitration) {
        out << "  arbitration " << (*hardware.arbitration)[0] << " overhead " << (*hardware.arbitration)[1] << '\n';
    }
    return out << "  links gap " << *hardware.links << " parallel " << hardware.parallel << " choice "
               << static_cast<int>(hardware.choice) << '\n';
}

variation::Noise draw_recurring() {
    variation::Noise noise;
    if (toss()) noise.classes = {{0.5, 1.0}, {0.25, 0.5}, {0.25, 2.0}};
    for (int factors = draw(0, 3); factors > 0; --factors) {
        const auto wave = static_cast<std::uint32_t>(factors - 1);
        noise.map.push_back({{0}, toss() ? std::optional(wave) : std::nullopt, 0.5 * draw(0, 5)});
        if (!noise.map.back().wave) break;  // each (rank, wave) appears once
    }
    return noise;
}

/// Draws a rate with which some blocks of a case have one interruption, and some several.
std::optional<variation::Interruptions> draw_interruptions(std::int64_t unit) {
    if (toss()) return std::nullopt;
    const double per_unit = 1e12 / static_cast<double>(unit);
    return variation::Interruptions{0.01 * draw(0, 20) * per_unit, Time{draw(0, 20) * unit}, false};
}

}  // namespace

rc::Gen<Case> any_case() {
    return rc::gen::exec([] {
        Case each;
        each.unit = one_of(std::array<std::int64_t, 5>{1000, 1, 137, 100'000, 10});
        each.code = draw_code();
        each.hardware = draw_hardware();
        return each;
    });
}

rc::Gen<variation::Noise> recurring_noise(std::int64_t unit) {
    return rc::gen::exec([unit] {
        variation::Noise noise = draw_recurring();
        noise.interruptions = draw_interruptions(unit);
        noise.repeats_after = one_of(std::array<std::int64_t, 3>{1, 2, 3});
        return noise;
    });
}

rc::Gen<variation::Noise> any_noise(std::int64_t unit) {
    return rc::gen::exec([unit] {
        variation::Noise noise = draw_recurring();
        noise.cv = 0.1 * draw(0, 10);
        noise.interruptions = draw_interruptions(unit);
        if (toss()) {
            const Time length{draw(0, 20) * unit};
            noise.periodic = variation::PeriodicNoise{length + Time{draw(1, 200) * unit}, length, toss()};
        }
        return noise;
    });
}

std::ostream& operator<<(std::ostream& out, const Case& each) {
    out << "unit " << each.unit << " ps, " << each.code.grid.columns << " x " << each.code.grid.rows << " ranks, lead "
        << each.code.lead << '\n';
    for (const Phase& phase : each.code.phases) {
        out << "  " << phase.iterations << " iterations of\n";
        for (const Step& step : phase.steps) out << "    " << step << '\n';
    }
    return out << each.hardware;
}

Case with_time_between(Case each) {
    for (auto& rows : each.hardware.rows) {
        for (Row& row : rows) {
            for (int* const takes : {&row.o_send, &row.o_recv, &row.L}) *takes = std::max(*takes, 1);
        }
    }
    return each;
}

}  // namespace warpfront::test

namespace warpfront::variation {

std::ostream& operator<<(std::ostream& out, const Noise& noise) {
    out << "cv " << noise.cv;
    if (noise.periodic) {
        out << ", interrupted for " << noise.periodic->length.ps << " of " << noise.periodic->period.ps
            << (noise.periodic->aligned ? " aligned" : "");
    }
    if (noise.interruptions) {
        out << ", interruptions " << noise.interruptions->per_second << " per second of "
            << noise.interruptions->length.ps;
    }
    if (noise.repeats_after > 0) out << ", repeating after " << noise.repeats_after;
    if (!noise.classes.empty()) out << ", classes";
    for (const CostFactor& factor : noise.map) {
        out << ", factor " << factor.factor << " for rank " << factor.rank.index;
        if (factor.wave) out << " tile " << *factor.wave;
    }
    return out;
}

}  // namespace warpfront::variation
