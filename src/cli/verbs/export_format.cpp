#include "cli/verbs/export_format.hpp"

#include <cctype>
#include <string_view>

namespace fendex::cli {

const std::vector<ExportFormat>& export_formats() {
    static const std::vector<ExportFormat> formats{
        {"pgn", {".pgn"}}, {"epd", {".epd"}},
        {"fen", {".fen"}}, {"json", {".json", ".jsonl", ".ndjson"}},
        {"csv", {".csv"}}, {"polyglot", {".bin"}},
    };
    return formats;
}

std::string format_of_name(std::string name) {
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view compressed : {".zst", ".gz"}) {
        if (name.ends_with(compressed)) name.resize(name.size() - compressed.size());
    }
    for (const ExportFormat& format : export_formats()) {
        for (const char* const ending : format.endings) {
            if (name.ends_with(ending)) return format.name;
        }
    }
    return {};
}

std::string export_format_of(const Arguments& arguments) {
    if (const auto given = arguments.find("format")) return *given;
    const std::string format = format_of_name(arguments.find("output").value_or(""));
    return format.empty() ? "pgn" : format;
}

bool is_of_positions(const Arguments& arguments) {
    const std::string format = export_format_of(arguments);
    const bool has_rows = format == "json" || format == "csv";
    return format == "epd" || format == "fen" || format == "polyglot" ||
           (has_rows && arguments.get("rows") == "positions");
}

}  // namespace fendex::cli
