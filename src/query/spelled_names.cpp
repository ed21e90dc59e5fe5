#include "query/spelled_names.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/name_fit.hpp"
#include "base/stop_check.hpp"
#include "codec/game_codes.hpp"
#include "query/fide_numbers.hpp"

namespace fendex::query {

namespace {

using store::NameKind;

/// Returns the player with the FIDE number of a name's games, if the names fit.
std::optional<std::string> player_of_number(const FideNumbers& numbers,
                                            const ingest::SpellingFile& file, std::int64_t id,
                                            std::string_view name) {
    const std::uint64_t number = numbers.most_frequent(codec::code_of_id(id));
    const std::string& player = file.player_with(number);
    if (player.empty()) return std::nullopt;
    const base::NameFit fit = names_fit(base::PersonName(name), base::PersonName(player));
    return fit >= base::NameFit::kNear ? std::optional(player) : std::nullopt;
}

/// Finds the names of a kind that are to be joined.
class SpellingSearch {
  public:
    SpellingSearch(store::LocalReader& reader, const ingest::SpellingFile& file, NameKind kind)
        : reader_(reader), file_(file), kind_(kind) {}

    void run(const FideNumbers* numbers, base::StopCheck& check,
             std::vector<ingest::NamedJoin>& out) {
        reader_.for_each_name(kind_, [&](std::int64_t id, std::string_view name) {
            check();
            const auto right = file_.right(kind_, name);
            if (right && !right->is_known) {
                made_[right->name].emplace_back(name);
            } else if (right) {
                add(name, right->name, out);
            } else if (numbers != nullptr) {
                if (const auto player = player_of_number(*numbers, file_, id, name)) {
                    add(name, *player, out);
                }
            }
        });
        add_made(check, out);
    }

  private:
    void add(std::string_view name, const std::string& right,
             std::vector<ingest::NamedJoin>& out) const {
        if (right != name) out.push_back({kind_, std::string(name), right});
    }

    /// Adds the names that rules have made, if several names became one, or one became another name
    /// of the database.
    void add_made(base::StopCheck& check, std::vector<ingest::NamedJoin>& out) {
        if (made_.empty()) return;
        std::unordered_set<std::string> stored;
        reader_.for_each_name(kind_, [&](std::int64_t, std::string_view name) {
            check();
            if (std::string text(name); made_.contains(text)) stored.insert(std::move(text));
        });
        for (const auto& [right, names] : made_) {
            if (names.size() == 1 && !stored.contains(right)) continue;
            for (const std::string& name : names) add(name, right, out);
        }
    }

    store::LocalReader& reader_;
    const ingest::SpellingFile& file_;
    NameKind kind_;
    std::map<std::string, std::vector<std::string>> made_;  // by what rules have made of them
};

}  // namespace

std::vector<ingest::NamedJoin> joins_of_spellings(store::LocalReader& reader,
                                                  const ingest::SpellingFile& file,
                                                  const std::stop_token& stop) {
    base::StopCheck check(stop);
    std::optional<FideNumbers> numbers;
    if (file.has_fide_numbers()) numbers.emplace(reader, check);
    std::vector<ingest::NamedJoin> out;
    for (const NameKind kind : {NameKind::kPlayer, NameKind::kEvent, NameKind::kSite}) {
        const bool has_numbers = kind == NameKind::kPlayer && numbers;
        SpellingSearch(reader, file, kind).run(has_numbers ? &*numbers : nullptr, check, out);
    }
    return out;
}

}  // namespace fendex::query
