#include "cli/verbs/export_format.hpp"

#include <cctype>
#include <filesystem>
#include <string_view>

#include "base/joined.hpp"

namespace fendex::cli {

const std::vector<ExportFormat>& export_formats() {
    static const std::vector<ExportFormat> formats{
        {"pgn", {".pgn"}}, {"epd", {".epd"}},
        {"fen", {".fen"}}, {"json", {".json", ".jsonl", ".ndjson"}},
        {"csv", {".csv"}}, {"polyglot", {".bin"}},
    };
    return formats;
}

namespace {

/// Returns the name in lower case, without the ending of a compression.
std::string without_compression(std::string name) {
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view compressed : {".zst", ".gz"}) {
        if (name.ends_with(compressed)) name.resize(name.size() - compressed.size());
    }
    return name;
}

}  // namespace

std::string format_of_name(const std::string& output) {
    const std::string name = without_compression(output);
    for (const ExportFormat& format : export_formats()) {
        for (const char* const ending : format.endings) {
            if (name.ends_with(ending)) return format.name;
        }
    }
    return {};
}

std::string export_format_of(const Arguments& arguments) {
    if (const auto given = arguments.find("format")) return *given;
    const std::string output = arguments.find("output").value_or("");
    std::string format = format_of_name(output);
    if (!format.empty()) return format;
    const std::string ending = std::filesystem::path(without_compression(output)).extension();
    const std::filesystem::file_type type = std::filesystem::status(output).type();
    const bool is_device =
        type == std::filesystem::file_type::character || type == std::filesystem::file_type::fifo;
    if (ending.empty() || is_device) return "pgn";
    const std::string known =
        base::joined(", ", export_formats(), [](const auto& each) { return each.endings.back(); });
    throw UsageError("'" + output + "': no format has the ending '" + ending +
                     "': end the name with one of " + known + ", or name the format with --format");
}

bool is_of_positions(const Arguments& arguments) {
    const std::string format = export_format_of(arguments);
    const bool has_rows = format == "json" || format == "csv";
    return format == "epd" || format == "fen" || format == "polyglot" ||
           (has_rows && arguments.get("rows") == "positions");
}

}  // namespace fendex::cli
