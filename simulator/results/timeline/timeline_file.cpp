#include "simulator/results/timeline/timeline_file.hpp"

#include "simulator/results/timeline/formats.hpp"

namespace warpfront::results {

std::optional<TimelineFormat> timeline_format(const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (ending == ".pftrace") return TimelineFormat::perfetto;
    if (ending == ".json") return TimelineFormat::chrome;
    if (ending == ".paje") return TimelineFormat::paje;
    return std::nullopt;
}

std::string timeline_text(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names) {
    switch (format) {
        case TimelineFormat::perfetto: return perfetto_text(timeline, names);
        case TimelineFormat::chrome: return chrome_text(timeline, names);
        case TimelineFormat::paje: return paje_text(timeline, names);
    }
    return {};
}

}  // namespace warpfront::results
