#include "cli/options/spelling.hpp"

namespace fendex::cli {

const chess::SanLanguage& language_of(const std::string& code) {
    const chess::SanLanguage* language = chess::find_language(code);
    if (language == nullptr) {
        throw UsageError("--language: '" + code + "' is not one of " + chess::language_codes());
    }
    return *language;
}

std::vector<Option> spelling_options() {
    return {
        valued("language", "CODE",
               "letters of the pieces in this language (default en): " + chess::language_codes()),
        flag("figurine", "figurines for the pieces, ♔♕♖♗♘ for both sides")};
}

chess::SanSpelling spelling_of(const Arguments& arguments) {
    const auto code = arguments.find("language");
    if (!arguments.has("figurine")) {
        return chess::SanSpelling::of(code ? language_of(*code) : chess::english());
    }
    if (code)
        throw UsageError("--figurine and --language cannot be combined: figurines are not letters");
    return chess::SanSpelling::figurines();
}

}  // namespace fendex::cli
