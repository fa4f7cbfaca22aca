#include "tools/from_code/learning/templates.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "psl/psl.hpp"

asm(R"(
    .section .rodata, "a", @progbits
warpfront_pipeline_template:
    .incbin ")" WARPFRONT_SOURCE_DIR R"(/models/pipeline.psl"
warpfront_pipeline_template_end:
warpfront_halo_template:
    .incbin ")" WARPFRONT_SOURCE_DIR R"(/models/halo.psl"
warpfront_halo_template_end:
warpfront_all_corners_template:
    .incbin ")" WARPFRONT_SOURCE_DIR R"(/models/all_corners.psl"
warpfront_all_corners_template_end:
warpfront_butterfly_template:
    .incbin ")" WARPFRONT_SOURCE_DIR R"(/models/butterfly.psl"
warpfront_butterfly_template_end:
    .global warpfront_pipeline_template, warpfront_pipeline_template_end
    .global warpfront_halo_template, warpfront_halo_template_end
    .global warpfront_all_corners_template, warpfront_all_corners_template_end
    .global warpfront_butterfly_template, warpfront_butterfly_template_end
    .text
)");

extern "C" const char warpfront_pipeline_template[], warpfront_pipeline_template_end[];
extern "C" const char warpfront_halo_template[], warpfront_halo_template_end[];
extern "C" const char warpfront_all_corners_template[], warpfront_all_corners_template_end[];
extern "C" const char warpfront_butterfly_template[], warpfront_butterfly_template_end[];

