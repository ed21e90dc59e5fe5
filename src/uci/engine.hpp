// A chess engine that speaks UCI: another program, which searches one position after the other.
// Whatever it does, each function returns or throws within a time that follows from what was asked.
// One thread at a time; the thread that made it must live as long.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/any_position.hpp"
#include "codec/position_record.hpp"
#include "uci/process.hpp"
#include "uci/search_limit.hpp"

namespace fendex::uci {

/// The engine failed; what() names it, says what it was doing and what to do.
class EngineError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct EngineChoice {
    std::string program;  // a path, or a name in $PATH
    /// Names and values of UCI options to be set.
    std::vector<std::pair<std::string, std::string>> options;
    std::size_t pvs = 1;
    /// An engine that says nothing for so long, besides the time that it was given, hangs.
    std::chrono::seconds patience{60};
    /// Called now and then. If it returns true, the engine's functions throw base::Stopped.
    std::function<bool()> stop = {};
};

class Engine {
  public:
    /// Starts the engine. Throws EngineError, base::Stopped, or std::runtime_error if there is no
    /// such program.
    explicit Engine(EngineChoice choice);

    /// Returns the name that it gives itself, else that of the program.
    const std::string& name() const { return name_; }
    /// Returns whether it knows the rules of the position: Chess960 and variants need an option of
    /// the engine.
    bool knows_rules_of(const chess::AnyPosition& position) const;
    /// Searches a position that has legal moves, knowing nothing of those before. Throws
    /// EngineError or base::Stopped.
    [[nodiscard]] codec::Evaluation evaluate(const chess::AnyPosition& position,
                                             const SearchLimit& limit);
    /// Asks the engine to end, and kills it if it does not.
    void quit();

  private:
    /// A line that must come in time.
    struct Answer {
        std::string word;  // with which it begins
        std::chrono::milliseconds time;
        Clock::time_point deadline;
    };
    static Answer answer_within(std::string_view word, std::chrono::milliseconds time);

    [[noreturn]] void fail(const std::string& what, const std::string& advice) const;
    [[noreturn]] void fail_at_end();
    void send(const std::string& command);
    std::string next_line(const Answer& answer);
    void wait_for(std::string_view word);
    void read_option(std::string_view line);
    void set(const std::string& name, const std::string& value);
    void set_rules(const chess::AnyPosition& position);
    void set_options();

    EngineChoice choice_;
    std::string name_;
    /// The options that it has, by their names in lower case: type and the rest, as it said them.
    std::map<std::string, std::string> options_;
    std::map<chess::Variant, std::string> variants_;  // as the engine names them
    Process process_;
    std::string said_;   // its last line
    std::string doing_;  // what it was asked for last
    bool chess960_ = false;
    chess::Variant variant_ = chess::Variant::kStandard;
};

}  // namespace fendex::uci
