#include "uci/engine.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/edit_distance.hpp"
#include "base/number_of.hpp"
#include "base/printable.hpp"
#include "base/stop_check.hpp"
#include "chess/fen.hpp"
#include "chess/variant_names.hpp"
#include "uci/search_lines.hpp"

namespace fendex::uci {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// How often the wish to stop is looked at.
constexpr milliseconds kSlice{100};
constexpr seconds kTimeToQuit{2};
/// An engine that searches fewer nodes in a second without saying anything seems to hang.
constexpr std::uint64_t kSlowNodesPerSecond = 10'000;
/// Engines look at their limits only now and then; beyond these an engine does not know them.
constexpr std::uint64_t kMostNodesBeyond = 10'000'000;
constexpr std::uint32_t kMostDepthBeyond = 16;
constexpr std::size_t kMostOptions = 4000;
constexpr std::size_t kLongestOption = 16 * 1024;
constexpr std::size_t kLongestName = 80;
constexpr std::size_t kLongestQuote = 160;

const char* const kChess960Option = "uci_chess960";
const char* const kVariantOption = "uci_variant";

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Returns the beginning of a text from the engine, to be shown.
std::string shown(std::string_view text, std::size_t most) {
    return base::printable(text.substr(0, most)) + (text.size() > most ? "..." : "");
}

/// Returns whether a line is this word, or begins with it.
bool is_word(std::string_view line, std::string_view word) {
    return line.starts_with(word) && (line.size() == word.size() || line[word.size()] == ' ');
}

/// Returns the text after " word " up to the next blank; empty if there is none.
std::string_view value_after(std::string_view text, std::string_view word) {
    const std::size_t place = text.find(word);
    if (place == std::string_view::npos) return {};
    text.remove_prefix(place + word.size());
    return text.substr(0, text.find(' '));
}

std::string go_command(const SearchLimit& limit) {
    const std::string value = std::to_string(limit.value);
    switch (limit.kind) {
        case SearchLimit::Kind::kNodes: return "go nodes " + value;
        case SearchLimit::Kind::kDepth: return "go depth " + value;
        case SearchLimit::Kind::kMilliseconds: break;
    }
    return "go movetime " + value;
}

/// Returns how long an engine may say nothing new while it searches.
milliseconds silence_of(const SearchLimit& limit, seconds patience) {
    constexpr std::uint64_t kDay = 24 * 3600;
    switch (limit.kind) {
        case SearchLimit::Kind::kNodes:
            return patience + seconds(std::min(limit.value / kSlowNodesPerSecond, kDay));
        case SearchLimit::Kind::kDepth: return patience;
        case SearchLimit::Kind::kMilliseconds: break;
    }
    return patience + milliseconds(std::min(limit.value, 1000 * kDay));
}

/// Returns whether a search is so far beyond its limit that the engine does not know the limit.
bool is_beyond(const SearchLines& lines, const SearchLimit& limit) {
    switch (limit.kind) {
        case SearchLimit::Kind::kNodes: return lines.nodes() / 2 > limit.value + kMostNodesBeyond;
        case SearchLimit::Kind::kDepth: return lines.depth() / 2 > limit.value + kMostDepthBeyond;
        case SearchLimit::Kind::kMilliseconds: break;
    }
    return false;
}

}  // namespace

Engine::Engine(EngineChoice choice)
    : choice_(std::move(choice)),
      name_(std::filesystem::path(choice_.program).filename()),
      process_(find_program(choice_.program)) {
    send("uci");
    const Answer answer = answer_within("uciok", choice_.patience);
    while (true) {
        const std::string line = next_line(answer);
        if (is_word(line, "uciok")) break;
        if (is_word(line, "option")) read_option(line);
        if (line.starts_with("id name ")) name_ = shown(line.substr(8), kLongestName);
    }
    set_options();
    send("isready");
    wait_for("readyok");
}

void Engine::fail(const std::string& what, const std::string& advice) const {
    std::string text = "the engine " + name_ + " (" + choice_.program + ") " + what;
    if (!said_.empty()) text += "; its last line: '" + shown(said_, kLongestQuote) + "'";
    const std::string& errors = process_.error_output();
    if (!errors.empty()) {
        const std::size_t begin = errors.size() - std::min(errors.size(), kLongestQuote);
        std::string last = errors.substr(begin);
        while (!last.empty() && last.back() == '\n') last.pop_back();
        text += "; on standard error: '" + base::printable(last) + "'";
    }
    throw EngineError(text + ". " + advice);
}

void Engine::fail_at_end() {
    static_cast<void>(process_.wait_for_end(Clock::now() + seconds(1)));
    fail("ended while it was asked for " + doing_ + ": " + process_.end(),
         "Try the engine by itself; what was evaluated is kept");
}

void Engine::send(const std::string& command) {
    doing_ = command;
    if (!process_.write(command + '\n', Clock::now() + choice_.patience)) {
        if (process_.wait_for_end(Clock::now() + kSlice)) fail_at_end();
        fail("does not read what it is asked: " + doing_,
             "Try the engine by itself; what was evaluated is kept");
    }
}

Engine::Answer Engine::answer_within(std::string_view word, milliseconds time) {
    return {std::string(word), time, Clock::now() + time};
}

/// Returns the next line, or an empty one after a slice of time. Fails if the answer is late.
std::string Engine::next_line(const Answer& answer) {
    std::string line;
    const auto slice = std::min(answer.deadline, Clock::now() + kSlice);
    switch (process_.read_line(line, slice)) {
        case Process::Heard::kLine:
            if (!line.empty()) said_ = line;
            break;
        case Process::Heard::kEnd: fail_at_end();
        case Process::Heard::kNothing: line.clear(); break;
    }
    if (choice_.stop && choice_.stop()) throw base::Stopped();
    if (Clock::now() >= answer.deadline) {
        const auto limit = std::chrono::ceil<seconds>(answer.time).count();
        fail("did not answer '" + answer.word + "' to " + doing_ + ", and got no further for " +
                 std::to_string(limit) + " s",
             "Is it a UCI engine? If it needs longer, give it more with --patience");
    }
    return line;
}