namespace warpfront::learning {

namespace {

// Numbers that mark an argument: no other argument has the same bytes or picoseconds.
constexpr std::int64_t kEastWest = 1001;
constexpr std::int64_t kNorthSouth = 1003;
constexpr std::int64_t kSize = 1007;
constexpr std::uint32_t kSide = 5;
constexpr std::int64_t kTiles = 7;
constexpr std::int64_t kPre = 1'000'000;
constexpr std::int64_t kWork = 2'000'000;

struct Mark {
    StepKind kind = StepKind::send;
    Offset offset;
    std::int64_t bytes = 0;
    std::int64_t work = 0;  // if above 0, this is work and not a step
};
struct Shape {
    std::string file;
    std::string name;
    std::vector<std::string> arguments;
    bool in_loop = false;
    std::vector<Mark> marks;
    bool doubling = false;  // true for a butterfly with growing distances
};

/// Returns the marks of a call's steps on the middle rank of a `side` by `side` grid. Its only loop is omitted;
/// `in_loop` is set to true if there is one.
std::vector<Mark> marks_of(const std::string& file, const std::string& call, std::uint32_t side, bool& in_loop) {
    psl::Bindings bindings;
    bindings.grid.columns = side;
    bindings.grid.rows = side;
    const program::Program program = psl::lower(
        psl::load_text("probe.psl",
                       fmt::format("{}\napplication probe {{ iteration {{ {} }} }}\n", template_text(file), call)),
        bindings);
    const Rank centre = bindings.grid.at(side / 2 + 1, side / 2 + 1);
    const program::RankClass& code = program.of(centre);
    std::vector<Mark> marks;
    for (const program::Instruction& step : code.code) {
        using program::Op;
        Mark mark;
        const bool sends = program::on_send_side(step.op);
        switch (step.op) {
            case Op::loop: in_loop = step.amount == kTiles; continue;
            case Op::compute: mark.work = step.amount; break;
            case Op::send: mark.kind = StepKind::send; break;
            case Op::recv: mark.kind = StepKind::recv; break;
            case Op::isend: mark.kind = StepKind::isend; break;
            case Op::irecv: mark.kind = StepKind::irecv; break;
            case Op::wait_send:
            case Op::wait_recv: mark.kind = StepKind::wait; break;
            default: continue;
        }
        if (mark.work == 0) {
            const program::Channel& channel = (sends ? code.send_endpoints : code.receive_endpoints)[step.operand];
            mark.offset = offset_of({bindings.grid, {}}, centre, program::peer_of(centre, channel));
            if (is_send(mark.kind)) mark.bytes = step.amount;
        }
        marks.push_back(mark);
    }
    return marks;
}

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> kShapes = [] {
        std::vector<Shape> all;
        for (const char* const corner : {"northwest", "northeast", "southwest", "southeast"}) {
            for (const bool pre : {false, true}) {
                for (const bool work : {true, false}) {
                    Shape shape{
                        "pipeline",
                        "pipeline",
                        {corner, "tiles", pre ? "pre" : "0us", work ? "work" : "0us", "east_west", "north_south"},
                        false,
                        {},
                        false};
                    shape.marks = marks_of("pipeline",
                                           fmt::format("pipeline({}, {}, {}us, {}us, {}B, {}B)", corner, kTiles,
                                                       pre ? 1 : 0, work ? 2 : 0, kEastWest, kNorthSouth),
                                           kSide, shape.in_loop);
                    all.push_back(std::move(shape));
                }
            }
        }
        Shape halo{"halo", "halo", {"north_south", "east_west"}, false, {}, false};
        halo.marks = marks_of("halo", fmt::format("halo({}B, {}B)", kNorthSouth, kEastWest), kSide, halo.in_loop);
        all.push_back(std::move(halo));
        for (const bool doubling : {true, false}) {
            for (const bool pre : {false, true}) {
                for (const bool work : {true, false}) {
                    Shape shape{"butterfly",
                                doubling ? "recursive_doubling" : "recursive_halving",
                                {"least", "beyond", pre ? "pre" : "0us", work ? "work" : "0us", "size", "growth"},
                                true,
                                {},
                                doubling};
                    bool none = false;  // not used: with one stage there is no loop
                    shape.marks = marks_of(
                        "butterfly",
                        fmt::format("{}(1, 2, {}us, {}us, {}B, 0B)", shape.name, pre ? 1 : 0, work ? 2 : 0, kSize), 2,
                        none);
                    all.push_back(std::move(shape));
                }
            }
        }
        return all;
    }();
    return kShapes;
}

/// Returns true if the parts match the marks of a template, with partners at offsets or all of one kind. Adds to `call`
/// the part that provides each argument.
bool matches(std::span<const Part> parts, const Shape& shape, const Structure& structure, PartnerKind partner,
             TemplateCall& call) {
    if (parts.size() < shape.marks.size()) return false;
    for (std::size_t at = 0; at < shape.marks.size(); ++at) {
        const Mark& mark = shape.marks[at];
        const Part& part = parts[at];
        if (mark.work > 0) {
            if (part.kind != Part::Kind::work) return false;
            call.of[mark.work == kPre ? "pre" : "work"] = &part;
            continue;
        }
        if (part.kind != Part::Kind::step) return false;
        const Pattern& pattern = structure.patterns[part.pattern];
        if (pattern.kind != mark.kind || pattern.partner != partner) return false;
        if (partner == PartnerKind::offset && pattern.offset != mark.offset) return false;
        if (mark.bytes == kEastWest) call.of["east_west"] = &part;
        if (mark.bytes == kNorthSouth) call.of["north_south"] = &part;
        if (mark.bytes == kSize) call.of["size"] = &part;
    }
    return true;
}

}  // namespace

std::optional<TemplateCall> template_call(std::span<const Part> parts, const Structure& structure) {
    if (structure.tags || structure.closed.any()) return std::nullopt;  // templates have neither tags nor closed axes
    const Part& first = parts.front();
    for (const Shape& shape : shapes()) {
        TemplateCall call{shape.name, shape.arguments, 1, nullptr, {}, shape.file};
        if (!shape.in_loop) {
            call.parts = shape.marks.size();
            if (matches(parts, shape, structure, PartnerKind::offset, call)) return call;
            continue;
        }
        if (first.kind != Part::Kind::loop || first.body.size() != shape.marks.size()) continue;
        const bool is_butterfly = shape.file == "butterfly";
        if (is_butterfly != is_staged(first.staged) || is_shift(first.staged)) continue;
        if (is_butterfly && shape.doubling != doubles(first.staged)) continue;
        call.loop = &first;
        if (matches(first.body, shape, structure, first.staged, call)) return call;
    }
    return std::nullopt;
}

std::string_view template_text(const std::string& file) {
    if (file == "halo") return {warpfront_halo_template, warpfront_halo_template_end};
    if (file == "all_corners") return {warpfront_all_corners_template, warpfront_all_corners_template_end};
    if (file == "butterfly") return {warpfront_butterfly_template, warpfront_butterfly_template_end};
    return {warpfront_pipeline_template, warpfront_pipeline_template_end};
}

}  // namespace warpfront::learning
