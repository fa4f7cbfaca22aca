#include "tools/report/page/page.hpp"

// String literals end at 64 KiB by the standard; the assembler takes files of any length.
asm(R"(
    .section .rodata, "a", @progbits
warpfront_page_script:
    .incbin ")" WARPFRONT_PAGE_DIR R"(/bundle.js"
warpfront_page_script_end:
warpfront_page_style:
    .incbin ")" WARPFRONT_PAGE_DIR R"(/bundle.css"
warpfront_page_style_end:
warpfront_page_served:
    .incbin ")" WARPFRONT_PAGE_DIR R"(/served.js"
warpfront_page_served_end:
    .global warpfront_page_served, warpfront_page_served_end
    .global warpfront_page_script, warpfront_page_script_end, warpfront_page_style, warpfront_page_style_end
    .text
)");

extern "C" const char warpfront_page_script[], warpfront_page_script_end[];
extern "C" const char warpfront_page_style[], warpfront_page_style_end[];
extern "C" const char warpfront_page_served[], warpfront_page_served_end[];

namespace warpfront::tools {

std::string_view page_script() { return {warpfront_page_script, warpfront_page_script_end}; }
std::string_view served_script() { return {warpfront_page_served, warpfront_page_served_end}; }
std::string_view page_style() { return {warpfront_page_style, warpfront_page_style_end}; }

}  // namespace warpfront::tools
