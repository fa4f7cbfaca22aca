#include "simulator/results/timeline/timeline_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "simulator/results/timeline/formats.hpp"

namespace warpfront::results {

std::optional<TimelineFormat> timeline_format(const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (ending == ".pftrace") return TimelineFormat::perfetto;
    if (ending == ".json") return TimelineFormat::chrome;
    if (ending == ".paje") return TimelineFormat::paje;
    if (ending == ".otf2") return TimelineFormat::otf2;
    if (ending == ".prv") return TimelineFormat::paraver;
    return std::nullopt;
}

bool is_several_files(TimelineFormat format) {
    return format == TimelineFormat::otf2 || format == TimelineFormat::paraver;
}

std::string timeline_text(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names) {
    switch (format) {
        case TimelineFormat::perfetto: return perfetto_text(timeline, names);
        case TimelineFormat::chrome: return chrome_text(timeline, names);
        case TimelineFormat::paje: return paje_text(timeline, names);
        case TimelineFormat::otf2:
        case TimelineFormat::paraver: break;
    }
    throw std::logic_error("a format of several files has no text");
}

void write_timeline_files(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names,
                          const std::filesystem::path& file) {
    if (format == TimelineFormat::otf2) return write_otf2(timeline, names, file);
    const ParaverText text = paraver_text(timeline, names);
    for (const auto& [part, ending] :
         {std::pair(&text.records, ".prv"), std::pair(&text.names, ".pcf"), std::pair(&text.rows, ".row")}) {
        std::filesystem::path beside = file;
        std::ofstream stream(beside.replace_extension(ending), std::ios::binary);
        stream << *part << std::flush;
        if (!stream) throw std::runtime_error(std::strerror(errno));
    }
}

}  // namespace warpfront::results
