# Writes OUT, the definition of the build stamp (module.hpp): the COMPILER, and a hash of its OPTIONS and of the HEADERS.
set(all ${OPTIONS})
foreach(header ${HEADERS})
    file(SHA256 ${header} hash)
    string(APPEND all ${hash})
endforeach()
string(SHA256 hash ${all})
file(WRITE ${OUT} "#include \"simulator/process/module.hpp\"

const char* warpfront::process::build_stamp() { return \"${COMPILER} ${hash}\"; }
")
