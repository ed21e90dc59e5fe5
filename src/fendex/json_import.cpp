#include "fendex/json_import.hpp"

#include <stop_token>
#include <vector>

#include "ask/fields.hpp"
#include "ask/rows.hpp"
#include "base/json.hpp"
#include "fendex/fendex.hpp"
#include "fendex/given_json.hpp"

namespace fendex {

namespace {

ask::Fields import_fields() {
    ask::FieldText memory = ask::number_field("memory", "bytes of memory");
    memory.high = ask::kAllRows;
    return {ask::number_field("threads", "threads; 0: as many as the machine has"),
            memory,
            ask::flag_field("annotations", "keep comments, NAGs and variations"),
            ask::flag_field("variations", "keep them, and index the positions of variations"),
            ask::flag_field("skip-duplicates", "leave out games that are there already"),
            ask::flag_field("strict", "the first error undoes the import")};
}

std::vector<std::string> inputs_of(nlohmann::json& request) {
    const auto inputs = request.find("inputs");
    if (inputs == request.end() || !inputs->is_array()) {
        throw Error(ErrorKind::kQuestion, "\"inputs\" takes an array of paths");
    }
    std::vector<std::string> paths;
    for (const nlohmann::json& each : *inputs) {
        if (!each.is_string()) throw Error(ErrorKind::kQuestion, "\"inputs\" takes strings");
        paths.push_back(each.get<std::string>());
    }
    request.erase(inputs);
    return paths;
}

std::optional<bool> ply_rows_of(nlohmann::json& request) {
    const auto rows = request.find("ply_rows");
    if (rows == request.end() || rows->is_null()) return std::nullopt;
    if (!rows->is_boolean()) throw Error(ErrorKind::kQuestion, "\"ply_rows\" takes true or false");
    const bool value = rows->get<bool>();
    request.erase(rows);
    return value;
}

std::string text_of(const ImportProgress& progress) {
    std::string text;
    json::append_object(text, [&](json::Object& object) {
        object.add("bytes", progress.bytes);
        object.add("total_bytes", progress.total_bytes);
        object.add("games", progress.games);
    });
    return text;
}

std::string text_of(const ImportResult& result) {
    std::string text;
    json::append_object(text, [&](json::Object& object) {
        object.add("games", result.games);
        object.add("plies", result.plies);
        object.add("errors", result.errors);
        object.add("warnings", result.warnings);
        object.add("duplicates", result.duplicates);
        object.add("failures", result.failures);
    });
    return text;
}

}  // namespace

std::string import_by_json(const std::string& database, const std::string& text,
                           const std::function<bool(const std::string&)>& going_on) {
    nlohmann::json request = members_of(text);
    const std::vector<std::string> inputs = inputs_of(request);
    ImportOptions options;
    options.ply_rows = ply_rows_of(request);
    const ask::Given given = given_of(request, import_fields());
    options.threads = static_cast<unsigned>(given.number("threads").value_or(0));
    options.memory_bytes = given.number("memory").value_or(options.memory_bytes);
    options.annotations = given.flag("annotations");
    options.variations = given.flag("variations");
    options.skip_duplicates = given.flag("skip-duplicates");
    options.strict = given.flag("strict");
    std::stop_source stop;
    if (going_on) {
        options.progress = [&](const ImportProgress& progress) {
            if (!going_on(text_of(progress))) stop.request_stop();
        };
    }
    return text_of(
        Database::open(database, Open::kCreate).import(inputs, options, stop.get_token()));
}

}  // namespace fendex
