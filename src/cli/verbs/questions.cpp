#include "cli/verbs/questions.hpp"

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <limits>

#include "ask/position_reason.hpp"
#include "base/error_text.hpp"
#include "base/hex.hpp"
#include "chess/fen.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/pasted.hpp"
#include "cli/options/typed_moves.hpp"
#include "pgn/inputs.hpp"

namespace fendex::cli {

namespace {

/// Reads a line. Drops the end of a line that is longer than a record can be, so that memory is
/// bounded for any file.
bool read_line(std::istream& in, std::string& line) {
    constexpr std::size_t kLongest = 64 * 1024;
    line.resize(kLongest);
    in.getline(line.data(), kLongest);
    const auto taken = static_cast<std::size_t>(in.gcount());
    if (in.fail() && taken == kLongest - 1) {
        line.resize(taken);
        in.clear();
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        return true;
    }
    // The count includes the line end, if there is one.
    line.resize(in.good() ? taken - 1 : taken);
    return !in.fail();
}

/// Throws if the word names a file of games; no FEN looks like such a name.
void refuse_archive(const std::string& word) {
    if (pgn::is_archive_name(word)) {
        throw UsageError("'" + word + "' holds games, not positions: import it (fendex import DB " +
                         word + "), or give a FEN or a .fen file");
    }
}

/// Throws if the word names another file, which may hold positions.
void refuse_other_file(const std::string& word) {
    std::error_code error;
    if (std::filesystem::is_regular_file(word, error)) {
        throw UsageError("'" + word +
                         "' is a file, not a position: if it holds positions, give "
                         "it with --fens");
    }
}

}  // namespace

FenRecords::FenRecords(const std::vector<std::string>& words,
                       const std::optional<std::string>& file) {
    for (const std::string& word : words) {
        refuse_archive(word);
        if (is_record_file(word)) {
            add_file(word);
        } else if (begins_position(word) || sources_.empty() || sources_.back().lines != nullptr) {
            refuse_other_file(word);
            sources_.emplace_back().text = word;
        } else {
            sources_.back().text += ' ' + word;
        }
    }
    if (file) add_file(*file);
    given_ = !sources_.empty();
}

void FenRecords::add_file(const std::string& name) {
    refuse_archive(name);
    Source& source = sources_.emplace_back();
    if (name == "-") {
        source.text = "standard input";
        source.lines = &std::cin;
        return;
    }
    source.text = name;
    source.file = std::make_unique<std::ifstream>(name);
    if (!*source.file) throw UsageError("cannot open '" + name + "': " + base::error_text(errno));
    source.lines = source.file.get();
}

std::optional<FenRecord> FenRecords::next() {
    for (; !sources_.empty(); sources_.pop_front()) {
        Source& source = sources_.front();
        if (source.lines == nullptr) {
            FenRecord record{std::move(source.text), {}};
            sources_.pop_front();
            return record;
        }
        std::string text;
        while (read_line(*source.lines, text)) {
            ++source.line;
            if (text.ends_with('\r')) text.pop_back();
            if (source.line == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
            if (text.find_first_not_of(" \t") == std::string::npos || text[0] == '#') continue;
            return FenRecord{std::move(text), source.text + ":" + std::to_string(source.line)};
        }
        if (source.lines->bad()) throw UsageError("cannot read '" + source.text + "'");
    }
    return std::nullopt;
}

std::vector<std::string> position_words(const Arguments& arguments) {
    std::vector<std::string> words = databases_of(arguments).words;
    if (auto fen = arguments.find("fen")) words.insert(words.begin(), std::move(*fen));
    return words;
}

Option fen_option() { return valued("fen", "FEN", "the position, as after DB"); }

Option fens_option() {
    return valued("fens", "FILE",
                  "a file with a FEN or EPD record on each line; - for standard input. The EPD "
                  "operations id, bm, am and c0 come back with the answer");
}

std::optional<PositionRequest> next_position(FenRecords& records,
                                             std::optional<chess::Variant> variant,
                                             query::Match match) {
    const std::optional<FenRecord> record = records.next();
    if (!record) return std::nullopt;
    const std::string where =
        (record->where.empty() ? "'" + record->text + "'" : record->where) + ": ";
    const ask::PositionText read = ask::read_position(record->text, variant, match);
    PositionRequest asked{read.position, {}, carried_operations(read.fen), where};
    const std::string reason = asked.position
                                   ? query::reason_against(match, asked.position->variant())
                                   : ask::reason_of(record->text, read);
    if (!reason.empty()) {
        asked.error = asked.where + reason;
        asked.position.reset();
    }
    return asked;
}

PositionRequests::PositionRequests(const Arguments& arguments, std::string option,
                                   std::vector<std::string> moves, bool or_start)
    : records_(position_words(arguments), arguments.find("fens")),
      variant_(variant_asked(arguments)),
      match_(query::match_of(arguments.find("match").value_or("exact"))),
      option_(std::move(option)),
      moves_(std::move(moves)),
      start_(!records_.given() && (or_start || !moves_.empty())) {}

std::optional<PositionRequest> PositionRequests::next() {
    if (!before_) {
        if (std::exchange(start_, false)) {
            before_ = {start_asked(variant_), {}, {}, {}};
        } else {
            before_ = next_position(records_, variant_, match_);
        }
        next_moves_ = 0;
    }
    if (!before_ || !before_->position || moves_.empty())
        return std::exchange(before_, std::nullopt);
    PositionRequest asked = *before_;
    const std::string& moves = moves_[next_moves_];
    try {
        asked.position = position_after(*asked.position, option_, moves);
        asked.where += option_ + " '" + moves + "': ";
    } catch (const UsageError& error) {
        asked.error = asked.where + error.what();
    }
    if (++next_moves_ == moves_.size()) before_.reset();
    return asked;
}

std::optional<chess::Variant> variant_asked(const Arguments& arguments) {
    return arguments.fields().variant();
}

chess::AnyPosition position_of(const std::string& fen, std::optional<chess::Variant> variant) {
    const ask::PositionText read = ask::read_position(fen, variant);
    if (read.position) return *read.position;
    throw UsageError("'" + fen + "': " + ask::reason_of(fen, read));
}

chess::AnyPosition start_asked(std::optional<chess::Variant> variant) {
    return chess::AnyPosition::start_of(variant.value_or(chess::Variant::kStandard));
}

std::uint64_t parse_key(const std::string& text) {
    if (const auto key = base::key_of_hex(text)) return *key;
    throw UsageError("--key takes 16 hex digits, not '" + text + "'");
}

}  // namespace fendex::cli