void Engine::wait_for(std::string_view word) {
    const Answer answer = answer_within(word, choice_.patience);
    while (!is_word(next_line(answer), word)) {
    }
}

/// Reads "option name Hash type spin default 16 min 1 max 33554432".
void Engine::read_option(std::string_view line) {
    constexpr std::string_view kName = "option name ";
    const std::size_t type = line.find(" type ");
    if (!line.starts_with(kName) || type == std::string_view::npos || type < kName.size()) return;
    if (options_.size() == kMostOptions || line.size() > kLongestOption) return;
    const std::string name = lower(std::string(line.substr(kName.size(), type - kName.size())));
    std::string rest(line.substr(type + 1));
    if (name == kVariantOption) {
        std::string_view words = rest;
        constexpr std::string_view kVar = " var ";
        while (words.find(kVar) != std::string_view::npos) {
            words.remove_prefix(words.find(kVar) + kVar.size());
            const std::string_view word = words.substr(0, words.find(' '));
            variants_.emplace(chess::variant_of(word), word);
        }
    }
    options_.insert_or_assign(name, std::move(rest));
}

void Engine::set(const std::string& name, const std::string& value) {
    const auto found = options_.find(lower(name));
    if (found == options_.end()) {
        std::vector<std::string> names;
        for (const auto& [known, rest] : options_) names.push_back(known);
        said_.clear();
        fail("has no option '" + name + "'" + base::suggestion(lower(name), names),
             "It names its options after the command uci");
    }
    const std::string& rest = found->second;
    const auto least = base::number_of<std::int64_t>(value_after(rest, " min "));
    const auto most = base::number_of<std::int64_t>(value_after(rest, " max "));
    if (rest.starts_with("type spin") && least && most && *least <= *most) {
        const auto number = base::number_of<std::int64_t>(value);
        if (!number || *number < *least || *number > *most) {
            said_.clear();
            fail("takes a number from " + std::to_string(*least) + " to " + std::to_string(*most) +
                     " for its option '" + name + "', not '" + value + "'",
                 "Give another one");
        }
    }
    send("setoption name " + name + (value.empty() ? "" : " value " + value));
}

void Engine::set_options() {
    for (const auto& [name, value] : choice_.options) set(name, value);
    if (choice_.pvs != 1) set("MultiPV", std::to_string(choice_.pvs));
}

bool Engine::knows_rules_of(const chess::AnyPosition& position) const {
    return (!chess::has_chess960_rights(position) || options_.contains(kChess960Option)) &&
           (position.standard() != nullptr || variants_.contains(position.variant()));
}

void Engine::set_rules(const chess::AnyPosition& position) {
    if (const chess::Variant variant = position.variant(); variant != variant_) {
        const auto named = variants_.find(variant);
        set("UCI_Variant", named == variants_.end() ? "chess" : named->second);
        variant_ = variant;
    }
    if (const bool chess960 = chess::has_chess960_rights(position); chess960 != chess960_) {
        set("UCI_Chess960", chess960 ? "true" : "false");
        chess960_ = chess960;
    }
}

codec::Evaluation Engine::evaluate(const chess::AnyPosition& position, const SearchLimit& limit) {
    set_rules(position);
    send("ucinewgame");
    send("isready");
    wait_for("readyok");
    const std::string fen = chess::to_fen(
        position, chess960_ ? chess::FenDialect::kShredder : chess::FenDialect::kLegal);
    send("position fen " + fen);
    send(go_command(limit));
    doing_ += " in the position " + fen;
    SearchLines lines(position, std::min(choice_.pvs, chess::count_legal_moves(position)));
    const milliseconds silence = silence_of(limit, choice_.patience);
    Answer answer = answer_within("bestmove", silence);
    try {
        while (true) {
            const std::string line = next_line(answer);
            if (is_word(line, "bestmove")) {
                lines.end(line);
                break;
            }
            if (is_word(line, "info") && lines.add_info(line) &&
                limit.kind != SearchLimit::Kind::kMilliseconds) {
                answer = answer_within("bestmove", silence);
            }
            if (is_beyond(lines, limit)) {
                fail("goes on searching beyond its limit (" + doing_ + ")",
                     "It does not seem to know this kind of limit: try --nodes, --depth or "
                     "--movetime");
            }
        }
    } catch (const Nonsense& nonsense) {
        fail("was asked for " + doing_ + " and named " + nonsense.what(),
             "Its answer is not used; what was evaluated before is kept");
    }
    std::optional<codec::Evaluation> result = lines.result();
    if (!result) {
        fail("was asked for " + doing_ + " and named a move, but no " +
                 (choice_.pvs == 1 ? "line with depth, score and PV"
                                   : "complete set of PVs of one depth with their scores"),
             "Give it a higher limit, or try the engine by itself");
    }
    // Many engines name their nodes only when a depth is complete. This one has ended the search
    // because it had searched as many nodes as it was asked for.
    if (limit.kind == SearchLimit::Kind::kNodes) {
        result->nodes = std::max(result->nodes, std::min(limit.value, codec::kMostNodes));
    }
    return *std::move(result);
}

void Engine::quit() {
    const Clock::time_point deadline = Clock::now() + kTimeToQuit;
    if (process_.write("stop\nquit\n", deadline)) {
        static_cast<void>(process_.wait_for_end(deadline));
    }
    process_.end();
}

}  // namespace fendex::uci
